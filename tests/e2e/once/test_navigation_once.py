"""A page is loaded once for one call, also when it answers late."""

import pytest

from e2e.conftest import Launched, Launcher
from e2e.site import Site

BUSY = "setTimeout(() => { const end = performance.now() + 4000; while (performance.now() < end); }), 1"


@pytest.fixture(params=["launched", "own"])
def launched(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Launched:
    return (launcher if request.param == "launched" else joiner).fresh(site)


def test_a_busy_page_is_reloaded_once(launched: Launched, site: Site) -> None:
    address = site.page("<title>Busy</title>")
    launched.tabwire.open(address)
    path = address.removeprefix(site.origin)
    launched.browser.shown().evaluate(BUSY)
    launched.tabwire.ok("reload", timeout=20_000)
    launched.tabwire.ok("title")
    assert site.hit_count(path) == 2
