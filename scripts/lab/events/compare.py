"""Event sequences of acts by Tabwire beside those by chromedriver; see scripts/lab/events/run."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from sequences import TYPES, Sequence, sequences

from e2e.conftest import Launched, ShownPage
from e2e.site import Site

WATCH = f"""<script>globalThis.log = [];
for (const type of {TYPES}) addEventListener(type, (e) => {{
  log.push([type, e.target.localName, e.inputType ?? e.key ?? e.detail ?? null].join(' ')) }}, true);
globalThis.ready = (el) => {{ el.focus(); if (/^(text|search|password|textarea)$/.test(el.type)) el.setSelectionRange(9, 9);
  if (el.isContentEditable) {{ getSelection().selectAllChildren(el); getSelection().collapseToEnd() }} }}</script>"""
LEAST = {"trusted": 114 / 116, "dom": 100 / 116}
"""Shares of the sequences that have to be equal."""
NAMED = {
    name: getattr(Keys, constant)
    for name, constant in {
        "Enter": "ENTER", "Tab": "TAB", "Escape": "ESCAPE", "Backspace": "BACKSPACE", "Delete": "DELETE", "Home": "HOME",
        "End": "END", "ArrowLeft": "ARROW_LEFT", "ArrowRight": "ARROW_RIGHT", "ArrowUp": "ARROW_UP",
        "ArrowDown": "ARROW_DOWN", "Space": "SPACE", "PageUp": "PAGE_UP", "PageDown": "PAGE_DOWN", "Control": "CONTROL",
        "Shift": "SHIFT",
    }.items()
}  # fmt: skip
QUIET = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => { log.length = 0; resolve() })))"
"""Run before keys: the event of the selection that was set comes in a later task."""
SETTLED = "new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(log))))"


def press(chain: ActionChains, combination: str) -> ActionChains:
    *held, key = combination.split("+")
    for modifier in held:
        chain.key_down(NAMED[modifier])
    chain.key_down(NAMED.get(key, key)).key_up(NAMED.get(key, key))
    for modifier in reversed(held):
        chain.key_up(NAMED[modifier])
    return chain


BY_DRIVER: dict[str, Callable[[ActionChains, WebElement, str], ActionChains]] = {
    "click": lambda chain, el, _: chain.click(el),
    "double": lambda chain, el, _: chain.double_click(el),
    "right": lambda chain, el, _: chain.context_click(el),
    "press": lambda chain, _, key: press(chain, key),
    "type": lambda chain, _, text: chain.send_keys(text),
}
BY_TABWIRE: dict[str, Callable[[str], tuple[str, dict[str, Any]]]] = {
    "click": lambda _: ("click", {"selector": "#t"}),
    "double": lambda _: ("dblclick", {"selector": "#t"}),
    "right": lambda _: ("click", {"selector": "#t", "button": "right"}),
    "press": lambda key: ("press", {"key": key}),
    "type": lambda text: ("type", {"text": text, "delay": 0}),
}


def by_driver(all_sequences: list[Sequence], site: Site) -> dict[str, list[str]]:
    """The events that pages get of chromedriver, by the names of the sequences."""
    options = ChromeOptions()
    for flag in ("--headless=new", "--no-sandbox"):
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium") or ""
    driver = Chrome(options, Service(shutil.which("chromedriver")))
    try:
        got = {}
        for each in all_sequences:
            driver.get(site.page(each.html + WATCH))
            if each.act in {"press", "type"}:
                driver.execute_script("ready(t)")
                # The page gets the focus with its first key.
                press(ActionChains(driver), "Shift").perform()
                driver.execute_script(f"return {QUIET}")
            BY_DRIVER[each.act](ActionChains(driver, duration=0), driver.find_element(By.ID, "t"), each.value).perform()
            got[each.name] = driver.execute_script(f"return {SETTLED}")
        return got
    finally:
        driver.quit()


def by_tabwire(all_sequences: list[Sequence], site: Site, mode: str, work: Path) -> dict[str, list[str]]:
    """The events that pages get of Tabwire in a mode of input."""
    launched = Launched(work, "--input", mode)
    page = ShownPage(launched.browser)
    try:
        got = {}
        for each in all_sequences:
            launched.tabwire.open(site.page(each.html + WATCH))
            if each.act in {"press", "type"}:
                page.evaluate("ready(t)")
                launched.tabwire.ok("press", key="Shift")
                page.evaluate(QUIET)
            tool, arguments = BY_TABWIRE[each.act](each.value)
            launched.tabwire.call(tool, **arguments)
            got[each.name] = page.evaluate(SETTLED)
        return got
    finally:
        launched.close()


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/lab/events/run", description=__doc__)
    parser.add_argument("--input", choices=tuple(LEAST), action="append", help="default: both")
    parser.add_argument("--only", metavar="NAME", help="sequences whose names contain this")
    chosen = parser.parse_args()
    wanted = [each for each in sequences() if not chosen.only or chosen.only in each.name]
    site = Site()
    failed = False
    try:
        expected = by_driver(wanted, site)
        for mode in chosen.input or tuple(LEAST):
            with tempfile.TemporaryDirectory() as work:
                got = by_tabwire(wanted, site, mode, Path(work))
            differing = [each.name for each in wanted if got[each.name] != expected[each.name]]
            for name in differing:
                print(f"{mode}: {name}\n  chromedriver: {', '.join(expected[name])}\n  tabwire:      {', '.join(got[name])}")
            equal = len(wanted) - len(differing)
            print(f"{mode}: {equal} of {len(wanted)} sequences are equal")
            failed |= equal < LEAST[mode] * len(wanted)
    finally:
        site.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
