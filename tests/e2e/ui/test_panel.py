"""The side panel and the popup: each control does what it says, seen elsewhere than in the page it is on."""

import contextlib
import json
from pathlib import Path

import pytest

from e2e.cdp import Browser, CdpError, Page
from e2e.site import Site
from e2e.ui.desk import BUTTON, GO, Desk
from e2e.ui.hand import PLACE, Hand
from e2e.ui.own_pages import OPTIONS, PANEL, POPUP, QUESTION, look_at, open_page, read, themed
from polling import until

SEEN = ["Read the title", "Click – refused", "Clicked Go"]
CONTROLS = """[...document.querySelectorAll('input, select, textarea, button, summary, a[href], [tabindex]')]
  .filter((control) => control.checkVisibility() && !control.disabled)"""
NAMED = "control.ariaLabel || control.labels?.[0]?.textContent.trim() || control.textContent.trim() || control.getAttribute('aria-labelledby')"


# ---- stop, pause, the connection ----------------------------------------------------------------------------------------


def stopped(page: Page) -> bool:
    return bool(page.evaluate("chrome.runtime.sendMessage({ type: 'pauseState' }).then(({ cause }) => cause === 'stopped')"))


def test_stop_pause_and_resume_hold_for_all_clients_from_the_panel_and_from_the_popup(desk: Desk, site: Site) -> None:
    desk.view("now")
    _, tab = desk.open(desk.anna, site.page(BUTTON))
    popup = open_page(desk.browser, POPUP)
    pages = {"panel": desk.page, "popup": popup}

    def show(expression: str) -> None:
        for page in pages.values():
            page.wait_for(expression)

    show("document.querySelector('#clients > li') !== null")
    waiting = desk.anna.start("wait", **{"for": "text", "text": "Never", "timeout": 20_000, "tabId": tab})
    desk.page.wait_for("document.querySelector('#activity [data-end=running]') !== null")
    show("document.querySelector('#state').textContent.includes('Anna is working')")
    desk.hand.click("#stop")
    assert waiting.result(5).code == "stopped_by_user"
    desk.page.wait_for(
        "document.querySelector('#stop').textContent === 'Stopped: Anna' && document.querySelector('#stop').disabled"
    )
    show("document.querySelector('#paused').textContent.includes('Anna: 1 call ended.')")
    show("document.querySelector('#state').dataset.state === 'stopped'")
    assert desk.bert.fails("title", tabId=tab).code == "stopped_by_user"
    for where, page in pages.items():
        look_at(page, f"{where}-stopped")
    Hand(popup).click("#resume:enabled")
    show("document.querySelector('#state').dataset.state !== 'stopped' && !document.querySelector('#stop').disabled")
    desk.bert.ok("title", tabId=tab)
    Hand(popup).click("#pause")
    show("document.querySelector('#paused').textContent.startsWith('Paused at')")
    assert "paused Tabwire" in desk.anna.fails("title", tabId=tab).text
    for page in pages.values():
        with themed(page, "light", 320):
            heights = page.evaluate("['#state', '#stop'].map((one) => document.querySelector(one).offsetHeight)")
        assert max(heights) < 40, "what a narrow page has no room for is cut, on one line"
    desk.hand.click("#resume:enabled")
    show("document.querySelector('#state').dataset.state !== 'paused'")
    desk.anna.ok("title", tabId=tab)
    desk.hand.click("#pause")
    show("document.querySelector('#paused').textContent.startsWith('Paused at')")
    desk.person.ask("resume")
    show("document.querySelector('#state').dataset.state !== 'paused'")
    popup.close()


