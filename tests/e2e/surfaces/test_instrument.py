"""The instrument surface on real pages: sessions, what they observe, what acts tell, and the events that stay."""

import base64
import json
import os
import signal
import struct
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import Joined
from e2e.site import Site
from e2e.surfaces.observing import Caller, Instrumented, Session
from e2e.worker import Absence
from polling import side_by_side, until
from tabwire.eventlog.reader import files, verify_all

SPECIFIED = json.loads((Path(__file__).parents[2] / "spec/instrument-tools.json").read_text())
BUTTONS = {
    "mutates": "document.body.append('more')",
    "requests": "fetch('/echo')",
    "logs": "console.log('here')",
    "nothing": "",
    "throws": "throw new Error('of the page')",
    "warns": "console.error('no good')",
    "asks": "answer = confirm('Sure?')",
    "leaves": "location.href = '/blank.html?by-script'",
}
LIMIT_S = 60
BARRED = "barred.localhost"
"""A host that an owner bars; Chrome looks for it on this computer."""
IN_FRONT = "chrome.windows.getLastFocused({ populate: true }).then(({ tabs }) => tabs.map(({ url }) => url))"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instrumented]:
    bridge = Instrumented(tmp_path_factory.mktemp("instrument"))
    yield bridge
    bridge.close()


@pytest.fixture
def observer(served: Instrumented) -> Iterator[Session]:
    """A session that observes, in a window of the browser."""
    session = served.new()
    yield session
    served.call("session_destroy", name=session.name)


@pytest.fixture
def actor(observer: Session) -> Session:
    """One that may act."""
    return observer.escalate()


# ---- what is listed -----------------------------------------------------------------------------------------------------


def test_the_tools_are_exactly_those_of_the_document(served: Instrumented) -> None:
    listed = [{"name": tool.name, "inputSchema": tool.input_schema} for tool in served.tabwire.tools().values()]
    assert listed == SPECIFIED
    read_only = {tool.name for tool in served.tabwire.tools().values() if tool.annotations.read_only_hint}
    assert not any("act" in name.split("_") for name in read_only) and "browser_inspect_dom" in read_only


# ---- observing ----------------------------------------------------------------------------------------------------------


def test_a_page_is_observed_in_every_way(served: Instrumented, observer: Session, site: Site) -> None:
    script = "console.log('first page')"
    first = observer.show(
        site,
        f"<h1>One</h1><p hidden>Unseen</p><img src='/status/404'><iframe src='/blank.html'></iframe><script>{script}</script>",
    )
    text = observer.inspect("text")
    assert text["text"] == "One" and "1" not in text and "its frame is not included" in text["note"]
    assert (text["url"], text["truncated"], text["returned_bytes"]) == (first, False, 3)
    assert '<p hidden="">Unseen</p>' in observer.inspect("dom")["html"]
    assert observer.inspect("dom", selector="h1")["html"] == "<h1>One</h1>"
    shown = served.call("inspect_screenshot", session=observer.name)
    picture = base64.b64decode(shown.images[0].data)
    assert (shown.images[0].mime_type, struct.unpack(">II", picture[16:24])) == ("image/png", (1280, 720))
    assert not shown.structured, "clients would show that in place of the picture"
    second = observer.show(site, "<title>Two</title><script>console.warn('second page')</script>")
    messages = observer.inspect("console")["messages"]
    said = [(message["level"], message["text"]) for message in messages if "404" not in message["text"]]
    assert said == [("log", "first page"), ("warn", "second page")], "across navigations"
    requests = observer.inspect("network")["requests"]
    assert [request["url"] for request in requests if request["type"] == "document"] == [first, site.url("/blank.html"), second]
    (asked,) = [request for request in requests if request["type"] == "image"]
    assert (asked["method"], asked["url"], asked["status"]) == ("GET", site.url("/status/404"), 404)
    assert served.page(second).evaluate("innerWidth + 'x' + innerHeight") == "1280x720"


def test_long_text_is_cut_between_characters_and_that_is_said(observer: Session, site: Site) -> None:
    observer.show(site, "<p id=p></p><script>p.textContent = 'x' + '日本語'.repeat(20000)</script>")
    for tool, field in (("dom", "html"), ("text", "text")):
        told = observer.inspect(tool)
        size = len(told[field].encode())
        assert told["truncated"] and 102_400 - 3 < size == told["returned_bytes"] <= 102_400 < 180_000 < told["total_bytes"]
        assert "\ufffd" not in told[field] and told["note"].startswith(f"cut after {size:,} of {told['total_bytes']:,} bytes")
    assert not observer.inspect("dom", selector="title")["truncated"]


