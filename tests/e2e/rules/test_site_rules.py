"""Rules for sites hold by the real address of each document, whoever asks and whatever way leads there."""

import base64
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from e2e.client import Reply
from e2e.rules.ruling import ACTS, BANK, HTML, READS, SECRET, SHOP, Ruled, refused, user_tab
from e2e.site import Site
from e2e.wire.handmade_bridge import Wire
from polling import until


@pytest.fixture(scope="module")
def browser_with_rules(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ruled]:
    with Ruled.started(tmp_path_factory.mktemp("rules")) as ruled:
        ruled.site = running_site
        yield ruled


@pytest.fixture
def ruled(browser_with_rules: Ruled, site: Site) -> Iterator[Ruled]:
    with browser_with_rules.for_a_test():
        browser_with_rules.anna.ok("tab_new", url=site.url("/blank.html"))
        yield browser_with_rules
        browser_with_rules.clear()


def test_nothing_is_read_or_done_in_a_tab_of_a_barred_site(ruled: Ruled) -> None:
    page, tab = user_tab(ruled, ruled.page(BANK, HTML, title=SECRET))
    pay = ruled.anna.ref("button", "Pay", tabId=tab)
    own = ruled.anna.ok("tab_new", url=ruled.site.url("/blank.html")).data["tabId"]
    ruled.rule(BANK, "never")
    known = ruled.anna.tools()
    # Who has been in the tab is asked about everything; who comes to it is judged in the same place.
    stranger = [("snapshot", {}), ("evaluate", {"expression": "document.body.innerText"}), *ACTS[:3]]
    for client, calls in ((ruled.anna, [*READS, *ACTS]), (ruled.bert, stranger)):
        for tool, arguments in calls:
            if tool in known and tool != "cookies":
                refused(client.call(tool, tabId=tab, **arguments), "site_barred")
    for tool in ("tab_switch", "tab_close", "reload", "back"):
        refused(ruled.bert.call(tool, tabId=tab), "site_barred")
    refused(ruled.bert.call("navigate", url=ruled.site.url(), tabId=tab), "site_barred")
    # A reference from before the rule, used in another tab: the error names its tab.
    elsewhere = ruled.anna.fails("click", selector=pay, tabId=own)
    assert f"belongs to tab {tab};" in elsewhere.text and SECRET not in json.dumps(elsewhere.structured) + elsewhere.text
    assert page.evaluate("[acted, document.title, localStorage.secret]") == [0, SECRET, SECRET]
    (listed,) = [one for one in ruled.anna.tabs() if one["tabId"] == tab]
    assert (listed["url"], listed["title"]) == ("", "")
    assert BANK not in ruled.anna.ok("tab_list").text


def test_the_page_of_a_barred_site_is_not_made_a_bookmark(ruled: Ruled) -> None:
    ruled.anna.open(ruled.page(BANK, HTML, title=SECRET))
    ruled.rule(BANK, "never")
    refused(ruled.anna.call("bookmarks", action="add"), "site_barred")
    assert ruled.chromium.browser.in_worker("chrome.bookmarks.search('4711').then((found) => found.length)") == 0


def test_a_barred_address_is_not_gone_to(ruled: Ruled) -> None:
    url = ruled.page(BANK, HTML)
    ruled.rule(BANK, "never")
    path = "/" + url.split("/", 3)[3]
    for tool, arguments in (
        ("navigate", {}), ("navigate", {"new_tab": True}), ("navigate", {"new_window": True}), ("tab_new", {}), ("window_new", {}), ("request", {}),
    ):  # fmt: skip
        for written in (url, url.replace(BANK, BANK.upper() + ".")):
            refused(ruled.anna.call(tool, url=written, **arguments), "site_barred")
    refused(ruled.anna.call("cookies", action="get_all", url=url), "site_barred")
    refused(ruled.anna.call("cookies", action="set", url=url, name="a", value="b"), "site_barred")
    assert ruled.site.hit_count(path) == 0


