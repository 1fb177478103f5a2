"""record: the frames that were asked for, with what was done drawn on them, in a file that plays; the page is not touched."""

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Idleness
from polling import until

pytestmark = pytest.mark.same_tab

Colour = tuple[int, int, int]
BLUE, GREEN, WHITE = (0, 0, 255), (0, 128, 0), (255, 255, 255)
MARK = (242, 89, 13)
LABEL_BAR = (45, 47, 51)
ANNOTATION_BAR = (42, 103, 193)
# The button is blue until it is pressed.
BUTTON = """<style>body { margin: 0 } button { position: absolute; left: 300px; top: 200px; width: 120px; height: 80px; border: 0; font-size: 0;
background: blue }</style><button onclick="this.style.background = 'green'">Go</button>"""
MIDDLE = (360, 240)
CORNER = (306, 206)
FLICKER = """<style>body { margin: 0 }</style><script>let n = 0; setInterval(() => {
document.body.style.background = `hsl(${++n * 20} 100% 50%)` }, 60)</script>"""
"""No colour comes twice in a second: of two that take turns, frames of a busy machine may show the same one each time."""


class Film:
    """The frames of a GIF as they are shown."""

    def __init__(self, path: str | Path) -> None:
        content = Path(path).read_bytes()
        assert content.startswith(b"GIF89a")
        assert b"NETSCAPE2.0" in content, "it plays once"
        self.durations: list[int] = []
        self.frames: list[Image.Image] = []
        with Image.open(path) as image:
            self.size = image.size
            for number in range(image.n_frames):  # type: ignore[attr-defined]
                image.seek(number)
                self.durations.append(int(image.info["duration"]))
                self.frames.append(image.convert("RGB"))

    def pixel(self, frame: int, x: float, y: float) -> Colour:
        """The colour at a point of the page, which is shown at another scale."""
        found = self.frames[frame].getpixel((round(x * self.scale), round(y * self.scale)))
        assert isinstance(found, tuple)
        return (int(found[0]), int(found[1]), int(found[2]))

    @property
    def scale(self) -> float:
        return self.size[0] / self.page_width

    page_width = 1280.0


def near(found: Colour, wanted: Colour, by: int = 40) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, wanted, strict=True))


def stop(tabwire: Tabwire, page: ShownPage, path: Path, **arguments: Any) -> tuple[dict[str, Any], Film]:
    """Stops the recording and checks what it says of its file."""
    data = tabwire.ok("record", action="stop", save_path=str(path), **arguments).data
    film = Film(path)
    film.page_width = page.evaluate("innerWidth")
    assert data["path"] == str(path)
    assert data["bytes"] == path.stat().st_size
    assert data["frames"] == len(film.frames)
    assert (data["width"], data["height"]) == film.size
    assert data["duration_ms"] == sum(film.durations)
    assert data["format"] == "gif"
    return data, film


def pause(tabwire: Tabwire, ms: int) -> None:
    """Lets the browser's time pass."""
    tabwire.ok("wait", **{"for": "timeout", "duration": ms})


def attached_tabs(browser: Browser) -> list[int]:
    script = "chrome.debugger.getTargets().then((all) => all.filter((one) => one.attached && one.tabId).map((one) => one.tabId))"
    found: list[int] = browser.in_worker(script)
    return found


def kept_frames(browser: Browser) -> int:
    """How many frames the extension has stored."""
    script = """new Promise((done) => { indexedDB.open("tabwire.recordings").onsuccess = ({ target: { result: database } }) => {
      const count = database.transaction("frames").objectStore("frames").count();
      count.onsuccess = () => { database.close(); done(count.result); };
    }; })"""
    found: int = browser.in_worker(script)
    return found