def test_a_selector_that_reads_nothing_says_so(served: Instrumented, observer: Session, site: Site) -> None:
    words = served.fails("inspect_text", "restricted_page", session=observer.name)
    assert "browser_inspect_navigate" in words, "of a session that has not been anywhere"
    observer.show(site, "<p hidden>no</p>")
    assert "matches nothing" in served.fails("inspect_dom", "no_such_element", session=observer.name, selector="#gone")
    assert "is hidden" in served.fails("inspect_text", "no_such_element", session=observer.name, selector="p")
    served.fails("inspect_dom", "invalid_selector", session=observer.name, selector="p[")
    words = served.fails("inspect_navigate", "invalid_argument", session=observer.name, url="javascript:void 0")
    assert "browser_act_execute" in words, "an act is none that is observed"
    served.fails("inspect_navigate", "navigation_failed", session=observer.name, url="http://127.0.0.1:9/")


def test_a_name_is_of_one_session_at_a_time(served: Instrumented, observer: Session) -> None:
    assert "is there already" in served.fails("session_create", "invalid_argument", name=observer.name)
    assert f"Sessions: {observer.name}" in served.fails("inspect_dom", "no_such_session", session="nobody")
    assert "the log knows none" in served.fails("inspect_events", "no_such_session", session="nobody")
    for wrong in ({"name": " "}, {"name": "x", "viewport_width": 5}, {"name": "x", "headless": "yes"}, {"name": "a\nb"}, {}):
        served.fails("session_create", "invalid_argument", **wrong)


# ---- escalation ---------------------------------------------------------------------------------------------------------


def test_acts_are_refused_until_the_session_is_escalated(served: Instrumented, observer: Session, site: Site) -> None:
    url = observer.show(site, "<button onclick='n += 1'>Go</button><input><script>n = 0</script>")
    for tool, arguments in (
        ("click", {"selector": "button"}),
        ("type", {"selector": "input", "text": "x"}),
        ("execute", {"script": "n = 5"}),
    ):
        words = observer.refused(tool, "permission_denied", **arguments)
        assert "nothing was done" in words and f'browser_session_escalate {{"name": "{observer.name}"' in words
    state = served.page(url)
    assert state.evaluate("n + document.querySelector('input').value") == "0"
    for blank in ("", " \n"):
        assert "say why" in served.fails("session_escalate", "invalid_argument", name=observer.name, reason=blank)
    assert served.listed(observer.name)["status"] == "active"
    observer.escalate()
    assert (served.listed(observer.name)["status"], served.listed(observer.name)["reason"]) == ("escalated", "a test of acts")
    assert "escalated already" in served.fails("session_escalate", "invalid_argument", name=observer.name, reason="again")
    words = served.fails("act_click", "invalid_argument", session=observer.name, selector="button", reason=" ")
    assert "'reason'" in words and state.evaluate("n") == 0
    observer.act("click", selector="button")
    assert state.evaluate("n") == 1


# ---- acts ---------------------------------------------------------------------------------------------------------------


def test_typing_is_judged_by_what_the_field_holds(served: Instrumented, actor: Session, site: Site) -> None:
    inner = site.cross_page("<input id=inner><div id=edit contenteditable>Old</div>")
    short = "<input id=short maxlength=2><input id=a value=one><textarea id=t></textarea><input id=locked readonly>"
    url = actor.show(site, f"{short}<iframe src='{inner}'></iframe>")
    typed = {"#a": "two", "#t": "x\ny", "#inner": "in a frame", "#edit": "New"}
    assert {
        selector: actor.act("type", selector=selector, text=text)["confidence"] for selector, text in typed.items()
    } == dict.fromkeys(typed, "high")
    page = served.page(url)
    assert page.evaluate("a.value").replace("two", "") == "one" and page.evaluate("t.value") == "x\ny"
    assert page.frame(inner).evaluate("inner.value") == "in a frame"
    assert actor.act("type", selector="#a", text="three", clear_first=True)["confidence"] == "high"
    assert page.evaluate("a.value") == "three"
    cut = actor.act("type", selector="#short", text="long")
    assert (cut["confidence"], cut["notes"]) == ("low", "the field does not hold what was typed")
    assert page.evaluate("short.value") == "lo"
    assert "takes no text. Nothing was typed" in actor.refused("type", "element_not_interactable", selector="#locked", text="x")
    assert page.evaluate("locked.value") == ""


