"""Questions to the owner of the browser: what is asked, where, and that only what is clicked there counts."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Reply
from e2e.rules.asking import BUTTONS, Asked
from e2e.site import Site
from e2e.ui.hand import Hand
from polling import until


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with Asked.started(tmp_path_factory.mktemp("asking"), anna="Anna\u202e", pairing={"permissions": {}}) as asked:
        yield asked


@pytest.fixture
def asked(asking: Asked, site: Site) -> Iterator[Asked]:
    # The same tab for all, but for a test that has lost it: what is asked does not depend on the tab, whose process costs more than the page.
    if asking.anna.call("navigate", url=site.url("/blank.html")).is_error:
        asking.anna.ok("tab_new", url=site.url("/blank.html"))
    with asking.for_a_test():
        yield asking
        asking.forget()


@pytest.fixture
def unseen(asked: Asked) -> Iterator[Asked]:
    """For a test that looks at no window."""
    with asked.in_view():
        yield asked


def refused(reply: Reply, reason: str) -> str:
    assert (reply.code, reply.data["reason"]) == ("permission_denied", reason), reply
    return reply.text


def site_of(url: str) -> str:
    return "/".join(url.split("/")[:3])


FORM = """<label>Login name <input id=name></label><label>Password <input id=password type=password></label>
<label>Card <input id=card autocomplete="section-a billing cc-number"></label><label>Code <input id=code autocomplete=one-time-code></label>
<label>Month <select id=month autocomplete=cc-exp-month><option>1<option>2</select></label><script>
const values = () => Object.fromEntries([...document.querySelectorAll("input, select")].map((field) => [field.id, field.value]))</script>"""


def test_a_question_says_who_asks_what_and_where_and_the_act_waits_for_the_answer(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
    call = asked.anna.start("fill", selector="#password", value="hunter2", reason="to sign in")
    window = asked.window()
    (question,) = asked.questions()
    assert question["reason"] == "to sign in"
    assert (question["kind"], question["client"], question["where"]) == (
        "password",
        "Anna",
        site_of(page.url).removeprefix("http://"),
    )
    shown = window.evaluate("document.body.innerText")
    # Field name and site first.
    assert question["title"] == f"Allow Anna to fill in “Password” on {question['where']}?"
    assert question["title"] in shown and "hunter2" not in shown
    labels = (
        "Object.fromEntries([...document.querySelectorAll('[data-answer]')].map((one) => [one.dataset.answer, one.textContent]))"
    )
    assert window.evaluate(labels) == BUTTONS
    assert page.evaluate("values()")["password"] == "" and not call.done()
    assert asked.chromium.browser.in_worker("chrome.action.getBadgeText({})") == "?"
    asked.answer("later")
    refused(call.result(), "not_now")


def test_a_click_that_was_on_its_way_when_the_question_came_is_no_answer(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
    call = asked.anna.start("fill", selector="#password", value="hunter2")
    window = asked.window()
    window.evaluate("performance.now = () => 0, 1")
    Hand(window).click("[data-answer=once]")
    assert len(asked.questions()) == 1 and page.evaluate("values()")["password"] == ""
    window.evaluate("delete performance.now")
    asked.answer("once")
    assert not call.result().is_error, call.result()
    assert page.evaluate("values()")["password"] == "hunter2"
    until(asked.windows, equals=0)
    until(lambda: asked.chromium.browser.in_worker("chrome.action.getBadgeText({})"), equals="")


def test_an_answer_for_once_is_for_once_and_not_now_is_no(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
    call = asked.anna.start("fill", selector="#password", value="hunter2")
    asked.window()
    asked.answer("once")
    assert not call.result().is_error, call.result()
    until(asked.windows, equals=0)
    again = asked.anna.start("fill", selector="#password", value="other")
    asked.window()
    asked.answer("later")
    assert "not now" in refused(again.result(), "not_now")
    assert page.evaluate("values()")["password"] == "hunter2"


#: Tool, arguments, kind of the question, field that changes; a tool without a selector acts on the field in focus.
FILLS: list[tuple[str, dict[str, Any], str, str]] = [
    ("fill", {"selector": "#card", "value": "4111"}, "payment", "card"),
    ("type", {"selector": "#code", "text": "123"}, "one_time_code", "code"),
    ("press", {"selector": "#password", "key": "x"}, "password", "password"),
    ("select", {"selector": "#month", "value": "2"}, "payment", "month"),
    ("type", {"text": "abc"}, "password", "password"),
    (
        "fill_form",
        {"fields": [{"label": "Card", "value": "4111"}, {"label": "Login name", "value": "Ann"}]},
        "payment",
        "card",
    ),
]


def test_fields_of_a_kind_are_asked_for_however_they_are_filled(unseen: Asked, site: Site) -> None:
    # One tab for all: each way has the page anew, and the owner's answer to the way before it is forgotten.
    asked = unseen
    for tool, arguments, kind, field in FILLS:
        case = f"{tool} {arguments}"
        asked.anna.open(site.page(FORM))
        page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
        before = page.evaluate("values()")
        if tool == "type" and "selector" not in arguments:
            asked.anna.ok("focus", selector="#password")
        call = asked.anna.start(tool, **arguments)
        until(asked.questions, says=f"a question for {case}")
        assert [question["kind"] for question in asked.questions()] == [kind], case
        assert page.evaluate("values()") == before, case
        asked.settle("site")
        assert not call.result().is_error, (case, call.result())
        assert page.evaluate("values()")[field] != before[field], case
        # For good: on this site, for this kind.
        again = asked.anna.call(tool, **arguments)
        assert not again.is_error, (case, again)
        kept = [{"site": site_of(page.url), "kind": kind, "answer": "allow"}]
        assert asked.person.ask("siteRules")["answers"] == kept, case
        assert not asked.anna.call("fill", selector="#name", value="Ann").is_error, case
        asked.forget()


PASSWORD = {"selector": "#password", "value": "hunter2"}


def allow_for_an_hour(asked: Asked) -> None:
    with asked.in_view():
        call = asked.anna.start("fill", **PASSWORD)
        until(asked.questions)
        asked.settle("hour")
        assert not call.result().is_error, call.result()


def test_an_hour_outlives_the_worker(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    allow_for_an_hour(asked)
    (kept,) = asked.person.ask("siteRules")["answers"]
    assert 3_500_000 < kept["until"] - asked.browser.in_worker("Date.now()") <= 3_600_000
    asked.browser.stop_workers()
    asked.anna.ok("fill", **PASSWORD)
    assert asked.person.ask("siteRules")["answers"] == [kept]


def test_an_hour_ends_by_time(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    allow_for_an_hour(asked)
    asked.browser.in_worker("(Date.now = ((now) => () => now() + 3_600_000)(Date.now.bind(Date)), 1)")
    assert asked.person.ask("siteRules")["answers"] == []
    alarm = json.dumps(asked.browser.in_worker("chrome.alarms.get('answers')"))
    asked.browser.in_worker(f"(chrome.alarms.onAlarm.dispatch({alarm}), 1)")
    stored = "chrome.storage.local.get('permissions.rules').then((stored) => stored['permissions.rules'].answers)"
    until(lambda: asked.browser.in_worker(stored), equals=[])
    asked.browser.stop_workers()


def test_an_hour_ends_by_a_stop(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    for stop, resume, whose in (("stop", "resume", {}), ("stopClient", "resumeClient", {"clientId": "another"})):
        allow_for_an_hour(asked)
        asked.person.ask(stop, **whose)
        asked.person.ask(resume, **whose)
        assert asked.person.ask("siteRules")["answers"] == []
    call = asked.anna.start("fill", **PASSWORD)
    until(asked.questions)
    asked.settle("later")
    refused(call.result(), "not_now")


def test_the_time_of_an_act_begins_when_the_answer_is_there(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM, "Sign in"))
    page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
    told: list[str] = []
    call = asked.anna.start_told(told, "fill", selector="#password", value="hunter2", timeout=1000)
    window = asked.window()
    page.evaluate("document.title = 'Meanwhile'")
    until(lambda: told[-1:], lambda said: said and said[0].endswith(": 3 s"))
    assert not call.done() and page.evaluate("values()")["password"] == ""
    assert "waiting for the user to answer in the browser (fill in a password, " in told[-1]
    bar = window.evaluate("getComputedStyle(document.querySelector('.countdown span')).animationDuration")
    assert 40 < float(bar.removesuffix("s")) <= 45, bar
    asked.answer("once")
    reply = call.result()
    assert not reply.is_error and page.evaluate("values()")["password"] == "hunter2", reply
    assert "Meanwhile" not in reply.text, "what the page did while the person was asked is not the act's doing"


def test_a_question_outlives_the_patience_of_its_call_for_a_while(asked: Asked, site: Site) -> None:
    hasty = asked.chromium.serve(name="Hasty", TABWIRE_ANSWER_WAIT="0.6")
    hasty.until_joined()
    hasty.ok("tab_new", url=site.page(FORM))
    expression = "document.title // <b>bold</b>"
    call = hasty.start("evaluate", expression=expression)
    window = asked.window()
    assert window.evaluate("document.querySelector('[data-fact=detail]').textContent") == expression
    text = refused(call.result(), "not_answered")
    assert "Still waiting for them: call again" in text and "after 1 s" in text
    window.wait_for("!document.querySelector('.late').hidden && document.querySelector('.countdown').hidden")
    assert "Hasty stopped waiting at" in window.evaluate("document.querySelector('.late').textContent")
    # The same question joins the open one; the answer counts for the next call, once, and for what was shown.
    refused(hasty.call("evaluate", expression="1 + 1"), "not_answered")
    assert [question["detail"] for question in asked.questions()] == [f"{expression}\n1 + 1"]
    asked.answer("once")
    until(asked.windows, equals=0)
    refused(hasty.call("evaluate", expression="1 + 2"), "not_answered")
    assert hasty.ok("evaluate", expression="1 + 1").data == 2
    # It goes away by itself.
    mine = "chrome.alarms.getAll().then((all) => all.filter(({name}) => name.startsWith('question ')))"
    (alarm,) = asked.browser.in_worker(mine)
    assert 90_000 < alarm["scheduledTime"] - asked.browser.in_worker("Date.now()") <= 120_000
    asked.browser.in_worker(f"(chrome.alarms.onAlarm.dispatch({json.dumps(alarm)}), 1)")
    until(asked.windows, equals=0)
    assert asked.questions() == []
    hasty.close()


def test_a_question_comes_to_the_front_but_takes_no_keys_from_a_field(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    page = asked.chromium.browser.at(asked.anna.ok("url").data["url"])
    page.call("Page.bringToFront")
    looks = "chrome.windows.getAll({ windowTypes: ['popup'] }).then((all) => all.map(({ focused }) => focused))"
    notices = "chrome.notifications.getAll().then((all) => Object.keys(all).length)"
    for field, is_focused in (("#name", False), ("body", True)):
        page.evaluate(f"document.activeElement.blur(), document.querySelector('{field}').focus()")
        call = asked.anna.start("evaluate", expression="1 + 1")
        asked.window()
        assert asked.browser.in_worker(looks) == [is_focused], field
        assert asked.browser.in_worker(notices) == 1
        asked.person.ask("answerQuestion", id=asked.questions()[0]["id"], answer="later")
        refused(call.result(), "not_now")
        until(asked.windows, equals=0)
        until(lambda: asked.browser.in_worker(notices), equals=0)


def test_closing_the_window_is_no_yes(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    call = asked.anna.start("evaluate", expression="1 + 1")
    asked.window().close()
    assert "not now" in refused(call.result(), "not_now")
    assert asked.questions() == []


def test_two_calls_with_one_question_have_one_answer_and_two_clients_are_told_apart(asked: Asked, site: Site) -> None:
    url = site.page(FORM)
    tab = asked.anna.open(url).data["tabId"]
    first = asked.anna.start("cookies", action="get_all", url=url)
    second = asked.anna.start("cookies", action="get", url=url, name="a")
    until(asked.questions)
    other = asked.bert.start("cookies", action="get_all", url=url)
    until(lambda: len(asked.questions()), equals=2)
    assert [(question["client"], question["kind"]) for question in asked.questions()] == [
        ("Anna", "cookies"),
        ("Bert", "cookies"),
    ]
    asked.answer("never")
    for call in (first, second, other):
        assert "never" in refused(call.result(), "refused")
    assert asked.questions() == []
    assert "permanently" in refused(asked.bert.call("cookies", action="get_all", url=url), "refused")
    assert asked.bert.ok("snapshot", tabId=tab).text


def test_a_question_is_withdrawn_with_its_call(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    call = asked.anna.start("history", query="x")
    asked.window()
    assert asked.questions()[0]["where"] == "this whole browser"
    asked.person.ask("stop")
    assert call.result().code == "stopped_by_user"
    until(lambda: asked.questions() == [] and asked.windows() == 0)
    asked.person.ask("resume")


def test_a_worker_that_dies_loses_the_question_and_its_window_shows_that_of_the_next(asked: Asked, site: Site) -> None:
    asked.anna.open(site.page(FORM))
    call = asked.anna.start("history", query="x")
    window = asked.window()
    shown = "document.querySelector('#questions li')?.dataset.key"
    lost = window.evaluate(shown)
    asked.chromium.browser.stop_workers()
    # The read is asked again, by the next worker.
    window.wait_for(f"{shown} && {shown} !== {json.dumps(lost)}", 12)
    assert window.evaluate("document.querySelectorAll('#questions li').length") == 1 and asked.windows() == 1
    asked.answer("once")
    assert not call.result().is_error, call.result()


def test_every_sensitive_kind_is_asked_for(unseen: Asked, site: Site) -> None:
    unseen.anna.open(site.page("<input type=file>"))
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("cookies", "cookies", {"action": "set", "name": "a", "value": "b"}),
        ("history", "history", {}),
        ("evaluate", "wait", {"for": "function", "function": "() => true", "timeout": 10_000}),
        ("evaluate", "breakpoints", {"action": "set", "event": "click", "condition": "send(document.cookie)", "log": "1"}),
        ("downloads", "wait", {"for": "url", "download": True, "timeout": 10_000}),
        ("uploads", "upload", {"selector": "input", "files": [{"name": "a.txt", "base64": "YQ=="}], "timeout": 10_000}),
        ("uploads", "fill_form", {"fields": [{"selector": "input", "files": [{"name": "b.txt", "base64": "YQ=="}]}]}),
        ("auth_state", "auth_state", {"action": "save", "name": "n"}),
    ]
    for kind, tool, arguments in calls:
        call = unseen.anna.start(tool, **arguments)
        until(lambda kind=kind: kind in {question["kind"] for question in unseen.questions()})
        if tool == "breakpoints":
            assert unseen.questions()[0]["detail"] == "send(document.cookie)\n1", "all scripts that would run are shown"
        unseen.settle("later")
        assert call.result().is_error, (kind, call.result())
        assert "not now" in call.result().text, (kind, call.result())
    assert unseen.anna.ok("breakpoints").data["breakpoints"] == []
    assert unseen.windows() == 0


def test_a_click_that_starts_a_download_is_not_asked_about(asked: Asked, site: Site, tmp_path: Path) -> None:
    """README says so: what it starts lands in the person's own folder. To take the file is asked about."""
    asked.chromium.browser.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    asked.anna.open(site.page(f"<a href='{site.url('/download')}'>Get it</a>"))
    reply = asked.anna.ok("click", selector="role:link")
    # On a busy machine the file may come after the reply.
    until(lambda: [file.name for file in tmp_path.iterdir()], lambda names: any(name.endswith(".txt") for name in names))
    assert asked.questions() == [], reply
    until(lambda: [path for path in tmp_path.iterdir() if not path.name.endswith(".crdownload")])