# The control is the same in both; where it lies, and what moves into its place, is each one's own.
@pytest.mark.parametrize(("how", "where"), [("60 ms", "panel"), ("180 ms", "panel"), ("Enter", "panel"), ("180 ms", "popup")])
def test_a_second_press_of_stop_does_not_resume(desk: Desk, how: str, where: str) -> None:
    page = desk.page if where == "panel" else open_page(desk.browser, POPUP)
    page.wait_for("document.querySelector('#clients > li') !== null")
    # The moment of each press is the page's own; between two of them nothing is waited for but the gap.
    page.evaluate("""globalThis.pressed = new Promise((done) =>
      document.querySelector('#stop').addEventListener('click', done, { once: true })); undefined""")
    x, y = page.evaluate(PLACE % '"#stop"')
    if how == "Enter":
        page.evaluate("document.querySelector('#stop').focus()")
        for _ in range(2):
            Hand(page).press("Enter")
            page.wait_for("document.querySelector('#stop').disabled")
    else:
        for count in (1, 2):
            at = {"x": x, "y": y, "button": "left", "clickCount": count}
            page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **at})
            page.call("Input.dispatchMouseEvent", {"type": "mouseReleased", **at})
            page.evaluate(f"pressed.then(() => new Promise((done) => setTimeout(done, {how.split()[0]})))")
        assert page.evaluate(f"document.elementFromPoint({x}, {y}).closest('button').id") == "stop"
    assert stopped(page)
    page.wait_for("document.querySelector('#stop').disabled && document.querySelector('#stop').textContent.startsWith('Stopped')")
    assert page.evaluate("document.activeElement.id") != "resume"
    desk.person.ask("resume")
    page.wait_for("!document.querySelector('#stop').disabled")
    if page is not desk.page:
        page.close()


def test_one_client_is_stopped_alone_and_goes_on_when_the_person_says_so(desk: Desk, site: Site) -> None:
    desk.view("now")
    page, tab = desk.open(desk.anna, site.page(BUTTON))
    anna = desk.page.evaluate(
        "[...document.querySelectorAll('#clients > li')].find((row) => row.textContent.includes('Anna')).dataset.client"
    )
    waiting = desk.anna.start("wait", **{"for": "text", "text": "Never", "timeout": 20_000, "tabId": tab})
    other = desk.bert.start("wait", **{"for": "text", "text": "Done", "timeout": 20_000, "tabId": tab})
    desk.page.wait_for("document.querySelectorAll('#activity [data-end=running]').length === 2")
    desk.hand.click(f'[data-stop="{anna}"]')
    reply = waiting.result(5)
    assert (reply.code, "stopped you" in reply.text) == ("stopped_by_user", True), reply
    desk.shows(f'[data-client="{anna}"] .stopped', "1 call ended.")
    refused = desk.anna.fails("title", tabId=tab)
    assert (refused.code, "stopped you" in refused.text) == ("stopped_by_user", True), refused
    assert not other.done()
    page.evaluate("document.body.append('Done')")
    assert not other.result(10).is_error
    desk.hand.click(f'[data-resume="{anna}"]:enabled')
    desk.page.wait_for(f"document.querySelector('[data-client=\"{anna}\"] .stopped').hidden")
    desk.anna.ok("title", tabId=tab)
    # It outlives the worker, and the connection with it.
    message = "chrome.runtime.sendMessage({ type: '%s', clientId: '" + anna + "' })"
    assert desk.person.page.evaluate(message % "stopClient")["stop"]["calls"] == 0
    desk.browser.stop_workers()
    until(lambda: desk.anna.call("title", tabId=tab).code, equals="stopped_by_user", within=15)
    until(lambda: desk.person.page.evaluate(message % "resumeClient"), equals={"stop": None})
    desk.anna.ok("title", tabId=tab)
    desk.page.wait_for("document.querySelectorAll('#clients > li').length === 2", 15)


