"""`after` of console and network_requests: a call waits for what is newer than the last reply."""

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

# The browser asks for an icon by itself, some time after the page.
TOOLS: dict[str, tuple[str, str, dict[str, str]]] = {
    "console": ("messages", "console.log('new')", {}),
    "network_requests": ("requests", "fetch('/data')", {"url_pattern": "**/data"}),
}


def begun(tool: str, tabwire: Tabwire, site: Site) -> int:
    """The number of the newest message or request."""
    site.serve("/data", "{}", "application/json")
    tabwire.open(site.page("<p>News</p>"))
    if tool == "console":
        tabwire.ok("console", action="start_buffer")
    first = tabwire.ok(tool, after=0).data
    assert first[TOOLS[tool][0]] == []
    return int(first["last"])


def test_a_call_waits_for_what_is_new(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    for tool, (field, act, only) in TOOLS.items():
        last = begun(tool, tabwire, site)
        waiting = tabwire.start(tool, after=last, timeout=20_000, **only)
        page.evaluate(f"void {act}")
        found = waiting.result(10).data
        assert len(found[field]) == 1 and found["last"] > last, tool
        # It is told once; without news the wait ends at its limit.
        assert tabwire.ok(tool, after=found["last"], timeout=300, **only).data[field] == [], tool
        assert tabwire.ok(tool, after=last, timeout=300, **only).data[field] == found[field], tool


def test_a_call_that_waits_does_not_hold_up_others(tabwire: Tabwire, site: Site) -> None:
    for tool, (field, act, only) in TOOLS.items():
        waiting = tabwire.start(tool, after=begun(tool, tabwire, site), timeout=20_000, **only)
        tabwire.ok("evaluate", expression=f"void {act}")
        assert len(waiting.result(10).data[field]) == 1, tool


def test_a_call_that_waits_ends_with_its_tab(tabwire: Tabwire, site: Site) -> None:
    tab = tabwire.ok("tab_new").data["tabId"]
    requests, console = (begun(tool, tabwire, site) for tool in ("network_requests", "console"))
    # A call that comes too late finds no such tab either.
    waiting = {
        tool: tabwire.start(tool, after=last, timeout=20_000, tabId=tab, **TOOLS[tool][2])
        for tool, last in (("network_requests", requests), ("console", console))
    }
    tabwire.ok("tab_close", tabId=tab)
    assert {tool: reply.result(10).code for tool, reply in waiting.items()} == dict.fromkeys(TOOLS, "no_such_tab")


def test_without_a_buffer_the_console_has_no_news(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>console.log('there')</script>"))
    found = tabwire.ok("console", after=1, timeout=20_000).data
    assert (found["messages"], found["buffering"]) == ([], False)


def test_what_is_not_wanted_is_passed_over(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    last = begun("network_requests", tabwire, site)
    waiting = tabwire.start("network_requests", after=last, failed=True, url_pattern="**/missing", timeout=20_000)
    page.evaluate("void fetch('/data').then((data) => data.text()).then(() => fetch('/missing'))")
    found = waiting.result(10).data
    assert [request["status"] for request in found["requests"]] == [404] and found["last"] >= last + 2
