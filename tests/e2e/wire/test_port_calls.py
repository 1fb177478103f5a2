"""Calls into the page of a tab in use go over the Port that its top document holds: no script is injected, no question comes first."""

import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, ShownPage
from e2e.site import Site
from e2e.worker import Idleness
from polling import until

NOTE = """(() => {
  const { executeScript } = chrome.scripting, { sendCommand } = chrome.debugger, { get } = chrome.tabs;
  const sent = globalThis.sent = { scripts: [], evaluated: [], commands: [], tabs: [] };
  chrome.tabs.get = (id) => {
    sent.tabs.push(id);
    return get.call(chrome.tabs, id);
  };
  chrome.scripting.executeScript = (script) => {
    sent.scripts.push(String(script.args?.[0] ?? script.files ?? script.func));
    return executeScript.call(chrome.scripting, script);
  };
  chrome.debugger.sendCommand = (target, method, params) => {
    sent.commands.push(method);
    if (method === "Runtime.evaluate") sent.evaluated.push(params.expression);
    return sendCommand.call(chrome.debugger, target, method, params);
  };
  sent.rest = () => {
    chrome.scripting.executeScript = executeScript;
    chrome.debugger.sendCommand = sendCommand;
    chrome.tabs.get = get;
  };
})()"""


class Sent:
    """Scripts that the worker injects meanwhile, expressions that it evaluates, commands that it gives to the debugger, tabs that it asks for."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def __enter__(self) -> "Sent":
        self._browser.in_worker(NOTE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._browser.in_worker("sent.rest()")

    def of(self, kind: str) -> list[Any]:
        found: list[Any] = json.loads(self._browser.in_worker(f"JSON.stringify(sent.{kind}.splice(0))"))
        return found


@pytest.fixture
def sent(browser: Browser) -> Iterator[Sent]:
    with Sent(browser) as sent:
        yield sent


PAGE = """<button id=b onclick='p.textContent += `!`'>Press</button><input id=f aria-label=Field><input type=checkbox id=c>
<p id=p>Text</p><input type=password value=hunter2hunter2>"""


def test_acts_inject_no_script_once_the_page_is_in_use(tabwire: Tabwire, site: Site, sent: Sent, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE))
    tabwire.snapshot()
    tabwire.ok("click", selector="#b")
    sent.of("scripts")
    assert '"Text!" → "Text!!"' in tabwire.ok("click", selector="#b").text
    assert tabwire.ok("fill", selector="#f", value="given").data["value"] == "given"
    assert tabwire.ok("check", selector="#c").data["checked"] is True
    assert tabwire.ok("evaluate", expression="p.textContent").data == "Text!!"
    assert sent.of("scripts") == []
    assert page.evaluate("[p.textContent, f.value, c.checked]") == ["Text!!", "given", True]


def test_a_script_is_one_evaluation_where_the_page_is_of_the_origin_that_was_allowed(
    tabwire: Tabwire, site: Site, sent: Sent
) -> None:
    tabwire.open(site.page("<h1 id=h>Here</h1>"))
    sent.of("evaluated")
    assert tabwire.ok("evaluate", expression="h.textContent").data == "Here"
    evaluated = sent.of("evaluated")
    assert not {"0", "[location.origin]"} & set(evaluated)
    assert len([script for script in evaluated if "h.textContent" in script]) == 1
    # It leaves nothing in the page that would have to be released.
    tabwire.snapshot()
    sent.of("commands")
    assert tabwire.ok("evaluate", expression="h.textContent").data == "Here"
    assert sent.of("commands") == ["Runtime.evaluate"]
    assert tabwire.ok("evaluate", expression="[h.textContent]").data == ["Here"]
    # A page of no origin is asked which it is.
    tabwire.open("about:blank")
    assert tabwire.ok("evaluate", expression="location.href").data == "about:blank"


def test_a_script_that_gives_a_text_tells_what_it_changed_and_no_secret(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(PAGE))
    tabwire.snapshot()
    script = "history.replaceState(0, '', '#moved'); document.querySelector('[type=password]').value"
    told = tabwire.ok("evaluate", expression=script).text
    assert "#moved" in told
    assert "hunter2" not in told


def test_frames_that_come_later_are_asked_as_well(tabwire: Tabwire, launched: Launched, site: Site) -> None:
    tabwire.open(
        site.page(
            "<button id=b>Press</button><div id=host></div><script>const made = (place) => { const frame = place.appendChild("
            "document.createElement('iframe')); frame.contentDocument.write('<button onclick=this.textContent+=1>In</button>') }"
            "</script>"
        )
    )
    tabwire.snapshot()
    for place in ("document.body", "host.attachShadow({ mode: 'open' })"):
        tabwire.ok("click", selector="#b")
        tabwire.ok("click", selector="#b")
        launched.browser.shown().evaluate(f"made({place})")
        refs = tabwire.refs("button", "In")
        assert '"In" → "In1"' in tabwire.ok("click", selector=refs[-1]).text


HOLD = """(() => {
  const { set } = chrome.storage.session;
  const gate = globalThis.gate = { ...Promise.withResolvers(), held: 0 };
  chrome.storage.session.set = async (values) => {
    gate.held += 1;
    await gate.promise;
    return set.call(chrome.storage.session, values);
  };
  gate.open = () => {
    chrome.storage.session.set = set;
    gate.resolve();
  };
})()"""


def test_an_act_aims_while_it_is_being_recorded_and_presses_afterwards(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page("<div style='height:5000px'></div><button id=b onclick='globalThis.hits = 1'>Far</button>"))
    ref = tabwire.ref("button", "Far")
    tabwire.ok("hover", selector=ref)
    page.evaluate("scrollTo(0, 0)")
    browser.in_worker(HOLD)
    try:
        click = tabwire.start("click", selector=ref)
        page.wait_for("scrollY > 0")
        assert browser.in_worker("gate.held") > 0
        assert page.evaluate("globalThis.hits ?? 0") == 0
    finally:
        browser.in_worker("gate.open()")
    assert not click.result(5).is_error
    assert page.evaluate("hits") == 1


ASKING = "<button id=b onclick='fetch(`/sent.json`)'>Ask</button>"


def test_a_tab_tells_its_requests_from_one_act_to_the_next(tabwire: Tabwire, browser: Browser, site: Site, sent: Sent) -> None:
    tabwire.open(site.page(ASKING))

    def told() -> list[str]:
        return [request["url"] for request in tabwire.ok("click", selector="#b").data["effects"]["requests"]]

    wanted = [site.url("/sent.json")]
    with Idleness(browser) as idleness:
        assert told() == wanted
        sent.of("commands")
        assert told() == wanted
        assert [command for command in sent.of("commands") if command.startswith("Network.")] == []
        # Whoever has the same domain on for itself leaves it to the next act as it found it.
        tabwire.ok("capture", action="start")
        assert told() == wanted
        tabwire.ok("capture", action="stop")
        assert told() == wanted
        # Nothing is listened to in a tab that nobody uses.
        sent.of("commands")
        idleness.end()
        until(lambda: sent.of("commands"), lambda commands: "Network.disable" in commands)
    assert told() == wanted


CHOOSER = "<label>File <input type=file></label><button id=b onclick='document.querySelector(`input`).click()'>Choose</button>"


def test_file_choosers_are_kept_away_for_acts_in_a_row_where_no_person_can_open_one(
    tabwire: Tabwire, launched: Launched, site: Site, sent: Sent
) -> None:
    tabwire.open(site.page(CHOOSER))
    command = "Page.setInterceptFileChooserDialog"
    with Idleness(launched.browser) as idleness:
        assert "file chooser" in tabwire.ok("click", selector="#b").text
        sent.of("commands")
        assert "file chooser" in tabwire.ok("click", selector="#b").text
        # The browsers of tests have no window.
        assert command not in sent.of("commands")
        if not launched.is_own:
            idleness.end()
            until(lambda: sent.of("commands"), lambda commands: command in commands)


def test_a_frame_in_a_closed_shadow_tree_is_heard_of_by_its_document(
    tabwire: Tabwire, launched: Launched, site: Site, page: ShownPage
) -> None:
    inner = site.page("<button onclick='this.textContent += 1'>In</button>")
    tabwire.open(site.page("<button id=b>Press</button><div id=host></div>"))
    tabwire.snapshot()
    tabwire.ok("click", selector="#b")
    page.evaluate(
        "new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = done; frame.src = "
        f"{json.dumps(inner)}; host.attachShadow({{ mode: 'closed' }}).append(frame) }}).then(() => 1)"
    )
    assert '"In" → "In1"' in tabwire.ok("click", selector="role:button[name=In]").text


def test_a_tab_is_asked_for_again_only_when_something_has_happened_to_it(
    tabwire: Tabwire, site: Site, sent: Sent, page: ShownPage
) -> None:
    tabwire.open(site.page("<title>One</title><h1>Here</h1>"))
    tabwire.ok("title")
    until(lambda: (tabwire.ok("title"), sent.of("tabs"))[1] == [])
    page.evaluate("history.pushState(null, '', '#there'); document.title = 'Two'")
    assert tabwire.ok("url").data["url"].endswith("#there")
    assert tabwire.ok("title").data["title"] == "Two"
    assert sent.of("tabs") != []
    until(lambda: (tabwire.ok("title"), sent.of("tabs"))[1] == [])


HEARD = """(() => {
  const given = __tabwire;
  globalThis.heard = [];
  const call = (name, args) => { heard.push(name); return given.call(name, args); };
  Object.defineProperty(globalThis, "__tabwire", { value: Object.create(given, { call: { value: call } }) });
})()"""


def test_a_fill_is_sent_behind_the_question_that_observes_it_once_it_is_recorded(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page("<input id=f aria-label=Field onfocus='t.hidden = false'><p id=t hidden>Tip</p>"))
    tabwire.snapshot()
    shown = browser.shown()
    shown.evaluate_in_extension(HEARD)
    browser.in_worker(HOLD)
    try:
        fill = tabwire.start("fill", selector="#f", value="given")
        until(lambda: "effects.begin" in shown.evaluate_in_extension("heard"))
        assert browser.in_worker("gate.held") > 0
        assert "forms.startFill" not in shown.evaluate_in_extension("heard")
    finally:
        browser.in_worker("gate.open()")
    # What the focus shows was not there when the page was looked at before the act.
    assert "Tip" in fill.result(5).text
    assert page.evaluate("f.value") == "given"


LATE = """(() => {
  const given = __tabwire, came = Promise.withResolvers();
  globalThis.heard = [];
  const call = async (name, args) => {
    heard.push(name);
    if (name === "forms.startFill") came.resolve();
    if (name === "effects.begin") await came.promise;
    return given.call(name, name === "effects.begin" ? { ...args, sign: undefined } : args);
  };
  Object.defineProperty(globalThis, "__tabwire", { value: Object.create(given, { call: { value: call } }) });
})()"""
"""The observation of an act begins when the act has come, which nobody has announced."""


def test_an_act_that_comes_before_its_observation_waits_for_it(
    tabwire: Tabwire, browser: Browser, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page("<input id=f aria-label=Field><p id=p>0</p><script>f.onfocus = () => p.textContent++</script>"))
    tabwire.snapshot()
    shown = browser.shown()
    shown.evaluate_in_extension(LATE)
    assert '"0" → "1"' in tabwire.ok("fill", selector="#f", value="given").text
    assert page.evaluate("[f.value, p.textContent]") == ["given", "1"]
    assert shown.evaluate_in_extension("heard").count("forms.startFill") == 2


ORDER = """(() => {
  const { send } = WebSocket.prototype, { set } = chrome.storage.session;
  const order = globalThis.order = [];
  WebSocket.prototype.send = function (text) {
    if (String(text).includes('"type":"success"')) order.push("reply");
    return send.call(this, text);
  };
  chrome.storage.session.set = (values) => {
    for (const [key, value] of Object.entries(values)) if (key.startsWith("record:")) order.push(value.state);
    return set.call(chrome.storage.session, values);
  };
  order.rest = () => {
    WebSocket.prototype.send = send;
    chrome.storage.session.set = set;
  };
})()"""


def test_an_act_is_in_the_record_before_it_begins_and_answered_before_its_end_is_there(
    tabwire: Tabwire, browser: Browser, site: Site
) -> None:
    tabwire.open(site.page(PAGE))
    browser.in_worker(ORDER)
    try:
        tabwire.ok("click", selector="#b")
        assert until(lambda: json.loads(browser.in_worker("JSON.stringify(order)")), lambda order: len(order) > 2) == [
            "started",
            "reply",
            "done",
        ]
    finally:
        browser.in_worker("order.rest()")


def test_what_is_in_front_is_not_asked_for_at_each_act(tabwire: Tabwire, site: Site, sent: Sent) -> None:
    tabwire.open(site.page(PAGE))
    tabwire.ok("click", selector="#b")
    tabwire.ok("click", selector="#b")
    sent.of("tabs")
    tabwire.ok("click", selector="#b")
    # Only where the tab is after the act.
    assert len(sent.of("tabs")) == 1
