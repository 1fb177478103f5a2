"""The snapshot in the content script against the floor of floor.js, on pages of three sizes, in turns in the same world."""

import json
import tempfile
from pathlib import Path
from typing import Any

from pages.big_page import big_page
from row import Row

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site

# elements: goal for the ratio (only one size has one)
SIZES: dict[int, float | None] = {1_000: None, 9_000: 3.0, 45_000: None}
ROUNDS = 11
FLOOR = Path(__file__).with_name("floor.js").read_text()

# Layout is made dirty before each run, and both pay for it.
MEASURE = """(async () => {
  const floor = FLOOR;
  const capture = () => globalThis.__tabwire.call("snapshot.capture", ARGUMENTS);
  const time = async (run) => {
    document.body.style.paddingTop = `${(globalThis.__dirt = (globalThis.__dirt ?? 0) + 1) % 7}px`;
    const started = performance.now();
    const value = await run();
    return [performance.now() - started, JSON.stringify(value).length];
  };
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
  const ours = [], theirs = [];
  let size = 0, error = null;
  for (let round = 0; round <= ROUNDS; round++) {
    const [snapshotMs, bytes] = await time(async () => { const a = await capture(); error ??= a.error; return a; });
    const [floorMs] = await time(floor);
    if (round) ours.push(snapshotMs), theirs.push(floorMs);
    size = bytes;
  }
  return { ours: median(ours), theirs: median(theirs), size, error, elements: document.querySelectorAll("*").length };
})()"""


def measure() -> list[Row]:
    site = Site()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        args = ["--launch", "--headless", "--browser-arg=--remote-debugging-port=0", "--profile", str(work / "profile")]
        tabwire = Tabwire(args, {"TABWIRE_HOME": str(work / "home")}, work)
        try:
            browser = Browser.of_profile(work / "profile")
            rows = [_one(tabwire, browser, site, elements, goal) for elements, goal in SIZES.items()]
            browser.close()
        finally:
            tabwire.close()
            site.close()
    return rows


def _one(tabwire: Tabwire, browser: Browser, site: Site, elements: int, goal: float | None) -> Row:
    tabwire.open(site.page(big_page(elements)))
    tabwire.call("snapshot")  # puts the content scripts into the page
    script = MEASURE.replace("FLOOR", FLOOR).replace("ROUNDS", str(ROUNDS)).replace("ARGUMENTS", json.dumps(ARGUMENTS))
    seen = browser.shown().evaluate_in_extension(script)
    assert not seen.get("error"), seen["error"]
    name = f"snapshot of {seen['elements']:,} elements, {seen['size'] / 1000:,.0f} kB"
    return Row(name, seen["ours"], seen["theirs"], "ms", goal)


ARGUMENTS: dict[str, Any] = {"mode": "full", "compact": False, "include_text": True, "include_bounds": False}