def test_a_paste_is_asked_for_whichever_keys_mean_it(unseen: Asked, site: Site) -> None:
    unseen.anna.open(site.page("<input id=a value=private><input id=b>"))
    page = unseen.chromium.browser.at(unseen.anna.ok("url").data["url"])
    unseen.anna.ok("press", selector="#a", key="Control+a")
    unseen.anna.ok("press", selector="#a", key="Control+c")
    for key in ("Control+v", "ctrl+V", "Shift+Insert", "Meta+v", "ControlOrMeta+KeyV", "Control+Shift+v"):
        call = unseen.anna.start("press", selector="#b", key=key)
        until(unseen.questions)
        (question,) = unseen.questions()
        assert (question["kind"], question["detail"]) == ("clipboard", key)
        unseen.settle("later")
        assert "not now" in refused(call.result(), "not_now")
        assert page.evaluate("b.value") == ""
    # Neither what writes the clipboard nor the letter itself is asked about.
    for key in ("Control+x", "Control+Insert", "v", "Shift+V", "Alt+v", "Insert"):
        unseen.anna.ok("press", selector="#a", key=key)
    assert page.evaluate("a.value") == "vV"
    call = unseen.anna.start("press", selector="#b", key="Control+v")
    until(unseen.questions)
    unseen.settle("once")
    assert not call.result().is_error, call.result()
    assert page.evaluate("b.value") == "private"


