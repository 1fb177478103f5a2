"""evaluate: what a script may be, what its value looks like, how it fails, where it runs."""

from collections.abc import Iterable
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Idleness, frame_ids, until_attached

pytestmark = pytest.mark.same_tab


FORMS: dict[str, Any] = {
    "1 + 1": 2,
    "{a: 1}": {"a": 1},
    "({a: [1, null, true]})": {"a": [1, None, True]},
    "// a comment\n'text';": "text",
    "const x = 3; x * 2": 6,
    "let y = 1;\ny + 1;": 2,
    "if (true) { 4 } else { 5 }": 4,
    "return document.title": "Test page",
    "for (const n of [1, 2, 3]) if (n > 1) return n": 2,
    "() => 5": 5,
    "async () => { return 6 }": 6,
    "function () { return 7 }": 7,
    "(() => 8)()": 8,
    "await Promise.resolve(9)": 9,
    "const r = await Promise.resolve(9); r + 1": 10,
    "const r = await Promise.resolve(9);\nreturn r + 2": 11,
    "new Promise((resolve) => setTimeout(() => resolve('late'), 20))": "late",
}


def values_of(tabwire: Tabwire, expressions: Iterable[str]) -> dict[str, Any]:
    return {expression: tabwire.ok("evaluate", expression=expression).data for expression in expressions}