def test_the_connection_is_the_proven_one_and_the_browser_gets_its_name_there(desk: Desk) -> None:
    desk.view("now")
    for name in ("Anna", "Bert"):
        desk.shows("#clients", name)
        desk.shows("#hops", name)
    # Who a client is stands in its handshake: it need not call anything.
    with contextlib.closing(desk.chromium.serve(name="claude-ai")):
        desk.shows("#clients", "Claude Desktop")
        until(lambda: "Claude Desktop" in desk.browser.in_worker("chrome.action.getTitle({})"))
    desk.page.wait_for(
        "[...document.querySelectorAll('#hops li')].filter((row) => row.dataset.ok === 'true' && row.textContent.includes('answers in ')).length > 2"
    )
    desk.view("sites")
    desk.hand.click("#name")
    # While the field has the focus the panel does not put the name of before into it.
    desk.page.evaluate("document.querySelector('#name').select()")
    desk.page.call("Input.insertText", {"text": "Kitchen"})
    desk.hand.press("Enter")
    until(lambda: desk.anna.ok("status").data["browsers"][0]["name"], equals="Kitchen")


def test_a_tab_is_given_to_a_client_and_taken_back(desk: Desk, site: Site) -> None:
    url = site.page(BUTTON, "Mine")
    popup = open_page(desk.browser, POPUP)
    desk.browser.open(url)
    popup.wait_for("document.querySelector('#use-tab-title').textContent === 'Mine'")
    bert = popup.evaluate(
        "(() => { const choice = document.querySelector('#use-tab-client');"
        " choice.value = [...choice.options].find(({ text }) => text === 'Bert').value; choice.dispatchEvent(new Event('change'));"
        " return choice.value })()"
    )
    tab = desk.browser.in_worker("chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => tab.id)")
    popup.wait_for("document.querySelector('#use-tab').ariaLabel === 'Use this tab with Bert'")
    popup.evaluate("document.querySelector('#use-tab').click()")
    popup.wait_for("document.querySelector('#use-tab').textContent === 'Take this tab back from Bert'")
    group = f"chrome.tabs.get({tab}).then(({{ groupId }}) => groupId < 0 ? '' : chrome.tabGroups.get(groupId).then(({{ title }}) => title))"
    until(lambda: desk.browser.in_worker(group), equals="Bert")
    assert "Mine" in desk.bert.ok("title").text, "it works there from now on"
    assert desk.anna.fails("click", selector=GO, tabId=tab).code == "tab_leased"
    desk.bert.ok("click", selector=GO)
    popup.evaluate("document.querySelector('#use-tab').click()")
    popup.wait_for("document.querySelector('#use-tab').textContent.startsWith('Use this tab')")
    until(lambda: desk.browser.in_worker(group), equals="")
    assert desk.bert.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    assert bert
    popup.close()


def panels(browser: Browser, url: str) -> set[str]:
    """The documents at a URL, in tabs and beside them."""
    return {target["targetId"] for target in browser.targets() if target["url"] == url and target["type"] != "tab"}


def test_the_popup_opens_the_side_panel_and_what_is_asked_beside_it_needs_no_window(desk: Desk, site: Site) -> None:
    popup = open_page(desk.browser, POPUP)
    url = PANEL
    before = panels(desk.browser, url)
    Hand(popup).click("#open-options")
    # The tab may change its process on the way, and is not listed for that moment.
    desk.browser.at(OPTIONS).wait_for("document.readyState === 'complete'", ignoring=CdpError)
    desk.browser.at(OPTIONS).close()
    desk.browser.call("Target.activateTarget", {"targetId": popup.target_id})
    Hand(popup).click("[data-view=activity]:enabled")
    until(lambda: panels(desk.browser, url) - before)
    (target,) = panels(desk.browser, url) - before
    panel = Page(desk.browser, target)
    panel.wait_for("document.querySelectorAll('#clients > li').length === 2", 15)
    panel.wait_for("!document.querySelector('#view-activity').hidden && document.querySelector('#view-now').hidden")
    # What the panel has said of itself goes before this.
    asked = "chrome.runtime.sendMessage({ type: 'handovers' })"
    assert panel.evaluate(f"chrome.tabs.getCurrent().then(() => chrome.windows.getCurrent()).then(() => {asked})") == {
        "handovers": []
    }
    popup.close()
    _, tab = desk.open(desk.anna, site.page("<p>Words"))
    call = desk.anna.start("ask_user", question="Well?", tabId=tab)
    panel.wait_for("document.querySelector('#handovers textarea') !== null")
    windows = "chrome.windows.getAll({ windowTypes: ['popup'] }).then((all) => all.length)"
    panel.evaluate("document.querySelector('#handovers textarea').value = 'Fine'")
    assert desk.browser.in_worker(windows) == 0
    Hand(panel).click("#handovers form button:not([type])")
    assert call.result(10).data["answer"] == "Fine"
    script = desk.anna.start("evaluate", expression="1 + 1", tabId=tab)
    panel.wait_for("document.querySelector('#questions li') !== null")
    assert desk.browser.in_worker(windows) == 0
    panel.evaluate("void setTimeout(() => window.close())")
    until(lambda: panels(desk.browser, url), equals=before)
    # It is still open, and nothing shows it any more.
    window = desk.browser.at(QUESTION)
    window.wait_for("document.querySelector('#questions li') !== null")
    window.close()
    assert "not now" in script.result(10).text