def a_script_is_judged_by_its_value_and_what_it_changed(scripted: Session, site: Site) -> None:
    scripted.show(site, "<p>Page</p>")
    judged = {
        "6 * 7": ("high", "the script gave 42"),
        "return document.querySelector('p').textContent": ("high", 'the script gave "Page"'),
        "await Promise.resolve(null)": ("high", "the script gave null"),
        "void 0": ("low", "the script gave no value"),
        "document.body.append('x')": ("medium", "the script gave no value"),
        "throw new Error('on purpose')": ("low", "the script ended with an error: Error: on purpose"),
        "document.body.append('x'); throw 7": ("medium", "the script ended with an error: thrown: 7"),
        "let 1": ("low", "the script ended with an error: SyntaxError"),
        "location.href = '/blank.html'; await new Promise(() => {})": (
            "medium",
            "the page was left before the script had given",
        ),
    }
    for source, (confidence, words) in judged.items():
        told = scripted.act("execute", script=source)
        assert (told["confidence"], told["notes"][: len(words)]) == (confidence, words), source
    assert told["observed_changes"]["new_url"] == site.url("/blank.html")


def a_selector_that_means_no_one_element_is_clear(served: Instrumented, actor: Session, other: Session, site: Site) -> None:
    actor.show(site, "<button>A</button><button>B</button><script>onclick = () => document.title = 'Clicked'</script>")
    other.show(site, "<button hidden>H</button>")
    hidden = served.tabwire.start("browser_act_click", session=other.name, selector="button", reason="a test")
    several = actor.refused("click", "ambiguous_selector", selector="button")
    assert "matches 2 elements" in several and 'button "A"' in several
    assert "nothing in the page matches" in actor.refused("click", "no_such_element", selector="#gone")
    assert hidden.result(60).code == "element_not_interactable"
    assert '"p[" is not' in actor.refused("type", "invalid_selector", selector="p[", text="x")
    assert "2 elements" in actor.refused("click", "ambiguous_selector", selector="button:not(.text)")
    assert actor.inspect("dom", selector="title")["html"] != "<title>Clicked</title>"
    failed = [event["details"] for event in actor.events() if event["event_type"] == "error"]
    assert {"tool": "browser_act_type", "selector": "p[", "error": "invalid_selector", "decision": "allowed"} in failed


def confidence_goes_by_what_was_seen(served: Instrumented, first: Session, site: Site) -> None:
    buttons = "".join(f'<button id={name} onclick="{code}">{name}</button>' for name, code in BUTTONS.items())
    states = (
        "<input type=checkbox id=box><label id=label>Other<input type=checkbox></label><details><summary>S</summary></details>"
    )
    states += "<button id=menu aria-expanded=false onclick=\"this.ariaExpanded = 'true'\">Menu</button><input id=field>"
    url = first.show(
        site, f"<title>Before</title>{buttons}{states}<a href='/blank.html?by-link'>Link</a><script>answer = 1</script>"
    )
    seen = {name: first.act("click", selector=f"#{name}") for name in BUTTONS if name != "leaves"}
    assert {name: told["confidence"] for name, told in seen.items()} == {
        **dict.fromkeys(("mutates", "requests", "logs", "asks"), "medium"),
        **dict.fromkeys(("nothing", "throws", "warns"), "low"),
    }
    assert seen["mutates"]["observed_changes"]["dom_mutations"] == 1
    assert seen["requests"]["observed_changes"]["network_requests"] == 1
    messages = {name: told["observed_changes"]["console_messages"] for name, told in seen.items()}
    assert [messages[name] for name in ("logs", "throws", "warns", "nothing")] == [1, 1, 1, 0]
    assert seen["asks"]["notes"] == 'a dialog opened and was dismissed (confirm: "Sure?")'
    assert served.page(url).evaluate("answer") is False
    for selector in ("#box", "#label", "summary", "#menu", "#field"):
        assert first.act("click", selector=selector)["confidence"] == "high", selector
    led = first.act("click", selector="a")
    assert (led["confidence"], led["observed_changes"]["new_url"]) == ("high", site.url("/blank.html?by-link"))
    assert led["state"] | {"pre_title": ""} == {
        "pre_url": url, "post_url": site.url("/blank.html?by-link"), "pre_title": "", "post_title": "Blank"
    }  # fmt: skip
    first.inspect("navigate", url=url)
    left = first.act("click", selector="#leaves")
    assert (left["confidence"], left["observed_changes"]["new_url"]) == ("medium", site.url("/blank.html?by-script"))
    assert left["observed_changes"]["network_requests"] >= 1


