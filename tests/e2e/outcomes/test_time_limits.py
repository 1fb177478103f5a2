"""The time of a call is the client's: a page that is busy holds no tool for longer than it was told to wait."""

from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.site import Site

pytestmark = pytest.mark.same_tab

LIMIT_MS = 300
LATE_MS = 1_500
"""The grace of the bridge, and a slow machine."""

CALLS: dict[str, dict[str, Any]] = {
    "snapshot": {},
    "locator": {"chain": [{"method": "css", "value": "#f"}], "action": "click"},
    "type": {"selector": "#f", "text": "x"},
    "scroll": {"direction": "down"},
}


def test_a_busy_page_holds_no_call_for_longer_than_its_time(tabwire: Tabwire, page: Page, site: Site) -> None:
    tabwire.open(site.page("<input id=f><select id=s><option>a<option>b</select><p style='height:4000px'>"))
    tabwire.snapshot()
    # It stands still without work for the processor.
    site.hold("/gate/work")
    page.evaluate("setTimeout(() => { const x = new XMLHttpRequest(); x.open('GET', '/gate/work', false); x.send() }), 0")
    site.wait_for(lambda seen: seen.hit_count("/gate/work"))
    for tool, arguments in CALLS.items():
        reply = tabwire.fails(tool, **arguments, timeout=LIMIT_MS)
        assert reply.code in ("timeout", "outcome_unknown", "dialog_pending"), reply
        assert reply.elapsed_ms < LIMIT_MS + LATE_MS, f"{tool} {reply.elapsed_ms}"


def test_no_option_at_all_is_refused_where_a_list_always_has_one(tabwire: Tabwire, page: Page, site: Site) -> None:
    tabwire.open(site.page("<select id=one><option>a<option>b</select><select id=many multiple><option selected>a</select>"))
    for choice in ("value", "label", "index"):
        assert tabwire.fails("select", selector="#one", **{choice: []}).code == "invalid_argument"
        assert tabwire.ok("select", selector="#many", **{choice: []}).data["selected"] == []
    assert page.evaluate("[one.value, many.selectedOptions.length]") == ["a", 0]
