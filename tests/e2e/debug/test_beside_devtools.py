"""Debugging in a user's own browser while Chrome's DevTools are open on the same tab: every tool works, and DevTools stay."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser, Page
from e2e.client import Tabwire
from e2e.network.test_network_requests import listed, shop
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.worker import GONE_WITHIN_S, Absence
from polling import until

SHOP = """class Order { constructor(id) { this.id = id; } }
const orders = [];
function pay(price) {
  orders.push(new Order(price));
  for (const end = performance.now() + 120; performance.now() < end;) for (let at = 0; at < 2e4; at++) price += at % 2 - 0.5;
  console.log("paid", { price });
  out.textContent = orders.length;
}
go.onclick = () => pay(3);
fetch("/api/price");
"""
PAGE = """<title>Shop</title><style>#go { color: teal }</style><button id=go>Pay</button><input id=q><p id=out>0</p>
<script src=/shop.js></script>"""
TOLD = """(async () => {
  const { TargetManager, DebuggerModel } = await import('devtools://devtools/bundled/core/sdk/sdk.js');
  const target = TargetManager.TargetManager.instance().primaryPageTarget();
  const answer = await target?.runtimeAgent().invoke_evaluate({ expression: 'location.href' });
  return JSON.stringify({ url: answer?.result?.value, isPaused: target?.model(DebuggerModel.DebuggerModel)?.isPaused() });
})()"""
"""Asks DevTools whether the tab that they inspect is paused, and the tab, through them, where it is."""


@pytest.fixture
def inspected(tmp_path: Path) -> Iterator[PlainChromium]:
    """A browser with DevTools open on its tab, as F12 opens them."""
    plain = PlainChromium(tmp_path, "about:blank", flags=["--auto-open-devtools-for-tabs"])
    try:
        yield plain
    finally:
        plain.close()


def told(devtools: Page) -> dict[str, Any]:
    """What DevTools say of themselves."""
    asked = {"expression": TOLD, "awaitPromise": True, "returnByValue": True}
    answer = devtools.call("Runtime.evaluate", asked)
    assert "exceptionDetails" not in answer and "value" in answer["result"], answer
    found: dict[str, Any] = json.loads(answer["result"]["value"])
    return found


def is_attached(browser: Browser, tab: int) -> bool:
    """Whether the extension's own debugger is on a tab: lists of targets count DevTools as well."""
    asked = f"chrome.debugger.sendCommand({{ tabId: {tab} }}, 'Runtime.evaluate', {{ expression: '1' }})"
    answer = str(browser.in_worker(f"{asked}.then(() => 'attached', (error) => error.message)"))
    # The debugger may go while it is asked.
    assert answer == "attached" or "not attached" in answer or "Detached while" in answer, answer
    return answer == "attached"


def look_around(tabwire: Tabwire) -> None:
    """Tools that read, each with what it must have seen."""
    requests = tabwire.ok("network_requests").data["requests"]
    price = next(one["id"] for one in requests if one["url"].endswith("/api/price"))
    assert "200" in tabwire.ok("request_details", id=price).text
    assert "teal" in tabwire.ok("styles", selector="css=#go", properties=["color"]).text
    assert "/shop.js:9:" in tabwire.ok("event_listeners", selector="css=#go", types=["click"]).text
    assert "no data of React" in tabwire.ok("components", selector="css=#go").text
    assert "/shop.js:4:" in tabwire.ok("sources", text="orders.push(").text
    assert {one["rule"] for one in tabwire.ok("audit").data["rules"]} >= {"label"}
    assert "Order" in tabwire.ok("memory", max_groups=50).text


def test_every_tool_for_debugging_works_beside_devtools(inspected: PlainChromium, site: Site) -> None:
    browser = inspected.browser
    (window,) = until(
        lambda: [one for one in browser.targets() if one["type"] == "other" and one["url"].startswith("devtools://")],
        says="DevTools are open",
    )
    devtools = Page(browser, window["targetId"])
    # Their modules cannot be imported before they have begun.
    until(lambda: told(devtools).get("url"), equals="about:blank", within=20, ignoring=AssertionError)
    # A page that was open before any client tells its requests.
    early = shop(site)
    page = browser.at("about:blank")
    # Chrome ignores a navigation that a page asks for while the browser's own one, to the start page, is under way.
    page.call("Page.navigate", {"url": early})
    page.wait_for("document.title === 'asked'")
    tabwire = inspected.join()
    (tab,) = (one["tabId"] for one in tabwire.tabs() if one["url"] == early)
    found = listed(tabwire.ok("network_requests", tabId=tab))
    assert set(found) >= {early.rpartition("/")[2], "shop.css", "shop.js", "missing.png", "price", "500"}
    assert [found[name]["status"] for name in ("shop.js", "missing.png", "price")] == [200, 404, 200]
    assert {"wait", "download"} <= set(tabwire.ok("request_details", id=found["shop.js"]["id"], tabId=tab).data["phases"])
    assert not is_attached(browser, tab)
    site.serve("/shop.js", SHOP, "text/javascript")
    site.serve("/api/price", '{"price": 3}', "application/json")
    url = site.page(PAGE)
    tabwire.ok("tab_switch", tabId=tab)
    tabwire.ok("navigate", url=url)
    tabwire.ok("network_requests")
    assert not is_attached(browser, tab)
    tabwire.ok("console_messages")
    assert is_attached(browser, tab)

    tabwire.ok("code_profile", action="start")
    tabwire.ok("click", selector="css=#go")
    profile = tabwire.ok("code_profile", action="stop").data["time"]["functions"]
    assert {one["name"]: one.get("place", "") for one in profile}["pay"].startswith("/shop.js:3:")
    said = tabwire.ok("console_messages", pattern="paid").data["messages"]
    assert [one["place"].rpartition(":")[0] for one in said] == ["/shop.js:6"]
    assert "price: 3" in tabwire.ok("console_message", id=said[0]["id"]).text
    frames = tabwire.ok("performance_insights", sources=True).data["frames"]["worst"]
    blamed = [script for frame in frames for script in frame["scripts"] if script["invoker"] == "BUTTON#go.onclick"]
    assert [(one["ms"] >= 120, one["place"].rpartition(":")[0]) for one in blamed] == [(True, "/shop.js:9")]
    look_around(tabwire)

    # A pause is one: both see it, and whoever resumes ends it for both.
    tabwire.ok("breakpoints", action="set", source="/shop.js", line=4)
    assert "the page paused at /shop.js:4:" in tabwire.ok("click", selector="css=#go").text
    assert "price = 3" in tabwire.ok("paused").text
    until(lambda: told(devtools)["isPaused"], equals=True)
    tabwire.ok("paused", action="resume")
    until(lambda: told(devtools)["isPaused"], equals=False)
    assert browser.at(url).wait_for("out.textContent === '2'")

    # Nothing of Tabwire's stays, and DevTools do.
    with Absence(browser) as absence:
        tabwire.close()
        absence.end()
        until(lambda: is_attached(browser, tab), equals=False, within=GONE_WITHIN_S)
    assert told(devtools) == {"url": url, "isPaused": False}