def a_hundred_calls_at_once_keep_order_in_each_session(served: Instrumented, first: Session, second: Session, site: Site) -> None:
    urls = {session.name: session.show(site, "<script>log = []</script>") for session in (first, second)}
    begun, asked = [], []
    for number in range(50):
        acts, place = number % 5 == 0, {"selector": f"title:not(#n{number})"}
        asked.append(f"log.push({number})" if acts else place["selector"])
        for session in (first, second):
            tool, about = ("act_execute", {"script": asked[-1], "reason": "order"}) if acts else ("inspect_dom", place)
            begun.append(served.tabwire.start(f"browser_{tool}", session=session.name, **about))
    assert len(begun) == 100 and not [future.result(120) for future in begun if future.result(120).is_error]
    for session in (first, second):
        assert served.page(urls[session.name]).evaluate("log") == list(range(0, 50, 5))
        details = [event["details"] for event in session.events() if event["event_type"] in ("execute", "dom_read")]
        assert [one.get("script") or one["selector"] for one in details] == asked


def test_acts_are_judged_and_ordered_while_selectors_that_mean_no_one_element_are_refused(
    served: Instrumented, actor: Session, site: Site
) -> None:
    """Those wait for their element, each in a window of its own; the sessions of the others have windows, too."""
    scripted, other, first, second = (served.new().escalate() for _ in range(4))

    def confidence_and_order() -> None:
        # The pages are seen through one connection.
        confidence_goes_by_what_was_seen(served, first, site)
        a_hundred_calls_at_once_keep_order_in_each_session(served, first, second, site)

    side_by_side(
        {
            "scripts": partial(a_script_is_judged_by_its_value_and_what_it_changed, scripted, site),
            "confidence and order": confidence_and_order,
            "selectors": partial(a_selector_that_means_no_one_element_is_clear, served, actor, other, site),
        }
    )
    for session in (scripted, other, first, second):
        session.destroy()


def test_a_page_that_asks_before_it_is_left_can_be_left(served: Instrumented, actor: Session, site: Site) -> None:
    asking = "<input><a href='/blank.html'>Away</a><script>onbeforeunload = (event) => event.preventDefault()</script>"
    url = actor.show(site, asking)
    actor.act("type", selector="input", text="x")
    stayed = actor.act("click", selector="a")
    assert "was dismissed (beforeunload" in stayed["notes"] and stayed["state"]["post_url"] == url
    assert actor.inspect("navigate", url=site.url("/blank.html"))["title"] == "Blank"
    actor.inspect("navigate", url=url)
    actor.act("type", selector="input", text="x")
    actor.destroy()
    until(lambda: url not in [target["url"] for target in served.browser.targets("page")], within=LIMIT_S)


# ---- the end of a session -----------------------------------------------------------------------------------------------


def test_destroy_closes_what_the_session_opened_and_nothing_else(served: Instrumented, actor: Session, site: Site) -> None:
    others = {page.target_id for page in served.browser.pages()} - {
        served.page(actor.show(site, "<a target=_blank href='/blank.html?tab'>x</a>")).target_id
    }
    told = actor.act("click", selector="a")
    assert told["confidence"] == "high" and "/blank.html?tab" in told["notes"] and not told["observed_changes"]["url_changed"]
    assert served.browser.at(site.url("/blank.html?tab"))
    assert actor.destroy() == {"session": {"name": actor.name, "id": served.listed(actor.name)["id"], "status": "closed"}}
    until(lambda: {page.target_id for page in served.browser.pages()}, equals=others, within=LIMIT_S)
    assert "browser_inspect_events" in served.fails("inspect_text", "session_closed", session=actor.name)
    assert [event["event_type"] for event in actor.events()][-1] == "session_destroyed"
    served.fails("session_destroy", "session_closed", name=actor.name)


