"""Content scripts on pages of three sizes, in turns with a floor in the same world.

A snapshot has the floor of floor.js. A look whether the page has changed has its questions alone, asked of elements found before:
nothing tells that a script has attached a shadow root, or that a style sheet has hidden an element. The longest time for which a
task of the page waits during a snapshot is compared with the time of the snapshot. An element that is looked for by its text or
its role has the questions for shadow roots alone.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pages.big_page import big_page
from row import Row

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site
from extension.content_page import content_source

# elements: goal for the ratio (only one size has one)
SIZES: dict[int, float | None] = {1_000: None, 9_000: 3.0, 45_000: None}
SELECTORS = ("text:Buy 7", 'role:button[name="Buy 7"]')
ROUNDS = 11
FLOOR = Path(__file__).with_name("floor.js").read_text()
MEDIAN = "(values) => values.sort((a, b) => a - b)[values.length >> 1]"

# A change, so that an answer that is kept does not do, and its picture: Chrome's own work is no part of what is measured.
CHANGED = """async () => {
  document.body.style.paddingTop = `${(globalThis.__dirt = (globalThis.__dirt ?? 0) + 1) % 7}px`;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}"""

MEASURE = """(async () => {
  const floor = FLOOR;
  const changed = CHANGED;
  const capture = () => globalThis.__tabwire.call("snapshot.capture", ARGUMENTS);
  const time = async (run) => {
    await changed();
    const started = performance.now();
    const value = await run();
    return [performance.now() - started, JSON.stringify(value).length];
  };
  const median = MEDIAN;
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

UNCHANGED = """(async () => {
  const { canHost, VISIBLE } = globalThis.__inside.flatTree;
  const ask = async (known) => (await globalThis.__tabwire.call("snapshot.capture", { ...ARGUMENTS, known })).result;
  const elements = [...document.body.querySelectorAll("*")];
  const hosts = elements.filter(({ localName }) => canHost(localName));
  const leaves = elements.filter(({ firstElementChild }) => firstElementChild === null);
  const questions = () => {
    let found = 0;
    for (const host of hosts) if (chrome.dom.openOrClosedShadowRoot(host)) found += 1;
    for (const leaf of leaves) if (leaf.checkVisibility(VISIBLE)) found += 1;
    return found;
  };
  const median = MEDIAN;
  const time = async (run) => {
    const started = performance.now();
    const value = await run();
    return [performance.now() - started, value];
  };
  const { stamp } = await ask([]);
  const ours = [], theirs = [];
  let isSame = true;
  for (let round = 0; round <= ROUNDS; round++) {
    const [lookMs, { same }] = await time(() => ask([stamp]));
    const [questionsMs, found] = await time(questions);
    isSame &&= same === stamp && found === leaves.length;
    if (round) ours.push(lookMs), theirs.push(questionsMs);
  }
  return { ours: median(ours), theirs: median(theirs), isSame, questions: hosts.length + leaves.length };
})()"""

LONGEST = """(async () => {
  const median = MEDIAN;
  const changed = CHANGED;
  const longest = [], whole = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await changed();
    const { port1, port2 } = new MessageChannel();
    let last = performance.now(), gap = 0;
    port1.onmessage = () => {
      const now = performance.now();
      gap = Math.max(gap, now - last);
      last = now;
      port2.postMessage(0);
    };
    port2.postMessage(0);
    const started = performance.now();
    await globalThis.__tabwire.call("snapshot.capture", ARGUMENTS);
    const ended = performance.now();
    gap = Math.max(gap, ended - last);
    port1.close();
    if (round) longest.push(gap), whole.push(ended - started);
  }
  return { longest: median(longest), whole: median(whole) };
})()"""

FOUND = """(async () => {
  const { canHost } = globalThis.__inside.flatTree;
  const median = MEDIAN;
  const time = async (run) => {
    const started = performance.now();
    const value = await run();
    return [performance.now() - started, value];
  };
  const hosts = () => {
    for (const element of document.querySelectorAll("*")) {
      if (canHost(element.localName)) chrome.dom.openOrClosedShadowRoot(element);
    }
  };
  const ours = [], theirs = [];
  let count = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const [findMs, { result }] = await time(() => globalThis.__tabwire.call("selectors.find", { selector: SELECTOR }));
    const [hostsMs] = await time(hosts);
    count = result.usable;
    if (round) ours.push(findMs), theirs.push(hostsMs);
  }
  return { ours: median(ours), theirs: median(theirs), count };
})()"""


def measure() -> list[Row]:
    site = Site()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        args = ["--launch", "--headless", "--browser-arg=--remote-debugging-port=0", "--profile", str(work / "profile")]
        tabwire = Tabwire(args, {"TABWIRE_HOME": str(work / "home")}, work)
        try:
            browser = Browser.of_profile(work / "profile")
            rows = [row for elements, goal in SIZES.items() for row in _rows(tabwire, browser, site, elements, goal)]
            browser.close()
        finally:
            tabwire.close()
            site.close()
    return rows


def _rows(tabwire: Tabwire, browser: Browser, site: Site, elements: int, goal: float | None) -> Iterator[Row]:
    tabwire.open(site.page(big_page(elements)))
    tabwire.call("snapshot")  # puts the content scripts into the page
    page = browser.shown()
    seen = page.evaluate_in_extension(_filled(MEASURE))
    assert not seen.get("error"), seen["error"]
    size = f"{seen['elements']:,} elements"
    yield Row(f"snapshot of {size}, {seen['size'] / 1000:,.0f} kB", seen["ours"], seen["theirs"], "ms", goal)
    waits = page.evaluate_in_extension(_filled(LONGEST))
    yield Row(f"the page waits for it, {size}", waits["longest"], waits["whole"], "ms")
    page.evaluate_in_extension(content_source(entry=""))
    looked = page.evaluate_in_extension(_filled(UNCHANGED))
    assert looked["isSame"], "the page has changed by itself"
    yield Row(f"nothing changed, {size}, {looked['questions']:,} questions", looked["ours"], looked["theirs"], "ms")
    for selector in SELECTORS:
        found = page.evaluate_in_extension(_filled(FOUND).replace("SELECTOR", json.dumps(selector)))
        assert found["count"] == 1, (selector, found["count"])
        yield Row(f"{selector} in {size}", found["ours"], found["theirs"], "ms")


def _filled(script: str) -> str:
    words = {"FLOOR": FLOOR, "CHANGED": CHANGED, "MEDIAN": MEDIAN, "ROUNDS": str(ROUNDS), "ARGUMENTS": json.dumps(ARGUMENTS)}
    for name, text in words.items():
        script = script.replace(name, text)
    return script


ARGUMENTS: dict[str, Any] = {"mode": "full", "compact": False, "include_text": True, "include_bounds": False}
