"""Snapshots against Playwright's in one run on the same pages; acts and waits against their goals.

    scripts/lab/bench/peers.py [--out FILE] [--only time,bytes,again,click,tabs] [PAGE…]

time: Playwright's ``ariaSnapshot`` for models and Playwright MCP's ``browser_snapshot`` against our capture in the page and our
``snapshot`` over MCP, each on a page that has changed since the last one.
bytes: the text of Playwright MCP's ``browser_snapshot`` against ours, and what ours lacks of the page.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from completeness import Missing, missing
from pages.big_page import big_page
from pages.page_state import wait_at_rest
from pages.real_pages import APPLICATIONS, DOCUMENTS, RealPages
from playwright_peers import PlaywrightMcp
from row import Row
from snapshot_times import measure_time

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site

SIZES = (1_000, 9_000, 45_000)
# As much as fits into a reply, which carries the text twice.
UNCUT = 450_000
TABS = 8
WAIT_MS = 400
CLICKS = 40
SAMPLE = 6
CLICKED = """<button onclick="out.textContent = `clicked ${++count}`">Press</button><output id=out></output>
<script>count = 0</script>"""
# A worker's timers are not slowed down in hidden tabs, and no limit of connections stands between the tabs.
WAITED = f"""<button>Start</button><script>
  const source = URL.createObjectURL(new Blob(["setTimeout(() => postMessage(1), {WAIT_MS})"]));
  const arrive = () => document.body.append("Arrived");
  document.querySelector("button").onclick = () => {{ new Worker(source).onmessage = arrive; }};
</script>"""


class Bench:
    """The launched browser with Tabwire, the sites, and the report of details."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.site = Site()
        self.real = RealPages()
        self.details: dict[str, Any] = {}
        self.tabwire, self.browser = self.launch("auto")

    def launch(self, mode: str) -> tuple[Tabwire, Browser]:
        work = self.work / mode
        args = [
            "--launch",
            "--headless",
            "--input",
            mode,
            "--browser-arg=--remote-debugging-port=0",
            "--profile",
            str(work / "profile"),
        ]
        tabwire = Tabwire(args, {"TABWIRE_HOME": str(work / "home")}, work)
        return tabwire, Browser.of_profile(work / "profile")

    def open(self, url: str) -> None:
        self.tabwire.ok("navigate", url=url)
        wait_at_rest(self.browser.shown())

    def snapshot(self) -> tuple[str, float]:
        """The whole text, continued to its end, and the time of the first call."""
        reply = self.tabwire.ok("snapshot", max_chars=UNCUT)
        return reply.text, reply.elapsed_ms

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()
        self.site.close()
        self.real.close()


def _median(values: list[float]) -> float:
    return float(statistics.median(values))


# ---- bytes ------------------------------------------------------------------------------------------------------------


def measure_bytes(bench: Bench, pages: list[str]) -> list[Row]:
    peer = PlaywrightMcp()
    rows: list[Row] = []
    found: dict[str, Missing] = {}
    try:
        for path in pages or RealPages.existing(DOCUMENTS + APPLICATIONS):
            row, found[path] = _sized(bench, peer, path)
            rows.append(row)
    finally:
        peer.close()
    bench.details["missing"] = {path: asdict(one) for path, one in found.items()}
    for path, one in found.items():
        for kind, entries in asdict(one).items():
            if entries:
                print(f"  {path}: {len(entries)} {kind} missing: {', '.join(list(entries)[:SAMPLE])}")
    ours, theirs = sum(row.value for row in rows), sum(row.floor for row in rows)
    incomplete = sum(not one.is_nothing for one in found.values())
    return [
        *rows,
        Row(f"bytes of {len(rows)} pages", ours, theirs, "kB", 0.6),
        Row("pages with a control or word missing / pages", incomplete, len(rows), "", 0.0),
    ]


def _sized(bench: Bench, peer: PlaywrightMcp, path: str) -> tuple[Row, Missing]:
    """Nothing can be shorter than the text of its page: how much of the peer's bytes that is stands in the name of the row."""
    url = bench.real.url(path)
    theirs = peer.snapshot(url)
    bench.open(url)
    ours, _ = bench.snapshot()
    text = str(bench.browser.shown().evaluate("document.body.innerText"))
    _keep(bench, path, ours, theirs)
    sizes = [len(one.encode()) / 1000 for one in (ours, theirs, text)]
    name = f"bytes {path.removesuffix('.html')[-26:]} (text {sizes[2] / sizes[1]:.2f}x)"
    return Row(name, sizes[0], sizes[1], "kB"), missing(ours, text, theirs)


