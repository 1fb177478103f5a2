"""Attacks on documents of barred sites in a page that is allowed, a row each: what the debugger tells, and what it runs there.

Each row has its twin, the same document of an allowed site, where all of it is told and done. ``scripts/attacks`` prints the rows.
"""

from __future__ import annotations

import pytest

from e2e.rules.barred_frames import ASKED, PLACES, TAKEN, Ground, shown
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
