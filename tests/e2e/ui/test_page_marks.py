"""What a person sees of an act in the page: there for eyes, and for nothing and nobody else."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.conftest import Joined, Launched, ShownPage
from e2e.person import Person
from e2e.site import Site
from polling import until

HOST = "document.querySelector('tabwire-signs')"
IS_SHOWN = f"{HOST} !== null"
IS_GONE = f"{HOST} === null"
SOON_S = 10
KEPT = {"Cache-Control": "max-age=60"}
"""Of pages that the browser keeps for going back."""
STILL = """(() => {
  const own = setTimeout;
  globalThis.setTimeout = (run, ms, ...more) => own(run, ms > 1000 ? 1e7 : ms, ...more);
})()"""
"""Keeps the signs from going by themselves: what is slow shall not look like what is gone."""
BRIEF = STILL.replace("> 1000 ? 1e7", "=== 2500 ? 100")
"""Lets them go a tenth of a second after their act instead of the 2.5 s that a person has to see them; the limit of an act stays long."""
BUTTON = """<style>body { margin: 0 } button { position: absolute; left: 100px; top: 60px; width: 80px; height: 40px }</style>
<button>Go</button>"""
LAYOUT = """(() => {
  const {scrollWidth, scrollHeight} = document.documentElement;
  const places = [...document.querySelectorAll('button, b')].map((one) => JSON.stringify(one.getBoundingClientRect()));
  return [scrollWidth > innerWidth, scrollHeight > innerHeight, ...places];
})()"""
"""Not its height: that is the window's, which changes with Chrome's bar of a debugger."""
"""Chrome's bar of a debugger before may go meanwhile: the window is higher then."""
SEEN = """(() => {
  const root = chrome.dom.openOrClosedShadowRoot(document.querySelector('tabwire-signs'));
  const box = root.querySelector('.point').getBoundingClientRect();
  return {title: root.querySelector('.title').textContent, x: box.x + box.width / 2, y: box.y + box.height / 2,
    frame: getComputedStyle(root.querySelector('.frame')).borderTopColor};
})()"""
CLIENT = """new Promise((done) => chrome.runtime.connect({ name: 'panel' }).onMessage.addListener(({ clients: [{ name, hue }] }) =>
  done([name, `rgb(${hue.dark.match(/\\w\\w/g).map((part) => parseInt(part, 16)).join(', ')})`])))"""
"""Name and colour of the client in popup and side panel; the colour is that of its tab group."""


def opened(own: Launched, client: Tabwire, url: str) -> Page:
    """The client's tab, in which signs do not go by themselves from now on."""
    client.ok("navigate", url=url)
    client.ok("snapshot")
    page = own.browser.at(url)
    page.evaluate_in_extension(STILL)
    return page


def is_bare(picture: str) -> bool:
    """Whether there is nothing in it but the button; the debugger's bar makes the page smaller, so sizes tell nothing."""
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGB")
    image.paste("white", (95, 55, 185, 105))
    return len(image.getcolors(1 << 24) or []) == 1