def _keep(bench: Bench, path: str, ours: str, theirs: str) -> None:
    folder = bench.details.get("texts")
    if folder:
        stem = path.replace("/", "_")
        (Path(folder) / f"{stem}.ours.txt").write_text(ours)
        (Path(folder) / f"{stem}.peer.txt").write_text(theirs)


# ---- again, click, tabs -----------------------------------------------------------------------------------------------


def measure_again(bench: Bench, pages: list[str]) -> list[Row]:
    rows = []
    for size in SIZES:
        firsts, agains, ready = [], [], []
        for _ in range(3):
            url = bench.site.page(big_page(size))
            bench.open(url)
            firsts.append(bench.snapshot()[1])
            agains += [bench.snapshot()[1] for _ in range(3)]
            bench.open(url)
            bench.tabwire.ok("query", by="role", value="banner", **{"return": "count"})  # puts the content scripts in
            ready.append(bench.snapshot()[1])
        rows += [
            Row(f"again / first, MCP, {size:,} elements", _median(agains), _median(firsts), "ms", 0.3),
            Row("  / first with the content scripts in place", _median(agains), _median(ready), "ms"),
        ]
    return rows


def measure_click(bench: Bench, pages: list[str]) -> list[Row]:
    rows = []
    trusted, browser = bench.launch("trusted")
    dom, dom_browser = bench.launch("dom")
    try:
        for mode, tabwire in (("dom", dom), ("trusted", trusted)):
            tabwire.open(bench.site.page(CLICKED))
            ref = tabwire.ref("button", "Press")
            times = [tabwire.ok("click", selector=ref).elapsed_ms for _ in range(CLICKS)]
            bench.details.setdefault("click", {})[mode] = times
            rows.append(Row(f"click with effects, {mode}, p50", _median(times[5:]), 15.0, "ms", 1.0))
    finally:
        for one in (browser, dom_browser):
            one.close()
        for server in (trusted, dom):
            server.close()
    return rows


def _tabs(bench: Bench) -> list[int]:
    for _ in range(TABS):
        bench.tabwire.ok("tab_new", url=bench.site.page(WAITED, title="Waits"), active=False)
    return [tab["tabId"] if "tabId" in tab else tab["id"] for tab in bench.tabwire.tabs() if tab["title"] == "Waits"]


def _elapsed(work: Callable[[int], None], tabs: list[int], at_once: int) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(work, tabs))
    return (time.perf_counter() - started) * 1000


def measure_tabs(bench: Bench, pages: list[str]) -> list[Row]:
    tabs = _tabs(bench)

    def delay(tab: int) -> None:
        bench.tabwire.ok("wait", tabId=tab, duration=WAIT_MS, **{"for": "timeout"})

    def arrival(tab: int) -> None:
        bench.tabwire.ok("click", tabId=tab, selector="button")
        bench.tabwire.ok("wait", tabId=tab, text="Arrived", timeout=20_000, **{"for": "text"})

    rows = []
    for name, work in (("a delay", delay), ("text that arrives", arrival)):
        in_turn = _elapsed(work, tabs, 1)
        for tab in tabs:
            bench.tabwire.ok("reload", tabId=tab)
        together = _elapsed(work, tabs, TABS)
        rows.append(Row(f"wait for {name} in {len(tabs)} tabs / in turn", together, in_turn, "ms", 0.25))
    bench.tabwire.ok("tab_close", tabId=tabs)
    return rows


MEASUREMENTS: dict[str, Callable[[Bench, list[str]], Iterable[Row]]] = {
    "time": measure_time,
    "bytes": measure_bytes,
    "again": measure_again,
    "click": measure_click,
    "tabs": measure_tabs,
}


def run(names: list[str], pages: list[str], out: Path | None) -> list[Row]:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        if out:
            bench.details["texts"] = str(out.parent)
        try:
            for name in names:
                for row in MEASUREMENTS[name](bench, pages):
                    print(row, flush=True)
                    rows.append(row)
        finally:
            bench.close()
            if out:
                out.write_text(json.dumps(bench.details, indent=1))
    return rows


def measure() -> list[Row]:
    return run(list(MEASUREMENTS), [], None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--only", default=",".join(MEASUREMENTS))
    parser.add_argument("--out", type=Path, help="JSON of the details; the texts are written beside it")
    arguments = parser.parse_args()
    rows = run(arguments.only.split(","), arguments.pages, arguments.out)
    missed = [row.what for row in rows if not row.is_met]
    print(f"over the goal: {'; '.join(missed)}" if missed else "every goal is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
