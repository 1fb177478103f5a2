"""Controls of pages as snapshots show them, beside what Selenium and dom-accessibility-api say; see scripts/lab/oracle/run."""

import argparse
import collections
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import selenium
from selenium import webdriver

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from pages.real_pages import APPLICATIONS, DOCUMENTS, RealPages

from extension.content_page import content_source

ROOT = Path(__file__).resolve().parents[3]
COMPARE = (Path(__file__).parent / "compare.js").read_text(encoding="utf-8")
ATOM = (Path(selenium.__file__).parent / "webdriver/remote/isDisplayed.js").read_text(encoding="utf-8")
NAMES = 'export { computeAccessibleName } from "dom-accessibility-api";'
UNEXPLAINED = "unexplained"

Kind = tuple[str, str]


def theirs() -> str:
    """The two oracles as a script."""
    done = subprocess.run(
        [ROOT / "node_modules/.bin/esbuild", "--bundle", "--format=iife", "--global-name=__names", "--loader=js"],
        cwd=ROOT, input=NAMES, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return (
        f"{done.stdout}\nglobalThis.__theirName = __names.computeAccessibleName;\n"
        f"globalThis.__isDisplayed = (element) => ({ATOM.strip().rstrip(';')}).call(null, element);"
    )


@contextmanager
def driver() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        started.set_window_size(1280, 800)
        yield started
    finally:
        started.quit()


def compared(browser: webdriver.Chrome, url: str, oracles: str) -> dict[str, Any]:
    """The differences on a page."""
    browser.get(url)
    browser.execute_script(f"{content_source()}\n{oracles}")
    found: dict[str, Any] = browser.execute_script(COMPARE)
    return found


def addresses(pages: list[str]) -> Iterator[str]:
    if pages:
        yield from (page if "://" in page else Path(page).resolve().as_uri() for page in pages)
        return
    real = RealPages()
    try:
        yield from (real.url(path) for path in RealPages.existing(DOCUMENTS + APPLICATIONS))
    finally:
        real.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    parser.add_argument("--each", type=int, default=2, help="examples of each kind of difference")
    wanted = parser.parse_args()
    kinds: collections.Counter[Kind] = collections.Counter()
    examples: dict[Kind, list[str]] = collections.defaultdict(list)
    sums: collections.Counter[str] = collections.Counter()
    oracles = theirs()
    with driver() as browser:
        for url in addresses(wanted.pages):
            found = compared(browser, url, oracles)
            sums.update(pages=1, controls=found["controls"], names=found["names"])
            for what, why, example in found["differences"]:
                kinds[what, why] += 1
                examples[what, why].append(f"{url.rsplit('/', 1)[-1]}: {example}")
    print(f"{sums['pages']} pages, {sums['controls']:,} controls, {sums['names']:,} names compared\n")
    for (what, why), count in kinds.most_common():
        print(f"{count:>6,}  {what}: {why}")
        for example in examples[what, why][: wanted.each]:
            print(f"        {example}")
    return int(any(why == UNEXPLAINED for _, why in kinds))


if __name__ == "__main__":
    sys.exit(main())
