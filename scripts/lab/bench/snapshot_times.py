"""Snapshots timed in turns with Playwright's, on the same pages in the same state.

Before each repetition every tool's page is changed, so that nobody can give a kept answer; what a kept answer costs stands in a
row of its own. Playwright's library is asked directly; Playwright MCP, like Tabwire, over MCP.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pages.big_page import big_page
from pages.page_state import AT_REST, CHANGE
from pages.real_pages import RealPages
from playwright_peers import AriaSnapshot, PlaywrightMcp
from row import Row

if TYPE_CHECKING:
    from peers import Bench

SIZES = (500, 1_000, 9_000, 45_000)
FIRSTS = 3
ROUNDS = 9
# Playwright takes seconds for each of these.
LARGE = 5_000
LARGE_ROUNDS = 3
GOAL = 0.2
PAGES = (
    "doc/python3.11/html/library/functions.html",
    "doc/debian-handbook/html/en-US/sect.network-config.html",
    "tabler/index.html",
    "tabler/datatables.html",
    "sb/tables.html",
)
ELEMENTS = "document.querySelectorAll('*').length"
CAPTURE = """(async () => {
  const options = { mode: "full", compact: false, include_text: true, include_bounds: false };
  const started = performance.now();
  const answer = await globalThis.__tabwire.call("snapshot.capture", options);
  if (answer.error) throw new Error(answer.error.message);
  return performance.now() - started;
})()"""

Times = dict[str, list[float]]


def measure_time(bench: "Bench", pages: list[str]) -> Iterator[Row]:
    timed = pages or [*(bench.site.page(big_page(size)) for size in SIZES), *RealPages.existing(PAGES)]
    library, server = AriaSnapshot(), PlaywrightMcp()
    try:
        for page in timed:
            url = page if "://" in page else bench.real.url(page)
            times = _times(bench, library, server, url)
            bench.details.setdefault("time", {})[url] = times
            yield from _rows(times, _title(bench, url))
    finally:
        library.close()
        server.close()


def _times(bench: "Bench", library: AriaSnapshot, server: PlaywrightMcp, url: str) -> Times:
    times: Times = defaultdict(list)
    bench.open(url)
    page = bench.browser.shown()
    is_large = page.evaluate(ELEMENTS) > LARGE
    for _ in range(1 if is_large else FIRSTS):
        bench.open(url)
        times["MCP, first"].append(bench.snapshot()[1])
        times["library, first"].append(library.open(url, AT_REST))
    server.open(url)
    rounds = LARGE_ROUNDS if is_large else ROUNDS
    for _ in range(rounds):
        page.evaluate(CHANGE)
        times["in page, changed"].append(page.evaluate_in_extension(CAPTURE))
        page.evaluate(CHANGE)
        times["MCP, changed"].append(bench.snapshot()[1])
        times["library, changed"].append(library.again(CHANGE))
        server.evaluate(CHANGE)
        times["Playwright MCP, changed"].append(server.timed())
    for _ in range(rounds):
        times["MCP, unchanged"].append(bench.snapshot()[1])
        times["library, unchanged"].append(library.again(None))
    return times


def _title(bench: "Bench", url: str) -> str:
    elements = bench.browser.shown().evaluate(ELEMENTS)
    return f"{url.rsplit('/', 1)[1].removesuffix('.html')[-15:]} {elements:,}"


def _rows(times: Times, title: str) -> list[Row]:
    """(what, ours, theirs, goal): the first snapshot of a page and a kept answer have no goal."""
    pairs: list[tuple[str, str, str, float | None]] = [
        ("in page / Playwright", "in page, changed", "library, changed", GOAL),
        ("MCP / Playwright", "MCP, changed", "library, changed", GOAL),
        ("MCP / Playwright MCP", "MCP, changed", "Playwright MCP, changed", GOAL),
        ("first, MCP / Playwright", "MCP, first", "library, first", None),
        ("kept, MCP / Playwright", "MCP, unchanged", "library, unchanged", None),
    ]
    return [
        Row(f"{title} {what}", _median(times[ours]), _median(times[theirs]), "ms", goal) for what, ours, theirs, goal in pairs
    ]


def _median(values: list[Any]) -> float:
    return float(statistics.median(values))