def test_a_session_whose_tab_is_closed_by_somebody_is_closed(served: Instrumented, actor: Session, site: Site) -> None:
    served.page(actor.show(site, "<p>Soon gone")).close()
    until(lambda: served.call("inspect_text", session=actor.name).code, equals="session_closed", within=LIMIT_S)
    assert "Its tab was closed in the browser" in served.fails("inspect_text", "session_closed", session=actor.name)
    assert served.listed(actor.name)["status"] == "closed"
    ended = actor.events()[-1]
    assert (ended["event_type"], ended["details"]) == (
        "error",
        {"tool": "browser_inspect_text", "error": "session_closed", "decision": "allowed"},
    )
    assert actor.events()[-2]["details"] == {"cause": "Its tab was closed in the browser."}
    served.page(served.create(actor.name).show(site, "<p>Again")).close()
    until(lambda: served.listed(actor.name)["status"], equals="closed", within=LIMIT_S)
    assert served.listed(actor.name)["ended"] == "Its tab was closed in the browser.", "the list looks, too"


def test_a_tab_that_is_closed_during_an_act_leaves_its_outcome_open(served: Instrumented, actor: Session, site: Site) -> None:
    page = served.page(actor.show(site, "<p>Soon gone"))
    script = "globalThis.begun = true; await new Promise(() => {})"
    during = served.tabwire.start("browser_act_execute", session=actor.name, script=script, reason="in the middle")
    page.wait_for("globalThis.begun")
    page.close()
    told = during.result(60)
    assert told.code == "session_closed" and "not known whether this act was done" in told.text, told
    assert served.listed(actor.name)["status"] == "closed"


# ---- events -------------------------------------------------------------------------------------------------------------


def test_secrets_are_typed_and_kept_nowhere(served: Instrumented, actor: Session, site: Site) -> None:
    fields = "<input type=password id=p><input autocomplete=one-time-code id=c><input id=n><button onclick='throw 1'>x</button>"
    url = actor.show(site, fields)
    for selector, text in (("#p", "hunter2-pass"), ("#c", "495867-code"), ("#n", "plain-words")):
        assert actor.act("type", selector=selector, text=text)["confidence"] == "high"
    assert served.page(url).evaluate("p.value + c.value") == "hunter2-pass495867-code"
    actor.refused("type", "invalid_selector", selector="#p[", text="hunter2-pass")
    served.fails("act_type", "invalid_argument", session=actor.name, selector="#p", text="hunter2-pass", reason="")
    assert "hunter2" not in json.dumps(actor.events()) and "plain-words" not in json.dumps(actor.events())
    kept = [path for folder in ("events", "sessions") for path in (served.home / folder).iterdir()]
    found = {secret: [path.name for path in kept if secret.encode() in path.read_bytes()] for secret in ("hunter2", "495867")}
    assert found == {"hunter2": [], "495867": []} and any(b"plain-words" in path.read_bytes() for path in kept)


def test_every_call_is_an_event_of_the_documents_types(served: Instrumented, observer: Session, site: Site) -> None:
    url = observer.show(site, "<p>Page</p><input>")
    for tool in ("screenshot", "dom", "text", "console", "network", "events"):
        assert not served.call(f"inspect_{tool}", session=observer.name).is_error
    observer.refused("click", "permission_denied", selector="p")
    observer.escalate()
    observer.act("click", selector="p")
    observer.act("type", selector="input", text="x")
    observer.act("execute", script="document.title")
    observer.destroy()
    events = observer.events()
    assert [event["event_type"] for event in events] == [
        *("session_created", "navigate", "screenshot", "dom_read", "text_read", "console_read", "network_read", "error"),
        *("session_escalated", "click", "type", "execute", "session_destroyed"),
    ]
    assert all(set(event) == {"timestamp", "event_type", "session", "details", "reason"} for event in events)
    assert all(event["session"] == observer.name for event in events)
    assert [event["timestamp"] for event in events] == sorted(event["timestamp"] for event in events)
    by_type: dict[str, Any] = {event["event_type"]: event for event in events}
    assert by_type["session_created"]["details"]["viewport"] == "1280x720"
    assert by_type["navigate"]["details"] == {"url": url, "status": 200}
    assert by_type["session_escalated"]["reason"] == "a test of acts"
    assert [by_type[kind]["reason"] for kind in ("click", "type", "execute")] == [
        f"a test of {kind}" for kind in ("click", "type", "execute")
    ]
    assert (by_type["click"]["details"]["selector"], by_type["click"]["details"]["confidence"]) == ("p", "low")
    assert by_type["execute"]["details"]["script"] == "document.title"


