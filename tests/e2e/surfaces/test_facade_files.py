"""The facade's pictures, downloads and searches. The proof is the file on disk, or what the site was asked for."""

import base64
import struct
from pathlib import Path

from e2e.site import Site
from e2e.surfaces.facade import FacadeBridge
from polling import until

ENGINE = """<nav><h2><a href='/images'>Images</a></h2></nav><ol id=list></ol><script>
const words = new URLSearchParams(location.search).get('q');
setTimeout(() => { for (const n of [1, 2, 3]) list.insertAdjacentHTML('beforeend',
  `<li><h3><a href="/l/?uddg=${encodeURIComponent('http://site' + n + '.example/')}"></a></h3><p>About ${n}</p></li>`);
  for (const [n, link] of document.querySelectorAll('li a').entries()) link.textContent = `${words} ${n + 1}`; }, 50)</script>"""


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_pictures_are_saved_listed_and_cleared(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<div id=box style='width:60px;height:40px;background:red'></div><div style='height:3000px'></div>")
    whole = facade.ok("browser_capture", action="screenshot", full_page=True)["data"]
    view = facade.ok("browser_capture", action="screenshot")["data"]
    box = facade.ok("browser_capture", action="element_screenshot", selector="#box")["data"]
    for saved in (whole, view, box):
        path = Path(saved["filepath"])
        assert (path.parent, path.name, saved["format"], saved["saved"]) == (facade.screenshots, saved["filename"], "png", True)
    assert size(Path(box["filepath"]).read_bytes()) == (60, 40)
    assert size(Path(whole["filepath"]).read_bytes())[1] > 3000 > size(Path(view["filepath"]).read_bytes())[1]
    foreign = facade.screenshots / "foreign.png"
    foreign.write_text("somebody else's")
    listed = facade.ok("browser_storage", action="list_screenshots")["data"]
    assert listed["count"] == 4 and {"name", "path", "size", "modified"} == set(listed["screenshots"][0])
    assert {entry["name"] for entry in listed["screenshots"]} >= {saved["filename"] for saved in (whole, view, box)}
    cleared = facade.ok("browser_storage", action="clear_screenshots")["data"]
    assert (cleared["cleared"], cleared["left"]) == (3, 1)
    assert [path.name for path in facade.screenshots.iterdir()] == ["foreign.png"]
    foreign.unlink()


def test_a_picture_may_be_returned(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<div id=box style='width:60px;height:40px;background:red'></div>")
    reply = facade.call("browser_capture", action="element_screenshot", selector="#box", save_to_disk=False)
    assert reply.structured["data"]["format"] == "base64"
    assert size(base64.b64decode(reply.structured["screenshot"])) == (60, 40)
    assert reply.images[0].data == reply.structured["screenshot"], "a model sees it"


def test_a_download_is_awaited_listed_and_cleared(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<a id=get href='/download'>Get</a>")
    facade.act("click", selector="#get")
    done = facade.ok("browser_storage", action="wait_for_download", timeout=20)["data"]
    path = Path(done["filepath"])
    assert (done["found"], done["filename"], path.parent) == (True, path.name, facade.downloads)
    assert path.read_bytes() == b"downloaded\n"
    (facade.downloads / "foreign.txt").write_text("somebody else's")
    listed = facade.ok("browser_storage", action="list_downloads")["data"]
    assert {entry["name"] for entry in listed["downloads"]} == {path.name, "foreign.txt"}
    assert facade.ok("browser_storage", action="clear_downloads")["data"]["cleared"] == 1
    assert [left.name for left in facade.downloads.iterdir()] == ["foreign.txt"]
    (facade.downloads / "foreign.txt").unlink()


def test_a_download_nobody_waited_for_is_listed_and_can_still_be_awaited(facade: FacadeBridge, site: Site) -> None:
    facade.show(
        site, "<a id=get href='/download' download='named.txt'>Get</a><a id=other href='data:,x' download='other.txt'>Other</a>"
    )
    facade.act("click", selector="#get")
    until(lambda: [path.suffix for path in facade.downloads.glob("*")], equals=[".txt"], within=20)
    # Its name is there a moment before Chrome calls it complete.
    until(lambda: facade.ok("browser_storage", action="list_downloads")["data"]["downloads"], within=20)
    listed = facade.ok("browser_storage", action="list_downloads")["data"]["downloads"]
    facade.act("click", selector="#other")
    newer = facade.ok("browser_storage", action="wait_for_download", timeout=20)["data"]
    assert (newer["found"], newer["filename"]) == (True, "other.txt")
    done = facade.ok("browser_storage", action="wait_for_download", filename=listed[0]["name"])["data"]
    assert (done["found"], done["filepath"]) == (True, listed[0]["path"])
    assert facade.ok("browser_storage", action="clear_downloads")["data"] == {"cleared": 2}


def test_a_download_that_does_not_come_is_not_found(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<p>Nothing to get")
    done = facade.ok("browser_storage", action="wait_for_download", filename="never.txt", timeout=0)["data"]
    assert (done["found"], done["filepath"]) == (False, None) and done["note"]


def test_downloads_go_where_they_are_wanted_and_nowhere_else(facade: FacadeBridge, site: Site, tmp_path: Path) -> None:
    facade.show(site, "<a id=get href='data:,x' download='earlier.txt'>Get</a>")
    facade.act("click", selector="#get")
    states = "chrome.downloads.search({ filenameRegex: 'earlier' }).then((found) => found.map(({ state }) => state).join())"
    until(lambda: facade.browser.in_worker(states), equals="complete", within=20)
    set_to = facade.ok(
        "browser_storage", action="set_download_behavior", behavior="allowAndName", download_path=str(tmp_path / "in")
    )
    assert set_to["data"]["behavior"] == "allowAndName" and set_to["data"]["path"] == str(tmp_path / "in")
    assert "Chrome lets no extension" in set_to["data"]["note"]
    assert facade.ok("browser_storage", action="list_downloads")["data"]["downloads"] == []
    facade.show(site, "<a id=get href='/download'>Get</a>")
    facade.act("click", selector="#get")
    done = facade.ok("browser_storage", action="wait_for_download", timeout=20)["data"]
    assert [path.name for path in (tmp_path / "in").iterdir()] == [done["filename"]] != ["download.txt"]
    assert Path(done["filepath"]).read_bytes() == b"downloaded\n"
    assert facade.ok("browser_storage", action="clear_downloads")["data"]["cleared"] == 1
    assert [path.name for path in facade.downloads.iterdir()] == ["earlier.txt"]
    (facade.downloads / "earlier.txt").unlink()
    default = facade.ok("browser_storage", action="set_download_behavior", behavior="default")["data"]
    assert default == {"behavior": "default", "path": str(facade.downloads)}
    assert facade.ok("browser_storage", action="set_download_behavior")["data"]["behavior"] == "allow"


def test_what_chrome_does_not_allow_is_said(facade: FacadeBridge) -> None:
    denied = facade.fails("browser_storage", action="set_download_behavior", behavior="deny")
    assert denied["data"]["code"] == "unsupported_operation" and "Chrome lets no extension" in denied["error"]
    outside = facade.fails("browser_storage", action="set_download_behavior", download_path="/etc")
    assert outside["data"]["code"] == "permission_denied"


def test_a_search_reads_the_results_of_the_engine_or_says_that_there_are_none_and_closes_its_tab(
    facade: FacadeBridge, site: Site
) -> None:
    site.serve("/engine", ENGINE)
    site.serve("/robot", "<p>Are you a robot?")
    here = facade.show(site, "<p>Here")
    # It waits for results.
    none = facade.tabwire.start("web_search", query="x", search_engine_url=site.url("/robot?words={query}"))
    response = facade.ok("web_search", query="red apples", max_results=2, search_engine_url=site.url("/engine"), timeout=20)
    assert response["result"]["results"] == [
        {"rank": n, "title": f"red apples {n}", "url": f"http://site{n}.example/", "snippet": f"About {n}"} for n in (1, 2)
    ]
    assert "1. red apples 1" in response["text"] and "http://site2.example/" in response["text"]
    data = response["data"]
    assert data["query"] == "red apples" and data["request_url"] == site.url("/engine") + "?q=red+apples"
    assert data["provider"] == site.origin.removeprefix("http://")
    empty = none.result(60).structured
    assert not none.result().is_error and empty["error"] is None
    assert empty["success"] and empty["result"]["results"] == [] and "request_url" in empty["data"]["note"], empty
    assert [hit.query for hit in site.hits if hit.path == "/robot"] == [{"words": "x"}]
    assert [page.url for page in facade.browser.pages()] == [here]
    assert facade.ok("browser_navigate", action="get_url")["url"] == here
