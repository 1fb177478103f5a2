"""What the person allows and answers in the side panel: it counts for the clients, and is seen there."""

import json

from e2e.site import Site
from e2e.ui.desk import BUTTON, GO, Desk
from e2e.ui.hand import Hand
from e2e.ui.own_pages import POPUP, open_page, read
from polling import until


def test_rules_of_sites_are_made_changed_and_removed(desk: Desk, site: Site) -> None:
    _, tab = desk.open(desk.anna, site.page(f"<p>Words{BUTTON}"))
    host = site.origin.removeprefix("http://")
    rule = f'#rules [data-pattern="{host}"]'
    desk.view("sites")
    desk.hand.type("#new-pattern", "not a site")
    desk.hand.press("Enter")
    desk.shows("#rule-problem", "names no site")
    desk.page.evaluate("document.querySelector('#new-pattern').value = ''")
    desk.hand.type("#new-pattern", host)
    desk.select("#new-level", "never")
    desk.hand.click("#new-rule button")
    desk.page.wait_for(f"document.querySelector('{rule} [data-level]')?.value === 'never'")
    assert desk.anna.fails("snapshot", tabId=tab).code == "permission_denied"
    desk.select(f"{rule} [data-level]", "read")
    until(lambda: not desk.anna.call("snapshot", tabId=tab).is_error)
    assert desk.anna.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    desk.hand.click(f"{rule} summary")
    desk.hand.click(f"{rule} [data-remove]")
    desk.page.wait_for(f"document.querySelector('{rule}') === null")
    desk.anna.ok("click", selector=GO, tabId=tab)
    # All sites without a rule of their own.
    everywhere = '#rules [data-pattern="*"]'
    desk.select(f"{everywhere} [data-level]", "read")
    until(lambda: desk.anna.call("click", selector=GO, tabId=tab).code, equals="permission_denied")
    desk.select(f"{everywhere} [data-level]", "act")
    until(lambda: not desk.anna.call("click", selector=GO, tabId=tab).is_error)
    assert desk.page.evaluate("document.querySelector('#never').textContent").count("credentials") == 1


def test_a_choice_holds_until_the_worker_has_answered_it(desk: Desk) -> None:
    desk.view("sites")
    everywhere = '#rules [data-pattern="*"] [data-level]'
    value = f"document.querySelector('{everywhere}').value"
    desk.page.wait_for(f"{value} === 'act'")
    # The worker hears of no choice until it may.
    desk.page.evaluate("""(() => {
      const send = chrome.runtime.sendMessage.bind(chrome.runtime);
      const held = [];
      chrome.runtime.sendMessage = (message) => message.type === "setSiteRule"
        ? new Promise((done) => held.push(() => done(send(message)))) : send(message);
      globalThis.letGo = () => { chrome.runtime.sendMessage = send; for (const go of held) go(); return held.length; };
    })()""")
    desk.page.evaluate(f"document.querySelector('{everywhere}').focus()")
    desk.hand.press("ArrowUp")
    assert desk.page.evaluate(value) == "read"
    # Meanwhile it tells of something else, and with it what it still takes for the rule.
    desk.person.ask("setSiteRule", pattern="other.example", level="never")
    desk.page.wait_for("document.querySelector('#rules [data-pattern=\"other.example\"]') !== null")
    assert desk.page.evaluate(value) == "read"
    desk.hand.press("ArrowUp")
    assert desk.page.evaluate(value) == "ask"
    assert desk.page.evaluate("letGo()") == 2
    until(lambda: [rule["level"] for rule in desk.person.ask("siteRules")["rules"] if rule["pattern"] == "*"], equals=["ask"])
    # The row has a rule of its own now, and is still the one with the focus.
    desk.page.wait_for(f"{value} === 'ask' && document.activeElement === document.querySelector('{everywhere}')")
    desk.person.ask("setSiteRule", pattern="*", level="read")
    desk.page.wait_for(f"{value} === 'read'")
    # A choice that is refused is taken back.
    desk.page.evaluate("""(() => {
      const send = chrome.runtime.sendMessage.bind(chrome.runtime);
      chrome.runtime.sendMessage = (message) => {
        chrome.runtime.sendMessage = send;
        return send({ ...message, level: "everything" });
      };
    })()""")
    desk.hand.press("ArrowDown")
    desk.shows("#rule-problem", "there is no level everything")
    assert desk.page.evaluate(value) == "read"


