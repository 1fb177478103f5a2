"""Attacks on documents of barred sites in a page that is allowed, a row each: what the debugger tells, and what it runs there.

Each row has its twin, the same document of an allowed site, where all of it is told and done. ``scripts/lab/attacks`` prints the rows.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from e2e.cdp import Page
from e2e.rules.barred_frames import ASKED, DESK, LEDGERS, PLACES, TAKEN, TICK, TILL, VAULT, Ground, shown
from e2e.rules.ruling import BANK, SECRET, SHOP
from e2e.rules.test_attacks import ATTACK
from polling import until


@pytest.mark.parametrize("place", PLACES)
def test_no_pause_tells_of_a_barred_document_and_no_script_runs_there(
    ground: Ground, place: str, request: pytest.FixtureRequest
) -> None:
    anna = shown(ground, place, BANK)
    replies = [
        anna.ok("breakpoints", action="set", source=ground.shared, line=4, log=f"({ground.post(TAKEN, 'told')}, told)"),
        anna.ok("breakpoints", action="set", source=ground.shared, line=2, condition=f"({ground.post(ASKED, 'balance')}, true)"),
        anna.ok("breakpoints", action="set", exceptions="all"),
        anna.ok("breakpoints", action="set", request="tick"),
    ]
    ground.ran_on()
    state, listed = anna.ok("paused"), anna.ok("breakpoints")
    replies += [state, listed, anna.call("paused", action="evaluate", expression="balance")]
    request.node.user_properties.append((ATTACK, state.text.splitlines()[0]))
    assert not [reply for reply in replies if SECRET in reply.fenced or "Error" in reply.text], replies
    assert (state.data["paused"], [one["hits"] for one in listed.data["breakpoints"]]) == (False, [0, 0, 0, 0]), (state, listed)
    assert (ground.posted(TAKEN), ground.posted(ASKED)) == ([], [])


@pytest.mark.parametrize("place", PLACES)
def test_the_same_document_of_an_allowed_site_is_told_and_run_in(ground: Ground, place: str) -> None:
    anna = shown(ground, place, SHOP)
    anna.ok("breakpoints", action="set", source=ground.shared, line=4, log=f"({ground.post(TAKEN, 'told')}, told)")
    until(lambda: SECRET in ground.posted(TAKEN), within=10)
    until(lambda: SECRET in anna.ok("breakpoints").text)
    anna.ok("breakpoints", action="remove")
    anna.ok("breakpoints", action="set", source=ground.shared, line=2, condition=f"({ground.post(ASKED, 'balance')}, true)")
    state = anna.ok("paused", wait=5)
    assert f'balance = "{SECRET}"' in state.text, state
    assert anna.ok("paused", action="evaluate", expression="balance").text == f'"{SECRET}"'
    anna.ok("breakpoints", action="remove")
    anna.ok("paused", action="resume")
    until(lambda: SECRET in ground.posted(ASKED), within=10)
    anna.ok("breakpoints", action="set", exceptions="all")
    state = anna.ok("paused", wait=5)
    assert f"Exception: Error: {SECRET}" in state.text, state
    anna.ok("breakpoints", action="remove")
    anna.ok("paused", action="resume")
    ground.ran_on()


@pytest.mark.parametrize("process", LEDGERS)
def test_a_document_that_may_only_be_read_pauses_but_no_script_of_the_client_runs_there(
    ground: Ground, process: str, request: pytest.FixtureRequest
) -> None:
    anna = shown(ground, "a frame of another process", LEDGERS[process])
    anna.ok("breakpoints", action="set", source=ground.shared, line=4, log=ground.post(TAKEN, "told"))
    anna.ok("breakpoints", action="set", source=ground.shared, line=2, condition=f"({ground.post(ASKED, 'balance')}, true)")
    ground.ran_on()
    assert [one["hits"] for one in anna.ok("breakpoints").data["breakpoints"]] == [0, 0]
    anna.ok("breakpoints", action="remove")
    anna.ok("breakpoints", action="set", source=ground.shared, line=2)
    state = anna.ok("paused", wait=5)
    assert f'balance = "{SECRET}"' in state.text, state
    answer = anna.call("paused", action="evaluate", expression=ground.post(ASKED, "balance"))
    request.node.user_properties.append((ATTACK, answer.text.splitlines()[0]))
    assert answer.code == "permission_denied", answer
    anna.ok("breakpoints", action="remove")
    anna.ok("paused", action="resume")
    ground.ran_on()
    assert (ground.posted(TAKEN), ground.posted(ASKED)) == ([], [])


MANY, FAST_MS = 400, 400
"""Calls of a function in which a condition is false, and a time in which no debugger pauses the page as often."""
MANY_CALLS = f"""(() => {{
  const [before, begin] = [self.asked ?? 0, performance.now()];
  for (let i = 0; i < {MANY}; i += 1) turn("");
  return performance.now() - begin < {FAST_MS} && self.asked === before + {MANY};
}})()"""
ADD_FRAME = "document.body.append(Object.assign(document.createElement('iframe'), {{ src: '{url}' }})); 1"
LOAD_AGAIN = "setInterval(() => document.head.append(Object.assign(document.createElement('script'), { src: turnAt })), 100);"


def beside(ground: Ground, host: str, more: str = "") -> str:
    """A page of a host in the process of the page around it, which calls the shared script with its secret."""
    return ground.page(host, f"<script>turnAt = '{ground.shared}'; {more}</script>{ground.script()}")


def seen_by_engine(ground: Ground, url: str) -> Page:
    """Opens a page, and sets a condition in the shared script that is false so often that the engine decides about it."""
    anna = ground.ruled.anna
    anna.ok("tab_new", url=url)
    asked = f"(self.asked = (self.asked ?? 0) + 1, balance && {ground.post(ASKED, 'balance')}, false)"
    anna.ok("breakpoints", action="set", source=ground.shared, line=2, condition=asked)
    # Documents share what was compiled before the debugger was on.
    anna.ok("navigate", url=url)
    page = ground.ruled.browser.at(url)
    until(lambda: page.evaluate(MANY_CALLS), within=60, says="the engine decides about the condition")
    return page


def frame_from_the_start(ground: Ground, host: str) -> None:
    frame = f"<iframe src='{beside(ground, host)}'></iframe>"
    seen_by_engine(ground, ground.page(DESK, f"<script src='{ground.shared}'></script>{frame}"))


def frame_put_in_later(ground: Ground, host: str) -> None:
    page = seen_by_engine(ground, ground.page(DESK, f"<script src='{ground.shared}'></script>"))
    page.evaluate(ADD_FRAME.format(url=beside(ground, host)))


def script_loaded_again(ground: Ground, host: str) -> None:
    frame = f"<iframe src='{beside(ground, host, LOAD_AGAIN)}'></iframe>"
    seen_by_engine(ground, ground.page(DESK, f"<script src='{ground.shared}'></script>{frame}"))


HOT = (frame_from_the_start, frame_put_in_later, script_loaded_again)


@pytest.mark.parametrize("hot", HOT)
def test_a_condition_that_the_engine_decides_about_does_not_run_in_a_barred_document(
    ground: Ground, hot: Callable[[Ground, str], None], request: pytest.FixtureRequest
) -> None:
    hot(ground, VAULT)
    ground.ran_on(20)
    listed = ground.ruled.anna.ok("breakpoints")
    request.node.user_properties.append((ATTACK, listed.text.splitlines()[0]))
    assert ground.posted(ASKED) == [] and ground.ruled.site.hit_count(TICK) > 0
    assert SECRET not in listed.fenced and ground.ruled.anna.ok("paused").data["paused"] is False


@pytest.mark.parametrize("hot", HOT)
def test_a_condition_that_the_engine_decides_about_runs_in_the_same_document_of_an_allowed_site(
    ground: Ground, hot: Callable[[Ground, str], None]
) -> None:
    hot(ground, TILL)
    until(lambda: SECRET in ground.posted(ASKED), within=20)
    ground.ran_on()
    assert ground.ruled.anna.ok("paused").data["paused"] is False