def test_a_frame_follows_each_act_and_shows_what_was_done(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    tabwire.open(site.page(BUTTON))
    before = page.evaluate("document.documentElement.outerHTML")
    started = tabwire.ok("record", action="start").data
    assert (started["recording"], started["mode"], started["format"], started["frames"]) == (True, "auto_capture", "gif", 1)
    assert page.evaluate("document.documentElement.outerHTML") == before
    tabwire.ok("click", selector="role:button")
    snapshot = tabwire.snapshot()
    assert "Click" not in snapshot
    tabwire.ok("record", action="capture_frame", annotation="It is green")
    assert tabwire.ok("record", action="status").data["frames"] == 3
    data, film = stop(tabwire, page, tmp_path / "film.gif")
    bottom = page.evaluate("innerHeight") - 10
    assert len(film.frames) == 3
    assert near(film.pixel(0, *MIDDLE), BLUE), "no frame from before the first act"
    assert near(film.pixel(0, 700, bottom), WHITE)
    assert near(film.pixel(1, *MIDDLE), MARK), "the click is not shown"
    assert near(film.pixel(1, *CORNER), GREEN)
    assert near(film.pixel(1, 700, bottom), LABEL_BAR), "the act has no label"
    assert near(film.pixel(2, *MIDDLE), GREEN), "the click is shown on a later frame"
    assert near(film.pixel(2, 700, 8), ANNOTATION_BAR)
    assert near(film.pixel(2, 700, bottom), WHITE)
    assert all(1000 <= duration <= 2000 for duration in film.durations)
    assert "ended" not in data
    assert tabwire.ok("record", action="status").data == {"recording": False}
    assert kept_frames(browser) == 0


@pytest.mark.conditions
@pytest.mark.parametrize("where", ["page", "cross_page"])
def test_a_click_in_a_frame_is_shown_at_its_place(
    tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path, where: str
) -> None:
    """In a box that is zoomed; the button's middle is at 375, 210 of the page."""
    inner = getattr(site, where)(
        "<style>body { margin: 0; background: blue } button { position: absolute; left: 20px; top: 20px; width: 60px; height: 40px;"
        " border: 0; background: green }</style><button aria-label=Go></button>"
    )
    frame = f"<iframe src='{inner}' style='position: absolute; left: 200px; top: 100px; width: 140px; height: 90px; border: 0'></iframe>"
    tabwire.open(site.page(f"<body style='margin: 0'><div style='zoom: 1.5'>{frame}</div>"))
    tabwire.ok("record", action="start")
    tabwire.ok("click", selector="role:button[name=Go]")
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    left, top, scale = page.evaluate("[visualViewport.offsetLeft, visualViewport.offsetTop, visualViewport.scale]")
    film.page_width /= scale
    assert near(film.pixel(0, 375 - left, 210 - top), (0, 128, 0))
    assert near(film.pixel(1, 375 - left, 210 - top), MARK)


def test_each_overlay_can_be_left_out(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    for left_out in ({"click_indicators"}, {"action_labels"}, {"drag_paths"}):
        tabwire.open(site.page(BUTTON))
        tabwire.ok("record", action="start", overlays=dict.fromkeys(left_out, False))
        tabwire.ok("click", selector="role:button")
        tabwire.ok("drag", source_coordinates={"x": 500, "y": 100}, target_coordinates={"x": 1100, "y": 400})
        _, film = stop(tabwire, page, tmp_path / "film.gif")
        assert near(film.pixel(0, 800, 250), WHITE)
        shown = {
            "click_indicators": near(film.pixel(1, *MIDDLE), MARK),
            "action_labels": near(film.pixel(1, 700, page.evaluate("innerHeight") - 10), LABEL_BAR),
            "drag_paths": near(film.pixel(2, 800, 250), MARK),
        }
        assert shown == {name: name not in left_out for name in shown}


def test_a_fixed_rate_gives_its_frames_and_ends_by_itself(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(FLICKER))
    tabwire.ok("record", action="start", mode="fixed_fps", fps=5, max_duration=1000)
    pause(tabwire, 1100)
    status = tabwire.ok("record", action="status").data
    assert (status["recording"], status["ended"]) == (False, "max_duration")
    assert tabwire.fails("record", action="capture_frame").code == "invalid_argument"
    data, film = stop(tabwire, page, tmp_path / "film.gif")
    assert data["ended"] == "max_duration"
    # A busy machine gives fewer pictures, and the reply says how many it did not give.
    left_out = int((re.search(r"(\d+) of \d+ frames were left out", data.get("note", "")) or ["", 0])[1])
    assert 3 <= len(film.frames) + left_out <= 5, data
    assert 950 <= data["duration_ms"] <= 1050
    assert len(film.frames) >= 2
    colours = {film.pixel(n, 600, 300) for n in range(len(film.frames))}
    assert len(film.frames) < 3 or len(colours) > 1, "the frames are all the same"


def test_frames_of_a_fixed_rate_show_acts_for_a_while(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start", mode="fixed_fps", fps=4)
    tabwire.ok("click", selector="role:button")
    pause(tabwire, 1500)
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    shown = [near(film.pixel(n, *MIDDLE), MARK) for n in range(len(film.frames))]
    assert shown[0] is False
    assert True in shown
    assert shown[-1] is False


def test_it_ends_with_the_last_frame_it_may_take(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start", max_frames=2)
    tabwire.ok("click", selector="role:button")
    tabwire.ok("click", selector="role:button")
    assert tabwire.ok("record", action="status").data["ended"] == "max_frames"
    assert "not saved" in tabwire.fails("record", action="start").text
    data, _ = stop(tabwire, page, tmp_path / "film.gif")
    assert (data["frames"], data["ended"]) == (2, "max_frames")


def test_the_page_is_fitted_into_the_size(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    shape = page.evaluate("innerWidth / innerHeight")
    for width, height in ((400, 600), (800, 100)):
        tabwire.ok("record", action="start", width=width, height=height)
        _, film = stop(tabwire, page, tmp_path / "film.gif")
        assert film.size[0] == width or film.size[1] == height
        assert film.size[0] <= width
        assert film.size[1] <= height
        assert abs(film.size[0] / film.size[1] - shape) < 0.1


def test_a_webm_plays(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start", format="webm", width=640)
    tabwire.ok("click", selector="role:button")
    file = tmp_path / "film.webm"
    data = tabwire.ok("record", action="stop", save_path=str(file)).data
    content = file.read_bytes()
    assert content.startswith(b"\x1a\x45\xdf\xa3")
    assert (data["format"], data["frames"], data["bytes"]) == ("webm", 2, len(content))
    play = """(async () => {
      const film = document.createElement("video");
      film.src = "data:video/webm;base64,%s";
      await new Promise((done, fail) => { film.onloadeddata = done; film.onerror = () => fail(film.error.message); });
      const scale = film.videoWidth / innerWidth;
      const picture = new OffscreenCanvas(film.videoWidth, film.videoHeight).getContext("2d", { willReadFrequently: true });
      // "seeked" comes before the picture can be drawn: until then nothing is drawn, or the picture before.
      const look = async (at, channel) => {
        await new Promise((done) => { film.onseeked = done; film.currentTime = at; });
        const deadline = performance.now() + 5000;
        for (;;) {
          picture.drawImage(film, 0, 0);
          const pixel = [...picture.getImageData(Math.round(306 * scale), Math.round(206 * scale), 1, 1).data.slice(0, 3)];
          if (pixel[channel] === Math.max(...pixel, 64) || performance.now() > deadline) return pixel;
          await new Promise(requestAnimationFrame);
        }
      };
      const [GREEN, BLUE] = [1, 2];
      return [film.videoWidth, film.videoHeight, film.duration * 1000, await look(0.2, BLUE), await look(film.duration - 0.3, GREEN)];
    })()"""
    width, height, duration, first, last = page.evaluate(play % base64.b64encode(content).decode())
    assert (width, height) == (data["width"], data["height"])
    assert abs(duration - data["duration_ms"]) < 20
    assert near(tuple(first), BLUE)
    assert near(tuple(last), GREEN)


def test_without_a_path_it_is_an_artifact(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start")
    path = Path(tabwire.ok("record", action="stop").data["path"])
    assert path.parent.name == "artifacts"
    assert Film(path).frames


def test_a_name_that_was_taken_meanwhile_keeps_the_recording(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start")
    path = Path(tabwire.ok("record", action="stop").data["path"])
    tabwire.ok("record", action="start", save_path="named")
    named = path.with_name("named.gif")
    named.write_text("somebody else's meanwhile")
    failed = tabwire.fails("record", action="stop")
    assert failed.code == "invalid_argument" and "is kept: call stop again" in failed.text
    assert Path(tabwire.ok("record", action="stop", save_path="other").data["path"]) == path.with_name("other.gif")
    assert named.read_text() == "somebody else's meanwhile"


def test_the_format_may_be_chosen_when_it_stops(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start")
    data = tabwire.ok("record", action="stop", save_path=str(tmp_path / "film.webm")).data
    assert data["format"] == "webm"
    assert Path(data["path"]).read_bytes().startswith(b"\x1a\x45\xdf\xa3")


def test_a_click_that_leads_elsewhere_is_shown_and_the_recording_goes_on(
    tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    there = site.page(
        "<body style='margin: 0; background: blue'><button style='position: absolute; left: 300px; top: 200px; width: 120px; height: 80px'>x</button>"
    )
    tabwire.open(site.page(f"<a href='{there}' style='position: absolute; left: 500px; top: 100px'>There</a>"))
    place = page.evaluate(
        "(() => { const b = document.querySelector('a').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2] })()"
    )
    tabwire.ok("record", action="start")
    tabwire.ok("click", selector="text:There")
    tabwire.ok("click", selector="role:button")
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    assert near(film.pixel(0, 700, 400), WHITE)
    assert near(film.pixel(1, 700, 400), BLUE)
    assert near(film.pixel(1, *place), MARK)
    assert near(film.pixel(2, *MIDDLE), MARK)


def test_a_click_in_a_frame_of_another_site_is_shown_where_it_is(
    tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    inner = site.cross_page("<button style='position: absolute; left: 40px; top: 30px; width: 80px; height: 60px'>In</button>")
    tabwire.open(site.page(f"<iframe src='{inner}' style='position: absolute; left: 200px; top: 150px; border: 0'></iframe>"))
    button = tabwire.ref("button", "In")
    tabwire.ok("record", action="start")
    tabwire.ok("click", selector=button)
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    assert near(film.pixel(1, 280, 210), MARK)


def test_a_hidden_tab_is_recorded_where_it_is(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    hidden = tabwire.ok("tab_list").data
    (tab,) = [one["tabId"] for one in hidden["tabs"] if one["active"]]
    front = site.page("<title>Front</title>")
    tabwire.ok("tab_new", url=front)
    tabwire.ok("record", action="start", tabId=tab)
    tabwire.ok("click", selector="role:button", tabId=tab)
    # A picture in between ends the cast that lets a hidden tab be drawn, if nobody takes care.
    tabwire.ok("screenshot", tabId=tab)
    tabwire.ok("record", action="capture_frame", tabId=tab)
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    assert [near(film.pixel(n, *CORNER), BLUE) for n in range(3)] == [True, False, False]
    assert page.url == front


def test_a_recording_survives_the_end_of_the_worker(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("record", action="start")
    assert browser.stop_workers() == 1
    tabwire.ok("click", selector="role:button")
    assert browser.stop_workers() == 1
    _, film = stop(tabwire, page, tmp_path / "film.gif")
    assert len(film.frames) == 2
    assert near(film.pixel(1, *MIDDLE), MARK)


def test_a_fixed_rate_goes_on_after_the_end_of_the_worker(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    tabwire.open(site.page(FLICKER))
    tabwire.ok("record", action="start", mode="fixed_fps", fps=5)
    browser.stop_workers()
    before = tabwire.ok("record", action="status").data["frames"]
    pause(tabwire, 700)
    assert tabwire.ok("record", action="status").data["frames"] > before
    stop(tabwire, page, tmp_path / "film.gif")


def test_a_dialog_does_not_hold_the_recording(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    tabwire.ok("record", action="start")
    tabwire.ok("click", selector="role:button")
    tabwire.ok("record", action="capture_frame", annotation="A dialog is open")
    data = tabwire.ok("record", action="stop", save_path=str(tmp_path / "film.gif")).data
    assert data["frames"] == 3
    assert "2 frames repeat" in data["note"]
    assert len(Film(data["path"]).frames) == 3


@pytest.mark.fresh_tab
def test_a_label_without_room_is_left_out(tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("viewport", width=1, height=1)
    tabwire.ok("record", action="start")
    tabwire.ok("focus", selector="role:button")
    data, film = stop(tabwire, page, tmp_path / "film.gif")
    assert data["frames"] == 2
    assert film.size == (2, 2)


def test_two_tabs_are_recorded_apart_and_one_that_closes_leaves_its_recording(
    tabwire: Tabwire, site: Site, page: ShownPage, tmp_path: Path
) -> None:
    tabs = [
        tabwire.ok("tab_new", url=site.page(f"<body style='background: {colour}'>")).data["tabId"] for colour in ("green", "blue")
    ]
    for tab in tabs:
        tabwire.ok("record", action="start", tabId=tab)
    assert "is being recorded" in tabwire.fails("record", action="start", tabId=tabs[0]).text
    tabwire.ok("tab_close", tabId=tabs[1])
    for tab, colour, ended in zip(tabs, (GREEN, BLUE), (None, "tab_closed"), strict=True):
        data, film = stop(tabwire, page, tmp_path / f"{tab}.gif", tabId=tab)
        assert near(film.pixel(0, 600, 300), colour)
        assert data.get("ended") == ended


def test_what_cannot_be_recorded_is_an_error(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page(BUTTON))
    for action in ("stop", "capture_frame"):
        assert "nothing is being recorded; begin with action start" in tabwire.fails("record", action=action).text
    assert "end in .gif or .webm" in tabwire.fails("record", action="stop", save_path="film.mp4").text
    assert "that agree" in tabwire.fails("record", action="stop", format="webm", save_path="film.gif").text
    tabwire.ok("record", action="start")
    assert tabwire.fails("record", action="stop", save_path="/etc/film.gif").code == "permission_denied"
    (tmp_path / "theirs.gif").write_text("theirs")
    assert "overwrite: true" in tabwire.fails("record", action="stop", save_path=str(tmp_path / "theirs.gif")).text
    assert tabwire.ok("record", action="status").data["recording"], "a bad path has ended the recording"
    tabwire.ok("record", action="stop", save_path=str(tmp_path / "film.gif"))
    for wrong in ({"fps": 0}, {"max_frames": 0}, {"width": 1}, {"max_duration": -1}):
        assert tabwire.fails("record", action="start", **wrong).is_error
    assert tabwire.fails("record", action="start", tabId=1).code == "no_such_tab"


def test_in_the_users_browser_the_debugger_is_let_go(joiner: Launcher, site: Site, tmp_path: Path) -> None:
    own: Launched = joiner.fresh(site)
    own.tabwire.open(site.page(BUTTON))
    assert attached_tabs(own.browser) == []
    with Idleness(own.browser) as idleness:
        own.tabwire.ok("record", action="start")
        idleness.end()
        own.tabwire.ok("click", selector="role:button")
        assert len(attached_tabs(own.browser)) == 1
        data, film = stop(own.tabwire, ShownPage(own.browser), tmp_path / "film.gif")
        until(lambda: attached_tabs(own.browser), equals=[], within=10)
    assert data["frames"] == 2
    assert near(film.pixel(1, *MIDDLE), MARK)