def test_a_redirection_to_a_barred_site_ends_with_nothing_to_read(ruled: Ruled) -> None:
    barred = ruled.page(BANK, HTML, title=SECRET)
    ruled.rule(BANK, "never")
    by_server = ruled.site.url(f"/redirect?to={barred}")
    by_script = ruled.site.page(f"<script>location.replace({json.dumps(barred)})</script>")
    link = ruled.site.page(f"<a href={json.dumps(barred)}>Go</a>")
    refused(ruled.anna.call("request", url=by_server), "site_barred")
    for url in (by_server, by_script):
        reply = ruled.anna.ok("navigate", url=url)
        assert SECRET not in json.dumps(reply.structured) + reply.text
        assert (reply.data["url"], reply.data["title"]) == ("", ""), reply
        assert "the user does not allow Tabwire on bank.localhost:" in reply.text + reply.data["note"]
        refused(ruled.anna.call("snapshot"), "site_barred")
        refused(ruled.anna.call("evaluate", expression="document.body.innerText"), "site_barred")
    # The client's own tab may leave.
    ruled.anna.ok("navigate", url=link)
    reply = ruled.anna.ok("click", selector="a")
    assert SECRET not in json.dumps(reply.structured) + reply.text
    assert "bank.localhost" in reply.data["effects"]["barred"]
    refused(ruled.anna.call("snapshot"), "site_barred")
    ruled.anna.ok("navigate", url=ruled.site.url())


FRAMES = {
    "iframe": "<iframe src='{barred}'></iframe>",
    "in an allowed iframe": "<iframe src='{around}'></iframe>",
    "sandboxed": "<iframe sandbox=allow-scripts src='{barred}'></iframe>",
    "object": "<object data='{barred}' type=text/html width=300 height=150></object>",
}
INSIDE = """<button>Pay</button><p>%s</p><script>
  const fill = (frame, text) => { document.body.append(frame); return frame; };
  const html = document.documentElement.outerHTML.replace(/<script>[^]*/, "");
  const blank = fill(document.createElement("iframe"));
  try { blank.contentDocument.body.innerHTML = html; } catch {}
  const srcdoc = document.createElement("iframe"); srcdoc.srcdoc = html; fill(srcdoc);
  const boxed = document.createElement("iframe"); boxed.sandbox = ""; boxed.srcdoc = html; fill(boxed);
  const blob = document.createElement("iframe"); blob.src = URL.createObjectURL(new Blob([html], {type: "text/html"})); fill(blob);
  const data = document.createElement("iframe"); data.src = "data:text/html," + encodeURIComponent(html); fill(data);
</script>"""


def test_frames_of_a_barred_site_and_what_it_has_made_are_left_out(ruled: Ruled) -> None:
    barred = {kind: ruled.page(BANK, INSIDE % SECRET, title=SECRET) for kind in FRAMES}
    around = ruled.page(SHOP, f"<p>Shop</p><iframe src='{barred['in an allowed iframe']}'></iframe>")
    frames = "".join(frame.format(barred=barred[kind], around=around) for kind, frame in FRAMES.items())
    page, tab = user_tab(ruled, ruled.site.page(f"<h1>News</h1>{frames}"))
    ruled.rule(BANK, "never")
    ruled.chromium.browser.call("Target.activateTarget", {"targetId": page.target_id})
    listed = f"chrome.webNavigation.getAllFrames({{tabId: {tab}}})"
    # Some load after their page: the barred ones, and two of those that each has made at least.
    until(lambda: {*barred.values()} <= {one["url"] for one in ruled.browser.in_worker(listed)})
    until(lambda: len(ruled.browser.in_worker(listed)) > 4 * len(FRAMES))
    known = ruled.browser.in_worker(listed)
    text = ruled.anna.ok("snapshot", tabId=tab).text
    assert "News" in text and SECRET not in text and "Pay" not in text
    assert "of sites where the user does not allow it (bank.localhost:" in text
    for tool, arguments in (
        ("query", {"by": "text", "value": SECRET}), ("query", {"by": "role", "value": "button"}), ("wait", {"for": "text", "text": SECRET, "timeout": 300}),
        ("click", {"selector": "text=Pay", "timeout": 300}),
    ):  # fmt: skip
        reply = ruled.anna.call(tool, tabId=tab, **arguments)
        assert reply.is_error or reply.data in ([], {"value": []}) or not reply.data.get("value"), reply
        assert SECRET not in reply.text.replace(f'"{SECRET}"', "")
    inside = {"snapshot": {}, "click": {"selector": "button"}, "evaluate": {"expression": "document.body.innerText"}}
    refused = set()
    for one in known:
        if one["frameId"] and "shop" not in one["url"]:
            for tool, arguments in inside.items():
                reply = ruled.anna.call(tool, tabId=tab, frameId=one["frameId"], **arguments)
                # Chrome lets no debugger into tabs with some of these frames.
                assert reply.code in ("permission_denied", *["restricted_page"] * (tool == "evaluate")), (one, tool, reply)
                assert SECRET not in json.dumps(reply.structured) + reply.text
                refused.add((tool, reply.code))
    assert ("evaluate", "permission_denied") in refused


