"""Presses in many random layouts, in a launched browser; see scripts/lab/clicks_ledger."""

import argparse
import dataclasses
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from e2e.conditions.condition import USUAL
from e2e.conftest import Joined, Launched
from e2e.input.click_ledger import Ledger, layouts
from e2e.once.reaction_ledger import ReactionLedger, reacting_layouts
from e2e.site import Site

STEP = 200
"""Layouts between two lines of progress."""
PRESSED_SHARE = 0.99
"""Share of the reacting layouts that a person can press which have to be pressed."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/clicks_ledger", description=__doc__)
    parser.add_argument("--layouts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this layout alone")
    parser.add_argument("--input", choices=("auto", "trusted", "dom"), default="auto")
    parser.add_argument("--device-scale", type=float, default=1, metavar="SCALE", help="device pixels per CSS pixel")
    parser.add_argument("--own", action="store_true", help="in a browser that Tabwire has joined, where auto prefers DOM events")
    parser.add_argument("--reactions", action="store_true", help="layouts that react to one event of the press")
    chosen = parser.parse_args()
    if chosen.own and chosen.input != "auto":
        parser.error("--own goes with --input auto alone: the other two do the same in every browser")
    return chosen


def press_all(ledger: Ledger | ReactionLedger, chosen: argparse.Namespace) -> None:
    for layout in (reacting_layouts if chosen.reactions else layouts)(chosen.layouts, chosen.seed):
        if chosen.only is not None and layout.number != chosen.only:
            continue
        before = len(ledger.wrong)
        ledger.press(layout)
        for wrong in ledger.wrong[before:]:
            print(f"  wrong: {wrong}")
        if layout.number % STEP == STEP - 1:
            print(f"{layout.number + 1} layouts, {len(ledger.wrong)} wrong")


def run(chosen: argparse.Namespace, work: Path) -> Ledger | ReactionLedger:
    site = Site()
    condition = dataclasses.replace(USUAL, device_scale=chosen.device_scale)
    launched = Joined(work, condition) if chosen.own else Launched(work, "--input", chosen.input, condition=condition)
    try:
        kind = ReactionLedger if chosen.reactions else Ledger
        ledger = kind(launched.tabwire, launched.browser, site)
        press_all(ledger, chosen)
        return ledger
    finally:
        launched.close()
        site.close()


def has_missed_too_many(ledger: Ledger | ReactionLedger) -> bool:
    """Print which of the layouts that can be pressed got no click; return whether these are too many."""
    if isinstance(ledger, Ledger):
        return False
    for missed in ledger.missed:
        print(f"  missed: {missed}")
    print(f"{ledger.pressable} layouts can be pressed, {ledger.pressed_share:.1%} of them were")
    return ledger.pressed_share < PRESSED_SHARE


def main() -> int:
    chosen = options()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tabwire-clicks") as work:
        ledger = run(chosen, Path(work))
    for kind, count in ledger.replies.most_common():
        print(f"{count:6} {kind}")
    has_missed = has_missed_too_many(ledger)
    pressed = sum(ledger.replies.values())
    print(f"seed {chosen.seed}: {pressed} presses in {time.monotonic() - began:.0f} s, {len(ledger.wrong)} wrong")
    return 1 if ledger.wrong or has_missed else 0


if __name__ == "__main__":
    sys.exit(main())
