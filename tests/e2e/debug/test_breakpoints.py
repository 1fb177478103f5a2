"""breakpoints and paused: scripts stop, say where and with what, and run on, whoever leaves them."""

import contextlib
import time
from collections.abc import Iterator

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Join, Joined, Launched, ShownPage
from e2e.console.test_console_messages import serve_app
from e2e.person import Person
from e2e.site import Site
from e2e.worker import Absence
from polling import until

pytestmark = pytest.mark.same_tab

JS = "text/javascript"
SHOP = """let total = 0;
// Adds up.
function add(price, item) {
  const before = total;
  total = before + price;
  return total;
}
function risky() { throw new TypeError("no card"); }
pay.onclick = () => { add(3, { name: "pear" }); out.textContent = total; };
"""
PAGE = "<button id=pay>Pay</button><p id=out>0</p><p id=box></p>"


def shop(site: Site, more: str = "") -> str:
    return site.page(f"{PAGE}{more}<script src={site.serve('/shop.js', SHOP, JS)}></script>")


@pytest.fixture(autouse=True)
def free(request: pytest.FixtureRequest) -> Iterator[None]:
    """The tab is left as it was."""
    client = request.getfixturevalue("tabwire") if "tabwire" in request.fixturenames else None
    yield
    if client is not None:
        client.call("breakpoints", action="remove")
        client.call("paused", action="resume")


def paused(reply: Reply) -> str:
    """The first line of what is told of a pause."""
    assert reply.text.startswith("Paused at "), reply
    return reply.text.splitlines()[0].removeprefix("Paused at ")


@pytest.fixture
def held(tabwire: Tabwire, site: Site) -> Iterator[Reply]:
    """The click at which the page pauses in a line; the page runs on when the test has ended."""
    tabwire.open(shop(site))
    first = tabwire.ok("breakpoints", action="set", source="/shop.js", line=4)
    assert "1. /shop.js:4:18, 0 hits | const before = total;" in first.text, first
    yield tabwire.ok("click", selector="css=#pay")
    tabwire.call("paused", action="resume")


def test_a_line_pauses_and_is_told_with_its_variables_and_callers(tabwire: Tabwire, held: Reply) -> None:
    assert "the page paused at /shop.js:4:" in held.text and held.elapsed_ms < 5_000, held
    state = tabwire.ok("paused")
    assert paused(state) == "/shop.js:4:18: breakpoint 1", state
    assert (
        '  item = {name: "pear"}' in state.text and "  price = 3" in state.text and "> 4 |   const before = total;" in state.text
    )
    assert [frame["place"] for frame in state.data["stack"]][0].startswith("/shop.js:4:")
    assert state.data["stack"][1]["place"].startswith("/shop.js:9:")


@pytest.mark.usefixtures("held")
def test_while_a_page_is_paused_every_other_call_says_so_at_once(tabwire: Tabwire) -> None:
    for tool, arguments in (("snapshot", {}), ("click", {"selector": "css=#pay"}), ("evaluate", {"expression": "1"})):
        failed = tabwire.fails(tool, **arguments)
        assert (failed.code, failed.elapsed_ms < 2_000) == ("page_paused", True), failed
        assert "/shop.js:4:" in failed.text and "action resume" in failed.text
    assert "function add" in tabwire.ok("sources", source="/shop.js").text
    assert tabwire.fails("event_listeners", selector="css=#pay").code == "page_paused"


@pytest.mark.usefixtures("held")
def test_expressions_are_evaluated_in_each_frame_of_a_pause(tabwire: Tabwire) -> None:
    assert tabwire.ok("paused", action="evaluate", expression="price + item.name.length").text == "7"
    assert tabwire.ok("paused", action="evaluate", expression="typeof price", frame=1).text == '"undefined"'
    assert tabwire.ok("paused", action="evaluate", expression="nowhere").text.startswith("Thrown: ReferenceError")


@pytest.mark.usefixtures("held")
def test_a_paused_page_is_stepped_through_and_runs_on(tabwire: Tabwire, page: ShownPage) -> None:
    assert paused(tabwire.ok("paused", action="step_over")).startswith("/shop.js:5:")
    assert paused(tabwire.ok("paused", action="step_out")).startswith("/shop.js:9:")
    resumed = tabwire.ok("paused", action="resume")
    assert resumed.text.startswith("The page runs on"), resumed
    assert page.wait_for("out.textContent === '3'")
    assert "1 hit" in tabwire.ok("breakpoints").text
    assert tabwire.fails("paused", action="step_over").code == "invalid_element_state"


