"""Downloads: waiting for them by `wait`, wherever and whenever they began. The proof is the file on disk."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site

BODY = b"0123456789" * 40_000
HALF = len(BODY) // 2


def wait(tabwire: Tabwire, **more: Any) -> Reply:
    return tabwire.call("wait", **{"for": "url", "download": True, "timeout": 5000, **more})


def start_wait(tabwire: Tabwire, **more: Any) -> Any:
    return tabwire.start("wait", **{"for": "url", "download": True, "timeout": 5000, **more})


def saved(reply: Reply) -> bytes:
    assert not reply.is_error, reply
    assert reply.data["state"] == "complete"
    return Path(reply.data["path"]).read_bytes()


class Slow:
    """A server that sends half of a file, and the rest, or nothing more, when it is told to."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()
        self.cut = False
        slow = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "application/octet-stream")
                self.send_header("X-Content-Type-Options", "nosniff")
                self.send_header("Content-Disposition", 'attachment; filename="slow.bin"')
                self.send_header("Content-Length", str(len(BODY)))
                self.end_headers()
                self.wfile.write(BODY[:HALF])
                self.wfile.flush()
                slow.asked.set()
                slow.go_on.wait(20)
                if not slow.cut:
                    self.wfile.write(BODY[HALF:])

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/slow.bin"

    def end(self, *, cut: bool = False) -> None:
        self.cut = cut
        self.go_on.set()

    def close(self) -> None:
        self.end(cut=True)
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def slow() -> Iterator[Slow]:
    """Such a server for the test."""
    server = Slow()
    yield server
    server.close()


@pytest.fixture
def offer(site: Site) -> Callable[..., str]:
    """Serves a file as an attachment and returns its path on the site."""

    def serve(name: str, body: bytes = b"file", **more: Any) -> str:
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        site.serve(f"/{name}", body, "application/octet-stream", headers=headers, **more)
        return f"/{name}"

    return serve


Offer = Callable[..., str]


