"""console: what the pages, frames and workers of a tab have said, before anybody asked and while it is collected."""

from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Absence, Idleness, attached, frame_ids, until_attached
from polling import until

pytestmark = pytest.mark.same_tab


def messages(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = reply.data["messages"]
    return found


def texts(reply: Reply) -> list[str]:
    return [message["text"] for message in messages(reply)]


def get(tabwire: Tabwire, **arguments: Any) -> Reply:
    return tabwire.ok("console", **arguments)


LEVELS = (
    "<script>console.log('a log'); console.info('an info'); console.warn('a warning'); console.error('an error');"
    "console.debug('a debug')</script>"
)
ALL_LEVELS = ["a log", "an info", "a warning", "an error", "a debug"]


def test_a_file_that_may_be_read_may_be_heard(tabwire: Tabwire, tmp_path: Path) -> None:
    path = tmp_path / "heard.html"
    path.write_text(LEVELS)
    tabwire.open(path.as_uri())
    assert texts(get(tabwire)) == ALL_LEVELS


@pytest.mark.fresh_tab
@pytest.mark.parametrize("when", ["before", "while collected"])
def test_what_was_said_is_told_by_level(tabwire: Tabwire, site: Site, page: ShownPage, when: str) -> None:
    url = site.page(LEVELS)
    if when == "while collected":
        get(tabwire, action="start_buffer")
    tabwire.open(url)
    assert texts(get(tabwire)) == ALL_LEVELS
    for level, text in zip(("log", "info", "warn", "error", "debug"), ALL_LEVELS, strict=True):
        (message,) = messages(get(tabwire, level=[level]))
        assert (message["level"], message["text"]) == (level, text)
        assert message["source"].startswith(f"{url}:2")
    assert texts(get(tabwire, level=["error", "warn"])) == ["a warning", "an error"]
    assert texts(get(tabwire, level=[])) == []
    assert get(tabwire).data["buffering"] is (when == "while collected")


SHOWN = [
    ("'a', 1, true, null, undefined", "a 1 true null undefined"),
    ("-0, NaN, 10n, Symbol('s')", "-0 NaN 10n Symbol(s)"),
    ("{a: 1, b: 'x', c: {d: 1}, e: [1]}", '{a: 1, b: "x", c: Object, e: Array(1)}'),
    ("[1, 'x', null]", '[1, "x", null]'),
    ("new Map([['k', 1]]), new Set([1])", 'Map(1) {"k" => 1} Set(1) {1}'),
    ("new (class Point { x = 1 })()", "Point {x: 1}"),
    ("function go() {}, () => 1, class A {}", "[function go] [function anonymous] [class A]"),
    ("document.documentElement", "<html>"),
    ("new Date(NaN), /x/g", "Invalid Date /x/g"),
    ("'%cRed%c %s is %d and %i, %f %%', 'color: red', '', 'x', 4.7, '5.9', 1.5, 'more'", "Red x is 4 and 5, 1.5 % more"),
    ("'100%', 5", "100% 5"),
    ("{get secret() { globalThis.looked = true; return 1 }}", "{secret: [getter]}"),
    ("new Uint8Array([1, 2])", "Uint8Array(2) [1, 2]"),
]


@pytest.mark.parametrize("when", ["before", "while collected"])
def test_arguments_can_be_read(tabwire: Tabwire, site: Site, page: ShownPage, when: str) -> None:
    script = (
        "; ".join(f"console.log({arguments})" for arguments, _ in SHOWN) + "; console.assert(1 > 2, 'small'); console.count('c')"
    )
    tabwire.open(site.page(f"<script>{script}</script>" if when == "before" else ""))
    if when == "while collected":
        get(tabwire, action="start_buffer")
        page.evaluate(script)
    # What a page says by itself comes to the extension by another way than the calls.
    until(lambda: texts(get(tabwire)), equals=[text for _, text in SHOWN] + ["Assertion failed: small", "c: 1"])
    assert page.evaluate("globalThis.looked") is None
    get(tabwire, action="stop_buffer")


def test_a_long_text_and_a_long_object_are_cut_and_say_so(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page("<script>console.log('x'.repeat(20000)); console.log(Array.from({length: 1000}, (_, i) => i))</script>")
    )
    long, listed = texts(get(tabwire))
    assert long.startswith("xxx") and long.endswith("[10000 more characters]")
    assert listed.startswith("[0, 1, 2") and listed.endswith("…]")


EXCEPTIONS = """<script>
function thrower() { throw new RangeError('boom') }
setTimeout(thrower); Promise.reject(new Error('rejected')); Promise.reject({code: 7});
const handled = Promise.reject(new Error('handled')); setTimeout(() => handled.catch(() => {}), 30);
console.error(new Error('logged')); setTimeout(() => document.title = 'thrown', 60)
</script>"""


@pytest.mark.fresh_tab
def test_exceptions_are_told_with_their_stacks_unless_not_wanted(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page(EXCEPTIONS)
    tabwire.open(url)
    page.wait_for("document.title === 'thrown'")
    found = {message["text"].partition("\n")[0]: message for message in messages(get(tabwire))}
    assert set(found) == {
        "Uncaught RangeError: boom",
        "Uncaught (in promise) Error: rejected",
        "Uncaught (in promise) {code: 7}",
        "Error: logged",
    }
    boom = found["Uncaught RangeError: boom"]
    assert (boom["level"], boom["kind"]) == ("error", "exception")
    assert boom["stack"][0].startswith("at thrower (") and url in boom["source"]
    assert [text.partition("\n")[0] for text in texts(get(tabwire, include_exceptions=False))] == ["Error: logged"]
    assert texts(get(tabwire, level=["warn"])) == []


@pytest.mark.fresh_tab
def test_frames_and_workers_are_heard_with_their_source(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.serve(
        "/w.js", "console.log('from worker', {n: 1}); setTimeout(() => { throw new TypeError('worker boom') })", "text/javascript"
    )
    inner = site.cross_page(
        "<script>console.warn('from cross', {deep: [1]}); setTimeout(() => { throw new Error('cross boom') })</script>"
    )
    same = site.page("<script>console.info('from same')</script>")
    sandboxed = "<script>console.log(`from sandbox`)</script>"
    tabwire.open(
        site.page(
            f"<iframe src='{inner}'></iframe><iframe src='{same}'></iframe><iframe sandbox=allow-scripts srcdoc='{sandboxed}'></iframe>"
            "<script>const w = new Worker('/w.js'); w.onerror = () => document.title = 'heard'; fetch('/status/404')</script>"
        )
    )
    page.wait_for("document.title === 'heard'")
    found = {message["text"]: message.get("source", "") for message in messages(get(tabwire))}
    assert "from worker {n: 1}" in found and "/w.js:1" in found["from worker {n: 1}"]
    assert inner in found["from cross {deep: Array(1)}"]
    assert same in found["from same"]
    assert "from sandbox" in found
    assert "Uncaught Error: cross boom" in found
    assert [text for text in found if "worker boom" in text] == ["Uncaught TypeError: worker boom"]
    (failed,) = [text for text in found if "404" in text]
    assert found[failed].endswith("/status/404")


def test_the_newest_messages_are_told_and_how_many_were_left_out(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>for (let i = 0; i < 30; i += 1) console.log('n' + i)</script>"))
    reply = get(tabwire, max_messages=3)
    assert (texts(reply), reply.data["left_out"]) == (["n27", "n28", "n29"], 27)
    assert len(texts(get(tabwire))) == 30


def test_what_is_said_many_times_in_a_row_is_told_once(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>for (let i = 0; i < 5; i += 1) console.log('again'); console.log('other')</script>"))
    assert [(message["text"], message.get("repeated")) for message in messages(get(tabwire))] == [("again", 5), ("other", None)]


PATTERNS: list[tuple[str, list[str]]] = [
    ("warning", ["a warning"]),
    ("^an? (log|info)$", ["a log", "an info"]),
    ("/AN ERROR/i", ["an error"]),
    ("(n+)+ing", ["a warning"]),
    ("nothing like it", []),
]


def test_a_pattern_chooses(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(LEVELS))
    for pattern, expected in PATTERNS:
        assert texts(get(tabwire, pattern=pattern)) == expected, pattern


def test_a_pattern_that_would_take_for_ever_is_ended(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>console.log('a'.repeat(60) + '!')</script>"))
    reply = tabwire.fails("console", pattern="^(a+)+$")
    assert (reply.code, "simplify" in reply.text) == ("invalid_argument", True)
    assert reply.elapsed_ms < 8000
    assert len(texts(get(tabwire, pattern="^a+!$"))) == 1


SENSELESS: list[tuple[dict[str, Any], str]] = [
    ({"pattern": "(unclosed"}, "not a regular expression"),
    ({"action": "read"}, "get"),
    ({"level": ["verbose"]}, "debug"),
    ({"level": "error"}, "list"),
    ({"max_messages": 0}, "greater than or equal to 1"),
    ({"limit": 5}, "unknown argument"),
]


def test_arguments_that_make_no_sense_are_refused(tabwire: Tabwire) -> None:
    for arguments, message in SENSELESS:
        reply = tabwire.fails("console", **arguments)
        assert (reply.code, message in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_what_was_cleared_is_not_told_again(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(LEVELS))
    assert get(tabwire, action="clear").data["cleared"] is True
    assert texts(get(tabwire)) == []
    page.evaluate("console.log('after')")
    assert texts(get(tabwire, clear_after_read=True)) == ["after"]
    assert texts(get(tabwire)) == []


def test_secrets_are_not_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>console.log('token=abcdef', {password: 'hunter2'}, 'Bearer abcdefghijklmnopqrst')</script>"))
    reply = get(tabwire)
    assert not [secret for secret in ("abcdef", "hunter2") if secret in reply.text]
    assert reply.data["redacted"] >= 2


# ---- the buffer ----------------------------------------------------------------------------------------------------------


def test_a_buffer_keeps_what_was_said_across_navigations_and_worker_deaths(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    tabwire.open(site.page("<script>console.log('first', {a: 1})</script>"))
    started = get(tabwire, action="start_buffer").data
    assert (started["buffering"], started["collected"]) == (True, 1)
    inner = site.cross_page("<script>console.log('frame of second')</script>")
    tabwire.open(site.cross_page(f"<script>console.log('second')</script><iframe src='{inner}'></iframe>"))
    assert browser.stop_workers() == 1
    page.evaluate("console.warn('while nobody was there')")
    tabwire.open(site.page("<script>console.log('third')</script>"))
    told = ["first {a: 1}", "second", "frame of second", "while nobody was there", "third"]
    assert texts(get(tabwire)) == told
    stopped = get(tabwire, action="stop_buffer", level=["warn"])
    assert (texts(stopped), stopped.data["buffering"]) == (["while nobody was there"], False)
    assert texts(get(tabwire)) == ["third"]
    assert "you had no buffer" in get(tabwire, action="stop_buffer").text


def test_scripts_in_frames_and_snapshots_leave_the_buffer_alone(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    inner = site.cross_page("<p>In</p>")
    tabwire.open(site.page(f"<script>console.log('once')</script><iframe src='{inner}'></iframe>"))
    (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
    _, frame = frame_ids(browser, tab)
    get(tabwire, action="start_buffer")
    for number in (1, 2):
        assert tabwire.ok("evaluate", expression=f"console.log('script {number}'); {number}", frameId=frame).data == number
        assert "In" in tabwire.snapshot()
    page.frame(inner.partition("//")[2]).evaluate("console.log('by itself')")
    told = ["once", "script 1", "script 2", "by itself"]
    # The last one is on its way to the extension when the test's own connection to Chrome has its answer.
    until(lambda: texts(get(tabwire)), equals=told)
    assert texts(get(tabwire, action="stop_buffer")) == told
    assert tabwire.ok("evaluate", expression="3", frameId=frame).data == 3


def test_a_buffer_has_an_upper_limit_and_says_what_went(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(""))
    get(tabwire, action="start_buffer")
    page.evaluate("for (let i = 0; i < 1200; i += 1) console.log('line ' + i)")
    # The messages are on their way to the extension when the test's own connection to Chrome has its answer.
    reply = until(lambda: get(tabwire, max_messages=1000), lambda reply: texts(reply)[-1:] == ["line 1199"])
    assert (len(texts(reply)), reply.data["dropped"]) == (1000, 200)
    get(tabwire, action="stop_buffer")


def test_a_buffer_tells_what_was_said_before_a_dialog(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=b onclick='console.log(`asking`); alert(1)'>Ask</button>"))
    get(tabwire, action="start_buffer")
    tabwire.ok("click", selector="#b")
    assert texts(get(tabwire)) == ["asking"]
    get(tabwire, action="stop_buffer")
    reply = tabwire.fails("console")
    assert (reply.code, "dialog" in reply.text) == ("dialog_pending", True)
    tabwire.ok("dialog", action="accept")
    assert texts(get(tabwire)) == ["asking"]


def test_tabs_are_read_on_their_own_and_hidden_ones_too(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>console.log('shown')</script>"))
    hidden = tabwire.ok("tab_new", url=site.page("<script>console.log('hidden')</script>"), active=False).data["tabId"]
    assert texts(get(tabwire, tabId=hidden)) == ["hidden"]
    assert texts(get(tabwire)) == ["shown"]
    assert tabwire.fails("console", tabId=999_999).code == "no_such_tab"
    tabwire.ok("navigate", url="chrome://version")
    assert tabwire.fails("console").code == "restricted_page"


# ---- a browser that Tabwire did not start --------------------------------------------------------------------------------


def test_a_look_back_leaves_no_debugger_behind(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    own.tabwire.open(site.page(LEVELS))
    assert attached(own.browser) == 0
    with Idleness(own.browser) as idleness:
        assert texts(get(own.tabwire)) == ALL_LEVELS
        idleness.end()
        until_attached(own.browser, 0)


def test_two_clients_share_a_buffer_until_the_last_one_is_gone(joiner: Launcher[Joined], site: Site) -> None:
    own = joiner.fresh(site)
    first, second = own.join(), own.tabwire
    tab = first.ok("tab_new", url=site.page("<script>console.log('start')</script>")).data["tabId"]
    for client in (first, second):
        get(client, action="start_buffer", tabId=tab)
    get(first, action="clear", tabId=tab)
    own.browser.shown().evaluate("console.log('more')")
    # It was written through DevTools, which Chrome tells before the extension.
    until(lambda: texts(get(first, tabId=tab)), equals=["more"])
    assert texts(get(second, tabId=tab)) == ["start", "more"]
    assert get(second, action="stop_buffer", tabId=tab).data["buffering"] is True
    with Absence(own.browser) as absence:
        first.kill()
        assert attached(own.browser) == 1
        absence.end()
        until_attached(own.browser, 0)
    assert texts(get(second, tabId=tab)) == ["start", "more"]