def test_conditions_and_logs_decide_about_a_pause(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(shop(site))
    tabwire.ok("breakpoints", action="set", text="total = before", condition="before === 3")
    tabwire.ok("breakpoints", action="set", source="/shop.js", line=6, log="({ total, item })")
    assert "paused" not in tabwire.ok("click", selector="css=#pay").text
    assert page.evaluate("out.textContent") == "3"
    # Other tools of the debugger leave breakpoints as they are.
    tabwire.ok("sources")
    tabwire.ok("event_listeners", selector="css=#pay")
    assert tabwire.ok("evaluate", expression="for (let i = 0; i < 3; i += 1); 'looped'").data == "looped"
    assert "paused at /shop.js:5:" in tabwire.ok("click", selector="css=#pay").text
    tabwire.ok("paused", action="resume")
    listed = tabwire.ok("breakpoints")
    assert [one["hits"] for one in listed.data["breakpoints"]] == [1, 2]
    assert 'total: 6, item: {name: "pear"}' in listed.text or "total: 6" in listed.text, listed
    assert tabwire.ok("breakpoints", action="remove", id=1).data["removed"] == [1]
    assert "paused" not in tabwire.ok("click", selector="css=#pay").text
    assert page.evaluate("out.textContent") == "9"


def test_a_condition_has_the_value_of_its_expression_whatever_the_page_calls_boolean(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    site.serve(
        "/named.js", "function never(Boolean) {\n  return Boolean;\n}\nfunction always(Boolean) {\n  return Boolean;\n}", JS
    )
    tabwire.open(site.page("<script src=/named.js></script>"))
    tabwire.ok("breakpoints", action="set", source="/named.js", line=2, condition="1, 0")
    tabwire.ok("breakpoints", action="set", source="/named.js", line=5, condition="0, 1")
    page.evaluate("setTimeout(() => { done = [never(4), always(7)] }); 1")
    assert paused(tabwire.ok("paused", wait=5)).startswith("/named.js:5:")
    tabwire.ok("paused", action="resume")
    assert page.wait_for("String(self.done) === '4,7'")


MANY_TURNS = """(() => {
  const begin = performance.now();
  for (let i = 0; i < 400; i += 1) turn(i);
  return performance.now() - begin;
})()"""


def test_a_condition_that_is_often_false_costs_little_and_ends_with_its_breakpoint(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    site.serve("/loop.js", "function turn(n) {\n  return n + 1;\n}", JS)
    tabwire.open(site.page("<script src=/loop.js></script>"))
    tabwire.ok("breakpoints", action="set", exceptions="uncaught")
    tabwire.ok("breakpoints", action="set", source="/loop.js", line=2, condition="n < 0")
    # No debugger pauses a page as often in that time: the engine itself looks at the condition.
    until(lambda: page.evaluate(MANY_TURNS), lambda took: took < 400, within=30)
    page.evaluate("setTimeout(() => { done = turn(-1) }); 1")
    assert paused(tabwire.ok("paused", wait=5)).startswith("/loop.js:2:")
    tabwire.ok("paused", action="resume")
    assert page.wait_for("self.done === 0")
    assert tabwire.ok("breakpoints", action="remove", id=2).data["removed"] == [2]
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('script'), { src: '/loop.js', onload: () => late = turn(-2) })); 1"
    )
    assert page.wait_for("self.late === -1")
    assert tabwire.ok("paused").data["paused"] is False