def test_a_dialog_of_a_barred_frame_is_neither_told_nor_answered(ruled: Ruled) -> None:
    asks = f"<script>onmessage = () => parent.postMessage(confirm({json.dumps(SECRET)}), '*')</script>"
    frame = f"<iframe src='{ruled.page(BANK, asks)}'></iframe>"
    script = "<script>var answers = []; onmessage = ({ data }) => answers.push(data)</script>"
    ruled.anna.open(ruled.site.page(f"<button onclick=\"frames[0].postMessage(1, '*')\">Ask</button>{frame}{script}"))
    page = ruled.chromium.browser.at(ruled.anna.ok("url").data["url"])
    # Without a rule against it the frame is answered.
    ruled.anna.ok("dialog", action="get_message", auto_handle={"enabled": True, "default_action": "accept"})
    ruled.anna.call("click", selector="button")
    page.wait_for("answers.length === 1 && answers[0] === true")
    ruled.rule(BANK, "never")
    tab = ruled.anna.ok("click", selector="button").data["tabId"]
    until(lambda: ruled.anna.call("dialog", action="get_message").code, equals="permission_denied")
    refused(ruled.anna.call("dialog", action="get_message"), "site_barred")
    refused(ruled.anna.call("dialog", action="accept"), "site_barred")
    held = ruled.anna.fails("snapshot")
    assert held.code == "dialog_pending" and "its text is not told" in held.text
    assert SECRET not in json.dumps(held.structured) + held.text
    # The user's own hand: the debugger that heard of a dialog first is the only one that can answer it.
    closed = f"chrome.debugger.sendCommand({{tabId: {tab}}}, 'Page.handleJavaScriptDialog', {{accept: false}})"
    ruled.chromium.browser.in_worker(closed)
    page.wait_for("answers.length === 2 && answers[1] === false")


REPLACE = """((bank, barred) => {
  const { scripting, tabs } = chrome;
  const original = scripting.executeScript;
  const real = original.bind(scripting);
  globalThis.restore = () => {
    armed = false;
    scripting.executeScript = original;
  };
  const committed = (tabId) => new Promise((done) => {
    const listener = (details) => {
      if (details.tabId !== tabId || details.frameId || !details.url.includes(bank)) return;
      chrome.webNavigation.onDOMContentLoaded.removeListener(listener);
      done();
    };
    chrome.webNavigation.onDOMContentLoaded.addListener(listener);
  });
  let armed = false;
  globalThis.attacks = 0;
  globalThis.arm = () => { armed = true; };
  const attack = async (tabId) => {
    armed = false;
    const there = committed(tabId);
    await tabs.update(tabId, { url: barred });
    await there;
    globalThis.attacks += 1;
  };
  scripting.executeScript = async (injection) => {
    // A page without its lifeline holds no Port.
    if (injection.files?.some((file) => file.endsWith("lifeline.js"))) return [];
    if (armed && injection.func?.name === "runInPage") await attack(injection.target.tabId);
    return real(injection);
  };
})"""
"""A script for the worker: what is sent into a page finds that page replaced, while the tab's record still says the old one.

bank, barred: host and address of the page that comes.
"""