@pytest.mark.conditions
def test_an_act_shows_where_it_happens_and_then_goes(own: Launched, anna: Tabwire, person: Person, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    before = page.evaluate(LAYOUT)
    anna.ok("snapshot")
    assert page.evaluate(IS_GONE), "a read shows nothing"
    anna.ok("click", selector="role:button")
    assert page.evaluate(IS_SHOWN)
    seen = page.evaluate_in_extension(SEEN)
    name, colour = person.page.evaluate(CLIENT)
    assert (seen["title"], seen["frame"]) == (f"{name}: Click", colour)
    assert (abs(seen["x"] - 140) < 2, abs(seen["y"] - 80) < 2) == (True, True), seen
    assert page.evaluate(f"[{HOST}.ariaHidden, {HOST}.shadowRoot, {HOST}.childNodes.length]") == ["true", None, 0]
    assert page.evaluate("[2, innerWidth / 2].map((x) => document.elementFromPoint(x, 2)?.localName)") == ["html", "html"]
    assert page.evaluate(LAYOUT) == before


def test_it_goes_by_itself(anna: Tabwire, own: Launched, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    page.evaluate_in_extension(BRIEF)
    page.evaluate("""globalThis.came = new Promise((done) => new MutationObserver((records) => {
      if (records.some(({ removedNodes }) => removedNodes[0]?.localName === 'tabwire-signs')) done(true);
    }).observe(document.documentElement, {childList: true})); undefined""")
    anna.ok("click", selector="role:button")
    assert page.evaluate("came") is True


def test_no_read_sees_it_and_no_effect_counts_it(own: Launched, anna: Tabwire, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    first = anna.ok("click", selector="role:button").data["effects"]
    second = anna.ok("click", selector="role:button").data["effects"]
    assert ("mutations" in first, "mutations" in second) == (False, False), (first, second)
    assert page.evaluate(IS_SHOWN)
    texts = [anna.snapshot(), anna.ok("snapshot", mode="full", include_text=True).text]
    assert [text for text in texts if "mcp" in text or "tabwire" in text] == []
    assert anna.ok("query", by="text", value="mcp: Click", **{"return": "count"}).data == 0
    for selector in ("tabwire-signs", "html > :not(head, body)", "xpath=/html/*[last()]"):
        reply = anna.call("wait", **{"for": "selector", "selector": selector, "state": "attached", "timeout": 50})
        assert reply.code == "timeout", reply
    for name, args in {"markup.read": "{shown: false}", "outline.print": "{}"}.items():
        told = page.evaluate_in_extension(f"JSON.stringify(globalThis.__tabwire.call('{name}', {args}))")
        assert "Go" in told and "tabwire-signs" not in told and "mcp" not in told, name
    assert page.evaluate(IS_SHOWN), "it was there all the time"


@pytest.mark.conditions
def test_no_picture_shows_it(own: Launched, anna: Tabwire, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    anna.show()
    for way in ({}, {"full_page": True}):
        anna.ok("click", selector="role:button")
        assert not is_bare(page.call("Page.captureScreenshot")["data"]), "a person sees it"
        assert page.evaluate(IS_SHOWN)
        # Of the window, and by the debugger.
        assert is_bare(anna.ok("screenshot", **way).images[0].data), way
    anna.ok("click", selector="role:button")
    anna.ok("record", action="start", mode="auto_capture")
    assert page.evaluate(IS_GONE)
    anna.ok("click", selector="role:button")
    assert page.evaluate(IS_GONE), "recordings draw their own marks"
    anna.ok("record", action="stop")


def test_the_person_switches_it_off_and_on(own: Launched, anna: Tabwire, person: Person, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    assert person.ask("settings")["signs"] is None
    anna.ok("click", selector="role:button")
    assert person.ask("setSettings", settings={"signs": False})["signs"] is False
    page.wait_for(IS_GONE, SOON_S)
    anna.ok("click", selector="role:button")
    assert page.evaluate(IS_GONE)
    for wrong in ({"signs": "yes"}, {"sings": True}, {"__proto__": 1, "constructor": True}):
        assert "there is no such setting" in person.ask("setSettings", settings=wrong)["error"]
    assert person.ask("settings")["signs"] is False
    person.ask("setSettings", settings={"signs": None})
    anna.ok("click", selector="role:button")
    assert page.evaluate(IS_SHOWN)


def test_it_goes_with_a_pause_and_with_its_client(own: Joined, anna: Tabwire, person: Person, site: Site) -> None:
    page = opened(own, anna, site.page(BUTTON))
    anna.ok("click", selector="role:button")
    assert page.evaluate(IS_SHOWN)
    person.ask("pause")
    page.wait_for(IS_GONE, SOON_S)
    person.ask("resume")
    bert = own.join(name="Bert")
    bert.ok("tab_new")
    page = opened(own, bert, site.page(BUTTON))
    bert.ok("click", selector="role:button")
    assert page.evaluate(IS_SHOWN)
    bert.close()
    page.wait_for(IS_GONE, SOON_S)


@pytest.mark.conditions
def test_in_frames_it_is_drawn_by_the_top_page_at_the_place_of_the_act(own: Launched, anna: Tabwire, site: Site) -> None:
    inner = site.cross_page(BUTTON)
    frame = (
        f"<body style='margin: 0'><iframe src='{inner}' style='position: absolute; left: 50px; top: 30px; border: 0'></iframe>"
    )
    page = opened(own, anna, site.page(frame))
    anna.ok("click", selector="role:button")
    assert page.frame(inner).evaluate(IS_GONE)
    place = f"(() => {{ const {{x, y}} = {SEEN}; return Math.abs(x - 190) < 2 && Math.abs(y - 110) < 2; }})()"
    until(lambda: page.evaluate_in_extension(place))
    anna.ok("click", coordinates={"x": 300, "y": 200})
    until(lambda: page.evaluate_in_extension(place.replace("190", "300").replace("110", "200")))


STRICT = {"headers": {"Content-Security-Policy": "default-src 'none'; style-src 'none'; require-trusted-types-for 'script'"}}
SVG = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='300'><rect width='300' height='300' onclick='this.id = 1'/></svg>"
ROOMS: dict[str, tuple[str, str, dict[str, Any], bool]] = {
    "a strict policy": (BUTTON, "text/html", STRICT, True),
    "SVG": (SVG, "image/svg+xml", {}, False),
    "XML": ("<a><b>text</b></a>", "text/xml", {}, False),
    "a page that removes what it does not know": (
        BUTTON + "<script>new MutationObserver(() => document.querySelector('tabwire-signs')?.remove())"
        ".observe(document.documentElement, {childList: true})</script>",
        "text/html",
        {},
        False,
    ),
    "a page that hides and grows everything": (
        "<style>* { display: none !important; position: static !important; height: 5000px !important } "
        "html, body, button { display: block !important; height: 50px !important }</style><button>Go</button>",
        "text/html",
        {},
        True,
    ),
}


def test_pages_of_all_kinds_come_to_no_harm(own: Launched, anna: Tabwire, site: Site) -> None:
    for number, (name, (body, kind, more, shows)) in enumerate(ROOMS.items()):
        page = opened(own, anna, site.serve(f"/rooms/{number}", body, kind, **more))
        before = page.evaluate(LAYOUT)
        anna.ok("click", coordinates={"x": 120, "y": 20})
        assert page.evaluate(IS_SHOWN) is shows, name
        assert page.evaluate(LAYOUT) == before, name
        if shows:
            assert page.evaluate_in_extension(
                f"(() => {{ const {{width, height}} = {HOST}.getBoundingClientRect(); return [width === innerWidth, height === innerHeight]; }})()"
            ) == [True, True], name


def test_a_page_from_the_cache_comes_back_without_it(own: Launched, anna: Tabwire, site: Site) -> None:
    there = site.page("<p>There", headers=KEPT)
    note = "<script>addEventListener('pageshow', (event) => { globalThis.wasKept = event.persisted })</script>"
    url = site.page(f"{note}<a href='{there}'>Leave</a>", headers=KEPT)
    page = opened(own, anna, url)
    anna.ok("click", selector="role:link")
    assert page.url == there
    page.evaluate("history.back()")
    page.wait_for("globalThis.wasKept", SOON_S)
    assert page.url == url
    assert page.evaluate(IS_GONE)


def test_a_browser_that_a_client_has_started_shows_nothing(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(BUTTON))
    tabwire.ok("click", selector="role:button")
    assert page.evaluate(IS_GONE)