def test_only_pages_of_the_extension_can_answer_or_change_rules(asked: Asked, site: Site) -> None:
    url = site.page(FORM)
    asked.anna.open(url)
    call = asked.anna.start("fill", selector="#password", value="x")
    until(asked.questions)
    page = asked.chromium.browser.at(url)
    identity = asked.questions()[0]["id"]
    for request in (
        {"type": "answerQuestion", "id": identity, "answer": "once"},
        {"type": "setSiteRule", "pattern": "*", "level": "act"},
    ):
        sent = f"chrome.runtime.sendMessage({json.dumps(request)}).then((told) => told ?? null, () => null)"
        assert page.evaluate_in_extension(sent) is None
    assert page.evaluate_in_extension("chrome.storage.local.get(null).then(() => 'read', () => 'denied')") == "denied"
    assert not call.done() and asked.person.ask("siteRules")["rules"] == []
    # No client gets into the window either.
    tab = asked.chromium.browser.in_worker(
        "chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url.includes('question.html')).id)"
    )
    for tool, arguments in (
        ("click", {"selector": "button"}),
        ("evaluate", {"expression": "1"}),
        ("snapshot", {}),
        ("tab_close", {}),
        ("navigate", {"url": site.url()}),
    ):
        reply = asked.bert.call(tool, tabId=tab, **arguments)
        assert reply.code in ("permission_denied", "restricted_page"), reply
    asked.answer("later")
    refused(call.result(), "not_now")