# ---- other browsers, other bridges --------------------------------------------------------------------------------------


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Caller]:
    """A bridge without any browser, whose owner bars a host."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text(f'[permissions.sites]\n"{BARRED}" = "never"\n')
    tabwire = Tabwire(["--toolset", "instrument", "--pool", "0"], {"TABWIRE_HOME": str(home)}, tmp_path / "work")
    yield Caller(tabwire)
    tabwire.close()


def test_a_headless_session_has_a_browser_of_its_own_in_which_the_owner_bars_the_same(lone: Caller, site: Site) -> None:
    session = lone.create("alone", headless=True, viewport_width=800, viewport_height=600).escalate()
    barred = site.page("<p>Barred</p>").replace("127.0.0.1", BARRED)
    assert BARRED in lone.fails("inspect_navigate", "permission_denied", session=session.name, url=barred)
    assert not site.hits
    session.show(site, "<p>Alone")
    assert session.act("execute", script="innerWidth + 'x' + innerHeight")["notes"] == 'the script gave "800x600"'
    assert [tool.name for tool in lone.tabwire.tools().values()] == [tool["name"] for tool in SPECIFIED]
    where = lone.listed("alone")["where"]
    os.kill(int(where.rstrip(")").split()[-1]), signal.SIGKILL)
    assert "closed" in lone.fails("inspect_text", "session_closed", session="alone")
    assert lone.listed("alone")["status"] == "closed"


def joined(caller: Caller, name: str) -> Session:
    """A session in the connected browser, as soon as it has joined."""

    def create() -> bool:
        reply = caller.call("session_create", name=name)
        assert not reply.is_error or "no screen" in reply.text, reply
        return not reply.is_error

    until(create, within=LIMIT_S)
    return Session(caller, name)


def test_a_window_in_the_users_own_browser_and_a_bridge_that_is_killed(own: Joined, site: Site, tmp_path: Path) -> None:
    screenless = {"TABWIRE_HOME": str(own.home), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    others = {page.target_id for page in own.browser.pages()}
    tabwire = Tabwire(["--toolset", "instrument"], screenless, tmp_path / "first")
    second = Caller(Tabwire(["--toolset", "instrument"], screenless, tmp_path / "second"))
    try:
        session = joined(Caller(tabwire), "work").escalate()
        assert "connected browser" in session.caller.listed("work")["where"]
        url = session.show(site, "<p>Work")
        assert url not in own.browser.in_worker(IN_FRONT), "what is in front stays in front"
        assert (second.listed("work")["status"], "another bridge" in second.listed("work")["elsewhere"]) == ("escalated", True)
        assert "belongs to another bridge" in second.fails("inspect_text", "no_such_session", session="work")
        before = Session(second, "work").events()
        assert [event["event_type"] for event in before] == ["session_created", "session_escalated", "navigate"]
        begun = tabwire.start("browser_act_execute", session="work", script="await new Promise(() => {})", reason="for ever")
        until(lambda: len(Session(second, "work").events()) > 3, within=LIMIT_S)
        with Absence(own.browser) as absence:
            tabwire.kill()
            begun.cancel()
            until(lambda: not tabwire.is_running(), within=LIMIT_S)
            absence.end()
        known = Session(second, "work").inspect("events")
        assert (known["status"], known["events"][:-1]) == ("closed", before)
        assert (known["events"][-1]["reason"], "not known" in known["events"][-1]["details"]["outcome"]) == ("for ever", True)
        assert not [verdict.faults for verdict in verify_all(files(own.home / "events")) if verdict.faults]
        assert second.listed("work")["ended"] == "The bridge it belonged to has ended."
        assert "has ended" in second.fails("inspect_text", "session_closed", session="work")
        joined(second, "work").show(site, "<p>Again")
        second.tabwire.close()
        # Also those of the one that was killed.
        until(lambda: {page.target_id for page in own.browser.pages()}, equals=others, within=LIMIT_S)
    finally:
        tabwire.close()
        second.tabwire.close()
