"""Time of loading a page of 100 requests while the list of requests is kept and without a client, in two browsers."""

import re
import statistics
import tempfile
from pathlib import Path

from row import Row

from e2e.cdp import Page
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.worker import attached

REQUESTS = 100
BLOCKS = 4
PAIRS = 12
"""Pairs in a block; every block starts both browsers anew, so that no pair of processes decides."""
WARM_UP = 3
GOAL = 1.02
DONE = "performance.getEntriesByType('navigation')[0].loadEventEnd > 0 && location.search === '?{number}'"
TIME = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def measure() -> list[Row]:
    """Medians of both, and the median of the ratios within the pairs.

    Raises:
        AssertionError: The list lacks requests, or a debugger is attached.
    """
    site = Site()
    pictures = "".join(f"<img src=/slow/{number}.png?ms=1 width=9 height=9>" for number in range(REQUESTS))
    url = site.page(f"<h1>Pictures</h1>{pictures}")
    try:
        pairs = [pair for block in range(BLOCKS) for pair in _block(url, block)]
    finally:
        site.close()
    with_list, without = (statistics.median(times) for times in zip(*pairs, strict=True))
    ratios = statistics.median(one / other for one, other in pairs)
    return [
        Row(f"load of {REQUESTS} requests, list / none, {len(pairs)} pairs", with_list, without, "ms", GOAL),
        Row("  median of the ratios of the pairs", ratios, 1.0, "", GOAL),
    ]


def _block(url: str, block: int) -> list[tuple[float, float]]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browsers = [PlainChromium(Path(folder) / name, url) for name in ("first", "second")]
        try:
            if block % 2:
                browsers.reverse()
            watched, other = browsers
            bridge = watched.join()
            pages = watched.browser.shown(), other.browser.shown()
            pairs = [_pair(pages, url, number) for number in range(WARM_UP + PAIRS)][WARM_UP:]
            _check(bridge.ok("network_requests").text, attached(watched.browser))
            return pairs
        finally:
            for browser in browsers:
                browser.close()


def _check(listed: str, debuggers: int) -> None:
    found = re.search(r"(\d+) requests", listed)
    assert found and int(found[1]) >= REQUESTS, f"the list was not kept: {listed[:200]}"
    assert debuggers == 0, "a debugger is attached"


def _pair(pages: tuple[Page, Page], url: str, number: int) -> tuple[float, float]:
    """Load one page in each browser; the order alternates from pair to pair."""
    order = (0, 1) if number % 2 else (1, 0)
    times = {index: _load(pages[index], url, number) for index in order}
    return times[0], times[1]


def _load(page: Page, url: str, number: int) -> float:
    page.call("Page.navigate", {"url": f"{url}?{number}"})
    page.wait_for(DONE.format(number=number), 20)
    return float(page.evaluate(TIME))