@pytest.fixture
def elicited(asked: Asked) -> Iterator[Asked]:
    """The owner lets the clients' users answer: the worker that begins then has read so."""
    file = asked.chromium.extension / "pairing.json"
    before = file.read_text()

    def pair(text: str) -> None:
        file.write_text(text)
        asked.browser.stop_workers()
        asked.anna.until_joined()

    pair(json.dumps({**json.loads(before), "permissions": {"answers_from_client": True}}))
    yield asked
    pair(before)


def test_the_user_of_the_client_is_asked_too_and_a_yes_counts_where_the_owner_says_so(elicited: Asked, site: Site) -> None:
    for mode in ("legacy", "auto"):
        said: list[str] = []
        answers = ["accept", "decline"]

        def user(message: str, said: list[str] = said, answers: list[str] = answers) -> str:
            said.append(message)
            return answers[len(said) - 1]

        client = elicited.chromium.serve(name="Elicited", mode=mode, elicited=user)
        client.until_joined()
        client.ok("tab_new", url=site.page("<script>globalThis.runs = 0</script>"))
        assert client.ok("evaluate", expression="++globalThis.runs").data == 1, mode
        refusal = client.fails("evaluate", expression="++globalThis.runs")
        assert refusal.code == "permission_denied" and "asked" in refusal.text, mode
        assert elicited.browser.at(client.ok("url").data["url"]).evaluate("globalThis.runs") == 1, mode
        assert len(said) == 2 and all("run a script of its own" in message for message in said), (mode, said)
        assert elicited.questions() == [] and elicited.person.ask("siteRules")["answers"] == [], mode
        client.close()