def test_a_navigation_between_question_and_act_wins_nothing(ruled: Ruled) -> None:
    """The tab changes to a barred page at the worst moment: when the call was let through and is on its way into the page."""
    barred = ruled.page(BANK, HTML, title=SECRET)
    allowed = ruled.site.page(HTML.replace(SECRET, "Nothing"))
    ruled.rule(BANK, "never")
    worker = ruled.chromium.browser.in_worker
    worker(f"({REPLACE})(...{json.dumps([BANK, barred])})")
    codes = set()
    try:
        for tool, arguments in (
            ("click", {"selector": "button"}), ("fill", {"selector": "input", "value": "x"}), ("snapshot", {}),
            ("query", {"by": "text", "value": SECRET}), ("type", {"text": "x"}),
        ):  # fmt: skip
            ruled.anna.ok("navigate", url=allowed)
            worker("globalThis.arm()")
            reply = ruled.anna.call(tool, **arguments)
            assert SECRET not in (json.dumps(reply.structured) + reply.text).replace(json.dumps(arguments), ""), reply
            page = ruled.chromium.browser.at(barred)
            page.wait_for("document.readyState === 'complete'")
            # A call may still have had the page before: then it has worked there.
            assert page.evaluate("acted") == 0, tool
            codes.add(reply.code)
    finally:
        worker("globalThis.restore()")
    assert "permission_denied" in codes and worker("globalThis.attacks") == 5


def test_trusted_input_that_a_navigation_has_outrun_does_not_arrive(ruled: Ruled) -> None:
    """The tab changes to a barred page at the very last moment: with the command for the input on the wire to the debugger."""
    heard = (
        "<input autofocus><script>var heard = []; for (const type of ['mousedown', 'click', 'keydown', 'input'])"
        " addEventListener(type, (event) => heard.push(type), true)</script>"
    )
    barred = ruled.page(BANK, heard, title=SECRET)
    allowed = ruled.site.page("<input autofocus><button style='position: fixed; inset: 0'>Go</button>")
    ruled.rule(BANK, "never")
    worker = ruled.chromium.browser.in_worker
    worker(f"""(() => {{
      const original = chrome.debugger.sendCommand;
      const real = original.bind(chrome.debugger);
      globalThis.restore = () => {{ chrome.debugger.sendCommand = original; }};
      globalThis.outrun = 0;
      let armed = false;
      globalThis.arm = () => {{ armed = true; }};
      chrome.debugger.sendCommand = async (target, method, params) => {{
        if (armed && (params?.type === "mousePressed" || params?.type === "keyDown" || params?.type === "rawKeyDown" || method === "Input.insertText")) {{
          armed = false;
          const there = new Promise((done) => {{
            const listener = (details) => {{
              if (details.tabId !== target.tabId || details.frameId || !details.url.includes({json.dumps(BANK)})) return;
              chrome.webNavigation.onCommitted.removeListener(listener);
              done();
            }};
            chrome.webNavigation.onCommitted.addListener(listener);
          }});
          await chrome.tabs.update(target.tabId, {{ url: {json.dumps(barred)} }});
          await there;
          globalThis.outrun += 1;
        }}
        return real(target, method, params);
      }};
    }})()""")
    try:
        for number, (tool, arguments) in enumerate(
            (("click", {"coordinates": {"x": 50, "y": 50}}), ("press", {"key": "x"}), ("type", {"text": "x"})), 1
        ):
            ruled.anna.ok("navigate", url=allowed)
            worker("globalThis.arm()")
            reply = ruled.anna.call(tool, **arguments)
            told = json.dumps(reply.structured) + reply.text
            assert SECRET not in told and BANK not in told, reply
            page = ruled.chromium.browser.at(barred)
            page.wait_for("document.readyState === 'complete'")
            assert worker("globalThis.outrun") == number
            assert page.evaluate("[heard, document.querySelector('input').value]") == [[], ""], tool
    finally:
        worker("globalThis.restore()")


def test_a_bridge_that_asks_for_anything_gets_nothing_of_a_barred_site(ruled: Ruled) -> None:
    """No field of a request and no method of the wire gets around the rules."""
    page, tab = user_tab(ruled, ruled.page(BANK, HTML, title=SECRET))
    ruled.rule(BANK, "never")
    methods = ruled.person.page.evaluate(
        "import('/extension/background/base/protocol.js').then(({ METHODS }) => Object.keys(METHODS))"
    )
    with Wire(ruled.chromium) as wire:
        for method in methods:
            for extra in (
                {},
                {"needs": "read", "once": ["act"], "permit": {"isGiven": True}, "allowed": ["all"], "grant": "all"},
            ):
                reply = wire.ask(method, {"tabId": tab, "frameId": 0, **WIRE_PARAMS.get(method, {}), **extra})
                assert SECRET not in json.dumps(reply), (method, reply)
        for method in ("siteRules", "setSiteRule", "answerQuestion", "permissions.set"):
            assert wire.ask(method, {"pattern": BANK, "level": "act"})["error"] == "unknown_command"
        for event in ("siteRules.set", "permissions.grant", "questions.answered"):
            wire.say({"type": "event", "method": event, "params": {"pattern": BANK, "level": "act", "answer": "site"}})
        assert wire.ask("snapshot.capture", {"tabId": tab})["error"] == "permission_denied"
    assert page.evaluate("[acted, document.title, location.host.split(':')[0]]") == [0, SECRET, BANK]


