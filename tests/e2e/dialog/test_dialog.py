"""dialog: answered, read, answered by a rule; what comes of it, and what is said when nothing can be answered."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Absence, Idleness, attached, holders_of, until_attached
from polling import until

pytestmark = pytest.mark.same_tab

QUICK_MS = 4000


def asking(question: str) -> str:
    return f"<button id=b onclick='globalThis.answer = {question}'>Ask</button><input id=t>"


def effects(reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = reply.data["effects"]
    return found


def ask(tabwire: Tabwire, site: Site, html: str) -> Reply:
    """Opens a page and clicks its button."""
    tabwire.open(site.page(html))
    return tabwire.ok("click", selector="#b")


ANSWERED: list[tuple[str, dict[str, str], str]] = [
    ("alert(`Hi`)", {"action": "accept"}, "undefined"),
    ("alert(`Hi`)", {"action": "dismiss"}, "undefined"),
    ("confirm(`Sure?`)", {"action": "accept"}, "true"),
    ("confirm(`Sure?`)", {"action": "dismiss"}, "false"),
    ("prompt(`Who?`, `Ada`)", {"action": "accept"}, "Ada"),
    ("prompt(`Who?`)", {"action": "accept"}, ""),
    ("prompt(`Who?`, `Ada`)", {"action": "accept", "prompt_text": "Grace 😀"}, "Grace 😀"),
    ("prompt(`Who?`, `Ada`)", {"action": "accept", "prompt_text": ""}, ""),
    ("prompt(`Who?`, `Ada`)", {"action": "dismiss"}, "null"),
]


def test_a_dialog_is_answered(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    buttons = {question: f"b{number}" for number, (question, *_) in enumerate(ANSWERED)}
    asks = [f"<button id={button} onclick='globalThis.answer = {question}'>Ask</button>" for question, button in buttons.items()]
    tabwire.open(site.page(f"{''.join(asks)}<input id=t>"))
    for question, arguments, answer in ANSWERED:
        case = (question, arguments)
        page.evaluate("void (globalThis.answer = 'none')")
        asked = tabwire.ok("click", selector=f"#{buttons[question]}")
        assert effects(asked)["dialog"]["type"] == question.partition("(")[0], case
        reply = tabwire.ok("dialog", **arguments)
        assert reply.elapsed_ms < QUICK_MS, case
        assert page.evaluate("String(answer)") == answer, case
        assert tabwire.ok("dialog", action="get_message").data["open"] is False, case
        tabwire.ok("fill", selector="#t", value=f"goes on after {case}")


def test_the_open_dialog_is_read_and_stays_open(tabwire: Tabwire, site: Site) -> None:
    ask(tabwire, site, asking("prompt(`Who?`, `Ada`)"))
    for _ in range(2):
        reply = tabwire.ok("dialog", action="get_message")
        assert {key: reply.data["open"][key] for key in ("type", "message", "default_prompt")} == {
            "type": "prompt",
            "message": "Who?",
            "default_prompt": "Ada",
        }
        assert 'prompt "Who?", preset "Ada"' in reply.text
    assert tabwire.fails("click", selector="#b").code == "dialog_pending"
    tabwire.ok("dialog", action="dismiss")


def test_without_a_dialog_nothing_is_answered_and_that_is_said(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(asking("confirm(`Sure?`)")))
    for action in ("accept", "dismiss"):
        reply = tabwire.fails("dialog", action=action)
        assert reply.code == "no_such_alert"
        assert "no dialog is open" in reply.text
    assert "No dialog is open" in tabwire.ok("dialog", action="get_message").text
    tabwire.ok("click", selector="#b")
    assert tabwire.ok("dialog", action="get_message").data["open"]["message"] == "Sure?"
    tabwire.ok("dialog", action="dismiss")


SENSELESS: list[tuple[dict[str, Any], str]] = [
    ({"action": "dismiss", "prompt_text": "x"}, "prompt_text needs action accept"),
    ({"action": "get_message", "prompt_text": "x"}, "prompt_text needs action accept"),
    ({"action": "close"}, "accept"),
    ({}, "required argument 'action' is missing"),
    ({"action": "accept", "auto_handle": {"default_action": "accept"}}, "auto_handle needs enabled"),
    ({"action": "get_message", "auto_handle": {"enabled": True}}, "default_action accept or dismiss"),
    (
        {"action": "accept", "auto_handle": {"enabled": True, "default_action": "dismiss", "prompt_default_text": "x"}},
        "prompt_default_text needs default_action accept",
    ),
    ({"action": "accept", "auto_handle": {"enabled": True, "answer": "accept"}}, "unknown argument"),
    ({"action": "accept", "tabId": 1.5}, "whole number"),
]


def test_arguments_that_make_no_sense_are_refused(tabwire: Tabwire) -> None:
    for arguments, message in SENSELESS:
        reply = tabwire.fails("dialog", **arguments)
        assert (reply.code, message in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_a_text_for_a_dialog_that_takes_none_is_refused_before_the_answer(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    ask(tabwire, site, asking("confirm(`Sure?`)"))
    reply = tabwire.fails("dialog", action="accept", prompt_text="yes")
    assert (reply.code, "takes no text" in reply.text) == ("invalid_argument", True)
    tabwire.ok("dialog", action="dismiss")
    assert page.evaluate("answer") is False


# ---- what comes of an answer ---------------------------------------------------------------------------------------------


def test_an_answer_tells_what_the_page_went_on_to_do(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    going_on = (
        "<button id=b onclick='if (confirm(`Sure?`)) { list.append(`one`); document.title = `Done` }'>Ask</button><p id=list>"
    )
    ask(tabwire, site, going_on)
    seen = effects(tabwire.ok("dialog", action="accept"))
    assert seen["title"]["to"] == "Done"
    assert seen["mutations"] > 0
    tabwire.ok("click", selector="#b")
    assert "mutations" not in effects(tabwire.ok("dialog", action="dismiss"))
    assert page.evaluate("list.textContent") == "one"


def test_an_answer_that_leads_elsewhere_ends_with_the_new_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    target = site.page("<h1>Gone on</h1>", title="Next")
    ask(tabwire, site, f"<button id=b onclick='if (confirm(`Leave?`)) location.href = `{target}`'>Ask</button>")
    seen = effects(tabwire.ok("dialog", action="accept"))
    assert (seen["navigated"], seen["url"]["to"], seen["title"]["to"]) == (True, target, "Next")
    assert page.url == target
    assert tabwire.ref("heading", "Gone on")


def test_dialogs_that_follow_each_other_are_told_one_by_one(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    ask(tabwire, site, asking("[confirm(`One?`), prompt(`Two?`), alert(`Three`)]"))
    following = tabwire.ok("dialog", action="accept")
    assert effects(following)["dialog"] == {"type": "prompt", "message": "Two?"}
    following = tabwire.ok("dialog", action="accept", prompt_text="2")
    assert effects(following)["dialog"] == {"type": "alert", "message": "Three"}
    assert "dialog" not in effects(tabwire.ok("dialog", action="dismiss"))
    assert page.evaluate("answer") == [True, "2", None]


def test_a_dialog_no_act_has_opened_is_answered_and_its_page_said_to_be_unwatched(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    reply = tabwire.open(site.page("<p id=p>Old</p><script>globalThis.answer = confirm('Load?'); p.textContent = 'New'</script>"))
    assert reply.data["dialog"]["message"] == "Load?"
    reply = tabwire.ok("dialog", action="accept")
    assert effects(reply) == {"unwatched": True}
    assert "not watched" in reply.text
    assert page.evaluate("[answer, p.textContent]") == [True, "New"]


def test_a_page_that_asks_whether_to_leave_it_is_left_or_not(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    target = site.page("<p>Next</p>", title="Next")
    here = site.page(f"<a id=a href='{target}'>Next</a><script>onbeforeunload = (e) => e.preventDefault()</script>", title="Here")
    tabwire.open(here)
    for action, left in (("dismiss", False), ("accept", True)):
        assert effects(tabwire.ok("click", selector="#a"))["dialog"]["type"] == "beforeunload", action
        seen = effects(tabwire.ok("dialog", action=action))
        assert (seen.get("navigated", False), page.url) == (left, target if left else here), action


def test_a_dialog_of_a_frame_of_another_site_is_answered(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<button id=b onclick='globalThis.answer = confirm(`Frame?`); b.textContent = answer'>In</button>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    assert effects(tabwire.ok("click", selector=tabwire.ref("button", "In")))["dialog"]["message"] == "Frame?"
    assert effects(tabwire.ok("dialog", action="accept"))["mutations"] > 0
    assert tabwire.ref("button", "true")


def test_a_dialog_of_a_tab_in_the_background_is_answered_there(tabwire: Tabwire, site: Site) -> None:
    shown = site.page("<p>Shown</p>")
    tabwire.open(shown)
    hidden = tabwire.ok("tab_new", url=site.page(asking("confirm(`Hidden?`)")), active=False).data["tabId"]
    tabwire.ok("click", selector="#b", tabId=hidden)
    (front,) = [tab for tab in tabwire.tabs() if tab["active"]]
    assert tabwire.fails("dialog", action="accept", tabId=front["tabId"]).code == "no_such_alert"
    tabwire.ok("dialog", action="accept", tabId=hidden)
    assert tabwire.ok("evaluate", expression="answer", tabId=hidden).data is True
    assert [tab["url"] for tab in tabwire.tabs() if tab["active"]] == [shown]


def test_a_dialog_is_answered_after_the_worker_was_killed(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    ask(tabwire, site, asking("prompt(`Still?`, `here`)"))
    assert browser.stop_workers() == 1
    # The page stands still and cannot bring the worker back; any event of the browser does.
    browser.open(site.url("/blank.html")).close()
    assert tabwire.ok("dialog", action="get_message").data["open"]["message"] == "Still?"
    tabwire.ok("dialog", action="accept")
    assert page.evaluate("answer") == "here"


# ---- answered as they open -----------------------------------------------------------------------------------------------


def rule(tabwire: Tabwire, action: str = "accept", /, **more: Any) -> Reply:
    return tabwire.ok("dialog", action="get_message", auto_handle={"enabled": True, "default_action": action, **more})


RULES: list[tuple[str, dict[str, str], list[Any]]] = [
    ("accept", {}, [None, True, "Ada"]),
    ("dismiss", {}, [None, False, None]),
    ("accept", {"prompt_default_text": "Grace"}, [None, True, "Grace"]),
]


@pytest.mark.fresh_tab
def test_every_dialog_is_answered_as_it_opens_and_the_act_tells(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(asking("[alert(`A`), confirm(`B`), prompt(`C`, `Ada`)]")))
    for action, more, answers in RULES:
        rule(tabwire, action, **more)
        reply = tabwire.ok("click", selector="#b")
        assert page.evaluate("answer") == answers, (action, more)
        assert [dialog["answer"] for dialog in effects(reply)["answered"]] == [action] * 3, more
        assert 'confirm "B" answered by auto_handle' in reply.text
        assert "dialog" not in effects(reply)
        known = tabwire.ok("dialog", action="get_message").data["auto_handle"]["latest"][-3:]
        assert [(dialog["message"], dialog["answer"]) for dialog in known] == [(name, action) for name in "ABC"], more


@pytest.mark.fresh_tab
def test_the_rule_survives_navigation_and_the_worker_until_it_is_switched_off(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    tabwire.open(site.page(""))
    rule(tabwire)
    tabwire.open(site.cross_page(asking("confirm(`After`)")))
    tabwire.ok("click", selector="#b")
    assert page.evaluate("answer") is True
    assert browser.stop_workers() == 1
    # Nobody but the page's own timer asks: the event itself has to wake the worker.
    page.evaluate("void setTimeout(() => { answer = confirm(`Later`) ? `yes` : `no` }, 50)")
    page.wait_for("answer === `yes`")
    tabwire.ok("dialog", action="get_message", auto_handle={"enabled": False})
    assert effects(tabwire.ok("click", selector="#b"))["dialog"]["message"] == "After"
    tabwire.ok("dialog", action="dismiss")


@pytest.mark.fresh_tab
def test_dialogs_of_a_page_that_loads_are_answered_and_told_by_the_navigation(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(""))
    rule(tabwire)
    reply = tabwire.open(site.page("<script>alert('One'); document.title = confirm('Two') ? 'Yes' : 'No'</script>"))
    assert (reply.data["title"], page.evaluate("document.title")) == ("Yes", "Yes")
    assert [dialog["message"] for dialog in effects(reply)["answered"]] == ["One", "Two"]


@pytest.mark.fresh_tab
def test_the_rule_is_for_its_tab_alone(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    rule(tabwire)
    other = tabwire.ok("tab_new", url=site.page(asking("confirm(`Other`)"))).data["tabId"]
    assert effects(tabwire.ok("click", selector="#b", tabId=other))["dialog"]["message"] == "Other"


@pytest.mark.fresh_tab
def test_an_open_dialog_and_the_following_ones_are_answered_by_one_call(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    ask(tabwire, site, asking("[confirm(`One`), confirm(`Two`)]"))
    reply = tabwire.ok("dialog", action="accept", auto_handle={"enabled": True, "default_action": "dismiss"})
    assert page.evaluate("answer") == [True, False]
    assert [dialog["message"] for dialog in effects(reply)["answered"]] == ["Two"]


@pytest.mark.fresh_tab
def test_a_navigation_leaves_a_page_that_the_rule_would_have_kept(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    staying = (
        "<button id=b>Use</button><a id=a href='/blank.html'>Away</a><script>onbeforeunload = (e) => e.preventDefault()</script>"
    )
    here = site.page(staying)
    ask(tabwire, site, staying)
    tabwire.open(here)
    tabwire.ok("click", selector="#b")
    rule(tabwire, "dismiss")
    assert effects(tabwire.ok("click", selector="#a"))["answered"][0]["type"] == "beforeunload"
    assert page.url == here
    tabwire.ok("navigate", url=site.url("/blank.html"), timeout=8000)
    assert page.url == site.url("/blank.html")


@pytest.mark.fresh_tab
def test_a_script_tells_which_dialogs_were_answered(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    rule(tabwire)
    reply = tabwire.ok("evaluate", expression="confirm('Sure?')")
    assert reply.data is True
    assert 'confirm "Sure?" answered by auto_handle: accept' in reply.text
    reply = tabwire.ok("evaluate", expression="for (let i = 0; i < 25; i += 1) alert(i)")
    assert "15 more dialogs answered" in reply.text


# ---- a browser that Tabwire did not start --------------------------------------------------------------------------------


# One page for all listeners: each button or field asks in its own way, and none of their own text says so.
ASKING = """<button id=named>1</button><div id=list><button id=delegated>2</button></div><button id=late>3</button>
<button id=alias>4</button><select id=chosen><option>a<option>b</select><input id=field><input type=checkbox id=box>
<button id=opens>5</button><script>
globalThis.answers = {};
const ask = (id) => { answers[id] = confirm(id) }, sure = confirm;
named.addEventListener('click', () => ask('named'));
list.addEventListener('click', ({ target }) => ask(target.id));
late.addEventListener('click', () => setTimeout(ask, 30, 'late'));
alias.addEventListener('click', () => { answers.alias = sure('alias') });
for (const each of [chosen, box]) each.addEventListener('change', () => ask(each.id));
field.addEventListener('input', () => ask('field'));
const show = () => { answers.opens = open('/blank.html') !== null };
opens.addEventListener('click', show);
</script>"""
# Nothing in the page tells of it any more when it is acted in.
UNSEEN = """<button id=b>Go</button><script>
b.addEventListener('click', () => { globalThis.answer = confirm('Unseen?') });
document.currentScript.remove()
</script>"""


def test_in_the_users_browser_a_dialog_behind_any_listener_is_accepted(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    tabwire = own.tabwire
    tabwire.open(site.page(ASKING))
    page = own.browser.shown()
    with Idleness(own.browser) as idleness:
        for tool, name, more in (
            *(("click", name, {}) for name in ("named", "delegated", "alias")),
            ("select", "chosen", {"label": "b"}),
            ("fill", "field", {"value": "tea"}),
            ("check", "box", {}),
        ):
            told = effects(tabwire.ok(tool, selector=f"#{name}", **more)).get("dialog", {}).get("message")
            assert told == name, (name, told)
            tabwire.ok("dialog", action="accept")
            assert page.evaluate(f"answers['{name}']") is True, name
        tabwire.ok("click", selector="#late")
        until(lambda: tabwire.ok("dialog", action="get_message").data["open"])
        tabwire.ok("dialog", action="accept")
        opened = tabwire.ok("click", selector="#opens")
        assert page.evaluate("[answers.late, answers.opens]") == [True, True]
        assert effects(opened)["new_tabs"]
        idleness.end()
        until_attached(own.browser, 0)


def test_a_dialog_that_opened_unseen_is_dismissed_and_the_next_one_of_its_page_is_seen(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    tabwire = own.tabwire
    assert effects(ask(tabwire, site, UNSEEN))["dialog"]["type"] == "unknown"
    # Each of them waits a second for the page.
    accepting, getting = tabwire.start("dialog", action="accept"), tabwire.start("dialog", action="get_message")
    reply, reading = accepting.result(10), getting.result(10)
    assert (reply.code, "action dismiss" in reply.text) == ("dialog_pending", True)
    assert (reading.data["open"], "action dismiss" in reading.text) == ("unknown", True)
    tabwire.ok("dialog", action="dismiss")
    page = own.browser.shown()
    assert page.evaluate("answer") is False
    assert effects(tabwire.ok("click", selector="#b"))["dialog"]["message"] == "Unseen?"
    tabwire.ok("dialog", action="accept")
    assert page.evaluate("answer") is True


def test_a_dialog_of_a_page_that_loads_is_answered_in_a_tab_never_attached(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    html = "<script>globalThis.answer = confirm('Load?'); document.title = 'Loaded'</script>"
    first = site.page(html)
    reply = own.tabwire.ok("navigate", url=first, timeout=20_000)
    assert (reply.data["dialog"]["type"], "navigate there again" in reply.text) == ("unknown", True), reply
    assert site.hit_count(first.removeprefix(site.origin)) == 1
    assert own.tabwire.ok("navigate", url=first, timeout=20_000).data["dialog"]["message"] == "Load?"
    own.tabwire.ok("dialog", action="accept")
    assert own.browser.shown().evaluate("[answer, document.title]") == [True, "Loaded"]
    assert site.hit_count(first.removeprefix(site.origin)) == 2
    # It is known by now, and its dialog may open at once.
    assert own.tabwire.ok("tab_new", url=first).data["dialog"]["message"] == "Load?"
    assert site.hit_count(first.removeprefix(site.origin)) == 3
    own.tabwire.ok("dialog", action="accept")
    assert own.browser.shown().evaluate("answer") is True


def test_a_rule_set_beforehand_makes_such_dialogs_known_and_the_debugger_goes_with_it(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    tabwire = own.tabwire
    tabwire.open(site.page(UNSEEN))
    rule(tabwire)
    reply = tabwire.ok("click", selector="#b")
    assert [dialog["message"] for dialog in effects(reply)["answered"]] == ["Unseen?"]
    assert own.browser.shown().evaluate("answer") is True
    assert attached(own.browser) == 1
    with Idleness(own.browser) as idleness:
        tabwire.ok("dialog", action="get_message", auto_handle={"enabled": False})
        idleness.end()
        until_attached(own.browser, 0)


def test_a_rule_ends_with_the_last_client_that_set_it(joiner: Launcher[Joined], site: Site) -> None:
    own = joiner.fresh(site)
    first, second = own.join(), own.join()
    tab = first.ok("tab_new", url=site.page(asking("confirm(`Who?`)"))).data["tabId"]
    rule = {"action": "accept", "auto_handle": {"enabled": True}, "tabId": tab}
    first.ok("dialog", **rule)
    assert second.fails("dialog", **rule).code == "tab_leased"
    with Absence(own.browser) as absence:
        first.kill()
        # Its tab is free at once; its rule lasts a little longer, for a client that only lost its connection.
        until(lambda: not second.call("dialog", **rule).is_error)
        assert len(holders_of(own.browser, tab, "dialog.rule")) == 2
        absence.end()
        until(lambda: len(holders_of(own.browser, tab, "dialog.rule")), equals=1)
    second.ok("click", selector="#b", tabId=tab)
    assert own.browser.shown().evaluate("answer") is True
    with Absence(own.browser) as absence:
        second.kill()
        assert attached(own.browser) == 1
        absence.end()
        until_attached(own.browser, 0)
