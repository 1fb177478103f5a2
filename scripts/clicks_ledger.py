"""Presses in many random layouts, in a launched browser; see scripts/clicks_ledger."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from e2e.conftest import Launched
from e2e.input.click_ledger import Ledger, layouts
from e2e.site import Site

STEP = 200
"""Layouts between two lines of progress."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/clicks_ledger", description=__doc__)
    parser.add_argument("--layouts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this layout alone")
    parser.add_argument("--input", choices=("auto", "trusted", "dom"), default="auto")
    return parser.parse_args()


def run(chosen: argparse.Namespace, work: Path) -> Ledger:
    site = Site()
    launched = Launched(work, "--input", chosen.input)
    try:
        ledger = Ledger(launched.tabwire, launched.browser, site)
        for layout in layouts(chosen.layouts, chosen.seed):
            if chosen.only is not None and layout.number != chosen.only:
                continue
            before = len(ledger.wrong)
            ledger.press(layout)
            for wrong in ledger.wrong[before:]:
                print(f"  wrong: {wrong}")
            if layout.number % STEP == STEP - 1:
                print(f"{layout.number + 1} layouts, {len(ledger.wrong)} wrong")
        return ledger
    finally:
        launched.close()
        site.close()


def main() -> int:
    chosen = options()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tabwire-clicks") as work:
        ledger = run(chosen, Path(work))
    for kind, count in ledger.replies.most_common():
        print(f"{count:6} {kind}")
    pressed = sum(ledger.replies.values())
    print(f"seed {chosen.seed}: {pressed} presses in {time.monotonic() - began:.0f} s, {len(ledger.wrong)} wrong")
    return 1 if ledger.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