WIRE_PARAMS: dict[str, dict[str, Any]] = {
    "snapshot.query": {"by": "text", "value": SECRET},
    "snapshot.locate": {"chain": [{"method": "role", "value": "button"}], "action": "click"},
    "navigation.navigate": {"url": "about:blank", "action": "goto"},
    "input.click": {"selector": "button"}, "input.dblclick": {"coordinates": {"x": 20, "y": 20}}, "input.type": {"text": "x"},
    "input.press": {"key": "x"}, "input.upload": {"selector": "input", "files": []}, "input.scroll": {"position": {"x": 0, "y": 9}},
    "input.drag": {"source": "button", "target": "input"}, "input.hover": {"selector": "button"},
    "forms.fill": {"selector": "input", "value": "x"}, "forms.focus": {"selector": "input"}, "forms.clear": {"selector": "input"},
    "forms.select": {"selector": "input", "value": "x"}, "forms.check": {"selector": "input"}, "forms.uncheck": {"selector": "input"},
    "wait.until": {"for": "text", "text": SECRET, "timeout": 300}, "tabs.create": {"url": "about:blank", "active": False},
    "tabs.create_window": {"url": "about:blank"}, "script.evaluate": {"expression": "document.body.innerText"},
    "media.record": {"action": "start", "mode": "fixed_fps", "format": "webm", "fps": 5, "max_duration": 1, "max_frames": 5, "width": 100, "height": 100},
    "dialog.handle": {"action": "get_message"}, "network.request": {"url": "/", "method": "GET", "timeout": 2000},
    "network.capture": {"action": "start", "include_bodies": True}, "network.route": {"action": "add", "url_pattern": "*", "handler": "abort"},
    "storage.cookies": {"action": "get_all"}, "storage.items": {"action": "entries", "type": "local", "frameId": 0},
    "storage.collect": {"local": True, "session": True}, "storage.restore": {"origin": "http://" + BANK, "cookies": []},
    "outline.resolve": {"ref": "1", "timeout": 100}, "media.frames": {"recording": "x", "start": 0}, "media.discard": {"recording": "x"},
    "history.bookmarks": {"action": "search", "max_results": 100}, "history.search": {"max_results": 100},
    "script.console": {"action": "get"}, "emulation.permissions": {"permissions": []}, "emulation.device": {"name": "iPhone 14"},
    "emulation.viewport": {"width": 400, "height": 400, "device_scale_factor": 1, "is_mobile": False, "has_touch": False, "is_landscape": False},
}  # fmt: skip


RED = "<style>html, body { margin: 0; background: #f00 }</style><p style='color: #0f0; font-size: 40px'>Balance 4711</p>"


def colours(reply: Reply) -> set[tuple[int, ...]]:
    """The colours of a picture."""
    picture = Image.open(io.BytesIO(base64.b64decode(reply.images[0].data))).convert("RGB")
    return {colour for _, colour in picture.getcolors(1 << 24) or ()}


def test_pictures_show_nothing_of_frames_of_a_barred_site(ruled: Ruled) -> None:
    frame = f"<iframe src='{ruled.page(BANK, RED)}' style='border: 0' width=300 height=200></iframe>"
    ruled.anna.open(ruled.site.page(f"<body style='background: #00f'>{frame}"))
    # A frame of another site is painted by its own process, which may be later than the page has loaded.
    until(
        lambda: {(255, 0, 0), (0, 0, 255)} <= colours(ruled.anna.ok("screenshot")), within=10, says="the frame is in the picture"
    )
    ruled.rule(BANK, "never")
    for options in ({}, {"full_page": True}, {"selector": "iframe"}):
        reply = ruled.anna.ok("screenshot", **options)
        shown = colours(reply)
        assert (255, 0, 0) not in shown and (0, 255, 0) not in shown, options
        assert "left blank: 1 frame" in reply.text and BANK in reply.text
    page = ruled.chromium.browser.at(ruled.anna.ok("url").data["url"])
    assert page.frame(BANK).evaluate("getComputedStyle(document.body).visibility") == "visible", "the frame is as it was"
    ruled.clear()
    assert (255, 0, 0) in colours(ruled.anna.ok("screenshot"))