def test_events_exceptions_requests_and_changes_pause(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    # An element that is not there is waited for: meanwhile, in another tab.
    other = tabwire.ok("tab_new", url=shop(site)).data["tabId"]
    tabwire.ok("tab_new", url=shop(site))
    missing = tabwire.start("breakpoints", action="set", element="css=#none", change="subtree", tabId=other)
    kinds = [
        ({"event": "dblclick"}, "pay.ondblclick = () => 1; pay.dispatchEvent(new Event('dblclick'))", "event dblclick"),
        ({"exceptions": "uncaught"}, "risky()", "exception"),
        ({"request": "prices"}, "fetch('/prices.json')", "request to"),
        ({"element": "css=#box", "change": "attributes"}, "box.title = 'new'", "change of an element"),
    ]
    for kind, code, why in kinds:
        tabwire.ok("breakpoints", action="set", **kind)
        page.evaluate(f"setTimeout(() => {{ {code} }}); 1")
        state = tabwire.ok("paused", wait=5)
        assert why in paused(state), (kind, state)
        if why == "exception":
            assert "Exception: TypeError: no card" in state.text
        tabwire.ok("paused", action="resume")
        tabwire.ok("breakpoints", action="remove")
    failed = missing.result(20)
    assert (failed.code, "css=#none" in failed.text) == ("no_such_element", True), failed
    assert tabwire.ok("breakpoints", tabId=other).text.startswith("0 breakpoints")


def test_a_place_in_the_sources_is_found_through_the_map_and_holds_over_a_reload(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=pay></button>" + serve_app(site)))
    told = tabwire.ok("breakpoints", action="set", source="src/cart.ts", line=11)
    assert "/app/src/cart.ts:11:" in told.text and "[/app/app.js:1:" in told.text, told
    tabwire.ok("reload")
    state = tabwire.ok("paused", wait=5)
    assert paused(state).startswith("/app/src/cart.ts:11:"), state
    assert "/app/src/cart.ts:16:" in state.text
    # Leaving the page ends the pause; the next page pauses again.
    tabwire.ok("reload")
    assert paused(tabwire.ok("paused", wait=5)).startswith("/app/src/cart.ts:11:")
    tabwire.ok("breakpoints", action="remove")
    # A statement that runs while the page loads.
    tabwire.ok("breakpoints", action="set", source="src/cart.ts", line=22)
    loaded = tabwire.ok("reload")
    assert "the page paused at /app/src/cart.ts:22:" in loaded.text and loaded.elapsed_ms < 5_000, loaded


def test_what_cannot_be_set_is_said_with_the_next_step(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(PAGE + f"<script src={site.serve('/shop.js', SHOP, JS)}></script>" + serve_app(site)))
    bad = [
        ({"source": "/shop.js", "line": 2}, "nearest line that can hold a breakpoint is"),
        ({"source": "/shop.js", "line": 999}, "it ends at line"),
        ({"source": "/shops.js", "line": 1}, "/shop.js"),
        ({"source": "app", "line": 1}, "sources have this in their address"),
        ({"text": "nowhere at all"}, "sources with text"),
        ({"event": "onclick"}, "click is one"),
        ({"event": "clikc"}, "click is one"),
        ({"source": "/shop.js", "line": 4, "condition": "a +"}, "no expression"),
        ({"line": 3}, "line needs source"),
    ]
    for arguments, words in bad:
        failed = tabwire.fails("breakpoints", action="set", **arguments)
        assert words in failed.text, (arguments, failed)
    assert tabwire.ok("breakpoints").text.startswith("0 breakpoints")
    assert "id: the tab has no breakpoint 5" in tabwire.fails("breakpoints", action="remove", id=5).text


def test_a_paused_tab_closes(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(shop(site))
    tab = tabwire.ok("tab_new", url=shop(site)).data["tabId"]
    tabwire.ok("breakpoints", action="set", event="click")
    assert "paused" in tabwire.ok("click", selector="css=#pay").text
    assert tabwire.ok("tab_close", tabId=tab).elapsed_ms < 5_000


def test_a_pause_nobody_asks_about_ends_with_its_breakpoints(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(shop(site))
    tabwire.ok("breakpoints", action="set", event="click", max_pause=1)
    began = time.monotonic()
    assert "paused" in tabwire.ok("click", selector="css=#pay").text
    assert page.wait_for("out.textContent === '3'", timeout=10)
    assert time.monotonic() - began >= 0.9
    assert "paused for 1 s" in tabwire.ok("paused").text and "0 breakpoints" in tabwire.ok("breakpoints").text
    tabwire.ok("click", selector="css=#pay")
    assert page.evaluate("out.textContent") == "6"


def test_a_frame_of_another_site_pauses_too(tabwire: Tabwire, site: Site) -> None:
    site.serve("/till.js", "function charge(sum) {\n  return sum * 2;\n}\nsetInterval(() => charge(21), 50);", JS)
    inner = site.cross_page("<script src=/till.js></script>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    tabwire.ok("breakpoints", action="set", source="till.js", line=2)
    state = tabwire.ok("paused", wait=5)
    assert paused(state).startswith(f"{site.cross_origin}/till.js:2:") and "sum = 21" in state.text, state
    tabwire.ok("breakpoints", action="remove")
    assert tabwire.ok("paused", action="resume").text.startswith("The page runs on")
    assert not tabwire.call("snapshot").is_error


# Chrome may run the commands that set breakpoints ahead of the one that turns the debugger on: here it always does in frames.
OVERTAKING = """(() => {
  const { sendCommand } = chrome.debugger;
  const held = new Map();
  globalThis.refused = 0;
  globalThis.rest = () => { chrome.debugger.sendCommand = sendCommand; };
  chrome.debugger.sendCommand = async (target, method, ...more) => {
    const send = () => sendCommand.call(chrome.debugger, target, method, ...more);
    if (target.sessionId && method === "Debugger.enable") await new Promise((go) => held.set(target.sessionId, go));
    if (!target.sessionId || method !== "Debugger.setBreakpointByUrl") return send();
    try {
      return await send();
    } catch (error) {
      refused += 1;
      throw error;
    } finally {
      held.get(target.sessionId)?.();
    }
  };
})()"""


def test_a_frame_in_which_the_debugger_is_turned_on_late_pauses_too(
    launched: Launched, tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    site.serve("/till.js", "function charge(sum) {\n  return sum * 2;\n}\naddEventListener('message', () => charge(21));", JS)
    frame = f"<iframe id=f src='{site.cross_page('<script src=/till.js></script>')}'></iframe>"
    tabwire.open(site.page(f"<div id=box>{frame}</div>"))
    tabwire.ok("breakpoints", action="set", source="till.js", line=2)
    launched.browser.in_worker(OVERTAKING)
    try:
        page.evaluate("new Promise((done) => { box.innerHTML = box.innerHTML; f.onload = () => done(1) })")
        until(lambda: launched.browser.in_worker("refused"), lambda count: count > 0)
        page.evaluate("f.contentWindow.postMessage(1, '*'); 1")
        state = tabwire.ok("paused", wait=5)
        assert paused(state).startswith(f"{site.cross_origin}/till.js:2:") and "sum = 21" in state.text, state
    finally:
        launched.browser.in_worker("rest()")


def test_a_client_that_leaves_frees_the_page(own: Joined, join: Join, site: Site) -> None:
    leaving, other = join("--tools", "all,debug"), own.tabwire
    tab = leaving.ok("tab_new", url=shop(site)).data["tabId"]
    leaving.ok("breakpoints", action="set", event="click")
    assert "paused" in leaving.ok("click", selector="css=#pay", tabId=tab).text
    assert other.fails("snapshot", tabId=tab).code == "page_paused"
    with Absence(own.browser) as absence:
        leaving.close()
        absence.end()
        until(lambda: not other.call("snapshot", tabId=tab).is_error, within=15)
    assert "3" in other.ok("snapshot", tabId=tab).text


def test_the_persons_stop_lets_the_page_run_on(own: Launched, person: Person, site: Site) -> None:
    client = own.tabwire
    client.open(shop(site))
    client.ok("breakpoints", action="set", event="click")
    assert "paused" in client.ok("click", selector="css=#pay").text
    person.ask("stop")
    assert own.browser.shown().wait_for("out.textContent === '3'", timeout=10)


def test_a_pause_is_shared_with_devtools(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(shop(site))
    (target,) = [one for one in browser.call("Target.getTargets")["targetInfos"] if one["type"] == "page"]
    session = browser.call("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})["sessionId"]
    browser.call("Debugger.enable", {}, session)

    def total() -> str:
        answer = browser.call("Runtime.evaluate", {"expression": "out.textContent"}, session)
        return str(answer["result"]["value"])

    tabwire.ok("breakpoints", action="set", event="click", max_pause=1)
    assert "paused" in tabwire.ok("click", selector="css=#pay").text
    browser.call("Debugger.resume", {}, session)
    until(total, equals="3")
    assert tabwire.ok("paused").text.startswith("Not paused; 1 breakpoint")
    # The time limit ends the pause for both.
    assert "paused" in tabwire.ok("click", selector="css=#pay").text
    until(total, equals="6")
    assert "paused for 1 s" in tabwire.ok("breakpoints").text
    browser.call("Target.detachFromTarget", {"sessionId": session})


def test_a_page_that_crashes_takes_its_breakpoints_along(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(shop(site))
    tabwire.ok("breakpoints", action="set", event="click")
    assert "paused" in tabwire.ok("click", selector="css=#pay").text
    with contextlib.suppress(TimeoutError):
        browser.pages()[0].call("Page.crash", timeout=0.3)
    until(lambda: "the page crashed" in tabwire.ok("paused").text)
    tabwire.ok("reload")
    assert "paused" not in tabwire.ok("click", selector="css=#pay").text
