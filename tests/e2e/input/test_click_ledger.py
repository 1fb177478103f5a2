"""Presses in random layouts: the page says who got them, and the replies say the same."""

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.input.click_ledger import Ledger, layouts
from e2e.site import Site

COUNT = 60
SEED = 16


def test_no_press_reaches_another_element_and_none_goes_unreported(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    ledger = Ledger(tabwire, browser, site)
    for layout in layouts(COUNT, SEED):
        ledger.press(layout)
    assert ledger.wrong == []
    assert ledger.replies["trusted"] and ledger.replies["dom, forced"]
