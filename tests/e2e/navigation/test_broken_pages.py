"""Pages of which less arrived than was sent, tabs without a view, framesets: read, or described as what they are."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, ShownPage
from e2e.site import Site
from polling import until

BROKEN = "the response of the page broke off (net::ERR_CONTENT_LENGTH_MISMATCH)"


PART = "the response broke off (net::ERR_CONTENT_LENGTH_MISMATCH): the page is not whole"


class _Cut(BaseHTTPRequestHandler):
    """Promises 5,000 bytes and ends the connection: at once, or when a script behind the heading has run."""

    seen = Event()

    def do_GET(self) -> None:
        if self.path == "/picture":
            self.seen.set()
            return self.send_error(404)
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", "5000")
        self.end_headers()
        if self.path == "/some":
            self.wfile.write(b"<h1>Cut short</h1><script>new Image().src = `/picture`</script>")
            self.wfile.flush()
            self.seen.wait(20)
            self.seen.clear()
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def cut() -> str:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Cut)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def opened(request: pytest.FixtureRequest, site: Site, mode: str, url: str) -> tuple[Tabwire, Reply]:
    tabwire: Tabwire = request.getfixturevalue("tabwire" if mode == "launched" else "anna")
    tabwire.ok("navigate", url=site.page("<h1>Start</h1>"), new_tab=True)
    return tabwire, tabwire.ok("navigate", url=url)


@pytest.mark.parametrize("mode", ["launched", "own"])
def test_a_response_that_breaks_off_is_named(request: pytest.FixtureRequest, site: Site, cut: str, mode: str) -> None:
    tabwire, landed = opened(request, site, mode, f"{cut}/none")
    assert BROKEN in landed.text
    for tool, more in (("snapshot", {}), ("evaluate", {"expression": "1"}), ("click", {"selector": "h1"})):
        reply = tabwire.call(tool, **more)
        assert reply.code == "navigation_failed", (tool, reply.text)
        assert BROKEN in reply.text
        assert "dialog" not in reply.text
        assert reply.elapsed_ms < 1000
    tabwire.ok("navigate", url=site.page("<h1>After</h1>"))
    assert 'heading "After"' in tabwire.ok("snapshot").text


@pytest.mark.parametrize("mode", ["launched", "own"])
def test_the_part_that_arrived_of_a_page_is_read(request: pytest.FixtureRequest, site: Site, cut: str, mode: str) -> None:
    tabwire, landed = opened(request, site, mode, f"{cut}/some")
    assert PART in landed.text
    assert 'heading "Cut short"' in tabwire.ok("snapshot").text


def test_a_tab_that_was_discarded_is_read_and_used(own: Joined, site: Site) -> None:
    tabwire = own.tabwire
    page = site.page("<h1>Sleeper</h1><button onclick='fetch(`/woke`); globalThis.woke = true'>Wake</button>")
    tab = tabwire.ok("tab_new", url=page).data["tabId"]
    tabwire.ok("tab_new", url=site.page("<h1>Front</h1>"))
    now = own.browser.in_worker(f"chrome.tabs.discard({tab}).then(({{ id }}) => id)")
    assert 'heading "Sleeper"' in tabwire.ok("snapshot", tabId=now).text
    tabwire.ok("click", selector="role:button[name=Wake]", tabId=now)
    assert tabwire.ok("evaluate", expression="globalThis.woke", tabId=now).text.endswith("true")


def test_frames_of_a_frameset_are_frames(tabwire: Tabwire, site: Site) -> None:
    site.serve("/menu.html", "<a href=second.html target=main>Second</a>")
    site.serve("/second.html", "<h1>Second page</h1>")
    site.serve("/first.html", "<h1>First page</h1><input aria-label=Note>")
    frames = "<html><frameset cols='200,*'><frame src=/menu.html name=menu><frame src=/first.html name=main></frameset></html>"
    tabwire.open(site.page(frames))
    text = tabwire.ok("snapshot").text
    assert 'heading "First page"' in text
    assert 'link "Second"' in text
    tabwire.ok("fill", selector="label:Note", value="kept")
    tabwire.ok("click", selector="role:link[name=Second]")
    assert until(lambda: 'heading "Second page"' in tabwire.ok("snapshot").text)


def test_a_small_page_that_is_complete_is_not_called_bare(tabwire: Tabwire, site: Site) -> None:
    complete = tabwire.ok("navigate", url=site.page("<h1>Hello</h1><script>globalThis.x = 1</script>"))
    assert "hardly anything" not in complete.text
    waiting = tabwire.ok("navigate", url=site.page("<p>Loading…</p><script>globalThis.x = 1</script>"))
    assert "hardly anything" in waiting.text


def test_only_text_that_was_seen_disappears(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(
        site.page(
            "<style id=s>p { color: red }</style><p id=h hidden>Secret words</p><div style='display:none'><b id=d>Deep words</b></div>"
            "<p id=v>Seen words</p>"
            "<button onclick='s.textContent = ``; h.textContent = ``; d.remove(); globalThis.done = 1'>Quiet</button>"
            "<button onclick='v.textContent = ``'>Loud</button>"
        )
    )
    tabwire.snapshot()
    quiet = tabwire.ok("click", selector="text:Quiet")
    assert page.evaluate("done") == 1
    assert "disappeared" not in quiet.text, quiet.text
    assert 'text disappeared: "Seen words"' in tabwire.ok("click", selector="text:Loud").text
