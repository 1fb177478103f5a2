"""A short run of the ledger of reacting layouts; `scripts/lab/clicks_ledger --reactions` presses in many of them."""

from e2e.conftest import Launched
from e2e.once.reaction_ledger import ReactionLedger, reacting_layouts
from e2e.site import Site

LAYOUTS = 40
SEED = 16


def test_nothing_happens_twice_in_layouts_that_react_to_the_press(launched: Launched, site: Site) -> None:
    ledger = ReactionLedger(launched.tabwire, launched.browser, site)
    for layout in reacting_layouts(LAYOUTS, SEED):
        ledger.press(layout)
    assert ledger.wrong == []
    # A veil that comes right after the pointer may keep one from being pressed.
    assert ledger.pressable >= 10 and len(ledger.missed) <= 1, ledger.missed
    assert sum(ledger.replies.values()) == LAYOUTS