# ---- tabs and activity --------------------------------------------------------------------------------------------------


def test_a_tab_in_use_is_listed_shown_taken_back_and_given_back(desk: Desk, site: Site) -> None:
    desk.view("now")
    page, tab = desk.open(desk.anna, site.page(BUTTON, "Shopping"))
    row = f'#tabs [data-tab="{tab}"]'
    desk.shows(row, "Shopping")
    desk.shows(row, "Anna")
    desk.hand.click(f"{row} .link")
    until(lambda: desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.active)"))
    desk.hand.click(f"{row} [data-take]")
    desk.shows(row, "you took it from Anna")
    assert desk.anna.fails("click", selector=GO, tabId=tab).code == "permission_denied"
    assert desk.browser.in_worker(f"chrome.tabs.get({tab}).then((tab) => tab.groupId)") == -1
    desk.hand.click(f"{row} [data-give]")
    desk.page.wait_for(f"document.querySelector('{row}') === null")
    desk.anna.ok("click", selector=GO, tabId=tab)
    assert page.evaluate("hits") == 1
    desk.page.evaluate("document.title = 'Still open'")
    page.evaluate("document.title = 'Basket'")
    desk.shows(row, "Basket")


def test_activity_is_seen_as_it_happens_filtered_saved_and_cleared(desk: Desk, site: Site, tmp_path: Path) -> None:
    _, tab = desk.open(desk.anna, site.page(BUTTON))
    desk.anna.ok("click", selector=GO, tabId=tab)
    assert desk.bert.fails("click", selector=GO, tabId=tab).code == "tab_leased"
    desk.anna.ok("title", tabId=tab)
    desk.view("activity")
    whats = "[...document.querySelectorAll('#activity .what')].map((what) => what.textContent)"
    desk.page.wait_for(f"JSON.stringify({whats}.slice(0, 3)) === '{json.dumps(SEEN, separators=(',', ':'))}'")
    desk.shows('#activity [data-end="refused"] dl', "tab_leased")
    desk.shows("#activity .group", "Anna")
    desk.hand.click("[data-filter=act]")
    desk.page.wait_for(f"!{whats}.includes('Read the title') && {whats}.includes('Clicked Go')")
    desk.hand.click("[data-filter=refused]")
    desk.page.wait_for(f"{whats}.every((what) => what.endsWith('refused'))")
    desk.hand.click("[data-filter=all]")
    desk.hand.click("#activity .act summary")
    desk.page.wait_for("document.querySelector('#activity .act details').open")
    desk.hand.click("#view-activity > details > summary")
    desk.browser.call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    for form in ("jsonl", "json"):
        desk.hand.click(f"#save-{form}")
        until(lambda form=form: list(tmp_path.glob(f"tabwire-activity-*.{form}")))
    (lines,) = tmp_path.glob("*.jsonl")
    saved = [json.loads(line) for line in lines.read_text().splitlines()]
    assert {"client": "Anna", "title": "Click", "state": "done", "origin": site.origin}.items() <= saved[-3].items()
    assert saved[-2]["error"] == "tab_leased"
    (whole,) = tmp_path.glob("*.json")
    assert json.loads(whole.read_text())[: len(saved)] == saved
    desk.hand.click("#clear")
    desk.page.wait_for("document.querySelector('#activity').children.length === 0")
    desk.shows("#no-activity", "Nothing was done yet")
    assert desk.page.evaluate("chrome.runtime.sendMessage({type: 'activity'})") == {"entries": []}