def test_what_the_browser_keeps_of_a_barred_site_is_left_out_and_counted(ruled: Ruled) -> None:
    secret = ruled.page(BANK, f"<script>console.log({json.dumps(SECRET)}); document.cookie = 'token=4711'</script>", title=SECRET)
    plain = ruled.page(
        SHOP, f"<script>console.log('fine'); fetch({json.dumps(secret)}, {{mode: 'no-cors'}})</script>", title="Shop"
    )
    ruled.anna.ok("capture", action="start")
    ruled.anna.ok("console", action="start_buffer")
    for url in (secret, plain):
        ruled.anna.ok("navigate", url=url)
    ruled.rule(BANK, "never")
    try:
        history = ruled.anna.ok("history", query="")
        assert BANK not in json.dumps(history.structured) and SHOP in json.dumps(history.structured)
        assert history.data["barred"] >= 1
        console = ruled.anna.ok("console", action="get")
        assert "fine" in console.text and SECRET not in console.text
        captured = ruled.anna.ok("capture", action="stop")
        assert (
            SHOP in json.dumps(captured.structured) + captured.text
            and secret not in json.dumps(captured.structured) + captured.text
        )
        cookies = ruled.anna.ok("cookies", action="get_all", domain_filter="localhost")
        assert "4711" not in json.dumps(cookies.structured)
        refused(ruled.anna.call("cookies", action="get_all", domain_filter=BANK), "site_barred")
    finally:
        ruled.anna.ok("console", action="stop_buffer")


def test_a_site_may_be_read_only_and_the_more_specific_rule_wins(ruled: Ruled) -> None:
    url = ruled.page(BANK, HTML, title="Bank")
    ruled.anna.open(url)
    page = ruled.chromium.browser.at(url)
    ruled.rule("*", "never")
    ruled.rule("*.localhost", "read")
    assert SECRET in ruled.anna.snapshot()
    for tool, arguments in ACTS:
        if tool in ruled.anna.tools():
            text = ruled.anna.call(tool, **arguments)
            assert (text.code, text.data["reason"]) == ("permission_denied", "site_read_only"), (tool, text)
    assert page.evaluate("acted") == 0
    ruled.anna.ok("navigate", url=url.replace(BANK, f"www.{BANK}"))
    refused(ruled.anna.call("navigate", url=ruled.site.url()), "site_barred")
    ruled.rule("/".join(url.split("/")[:3]), "act")
    ruled.anna.ok("navigate", url=url)
    ruled.anna.ok("click", selector="button")
    assert page.evaluate("acted") == 1
    assert "error" in ruled.person.ask("setSiteRule", pattern="a b", level="act")
    assert "error" in ruled.person.ask("setSiteRule", pattern=BANK, level="everything")


def test_the_never_list_holds_whatever_is_allowed(ruled: Ruled) -> None:
    port = json.loads((ruled.chromium.extension / "pairing.json").read_text())["ports"][0]
    ruled.rule("*", "act")
    for host in ("169.254.169.254", f"127.0.0.1:{port}", f"localhost:{port}"):
        ruled.rule(host, "act")
    own = ruled.person.page.url
    for url in (
        "http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://[::ffff:a9fe:a9fe]/", f"http://127.0.0.1:{port}/probe",
        f"http://localhost.:{port}/", own, "view-source:https://example.com/", "devtools://devtools/bundled/inspector.html",
    ):  # fmt: skip
        for tool in ("navigate", "tab_new"):
            refused(ruled.anna.call(tool, url=url), "never_list")
    refused(ruled.anna.call("request", url="http://metadata.google.internal./"), "never_list")


