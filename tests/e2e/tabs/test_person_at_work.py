"""A person who types in the tab in which a client acts."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from e2e.cdp import Page
from e2e.conftest import Launcher
from e2e.site import Site
from e2e.ui.hand import Hand

PAGE = """<textarea id=t></textarea><button id=b>Go</button><script>
globalThis.log = [];
for (const type of ["keydown", "click"]) addEventListener(type, (event) => log.push([type, performance.now()]), true);
t.focus();
</script>"""
STEP_S = 0.2


@contextmanager
def typing(page: Page) -> Iterator[None]:
    """The person types until the end."""
    ended = threading.Event()
    hand = Hand(page)

    def work() -> None:
        while not ended.wait(STEP_S):
            hand.press("Space")

    hand.press("Space")
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_an_act_waits_for_a_pause_and_does_not_come_between(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    tabwire, page = own.tabwire, own.browser.shown()
    tabwire.open(site.page(PAGE))
    tabwire.snapshot()
    with typing(page):
        # One pause is waited for, and a second one begun.
        reply = tabwire.fails("click", selector="#b", timeout=3000)
    assert reply.elapsed_ms > 1600
    assert (reply.code, reply.structured["data"]["holder"]) == ("tab_leased", "the person at the browser")
    assert "textbox" in reply.text
    tabwire.ok("click", selector="#b")
    log = page.evaluate("log")
    assert [kind for kind, _ in log[-2:]] == ["keydown", "click"]
    assert log[-1][1] - log[-2][1] > 1400
    # Input of the client's own is no person's.
    tabwire.ok("press", selector="#t", key="a")
    tabwire.ok("click", selector="#b")
    (_, pressed), (_, clicked) = page.evaluate("log.slice(-2)")
    assert clicked - pressed < 1400
    # One who types in another tab is not in the way.
    other = tabwire.ok("tab_new", url=site.page(PAGE), active=False).data["tabId"]
    with typing(page):
        tabwire.ok("click", selector="#b", tabId=other)