def test_without_that_the_user_of_the_client_can_only_refuse(asked: Asked, site: Site) -> None:
    answers = iter(["accept", "decline"])
    said: list[str] = []
    elicited = {"mode": "legacy", "elicited": lambda message: said.append(message) or next(answers)}
    client = asked.chromium.serve("--observe-only", name="Elicited", TABWIRE_ANSWER_WAIT="1", **elicited)
    client.until_joined()
    client.ok("tab_new", url=site.page(FORM))
    client.ok("escalate", reason="to compare prices\u202e")
    call = client.start("evaluate", expression="1")
    assert refused(call.result(), "not_answered")
    assert "answer in the window of Tabwire" in said[0]
    # Why is shown with the question, and with what was done.
    (question,) = asked.questions()
    assert question["reason"] == "to compare prices"
    assert asked.window().evaluate("document.querySelector('[data-fact=reason]').textContent").endswith(": to compare prices")
    assert asked.person.ask("activity")["entries"][-1]["reason"] == "to compare prices"
    asked.person.ask("answerQuestion", id=question["id"], answer="later")
    again = client.start("evaluate", expression="1")
    assert "user of the client" in refused(again.result(), "not_now")
    client.close()


TURNING = """<label>Nick <input id=nick></label><label>Plain <input id=plain></label><script>
nick.onfocus = () => { nick.type = "password"; };
const values = () => [nick.value, plain.value];</script>"""