def test_a_click_then_a_wait_gives_the_file(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    tabwire.open(site.page(f"<a href={offer('report.csv', b'a,b')}>Get</a><a href={offer('later.txt', b'later')}>Later</a>"))
    tabwire.ok("click", selector="text:Get")
    reply = wait(tabwire)
    assert saved(reply) == b"a,b"
    facts = {name: reply.data[name] for name in ("url", "size", "danger")}
    assert facts == {"url": site.url("/report.csv"), "size": 3, "danger": "safe"}
    assert reply.data["mime"] in ("text/csv", "application/octet-stream")
    assert reply.data["waited_for"] == "download"


def test_a_launched_browser_saves_among_the_artifacts_and_not_in_the_users_folder(
    tabwire: Tabwire, site: Site, offer: Offer
) -> None:
    tabwire.open(site.page(f"<a href={offer('report.csv', b'a,b')}>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    reply = wait(tabwire)
    path = Path(reply.data["path"])
    assert path.parent.name == "downloads" and path.parent.parent.name == "artifacts"
    assert not (Path.home() / "Downloads" / "report.csv").exists()


def test_a_wait_that_began_before_the_click_ends(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    tabwire.open(site.page(f"<a href={offer('later.txt', b'later')}>Later</a>"))
    waiting = start_wait(tabwire)
    tabwire.ok("click", selector="text:Later")
    assert saved(waiting.result(10)) == b"later"


def test_a_download_that_begins_after_the_end_of_its_act_is_waited_for(tabwire: Tabwire, site: Site) -> None:
    site.serve("/slow.txt", b"slow", "text/plain", delay_ms=400)
    tabwire.open(site.page("<a href=/slow.txt download>Get</a>"))
    assert "downloads" not in tabwire.ok("click", selector="text:Get").data["effects"]
    assert saved(wait(tabwire)) == b"slow"


def test_url_says_which_of_several(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    one = offer("one.txt", b"1")
    headers = {"Content-Disposition": 'attachment; filename="two.txt"'}
    site.serve("/get/2", b"2", "application/octet-stream", headers=headers)
    tabwire.open(site.page(f"<a href=/get/2>Two</a><a href={one}>One</a>"))
    for pattern in ("*/get/2", "/get.2$/", "get/2", "/get/*2", "two", "/^two/", "tw*.txt"):
        # A pattern that fits everything would have the first.
        tabwire.ok("click", selector="text:One")
        tabwire.ok("click", selector="text:Two")
        assert saved(wait(tabwire, url=pattern)) == b"2", pattern
        assert saved(wait(tabwire)) == b"1", pattern


def test_the_last_act_goes_first_and_nothing_is_told_twice(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    one, two = offer("first.txt", b"1"), offer("second.txt", b"2")
    tabwire.open(site.page(f"<a href={one}>One</a><a href={two}>Two</a>"))
    tabwire.ok("click", selector="text:One")
    tabwire.ok("click", selector="text:Two")
    assert saved(wait(tabwire)) == b"2"
    assert saved(wait(tabwire)) == b"1"
    over = wait(tabwire, timeout=200)
    assert over.code == "timeout" and "already told" in over.text and "first" in over.text


def test_an_act_without_a_download_is_not_given_an_old_one(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    tabwire.open(site.page(f"<a href={offer('old.txt')}>Get</a><button>Nothing</button>"))
    tabwire.ok("click", selector="text:Get")
    tabwire.ok("click", selector="text:Nothing")
    over = wait(tabwire, timeout=200)
    assert over.code == "timeout" and "none has begun" in over.text and "/old.txt" in over.text


def test_one_click_with_several_downloads_is_told_one_by_one(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    paths = [offer(f"part{number}.txt", b"%d" % number) for number in range(3)]
    links = "".join(f"<a href={path} download></a>" for path in paths)
    tabwire.open(site.page(f"{links}<button onclick='for (const a of document.links) a.click()'>All</button>"))
    tabwire.ok("click", selector="text:All")
    assert {saved(wait(tabwire)) for _ in paths} == {b"0", b"1", b"2"}


def test_blob_and_data_addresses(tabwire: Tabwire, site: Site) -> None:
    html = "<a id=b download=b.txt>Blob</a><a download=d.txt href='data:text/plain,data'>Data</a>"
    tabwire.open(site.page(f"{html}<script>b.href = URL.createObjectURL(new Blob(['blob']))</script>"))
    for name, content in (("Blob", b"blob"), ("Data", b"data")):
        tabwire.ok("click", selector=f"text:{name}")
        assert saved(wait(tabwire)) == content


def test_links_without_a_referrer(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    rel = "rel='noreferrer noopener'"
    html = f"<a {rel} href={offer('plain.txt', b'plain')} download>Plain</a><a {rel} target=_blank href={offer('new.txt', b'new')}>New</a>"
    tabwire.open(site.page(html))
    for name, content in (("Plain", b"plain"), ("New", b"new")):
        tabwire.ok("click", selector=f"text:{name}")
        assert saved(wait(tabwire)) == content


def test_in_a_frame_and_in_a_tab_that_closes_itself(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    inside = site.cross_page(f"<a href={offer('framed.txt', b'framed')} download>Inside</a>")
    blank = f"<a target=_blank href={offer('blank.txt', b'blank')}>Elsewhere</a>"
    tabwire.open(site.page(f"<iframe src='{inside}'></iframe>{blank}"))
    tabwire.ok("click", selector=tabwire.ref("link", "Inside"))
    assert saved(wait(tabwire)) == b"framed"
    tabwire.ok("click", selector="text:Elsewhere")
    assert saved(wait(tabwire)) == b"blank"


def test_a_tab_that_closes_with_its_download_leaves_it_to_others_by_address(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    tab = tabwire.tabs()[0]["tabId"]
    tabwire.ok("tab_new", url=site.url(offer("tabbed.txt", b"tabbed")))
    assert saved(wait(tabwire, tabId=tab, url="*/tabbed.txt")) == b"tabbed"


def test_by_navigation_and_by_redirect(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    tabwire.open(site.page("<p>Start</p>"))
    path = offer("navigated.txt", b"navigated")
    tabwire.ok("navigate", url=site.url(f"/redirect?to={path}"))
    reply = wait(tabwire, url="*/redirect*")
    assert saved(reply) == b"navigated"
    assert reply.data["url"] == site.url(path)


def test_another_tab_is_another_matter(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    first = tabwire.open(site.page(f"<a href={offer('tab.txt', b'tab')}>Get</a>")).data["tabId"]
    hidden = site.page(f"<a href={offer('hidden.txt', b'hidden')}>Get</a>")
    other = tabwire.ok("tab_new", url=hidden, active=False).data["tabId"]
    waiting = start_wait(tabwire, tabId=other, timeout=500)
    tabwire.ok("click", selector="text:Get", tabId=first)
    assert waiting.result(10).code == "timeout"
    assert wait(tabwire, tabId=other, timeout=50).code == "timeout"
    assert saved(wait(tabwire, tabId=first)) == b"tab"


def test_a_hidden_tab_downloads_too(tabwire: Tabwire, site: Site, offer: Offer) -> None:
    hidden = site.page(f"<a href={offer('hidden.txt', b'hidden')}>Get</a>")
    other = tabwire.ok("tab_new", url=hidden, active=False).data["tabId"]
    tabwire.ok("click", selector="text:Get", tabId=other)
    assert saved(wait(tabwire, tabId=other)) == b"hidden"


def test_a_timeout_says_how_far_it_is(tabwire: Tabwire, site: Site, slow: Slow) -> None:
    tabwire.open(site.page(f"<a href='{slow.url}'>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    over = wait(tabwire, timeout=700)
    assert over.code == "timeout" and re.search(r"slow.*\.bin has \d{4,} of 400000 bytes", over.text)
    slow.end()
    assert saved(wait(tabwire)) == BODY


def test_a_cancelled_wait_leaves_the_download_to_the_next(tabwire: Tabwire, site: Site, slow: Slow) -> None:
    tabwire.open(site.page(f"<a href='{slow.url}'>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    waiting = start_wait(tabwire, timeout=30_000)
    assert slow.asked.wait(5)
    waiting.cancel()
    # It goes the same way as the cancellation, behind it.
    tabwire.ok("title")
    slow.end()
    assert saved(wait(tabwire)) == BODY


def test_a_cancelled_download_is_an_error(tabwire: Tabwire, site: Site, slow: Slow, browser: Browser) -> None:
    tabwire.open(site.page(f"<a href='{slow.url}'>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    waiting = start_wait(tabwire)
    browser.in_worker("chrome.downloads.search({state: 'in_progress'}).then(([{id}]) => chrome.downloads.cancel(id))")
    reply = waiting.result(10)
    assert reply.code == "permission_denied" and "cancelled" in reply.text and "of 400000 bytes" in reply.text


def test_a_download_that_breaks_off_is_an_error(tabwire: Tabwire, site: Site, slow: Slow) -> None:
    tabwire.open(site.page(f"<a href='{slow.url}'>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    slow.end(cut=True)
    reply = wait(tabwire)
    assert reply.code == "navigation_failed" and "failed (" in reply.text
    assert reply.structured["data"]["download"]["state"] == "interrupted"


def test_the_worker_may_die_in_the_middle(tabwire: Tabwire, site: Site, slow: Slow, browser: Browser) -> None:
    tabwire.open(site.page(f"<a href='{slow.url}'>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    waiting = start_wait(tabwire, timeout=15000)
    assert slow.asked.wait(5)
    assert browser.stop_workers()
    slow.end()
    assert saved(waiting.result(20)) == BODY


def test_the_worker_may_die_between_click_and_wait(tabwire: Tabwire, site: Site, offer: Offer, browser: Browser) -> None:
    tabwire.open(site.page(f"<a href={offer('dead.txt', b'dead')}>Get</a>"))
    tabwire.ok("click", selector="text:Get")
    assert browser.stop_workers()
    assert saved(wait(tabwire)) == b"dead"


def test_the_worker_may_die_before_the_download_begins(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    site.serve("/dead-slow.txt", b"slow", "text/plain", delay_ms=500)
    tabwire.open(site.page("<a href=/dead-slow.txt download>Get</a>"))
    assert "downloads" not in tabwire.ok("click", selector="text:Get").data["effects"]
    assert browser.stop_workers()
    assert saved(wait(tabwire)) == b"slow"


def test_a_file_that_chrome_holds_back_is_said_at_once(tabwire: Tabwire, site: Site, offer: Offer, browser: Browser) -> None:
    tabwire.open(site.page(f"<button onclick=\"location.href = '{offer('held.crx', b'Cr24')}'\">Get</button>"))
    tabwire.ok("click", selector="text:Get")
    reply = wait(tabwire)
    assert reply.code == "permission_denied" and "danger: file" in reply.text and "person" in reply.text
    again = wait(tabwire, timeout=300)
    assert again.code == "timeout" and "held back" in again.text
    waiting = start_wait(tabwire)
    browser.in_worker("chrome.downloads.search({state: 'in_progress'}).then(([{id}]) => chrome.downloads.cancel(id))")
    assert waiting.result(10).code == "permission_denied"


def test_bad_arguments(refused: Launched) -> None:
    bad: list[tuple[dict[str, Any], str]] = [
        ({"for": "text", "text": "x"}, 'for "url"'),
        ({"url": ""}, "empty"),
        ({"url": "/(/"}, "regular expression"),
    ]
    for arguments, said in bad:
        reply = wait(refused.tabwire, **arguments)
        assert (reply.code, said in reply.text) == ("invalid_argument", True), (arguments, reply)
    assert refused.tabwire.fails("wait", **{"for": "url"}).code == "invalid_argument"


def test_in_the_users_own_browser(joiner: Launcher, site: Site, offer: Offer, tmp_path: Path) -> None:
    joined = joiner.fresh(site)
    joined.browser.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    joined.tabwire.open(site.page(f"<a href={offer('joined.txt', b'joined')}>Get</a>"))
    joined.tabwire.ok("click", selector="text:Get")
    assert saved(wait(joined.tabwire)) == b"joined"