def test_a_script_may_be_an_expression_statements_a_body_or_a_function(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    assert values_of(tabwire, FORMS) == FORMS


def test_the_same_declarations_can_be_evaluated_twice(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    values = [tabwire.ok("evaluate", expression="const once = 1; once + 1").data for _ in range(2)]
    assert values == [2, 2]


def test_arguments_reach_the_function(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    for expression, args, value in (
        ("(a, b) => a + b", [1, 2], 3),
        ("function (x) { return x.list[0] }", [{"list": ["é\u2028"]}], "é\u2028"),
        ("args[0] * 2", [4], 8),
        ("return args.length", [4, 5], 2),
    ):
        assert tabwire.ok("evaluate", expression=expression, args=args).data == value, expression


DESCRIBED: dict[str, Any] = {
    "undefined": None,
    "NaN": "NaN",
    "10n": "10",
    "new Date(0)": "1970-01-01T00:00:00.000Z",
    "new Map([[1, {a: 2}]])": [[1, {"a": 2}]],
    "new Set('ab')": ["a", "b"],
    "document.querySelector('p')": '<p id="p"> Hello',
    "document.querySelectorAll('p')": ['<p id="p"> Hello'],
    "({f() {}, d: new Date(0), u: new URL('http://x/')})": {"d": "1970-01-01T00:00:00.000Z", "u": "http://x/"},
    "const a = {}; a.self = a; a": {"self": "[circular]"},
    "-0": "-0",
    "({n: NaN, i: -Infinity, b: 10n, u: undefined})": {"n": "NaN", "i": "-Infinity", "b": "10"},
    "new Proxy({}, {ownKeys() { throw 1 }})": "[cannot be read: 1]",
    "({get a() { throw new Error('no') }, b: 1})": {"a": "[threw Error: no]", "b": 1},
    "window": "[window]",
    "new TypeError('no')": {"name": "TypeError", "message": "no"},
    "new Uint8Array([1, 2])": [1, 2],
    "Symbol('s')": "Symbol(s)",
}


def test_values_without_a_json_form_are_described(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p id=p>Hello</p>"))
    assert values_of(tabwire, DESCRIBED) == DESCRIBED


def test_without_return_by_value_an_object_is_described(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    described = {
        "document.body": "HTMLBodyElement body",
        "({a: 1, b: {c: 2}})": "Object {a: 1, b: Object}",
        "[1, 'x']": 'Array(2) [1, "x"]',
        "new Map([['k', 1]])": 'Map(1) {"k" => 1}',
        "() => function go() {}": "function go() {}",
        "5": 5,
    }
    values = {expression: tabwire.ok("evaluate", expression=expression, return_by_value=False).data for expression in described}
    assert values == described


def test_without_await_promise_the_promise_itself_is_the_value(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    assert tabwire.ok("evaluate", expression="new Promise(() => {})", await_promise=False).data == "[Promise]"


THROWN: dict[str, str] = {
    "1;\nthrow new Error('boom')": "Error: boom (line 2 of the script)",
    "null.x": "TypeError: Cannot read properties of null (reading 'x') (line 1 of the script)",
    "throw 5": "thrown: 5 (line 1 of the script)",
    "throw undefined": "thrown: undefined",
    "throw {code: 5, list: [1]}": 'thrown: {"code":5,"list":[1]}',
    "Promise.reject({reason: 'none'})": 'thrown: {"reason":"none"}',
    "throw {password: 'hunter2'}": 'thrown: {"password":"[redacted]"}',
    "const a = 1;\nlet b = ;": "Unexpected token ';' (line 2, column 9 of the script)",
    "foo bar": "Unexpected identifier 'bar' (line 1, column 5 of the script)",
    "Promise.reject(new RangeError('late'))": "RangeError: late",
    "JSON.parse('{')": "SyntaxError",
    "foo(": "SyntaxError: Unexpected end of input",
}


def test_what_a_script_throws_is_told_with_its_line(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    for expression, message in THROWN.items():
        reply = tabwire.fails("evaluate", expression=expression)
        assert (reply.code, message in reply.text) == ("javascript_error", True), (expression, reply)


def test_a_script_that_throws_at_run_time_runs_once(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>count = 0</script>"))
    tabwire.fails("evaluate", expression="count += 1; JSON.parse('{')")
    assert tabwire.ok("evaluate", expression="count").data == 1


LOOPS = ("while (true) {}", "async () => { while (true) await null }", "await Promise.resolve(); while (true);")


def test_an_endless_loop_is_ended_and_the_page_lives_on(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    for loop in LOOPS:
        assert tabwire.fails("evaluate", expression=loop, timeout=200).code == "timeout", loop
        assert tabwire.ok("evaluate", expression="1").data == 1, loop


def test_an_endless_loop_that_a_script_starts_later_is_ended(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<script>setInterval(() => globalThis.alive = (globalThis.alive ?? 0) + 1, 10)</script>"))
    reply = tabwire.fails("evaluate", expression="new Promise(() => setTimeout(() => { for (;;); }, 50))", timeout=700)
    assert (reply.code, "was stopped" in reply.text) == ("timeout", True)
    assert tabwire.ok("evaluate", expression="alive", timeout=2000).data > 0
    alive = page.evaluate("alive")
    page.wait_for(f"alive > {alive}")


def test_a_busy_page_is_let_work_and_the_script_is_said_not_to_have_begun(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    ask = "x.open('GET', '/busy', false); x.send()"
    work = f"const x = new XMLHttpRequest(); do {{ {ask} }} while (x.responseText !== 'over'); globalThis.over = true"
    tabwire.open(site.page(f"<script>function work() {{ {work} }}</script>"))
    site.serve("/busy", "on", delay_ms=10)
    page.evaluate("void setTimeout(work)")
    site.wait_for(lambda seen: seen.hit_count("/busy"))
    reply = tabwire.fails("evaluate", expression="1", timeout=300)
    site.serve("/busy", "over")
    assert (reply.code, "has not come to it" in reply.text) == ("timeout", True)
    page.wait_for("globalThis.over")


def test_a_loop_whose_call_is_cancelled_is_ended(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    site.serve("/begun", "yes")
    loop = "navigator.sendBeacon('/begun'); const end = Date.now() + 20000; while (Date.now() < end);"
    call = tabwire.start("evaluate", expression=loop, timeout=25_000)
    site.wait_for(lambda seen: seen.hit_count("/begun"))
    call.cancel()
    assert tabwire.ok("evaluate", expression="1", timeout=5000).elapsed_ms < 5000


def test_a_debugger_statement_stops_nothing(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    slow = "while (false); debugger; await new Promise((done) => setTimeout(done, 150)); debugger; 5"
    assert tabwire.ok("evaluate", expression=slow, timeout=4000).data == 5


def test_a_cancelled_script_holds_up_nobody(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(""))
    call = tabwire.start("evaluate", expression="globalThis.begun = true; await new Promise(() => {})", timeout=25_000)
    page.wait_for("globalThis.begun")
    call.cancel()
    assert tabwire.ok("evaluate", expression="begun", timeout=4000).data is True


def test_a_promise_that_never_settles_times_out(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    reply = tabwire.fails("evaluate", expression="new Promise(() => {})", timeout=300)
    assert reply.code == "timeout"
    assert "still pending" in reply.text


def test_a_long_value_is_cut_and_says_so(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    text = tabwire.ok("evaluate", expression="'é'.repeat(1000)", max_output_size=51).data
    assert text.startswith("é" * 25 + "…")
    assert "max_output_size" in text
    listed = tabwire.ok("evaluate", expression="Array.from({length: 1000}, (_, n) => n)", max_output_size=20).data
    assert listed.startswith("[0,1,2,3,4,5,6,7,8,9…")


def test_secrets_are_redacted_unless_asked_for(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    secrets = "({user: 'ada', password: 'p', nested: {accessToken: 'z'}, head: 'Bearer abcdefghijklmnopqrst', tokens: 3})"
    assert tabwire.ok("evaluate", expression=secrets).data == {
        "user": "ada",
        "password": "[redacted]",
        "nested": {"accessToken": "[redacted]"},
        "head": "Bearer [redacted]",
        "tokens": 3,
    }
    assert tabwire.ok("evaluate", expression=secrets, sanitize=False).data["password"] == "p"


def test_cookies_are_redacted_by_value(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>document.cookie = 'probe=abc'</script>"))
    text = tabwire.ok("evaluate", expression="document.cookie").data
    assert "probe=[redacted]" in text
    assert "abc" not in text


def test_a_strict_content_security_policy_is_no_obstacle(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>x</p>", headers={"Content-Security-Policy": "default-src 'self'; script-src 'self'"}))
    assert tabwire.ok("evaluate", expression="new Function('return 3')()").data == 3


def test_a_frame_of_another_site_runs_the_script_in_its_own_window(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inner = site.cross_page("<script>who = 'cross'</script>")
    tabwire.open(
        site.page(
            f"<script>who = 'top'</script><iframe srcdoc='<script>who = `srcdoc`</script>'></iframe><iframe src='{inner}'></iframe>"
        )
    )
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    seen = {}
    for frame in frame_ids(browser, tab):
        seen[frame] = tabwire.ok("evaluate", expression="who", frameId=frame).data
    assert sorted(seen.values()) == ["cross", "srcdoc", "top"]
    assert tabwire.fails("evaluate", expression="1", frameId=999_999).code == "no_such_frame"


def test_a_sandboxed_frame_and_one_in_a_frame_of_another_site_run_scripts(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    innermost = site.page("<script>who = 'innermost'</script>")
    inner = site.cross_page(f"<script>who = 'cross'</script><iframe src='{innermost}'></iframe>")
    sandboxed = "<script>who = `sandboxed`</script>"
    tabwire.open(site.page(f"<iframe sandbox=allow-scripts srcdoc='{sandboxed}'></iframe><iframe src='{inner}'></iframe>"))
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    for _ in range(2):
        seen = [
            tabwire.ok("evaluate", expression="globalThis.who ?? 'top'", frameId=frame).data for frame in frame_ids(browser, tab)
        ]
        assert sorted(seen) == ["cross", "innermost", "sandboxed", "top"]


def test_a_frame_whose_document_is_replaced_all_the_time_still_runs_scripts(
    tabwire: Tabwire, site: Site, browser: Browser
) -> None:
    inner = site.cross_page("<script>who = 'frame'; setTimeout(() => location.reload(), 60)</script>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    _, frame = frame_ids(browser, tab)
    for _ in range(6):
        # A document may be left while its script runs: then there is no value. It is never said that the frame has none.
        reply = tabwire.ok("evaluate", expression="globalThis.who ?? 'new'", frameId=frame)
        assert reply.data in ("frame", "new", None), reply.text


def test_a_tab_in_the_background_runs_scripts_and_stays_there(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("", title="Shown"))
    hidden = tabwire.ok("tab_new", url=site.page("<p id=p>old</p>"), active=False).data["tabId"]
    slow = "p.textContent = 'new'; await new Promise((done) => setTimeout(done, 20)); p.textContent"
    assert tabwire.ok("evaluate", expression=slow, tabId=hidden).data == "new"
    assert [tab["title"] for tab in tabwire.tabs() if tab["active"]] == ["Shown"]


LEAVING: list[tuple[str, Any, str]] = [
    ("location.href = '{target}'; 5", 5, ""),
    ("location.href = '{target}'; await new Promise(() => {{}})", None, "before the script had given its value"),
]


def test_a_script_that_leaves_its_page_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(""))
    for script, value, told in LEAVING:
        target = site.page("<p>There</p>")
        reply = tabwire.ok("evaluate", expression=script.format(target=target), timeout=5000)
        assert (reply.data, "navigated" in reply.text, told in reply.text) == (value, True, True), script
        page.wait_for(f"location.href === '{target}'")


def test_an_empty_tab_can_be_scripted(tabwire: Tabwire) -> None:
    tabwire.ok("tab_new")
    assert tabwire.ok("evaluate", expression="location.href").data == "about:blank"


def test_a_script_that_opens_a_dialog_is_answered_while_it_is_open(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    reply = tabwire.ok("evaluate", expression="confirm('Sure?')")
    assert "Sure?" in reply.text
    assert tabwire.fails("evaluate", expression="1").code == "dialog_pending"
    tabwire.open(site.page("", title="After"))
    assert tabwire.ok("evaluate", expression="document.title").data == "After"


def test_the_debugger_goes_when_the_script_has_run(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    own.tabwire.open(site.page(""))
    with Idleness(own.browser) as idleness:
        assert own.tabwire.ok("evaluate", expression="6 * 7").data == 42
        idleness.end()
        until_attached(own.browser, 0)