@pytest.mark.parametrize(("tool", "argument"), [("fill", "value"), ("type", "text")])
def test_a_field_that_its_focus_turns_into_a_password_gets_its_text_only_when_that_is_allowed(
    unseen: Asked, site: Site, tool: str, argument: str
) -> None:
    unseen.anna.open(site.page(TURNING))
    page = unseen.chromium.browser.at(unseen.anna.ok("url").data["url"])
    call = unseen.anna.start(tool, selector="#nick", **{argument: "hunter22"})
    (question,) = until(unseen.questions)
    assert question["kind"] == "password" and page.evaluate("values()") == ["", ""]
    unseen.settle("later")
    text = refused(call.result(), "not_now")
    assert "no text was entered" in text and "othing was done" not in text
    assert page.evaluate("values()") == ["", ""]
    # The same text goes into a field that stays as it is, and into this one when its owner allows it.
    unseen.anna.ok(tool, selector="#plain", **{argument: "hunter22"})
    unseen.anna.open(site.page(TURNING))
    page = unseen.chromium.browser.at(unseen.anna.ok("url").data["url"])
    call = unseen.anna.start(tool, selector="#nick", **{argument: "hunter22"})
    until(unseen.questions)
    unseen.settle("once")
    assert not call.result().is_error and page.evaluate("values()") == ["hunter22", ""]