def test_a_rule_can_have_the_owner_asked(ruled: Ruled) -> None:
    url = ruled.page(BANK, HTML, title=SECRET)
    ruled.anna.open(ruled.site.url())
    ruled.rule(BANK, "ask")
    for kind, tool, arguments in (("read", "navigate", {"url": url}), ("act", "click", {"selector": "button"})):
        call = ruled.anna.start(tool, **arguments)
        until(lambda: ruled.person.ask("questions")["questions"])
        (question,) = ruled.person.ask("questions")["questions"]
        assert question["kind"] == kind and not call.done()
        ruled.person.ask("answerQuestion", id=question["id"], answer="site")
        assert not call.result().is_error, call.result()
        assert SECRET in ruled.anna.snapshot()
    for kept in ruled.person.ask("siteRules")["answers"]:
        ruled.person.ask("setAnswer", site=kept["site"], kind=kept["kind"], answer="ask")


def test_routes_and_words_of_other_tools_do_not_reach_a_barred_site(ruled: Ruled) -> None:
    barred = ruled.page(BANK, HTML, title=SECRET)
    start = ruled.page(SHOP, "<p>Shop</p>")
    ruled.anna.open(start)
    page = ruled.chromium.browser.at(start)
    ruled.rule(BANK, "never")
    ruled.anna.ok("route", action="add", url_pattern="*", handler="fulfill", response={"status": 200, "body": "<p>Forged</p>"})
    page.evaluate(f"void setTimeout(() => location = {json.dumps(barred)})")
    page.wait_for("location.host.startsWith('bank') && document.readyState === 'complete'")
    assert SECRET in page.evaluate("document.body.innerText")
    status = ruled.anna.ok("status")
    assert BANK not in json.dumps(status.structured) + status.text, status
    ruled.anna.ok("navigate", url=start)
    page.wait_for("document.body?.innerText === 'Forged'")
    page.evaluate(f"void setTimeout(() => location = {json.dumps(barred)})")
    page.wait_for("location.host.startsWith('bank') && document.readyState === 'complete'")
    page.close()
    gone = ruled.anna.fails("title")
    assert gone.code == "no_such_tab" and BANK not in gone.text


def test_a_source_map_of_a_barred_site_is_not_fetched(ruled: Ruled) -> None:
    address = ruled.site.serve("/maps/app.js.map", "{}").replace("127.0.0.1", BANK)
    ruled.site.serve("/built.js", f"console.log('built')\n//# sourceMappingURL={address}", "text/javascript")
    moved = ruled.site.url(f"/redirect?to={address}")
    ruled.site.serve("/moved.js", f"console.log('moved')\n//# sourceMappingURL={moved}", "text/javascript")
    ruled.rule(BANK, "never")
    ruled.anna.open(ruled.page(SHOP, "<script src=/built.js></script><script src=/moved.js></script>"))
    listed = ruled.anna.ok("console_messages")
    assert [message["place"] for message in listed.data["messages"]] == ["/built.js:1:9", "/moved.js:1:9"]
    assert "its source map: it lies on a site that the user does not allow; it was not fetched" in listed.text
    assert BANK not in listed.text
    assert ruled.site.hit_count("/maps/app.js.map") == 0


def test_sources_of_a_barred_site_are_neither_listed_nor_searched(ruled: Ruled) -> None:
    inner = f"<iframe sandbox=allow-scripts srcdoc='<script>var deep = {json.dumps(SECRET)}</script>'></iframe>"
    barred = ruled.page(BANK, f"<script>var kept = {json.dumps(SECRET)}</script>{inner}")
    ruled.site.serve("/lent.js", f"var lent = {json.dumps(SECRET)}", "text/javascript")
    lent = ruled.site.url("/lent.js").replace("127.0.0.1", BANK)
    ruled.rule(BANK, "never")
    page = ruled.page(SHOP, f"<script>var own = 1</script><script src={lent}></script><iframe src='{barred}'></iframe>")
    ruled.anna.open(page)
    listed = ruled.anna.ok("sources")
    assert [one["kind"] for one in listed.data["sources"]] == ["inline"] and listed.data["barred"] == 3
    for reply in (listed, ruled.anna.ok("sources", text=SECRET), ruled.anna.ok("sources", pattern=SECRET[:3])):
        assert SECRET not in json.dumps(reply.structured) + reply.text and BANK not in reply.text
        assert reply.data.get("hits", []) == []
