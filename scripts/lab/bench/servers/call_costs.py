"""Time and processor time of a call to a launched Tabwire, beside the floor: a call to one after the same call to the other."""

import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from row import Row

from servers.measured_pages import MeasuredPages
from servers.processes import cpu_ms, is_browser, used_ms
from servers.server import Server, Unverified
from servers.starts import floor, launched
from servers.tools import Step

WARM = 15
CALLS = 100

Steps = dict[str, Callable[[int], Step]]
"""Name of a call → its step, by the number of the call."""


def measure() -> list[Row]:
    """A row for the median, the minimum and the processor time of each call."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, _servers(Path(folder)) as (tabwire, least):
        return [row for call in tabwire.steps for row in _rows(call, tabwire, least)]


@contextmanager
def _servers(folder: Path) -> Iterator[tuple["Costed", "Costed"]]:
    with ExitStack() as stack:
        pages = MeasuredPages()
        stack.callback(pages.close)
        running = []
        for start in (launched(folder), floor(folder)):
            server = start.start(pages.small).server
            stack.callback(server.close)
            running.append(Costed(server, pages))
        tabwire, least = running
        yield tabwire, least


class Costed:
    """A server with a small page, and what its calls take."""

    def __init__(self, server: Server, pages: MeasuredPages) -> None:
        self._server, tools, title = server, server.tools, server.tools.title
        assert title is not None
        [press] = server.targets(pages.small, "button", "Press")
        [field] = server.targets(pages.small, "textbox", "Field 0")
        self.steps: Steps = {
            "click": lambda _: tools.click(press),
            "fill": lambda number: tools.fill(field, f"text {number}"),
            "evaluate": lambda number: tools.evaluate(f"document.title.length + {number}"),
            "title": lambda _: title,
            "snapshot of a small page": lambda _: tools.snapshot,
        }

    def cpu(self) -> tuple[dict[str, float], dict[str, float]]:
        """Time on a core of the threads of the server, and of its browser."""
        pids = self._server.processes()
        browser = {pid for pid in pids if is_browser(pid)}
        return cpu_ms(pids - browser), cpu_ms(browser)

    def call(self, name: str, number: int) -> float:
        return self._server.call(self.steps[name](number)).elapsed_ms

    def verify(self) -> None:
        """All clicks and the last text have arrived.

        Raises:
            Unverified: they have not.
        """
        clicks = self._server.look("count")
        text = self._server.look("document.querySelector('[aria-label=\"Field 0\"]').value")
        if (clicks, text) not in [(WARM + CALLS, ""), (WARM + CALLS, f"text {WARM + CALLS - 1}")]:
            raise Unverified(f"the page tells of {clicks} clicks and the text {text!r}")


def _rows(call: str, *servers: Costed) -> list[Row]:
    times: list[list[float]] = [[] for _ in servers]
    before = [server.cpu() for server in servers]
    for number in range(WARM + CALLS):
        if number == WARM:
            before = [server.cpu() for server in servers]
        for taken, server in zip(times, servers, strict=True):
            taken.append(server.call(call, number))
    spent = [
        [used_ms(*parts) / CALLS for parts in zip(was, server.cpu(), strict=True)]
        for was, server in zip(before, servers, strict=True)
    ]
    for server in servers:
        server.verify()
    measured = [taken[WARM:] for taken in times]
    figures = {
        "median": map(statistics.median, measured),
        "minimum": map(min, measured),
        "processor time of the server": [server for server, _ in spent],
        "processor time of the browser": [browser for _, browser in spent],
    }
    return [Row(f"{call}, {name}", *values, "ms") for name, values in figures.items()]
