"""Frames that load while the page is read: those that have just begun are waited for, the others are said to load still."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

pytestmark = pytest.mark.same_tab

INSERT = """for (let at = 0; at < {count}; at += 1)
  document.body.append(Object.assign(document.createElement("iframe"), {{ title: `Frame ${{at}}`, src: "{address}?" + at }}))"""
NOTE = "still loading (take a new snapshot later)"


class HalfSite:
    """A site that sends the head of a response at once, and its body when it is let go."""

    def __init__(self) -> None:
        released = self.released = Event()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                released.wait(60)
                self.wfile.write(b"<h1>Through</h1>")

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def address(self, host: str) -> str:
        return f"http://{host}:{self.server.server_address[1]}/"


@pytest.fixture
def half_site() -> Iterator[HalfSite]:
    site = HalfSite()
    yield site
    site.released.set()
    site.server.shutdown()
    site.server.server_close()


def insert(page: ShownPage, address: str, count: int) -> None:
    page.evaluate(INSERT.format(count=count, address=address))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("is_other_site", [False, True])
def test_frames_that_have_just_begun_are_waited_for(
    tabwire: Tabwire, site: Site, page: ShownPage, count: int, is_other_site: bool
) -> None:
    address = (site.cross_page if is_other_site else site.page)("<p>Came late</p>", delay_ms=600)
    tabwire.open(site.page("<h1>Top</h1>"))
    insert(page, address, count)
    text = tabwire.snapshot()
    assert text.count('paragraph: "Came late"') == count
    assert "still loading" not in text


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("is_other_site", [False, True])
def test_frames_without_a_response_are_said_to_load(
    tabwire: Tabwire, site: Site, page: ShownPage, count: int, is_other_site: bool
) -> None:
    site.hold("/gate/frame")
    tabwire.open(site.page("<h1>Top</h1>"))
    insert(page, (site.cross_url if is_other_site else site.url)("/gate/frame"), count)
    text = tabwire.snapshot()
    assert text.count("(still loading)") == count
    assert f"what {count} frame{'s' if count > 1 else ''} will show, {NOTE}" in text
    assert NOTE in tabwire.ok("find", text="Through").text
    site.let_go("/gate/frame")
    assert until(lambda: tabwire.snapshot().count('heading "Through"') == count)
    assert "still loading" not in tabwire.snapshot()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_frames_without_a_body_are_said_to_load(
    tabwire: Tabwire, site: Site, page: ShownPage, half_site: HalfSite, host: str
) -> None:
    tabwire.open(site.page("<h1>Top</h1><iframe title=Lost src='http://127.0.0.1:9/'></iframe>"))
    insert(page, half_site.address(host), 2)
    text = tabwire.snapshot()
    assert text.count("(still loading)") == 2
    assert text.count("(this frame cannot be read)") == 1
    half_site.released.set()
    assert until(lambda: tabwire.snapshot().count('heading "Through"') == 2)
    assert "still loading" not in tabwire.snapshot()


def test_a_frame_that_ends_without_a_document_does_not_load(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.hold("/gate/frame")
    tabwire.open(site.page("<h1>Top</h1>"))
    insert(page, site.url("/gate/frame"), 1)
    page.evaluate("document.querySelector('iframe').remove()")
    insert(page, site.url("/status/204"), 1)
    assert "still loading" not in tabwire.snapshot()
