"""The person stops everything, or pauses it: calls in flight end, new ones are refused, and only the person resumes."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.client import Reply
from e2e.person import Person
from e2e.rules.flights import DISABLED, FIELD, FLIGHTS, LONG, Two, running, stopped_together, under_way
from e2e.site import Site
from e2e.worker import Idleness, attached
from polling import until

STOP_LIMIT_S = 1.0
"""Asked for are 0.2 s; the machine may be five times slower than one that works for a person."""
LOOKED_MS = 250
"""For so long a page is watched that must stand still: at 20 ms a step that is plenty of steps."""


@pytest.fixture(scope="module")
def browser_of_two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    with Two.started(tmp_path_factory.mktemp("stopped"), "--input", "dom") as two:
        yield two


@pytest.fixture
def two(browser_of_two: Two, site: Site) -> Iterator[Two]:
    with browser_of_two.for_a_test():
        yield browser_of_two
        browser_of_two.person.ask("resume")


def still(page: Page, expression: str) -> Any:
    """The value of an expression, which must not change while it is looked at."""
    script = f"(async () => {{ const look = () => JSON.stringify({expression}); const first = look();"
    script += f" await new Promise((done) => setTimeout(done, {LOOKED_MS})); return [first, look()]; }})()"
    first, last = page.evaluate(script)
    assert first == last
    return page.evaluate(expression)


TOGETHER = (
    ("typing", "typing by DOM events", "waiting to click", "waiting for text"),
    ("typing in a hidden tab", "dragging by DOM events", "waiting for the network"),
    ("dragging", "pressing", "a script"),
    ("dragging what is draggable", "the same by DOM events", "waiting for a function"),
)
"""Calls that are stopped at once: few keep a page busy, and none needs what another one of them has."""


def test_each_flight_is_stopped() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(FLIGHTS)


@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
def test_calls_in_flight_are_stopped_at_once_and_nothing_of_them_goes_on(two: Two, site: Site, names: tuple[str, ...]) -> None:
    ended = stopped_together(two, site, {name: FLIGHTS[name] for name in names})
    for name, (page, reply, elapsed) in ended.items():
        flight = FLIGHTS[name]
        assert elapsed < STOP_LIMIT_S, (name, elapsed)
        assert reply.code == "stopped_by_user", (name, reply)
        assert ("it had begun and was cut short" in reply.text) is flight.begun, (name, reply)
        assert "Do not repeat it" in reply.text and "Only they can resume" in reply.text, (name, reply)
        page.wait_for(f"JSON.stringify({flight.looked_at}) === {json.dumps(json.dumps(flight.left, separators=(',', ':')))}")

    def look() -> dict[str, Any]:
        looked = "JSON.stringify([%s, globalThis.typed, globalThis.moves, globalThis.asked])"
        return {name: page.evaluate(looked % FLIGHTS[name].looked_at) for name, (page, _, _) in ended.items()}

    before = look()
    page.evaluate(f"new Promise((done) => setTimeout(done, {LOOKED_MS}))")
    assert look() == before


def test_one_stop_ends_what_all_clients_do_and_what_waits_behind_it(two: Two, site: Site) -> None:
    page, tab = two.open(two.anna, site.page(FIELD + BUTTON))
    _, other = two.open(two.bert, site.page(DISABLED), active=False)
    typing = two.anna.start("type", selector="label:Name", text=LONG, tabId=tab)
    under_way(two, page, typing, "typed > 2")
    queued = two.anna.start("click", selector="role:button", tabId=tab, timeout=20_000)
    waiting = two.bert.start("click", selector="role:button", tabId=other, timeout=20_000)
    reading = two.bert.start("wait", **{"for": "text", "text": "Never", "tabId": other, "timeout": 20_000})
    until(lambda: running(two), equals=4)
    two.person.stop()
    replies = {name: call.result(5) for name, call in locals().items() if isinstance(call, Future)}
    assert {name: reply.code for name, reply in replies.items()} == dict.fromkeys(replies, "stopped_by_user"), replies
    said = {name: begun_of(reply) for name, reply in replies.items()}
    assert said == {"typing": "begun", "queued": "not begun", "waiting": "not begun", "reading": "nothing"}
    assert still(page, "globalThis.hits ?? 0") == 0
    two.person.ask("resume")
    assert two.anna.ok("click", selector="role:button", tabId=tab).data["effects"]
    assert page.evaluate("hits") == 1


BUTTON = "<button onclick='globalThis.hits = (globalThis.hits ?? 0) + 1'>Go</button>"
SAYS = {"was only reading": "nothing", "had not begun": "not begun", "had begun": "begun", "may or may not": "unknown"}


def begun_of(reply: Reply) -> str:
    """How far it came, as a stopped call tells it."""
    return next((meaning for words, meaning in SAYS.items() if words in reply.text), reply.text)


def test_the_wait_for_a_page_that_loads_is_stopped(two: Two, site: Site) -> None:
    _, tab = two.open(two.anna, site.page(FIELD))
    site.hold("/gate/held")
    loading = two.anna.start("navigate", url=site.url("/gate/held"), tabId=tab, timeout=20_000)
    site.wait_for(lambda site: site.hit_count("/gate/held"))
    two.person.stop()
    reply = loading.result(5)
    assert (reply.code, begun_of(reply)) == ("stopped_by_user", "begun"), reply
    site.let_go("/gate/held")


def test_an_act_in_a_frame_of_another_site_is_stopped(two: Two, site: Site) -> None:
    inner = site.cross_page(FIELD + DISABLED)
    page, tab = two.open(two.anna, site.page(f"<iframe src='{inner}'></iframe>"))
    frame = page.frame(inner)
    for client, tool, arguments, expression in (
        (two.anna, "type", {"selector": "label:Name", "text": LONG}, "typed > 2"),
        (two.anna, "click", {"selector": "role:button", "timeout": 20_000}, "true"),
    ):
        call = client.start(tool, tabId=tab, **arguments)
        under_way(two, frame, call, expression)
        two.person.stop()
        assert call.result(5).code == "stopped_by_user"
        two.person.ask("resume")
    still(frame, "[typed, hits]")
    assert frame.evaluate("[typed < 400, down]") == [True, 0]


def test_what_a_dialog_holds_up_does_not_go_on_when_the_dialog_closes(two: Two, site: Site) -> None:
    """By DOM events, in a page whose dialog nobody but the person can close, and with the stop on its way into a frozen page."""
    asks = FIELD + "<script>document.querySelector('input').oninput = ({target}) => {"
    asks += " globalThis.typed = target.value.length; if (typed === 3) { fetch('/asked'); alert('Held') } }</script>"
    page, tab = two.open(two.bert, site.page(asks))
    held = two.chromium.browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
    two.chromium.browser.call("Page.enable", session=held)
    call = two.bert.start("type", selector="label:Name", text="abcdefghij", tabId=tab)
    site.wait_for(lambda site: site.hit_count("/asked"))
    began = two.person.stop()
    reply = call.result(5)
    assert time.monotonic() - began < 2 * STOP_LIMIT_S
    # A slow machine has found out about the dialog, and answered, before.
    assert (reply.code, begun_of(reply)) == ("stopped_by_user", "begun") or "dialog" in reply.data["effects"], reply
    two.chromium.browser.call("Page.handleJavaScriptDialog", {"accept": True}, session=held)
    two.chromium.browser.call("Target.detachFromTarget", {"sessionId": held})
    assert still(page, "document.querySelector('input').value") == "abc"


def test_a_script_that_keeps_its_page_busy_is_ended(two: Two, site: Site) -> None:
    page, tab = two.open(two.anna, site.page("<p>Busy"))
    asks = "const asked = new XMLHttpRequest(); asked.open('GET', '/asked', false); asked.send(); while (true);"
    call = two.anna.start("evaluate", expression=asks, tabId=tab)
    site.wait_for(lambda site: site.hit_count("/asked"))
    two.person.stop()
    assert begun_of(call.result(5)) == "begun"
    assert page.evaluate("1 + 1", timeout=20) == 2


def test_recordings_and_emulations_end_and_the_debugger_goes(two: Two, site: Site) -> None:
    page, tab = two.open(two.anna, site.page(FIELD))
    two.anna.ok("record", action="start", mode="fixed_fps", fps=5, tabId=tab)
    two.anna.ok("emulate", color_scheme="dark", tabId=tab)
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    with Idleness(two.browser) as idleness:
        two.person.stop()
        # The tab has lost its uses, and with them what keeps the debugger but for the time in which another one may come.
        idleness.end()
        until(lambda: attached(two.browser), equals=0)
    assert not page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    two.person.ask("resume")
    assert two.anna.ok("record", action="status", tabId=tab).data["ended"] == "stopped_by_user"
    assert two.anna.ok("record", action="stop", tabId=tab).data["frames"] >= 1


# ---- the pause ----------------------------------------------------------------------------------------------------------


def is_refused(reply: Reply) -> bool:
    return reply.code == "stopped_by_user" and "nothing was done" in reply.text and "Only they can resume" in reply.text


def test_a_pause_lets_end_what_is_under_way_and_refuses_what_is_new(two: Two, site: Site) -> None:
    page, tab = two.open(two.anna, site.page(FIELD + BUTTON))
    waiting = two.anna.start("wait", **{"for": "text", "text": "Now", "tabId": tab, "timeout": 10_000})
    until(lambda: running(two), equals=1)
    assert two.person.ask("pause")["cause"] == "paused"
    page.evaluate("document.querySelector('#keys').append('Now')")
    assert not waiting.result(10).is_error
    for client in (two.anna, two.bert):
        assert is_refused(client.call("click", selector="role:button", tabId=tab))
        assert is_refused(client.call("snapshot", tabId=tab))
        assert is_refused(client.call("tab_list"))
        status = client.ok("status").data
        assert (status["ok"], status["failed"], status["browsers"][0]["paused"]["cause"]) == (False, "page", "paused"), status
        assert "resume Tabwire in the browser" in status["fix"]
    assert page.evaluate("globalThis.hits ?? 0") == 0
    assert two.chromium.browser.in_worker("chrome.action.getBadgeText({})") == "❚❚"
    two.person.ask("resume")
    # What was at work just now has a sign of its own for a while.
    until(lambda: two.browser.in_worker("chrome.action.getBadgeText({})"), lambda text: text != "❚❚")
    two.anna.ok("click", selector="role:button", tabId=tab)


def test_nothing_but_the_persons_own_page_resumes(two: Two, site: Site) -> None:
    page, _ = two.open(two.anna, site.page(FIELD))
    two.anna.ok("snapshot")
    two.person.ask("pause")
    said = "Promise.all(['resume', 'stop', 'pause'].map((type) => chrome.runtime.sendMessage({type}).catch(() => null)))"
    assert page.evaluate_in_extension(said) == [None, None, None]
    assert two.person.ask("pauseState")["cause"] == "paused", "a stop would have changed it"
    assert is_refused(two.anna.call("title"))


def test_the_keyboard_command_stops(two: Two, site: Site) -> None:
    page, tab = two.open(two.anna, site.page(FIELD))
    typing = two.anna.start("type", selector="label:Name", text=LONG, tabId=tab)
    under_way(two, page, typing, "typed > 2")
    command = "chrome.commands.getAll().then(([action, stop]) => chrome.commands.onCommand.dispatch(stop?.name ?? action.name))"
    two.chromium.browser.in_worker(command)
    assert typing.result(5).code == "stopped_by_user"
    assert two.person.ask("pauseState")["paused"]


def test_a_pause_outlives_the_worker_and_meets_who_comes_later(two: Two) -> None:
    two.person.ask("pause")
    two.chromium.browser.stop_workers()
    until(lambda: is_refused(two.anna.call("tab_list")))
    cleo = two.chromium.serve(name="Cleo")
    until(lambda: is_refused(cleo.call("tab_list")))
    assert is_refused(cleo.call("tab_new", url="about:blank"))
    cleo.close()
    assert two.chromium.browser.in_worker("chrome.action.getBadgeText({})") == "❚❚"


def test_a_pause_outlives_the_browser(two: Two) -> None:
    """The last one: it begins another life of the browser."""
    assert two.person.ask("pause")["paused"]
    two.chromium.restart()
    until(lambda: is_refused(two.anna.call("tab_list")), within=40)
    two.person.page = Person(two.chromium.browser).page
    assert two.person.ask("resume") == {"paused": False}
    two.anna.until_joined()