def test_kinds_are_allowed_and_refused_per_site_without_a_question(desk: Desk, site: Site) -> None:
    url = site.page("<p>Words")
    host = site.origin.removeprefix("http://")
    page, tab = desk.open(desk.anna, url)
    page.evaluate("document.cookie = 'seen=1'")
    desk.view("sites")
    desk.hand.type("#new-pattern", host)
    desk.select("#new-level", "act")
    desk.hand.click("#new-rule button")
    rule = f'#rules [data-pattern="{host}"]'
    desk.hand.click(f"{rule} summary")
    desk.select(f"{rule} [data-kind=cookies]", "allow")
    desk.shows(f"{rule} .exceptions", "cookies: allow")
    assert "seen" in desk.anna.ok("cookies", action="get_all", url=url).text
    desk.select(f"{rule} [data-kind=cookies]", "never")
    until(lambda: desk.anna.call("cookies", action="get_all", url=url).code, equals="permission_denied")
    # Another kind is asked for as before.
    desk.select(f"{rule} [data-kind=cookies]", "ask")
    desk.page.wait_for(f"document.querySelector('{rule} .exceptions').textContent === ''")
    call = desk.anna.start("cookies", action="get_all", url=url)
    desk.shows("#questions", "read or change cookies")
    desk.page.evaluate(
        "chrome.runtime.sendMessage({ type: 'questions' }).then(({ questions: [{ id }] }) => "
        "chrome.runtime.sendMessage({ type: 'answerQuestion', id, answer: 'later' }))"
    )
    assert call.result(10).code == "permission_denied"
    desk.hand.click(f"{rule} [data-remove]")
    desk.page.wait_for(f"document.querySelector('{rule}') === null")


def test_a_question_is_answered_in_the_panel_and_an_answer_for_longer_is_forgotten_there(desk: Desk, site: Site) -> None:
    desk.open(desk.anna, site.page("<p>Words"))
    kept = f'#rules [data-pattern="{site.origin}"]'
    for answer, told in (("site", "cookies: allow"), ("hour", "cookies: allow until ")):
        call = desk.anna.start("cookies", action="get_all", url=site.origin)
        desk.shows("#questions", "read or change cookies")
        read(desk.page)
        desk.hand.click(f"#questions [data-answer={answer}]")
        assert not call.result(10).is_error
        desk.page.wait_for("document.querySelector('#asked').hidden")
        assert not desk.anna.call("cookies", action="get_all", url=site.origin).is_error
        desk.view("sites")
        desk.shows(f"{kept} .exceptions", told)
        desk.hand.click(f"{kept} summary")
        if answer == "hour":
            select = f"{kept} [data-kind=cookies]"
            desk.page.wait_for(f"document.querySelector({json.dumps(select)}).selectedOptions[0].text.startsWith('Allow until ')")
            desk.select(select, "allow")
            desk.page.wait_for(f"document.querySelector({json.dumps(kept)} + ' .exceptions').textContent === 'cookies: allow'")
        desk.hand.click(f"{kept} [data-remove]")
        desk.page.wait_for(f"document.querySelector('{kept}') === null")
    desk.page.evaluate("delete performance.now")


def test_what_a_client_asks_is_seen_in_panel_and_popup_and_answered_there(desk: Desk, site: Site) -> None:
    _, tab = desk.open(desk.anna, site.page("<p>Words", "The shop"))
    popup = open_page(desk.browser, POPUP)
    for answering in (desk.page, popup):
        call = desk.anna.start("ask_user", question="Which size?", choices=["Small", "Large"], tabId=tab)
        for page in (desk.page, popup):
            page.wait_for("document.querySelector('#told').textContent === 'Anna asks you: Which size?'")
            page.wait_for("document.querySelector('.where span').textContent === 'The shop'")
        assert desk.browser.in_worker("chrome.action.getBadgeText({})") == "?"
        Hand(answering).click("[data-show=tab]")
        until(lambda: desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.active)"))
        answering.evaluate("document.querySelector('[data-choice=Large]').focus()")
        Hand(answering).press("Enter")
        assert call.result(10).data["answer"] == "Large"
        for page in (desk.page, popup):
            page.wait_for("document.querySelector('#asked').hidden")
        desk.browser.call("Target.activateTarget", {"targetId": popup.target_id})
    popup.close()


def test_signs_are_switched_there(desk: Desk) -> None:
    desk.view("sites")
    for choice, value in (("off", False), ("on", True), ("own", None)):
        desk.select("#signs", choice)
        until(
            lambda value=value: desk.browser.in_worker("chrome.storage.local.get('settings').then((all) => all.settings.signs)"),
            equals=value,
        )
