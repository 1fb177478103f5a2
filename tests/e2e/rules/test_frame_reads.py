"""What the debugger tells of documents of barred sites in a page that is allowed: sources, messages, profiles, listeners.

Each row has its twin, the same document of an allowed site, which is told. In both, the page around is told as ever.
"""

import json
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.rules.barred_frames import DESK_SAYS, OWN_NAME, PLACES, TILL, TURN, Ground, shown
from e2e.rules.ruling import BANK, SECRET, SHOP
from e2e.rules.test_attacks import ATTACK
from polling import until

FRAMES = [place for place in PLACES if "worker" not in place and place != "a frame of a blob"]
"""Those that Chrome lists: a call can name them."""
PROFILED = ["a frame of the same process", "a worker of the same process"]
"""Of frames of other processes, Chrome takes no samples in most runs."""
IN_FRAMES: dict[str, dict[str, Any]] = {
    "evaluate": {"expression": "self.secret"},
    "wait": {"for": "function", "function": "return self.secret", "timeout": 1000},
    "event_listeners": {"selector": "#pay"},
    "components": {"selector": "#pay"},
}


def replies(anna: Tabwire) -> dict[str, Reply]:
    """What tells of the scripts of a tab."""
    return {
        "sources": anna.ok("sources", text=SECRET),
        "messages": anna.ok("console_messages"),
        "console": anna.ok("console"),
        "memory": anna.ok("memory"),
    }


def tells(reply: Reply) -> bool:
    """Whether a reply has a text or a name of the document."""
    text = json.dumps(reply.structured) + reply.text
    return SECRET in text or OWN_NAME in text


def of_desk(ground: Ground, anna: Tabwire, found: dict[str, Reply]) -> None:
    """What the page around has is told: the shared script, too."""
    name = ground.shared.rpartition("/")[2]
    assert DESK_SAYS in found["messages"].text and DESK_SAYS in found["console"].text, found
    assert any(name in one["source"] for one in anna.ok("sources").data["sources"])
    assert TURN.splitlines()[1].strip() in anna.ok("sources", source=ground.shared).text
    assert f"{name}:1:14 | {TURN.splitlines()[0]}" in anna.ok("event_listeners", selector="#desk").text


@pytest.mark.parametrize("place", PLACES)
def test_no_tool_tells_of_a_barred_document(ground: Ground, place: str, request: pytest.FixtureRequest) -> None:
    anna = shown(ground, place, BANK)
    found = replies(anna)
    request.node.user_properties.append((ATTACK, found["sources"].text.splitlines()[0]))
    assert not {name: reply for name, reply in found.items() if tells(reply)}
    of_desk(ground, anna, found)


@pytest.mark.parametrize("place", PLACES)
def test_all_tools_tell_of_the_same_document_of_an_allowed_site(ground: Ground, place: str) -> None:
    anna = shown(ground, place, SHOP)
    found = replies(anna)
    assert {name for name, reply in found.items() if tells(reply)} == {"sources", "messages", "console"}, found
    of_desk(ground, anna, found)


def profile(ground: Ground, anna: Tabwire) -> Reply:
    """A run over the work of the document."""
    anna.ok("code_profile", action="start")
    ground.ran_on(10)
    return anna.ok("code_profile", action="stop", max_rows=40)


@pytest.mark.parametrize("place", PROFILED)
def test_a_profile_has_no_function_of_a_barred_document(ground: Ground, place: str, request: pytest.FixtureRequest) -> None:
    anna = shown(ground, place, BANK)
    # Chrome takes no samples in some short runs.
    reply = until(lambda: profile(ground, anna), lambda one: one.data["time"]["samples"] > 0, within=30)
    request.node.user_properties.append((ATTACK, reply.text.splitlines()[0]))
    assert not tells(reply) and "vault" not in reply.text and "bank" not in reply.text, reply


@pytest.mark.parametrize("place", PROFILED)
def test_a_profile_has_the_functions_of_the_same_document_of_an_allowed_site(ground: Ground, place: str) -> None:
    anna = shown(ground, place, SHOP)
    until(lambda: profile(ground, anna), lambda one: any(host in one.text for host in (SHOP, TILL)), within=30)


def inside(ground: Ground, anna: Tabwire) -> list[tuple[str, Reply]]:
    """Calls in each frame of the tab."""
    (tab,) = {tab["tabId"] for tab in anna.tabs() if tab["active"]}
    frames = ground.ruled.browser.in_worker(f"chrome.webNavigation.getAllFrames({{tabId: {tab}}})")
    below = [one["frameId"] for one in frames if one["frameId"]]
    return [(tool, anna.call(tool, frameId=frame, **arguments)) for frame in below for tool, arguments in IN_FRAMES.items()]


@pytest.mark.parametrize("place", FRAMES)
def test_no_call_works_in_a_barred_frame(ground: Ground, place: str, request: pytest.FixtureRequest) -> None:
    anna = shown(ground, place, BANK)
    answers = inside(ground, anna)
    request.node.user_properties.append((ATTACK, answers[0][1].text.splitlines()[0]))
    assert {reply.code for _, reply in answers} == {"permission_denied"}, answers
    assert not [reply for _, reply in answers if tells(reply)]


@pytest.mark.parametrize("place", FRAMES)
def test_calls_work_in_the_same_frame_of_an_allowed_site(ground: Ground, place: str) -> None:
    anna = shown(ground, place, SHOP)
    answers = until(lambda: inside(ground, anna), lambda found: any(tells(reply) for _, reply in found))
    assert {tool for tool, reply in answers if not reply.is_error and tells(reply)} == {*IN_FRAMES}, answers
