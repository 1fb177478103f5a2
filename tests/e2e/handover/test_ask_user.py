"""ask_user: the person at the browser is asked, or does something in the tab; what changed is told, what they typed is not."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.site import Site
from e2e.tabs.two_clients import TwoClients
from e2e.ui.desk import Desk
from e2e.ui.hand import Hand
from e2e.ui.own_pages import QUESTION
from e2e.worker import Absence
from polling import until

BUTTON = "<button onclick='globalThis.hits = (globalThis.hits ?? 0) + 1'>Go</button>"
SECRETS = ("anna.schmidt@example.org", "correct horse battery", "481 205", "481205", "Marzipan")
LOGIN = """<h1>Log in</h1><form method=get action="/second">
<label>E-mail <input name=mail id=mail></label><label>Password <input type=password name=pw id=pw></label>
<label><input type=checkbox id=keep> Stay logged in</label><button id=go>Log in</button></form>"""


class Asked(TwoClients):
    """The browser, clients and pages of the tests of questions."""

    def open(self, client: Tabwire, url: str, **more: Any) -> tuple[Page, int]:
        return super().open(client, url, active=False, **more)

    def window(self) -> Page:
        """The small window with the questions, once it shows one."""
        page = self.browser.at(QUESTION)
        page.wait_for("document.querySelector('#handovers li') !== null")
        return page

    def is_closed(self) -> bool:
        return not any(target["url"] == QUESTION for target in self.browser.targets("page"))

    def has_noted(self, count: int) -> bool:
        """Whether so many filled-in fields are known: no person types and sends as fast as a test does."""
        script = (
            "chrome.storage.session.get(null).then((all) => Object.entries(all).filter(([key]) => key.startsWith('filled in: '))"
        )
        return bool(self.browser.in_worker(f"{script}.some(([, fields]) => Object.keys(fields).length >= {count}))"))

    def is_asked(self) -> bool:
        return bool(
            self.browser.in_worker(
                "chrome.storage.session.get(null).then((all) => Object.keys(all).some((key) => key.startsWith('handover.')))"
            )
        )


@pytest.fixture
def asked(panel_browser: Desk, site: Site) -> Iterator[Asked]:
    found = Asked(panel_browser.chromium, panel_browser.person, panel_browser.anna, panel_browser.bert)
    with found.for_a_test():
        yield found
    until(found.is_closed)


def asking(question: str) -> str:
    """Whether the window shows a question."""
    return f"[...document.querySelectorAll('.question')].some((each) => each.textContent === {json.dumps(question)})"


def ask(client: Tabwire, tab: int, question: str, **more: Any) -> "Future[Reply]":
    return client.start("ask_user", question=question, tabId=tab, **{"timeout": 30_000, **more})


def test_a_person_logs_in_with_password_and_code_and_the_reply_tells_what_changed_but_nothing_they_typed(
    asked: Asked, site: Site
) -> None:
    site.serve(
        "/second",
        "<title>Code</title><h1>Second step</h1><form action=/inside><label>One-time code "
        "<input autocomplete=one-time-code name=code id=code></label><button id=go>Check</button></form>",
    )
    site.serve(
        "/inside",
        "<title>Inside</title><h1>Your account</h1><p id=who></p><script>"
        "const mail = new URL(document.referrer).searchParams.get('mail'); who.textContent = `Hello ${mail.toUpperCase()}`;"
        "document.title = `${mail} - Inside`</script>",
    )
    page, tab = asked.open(asked.anna, site.page(LOGIN, "Log in"))
    call = ask(asked.anna, tab, "Please log in to the shop", please_do=True)
    window = asked.window()
    assert "Anna asks you to do something" in window.evaluate("document.querySelector('#handovers').textContent")
    hand = Hand(page)
    hand.type("#mail", SECRETS[0])
    hand.type("#pw", SECRETS[1])
    hand.click("#keep")
    until(lambda: asked.has_noted(3))
    hand.click("#go")
    page.wait_for("document.title === 'Code' && document.readyState === 'complete'")
    hand.type("#code", SECRETS[2])
    until(lambda: asked.has_noted(4))
    hand.click("#go")
    page.wait_for("document.title.endsWith('Inside')")
    assert not call.done(), "a navigation does not end it"
    Hand(window).type("[name=remark]", "It wanted a code, too")
    Hand(window).click("[data-outcome=done]")
    reply = call.result(10)
    assert not reply.is_error, reply
    assert reply.text.startswith("The user says that it is done · answer: It wanted a code, too")
    assert reply.data["outcome"] == "done"
    assert reply.data["filled"] == ["E-mail", "Password", "Stay logged in", "One-time code"]
    assert reply.data["effects"]["url"]["to"].startswith(f"{site.origin}/inside?code=[typed by the user]")
    assert reply.data["effects"]["title"] == {"from": "Log in", "to": "[typed by the user] - Inside"}
    assert reply.data["effects"]["navigated"] is True
    assert 'heading "Your account"' in reply.text and "Hello [typed by the user]" in reply.text
    everything = reply.text + json.dumps(reply.structured)
    assert [secret for secret in SECRETS if secret.lower() in everything.lower()] == []
    until(asked.is_closed)
    assert not asked.is_asked(), "nothing of it is kept"
    asked.anna.ok("click", selector="role:heading", tabId=tab)


def test_what_is_typed_and_not_sent_is_withheld_in_fields_of_any_kind(asked: Asked, site: Site) -> None:
    city = site.cross_page("<input id=city aria-label=City>")
    inside = "<textarea id=note aria-label=Note></textarea><div contenteditable id=free role=textbox aria-label=Free></div>"
    page, tab = asked.open(
        asked.anna,
        site.page(
            f"<h1>Form</h1><input id=name aria-label=Name><input id=cvc aria-label='Security code'>{inside}"
            f"<select id=size aria-label=Size><option>Small<option>Large</select><iframe id=frame src='{city}'></iframe>"
            "<div id=host style='display: inline-block'></div><script>host.attachShadow({mode: 'closed'}).innerHTML = '<input aria-label=Deep style=\"width: 200px\">'</script>"
        ),
    )
    call = ask(asked.anna, tab, "Fill in what you like", please_do=True)
    window = asked.window()
    hand = Hand(page)
    for selector, text in (
        ("#name", "Jo"),
        ("#cvc", "732"),
        ("#note", "first line\nsecond line"),
        ("#free", SECRETS[4]),
        ("#host", "Shadowed"),
    ):
        hand.type(selector, text)
    Hand(page.frame(city)).type("#city", "Regensburg")
    Hand(window).click("[data-outcome=done]")
    reply = call.result(10)
    assert reply.data["filled"] == ["Name", "Security code", "Note", "Free", "Deep", "City"], reply
    # The number of a fence is drawn for each reply, and may hold the digits that were typed.
    everything = re.sub(r"</?page \d{6}>", "", reply.text + json.dumps(reply.structured))
    assert [
        text for text in ('"Jo"', "732", "first line", "second line", SECRETS[4], "Shadowed", "Regensburg") if text in everything
    ] == []
    assert "Jo" not in asked.anna.snapshot(tabId=tab), "nor in a later snapshot, while it stands there"


def test_a_question_is_answered_in_the_persons_words(asked: Asked, site: Site) -> None:
    _, tab = asked.open(asked.anna, site.page("<h1>Cart"))
    call = ask(asked.anna, tab, "Which <b>colour</b>?")
    window = asked.window()
    assert window.evaluate("document.querySelector('.question').textContent") == "Which <b>colour</b>?"
    Hand(window).type("textarea", "Blue, please")
    Hand(window).click("form button:not([type])")
    reply = call.result(10)
    assert (reply.data["outcome"], reply.data["answer"]) == ("answered", "Blue, please"), reply
    assert "Observed: nothing changed" in reply.text


def test_choices_are_buttons_and_none_of_them_is_an_answer_too(asked: Asked, site: Site) -> None:
    _, tab = asked.open(asked.anna, site.page("<h1>Cart"))
    for click, outcome, answer in (("[data-choice=Large]", "chosen", "Large"), ("[data-outcome=declined]", "declined", None)):
        until(asked.is_closed)
        call = ask(asked.anna, tab, "Which size?", choices=["Small", "Large"])
        Hand(asked.window()).click(click)
        reply = call.result(10)
        assert (reply.data["outcome"], reply.data.get("answer")) == (outcome, answer), reply


def test_meanwhile_nobody_acts_in_that_tab_or_in_those_it_opens_and_other_tabs_go_on(asked: Asked, site: Site) -> None:
    page, tab = asked.open(
        asked.anna, site.page(f"<h1>Shop</h1><a id=more target=_blank href='{site.page(BUTTON, 'Opened')}'>More</a>{BUTTON}")
    )
    other, free = asked.open(asked.anna, site.page(BUTTON))
    call = ask(asked.anna, tab, "Please pay", please_do=True)
    window = asked.window()
    for client in (asked.anna, asked.bert):
        for tool, arguments in (
            ("click", {"selector": "role:button"}),
            ("navigate", {"url": site.url("/blank.html")}),
            ("tab_close", {}),
        ):
            reply = client.fails(tool, tabId=tab, **arguments)
            assert reply.code == "tab_leased" and "the person at the browser has tab" in reply.text, reply
    assert asked.bert.fails("ask_user", question="And you?", tabId=tab).code == "tab_leased"
    asked.anna.ok("click", selector="role:button", tabId=free)
    assert (page.evaluate("globalThis.hits ?? 0"), other.evaluate("hits")) == (0, 1)
    Hand(page).click("#more")
    until(lambda: any(each["title"] == "Opened" for each in asked.anna.tabs()))
    opened = next(each for each in asked.anna.tabs() if each["title"] == "Opened")
    assert asked.anna.fails("click", selector="role:button", tabId=opened["tabId"]).code == "tab_leased"
    Hand(window).click("[data-outcome=done]")
    reply = call.result(10)
    assert reply.data["effects"]["new_tabs"] == [{"tabId": opened["tabId"], "url": opened["url"]}], reply
    asked.anna.ok("click", selector="role:button", tabId=tab)


def test_the_act_under_way_ends_before_the_tab_is_handed_over_and_a_stop_takes_it_back(asked: Asked, site: Site) -> None:
    page, tab = asked.open(asked.anna, site.page("<input aria-label=Name oninput='globalThis.typed = value'>"))
    typing = asked.anna.start("type", selector="label:Name", text="x" * 30, delay=20, tabId=tab)
    page.wait_for("globalThis.typed?.length > 2")
    call = ask(asked.anna, tab, "Well?")
    window = asked.window()
    assert page.evaluate("typed.length") == 30
    assert not typing.result(10).is_error
    assert window.evaluate(f"!{asking('Well?')}") is False
    asked.person.stop()
    assert call.result(10).code == "stopped_by_user"
    until(asked.is_closed)
    assert not asked.is_asked()
    asked.person.ask("resume")


def test_a_question_that_nobody_comes_back_for_is_forgotten(asked: Asked, site: Site) -> None:
    page, tab = asked.open(asked.anna, site.page(BUTTON))
    assert asked.anna.ok("ask_user", question="Hello?", tabId=tab, timeout=50).data["outcome"] == "waiting"
    asked.window()
    (alarm,) = asked.browser.in_worker(
        "chrome.alarms.getAll().then((all) => all.filter(({name}) => name.startsWith('handover ')))"
    )
    assert 500_000 < alarm["scheduledTime"] - asked.browser.in_worker("Date.now()") <= 600_000
    asked.browser.in_worker(f"(chrome.alarms.onAlarm.dispatch({json.dumps(alarm)}), 1)")
    until(asked.is_closed)
    asked.anna.ok("click", selector="role:button", tabId=tab)
    assert page.evaluate("hits") == 1


def test_a_question_outlives_its_call_and_is_asked_once(asked: Asked, site: Site) -> None:
    _, tab = asked.open(asked.anna, site.page("<h1>Cart"))
    reply = asked.anna.ok("ask_user", question="Still there?", tabId=tab, timeout=50)
    assert reply.data["outcome"] == "waiting" and "call ask_user again" in reply.text, reply
    call = ask(asked.anna, tab, "Still there?")
    window = asked.window()
    assert window.evaluate("document.querySelectorAll('#handovers li').length") == 1
    Hand(window).type("textarea", "Yes")
    Hand(window).click("form button:not([type])")
    assert call.result(10).data["answer"] == "Yes"


def test_an_answer_that_no_call_waited_for_comes_with_the_next_call(asked: Asked, site: Site) -> None:
    page, tab = asked.open(asked.anna, site.page(BUTTON))
    assert asked.anna.ok("ask_user", question="Ready?", choices=["Yes", "No"], tabId=tab, timeout=50).data["outcome"] == "waiting"
    Hand(asked.window()).click("[data-choice=Yes]")
    until(asked.is_closed)
    asked.anna.ok("click", selector="role:button", tabId=tab)
    assert page.evaluate("hits") == 1
    assert asked.anna.ok("ask_user", question="Ready?", choices=["Yes", "No"], tabId=tab).data["answer"] == "Yes"


def test_a_question_outlives_the_worker_and_what_was_typed_before_is_still_struck_out(asked: Asked, site: Site) -> None:
    page, tab = asked.open(
        asked.anna, site.page("<title>A</title><input id=name aria-label=Name onchange='document.title = value'>")
    )
    call = ask(asked.anna, tab, "Your name?", please_do=True)
    asked.window()
    Hand(page).type("#name", SECRETS[4])
    assert asked.browser.stop_workers() == 1
    page.wait_for("document.querySelector('#name').blur(), document.title !== 'A'")
    window = asked.window()
    Hand(window).click("[data-outcome=done]")
    reply = call.result(20)
    assert reply.data["effects"]["title"]["to"] == "[typed by the user]", reply
    assert SECRETS[4] not in reply.text + json.dumps(reply.structured)


def test_bad_questions_ask_nobody(asked: Asked, site: Site) -> None:
    for arguments in (
        {"question": " "},
        {"question": "a", "choices": ["b"]},
        {"question": "a", "choices": ["b", "b"]},
        {"question": "a", "choices": ["b", "c"], "please_do": True},
        {"question": "a" * 1001},
        {},
    ):
        assert asked.anna.fails("ask_user", **arguments).code == "invalid_argument"
    assert asked.is_closed() and not asked.is_asked()


def test_it_ends_with_another_question_the_cancelled_call_the_tab_and_the_client(asked: Asked, site: Site) -> None:
    with Absence(asked.browser) as absence:
        cleo = asked.chromium.join(name="Cleo")
        _, tab = asked.open(cleo, site.page("<h1>Cleo's"))
        cleo.start("ask_user", question="Are you there?", tabId=tab)
        window = asked.window()
        cleo.kill()
        page, tab = asked.open(asked.anna, site.page("<h1>Cart"))
        first = ask(asked.anna, tab, "First?")
        window.wait_for(asking("First?"))
        second = ask(asked.anna, tab, "Second?")
        assert first.result(10).code == "cancelled"
        window.wait_for(f"{asking('Second?')} && !{asking('First?')}")
        second.cancel()
        window.wait_for(f"!{asking('Second?')}")
        third = ask(asked.anna, tab, "Third?")
        window.wait_for(asking("Third?"))
        page.close()
        reply = third.result(10)
        assert reply.code == "no_such_tab" and "while its person was asked" in reply.text, reply
        absence.end()
        until(asked.is_closed)