# ---- for everybody ------------------------------------------------------------------------------------------------------


def test_every_page_is_fit_to_be_seen_and_heard_in_light_and_dark(desk: Desk, site: Site) -> None:
    _, tab = desk.open(desk.anna, site.page(BUTTON, "Shopping"))
    desk.anna.ok("click", selector=GO, tabId=tab)
    desk.page.evaluate("chrome.runtime.sendMessage({type: 'setSiteRule', pattern: 'bank.example', level: 'never'})")
    options = open_page(desk.browser, OPTIONS)
    options.wait_for("document.querySelector('#rules [data-pattern=\"bank.example\"]') !== null")
    everything = "for (const part of document.querySelectorAll('details')) part.open = true"
    desk.page.evaluate(everything)
    options.evaluate(everything)
    task = desk.anna.start("ask_user", question="Please log in to the shop", please_do=True, tabId=tab)
    _, other = desk.open(desk.bert, site.page("<p>Words", "Other"))
    text = desk.bert.start("ask_user", question="Which colour?", tabId=other)
    cookies = desk.bert.start("cookies", action="get_all", url=site.origin)
    desk.page.wait_for(
        "document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#questions li') !== null"
    )
    popup = open_page(desk.browser, POPUP)
    popup.wait_for("document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#clients > li') !== null")
    window = desk.browser.at(QUESTION)
    window.wait_for("document.querySelectorAll('#handovers li').length === 2 && document.querySelector('#questions li') !== null")
    pages = {f"panel-{view}": desk.page for view in ("now", "activity", "sites")}
    for name, page in {**pages, "popup": popup, "question": window, "options": options}.items():
        if page is desk.page:
            desk.view(name.removeprefix("panel-"))
        look_at(page, name)
        unnamed = page.evaluate(f"{CONTROLS}.filter((control) => !({NAMED})).map((control) => control.outerHTML)")
        assert unnamed == [], name
        assert page.evaluate(f"{CONTROLS}.every((control) => control.tabIndex === 0)"), name
    Hand(popup).click("[data-outcome=done]")
    Hand(window).type("textarea", "Blue")
    Hand(window).click("form button:not([type])")
    window.wait_for("document.querySelector('#handovers li') === null")
    read(window)
    with contextlib.suppress(CdpError, AssertionError):
        # The window goes with its last question.
        Hand(window).click("[data-answer=once]")
    assert (task.result(10).data["outcome"], text.result(10).data["answer"], cookies.result(10).is_error) == (
        "done",
        "Blue",
        False,
    )
    popup.close()
    options.close()


def test_the_keyboard_reaches_every_control_in_the_order_of_the_page(desk: Desk) -> None:
    desk.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = false")
    expected = desk.page.evaluate(f"{CONTROLS}.map((control) => control.id || control.outerHTML.slice(0, 60))")
    desk.browser.call("Target.activateTarget", {"targetId": desk.page.target_id})
    desk.page.evaluate("document.querySelector('#stop').focus()")
    reached = [expected[0]]
    assert expected[0] == "stop"
    for _ in expected[1:]:
        desk.hand.press("Tab")
        reached.append(desk.page.evaluate("document.activeElement.id || document.activeElement.outerHTML.slice(0, 60)"))
    assert reached == expected
