"""The rule of escalation: who only observes does not act."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tabwire.errors import PermissionDenied, TabwireError
from tabwire.middleware.escalation import Authority, escalation
from tabwire.tool import Context, ToolCall, ToolResult
from tabwire.toolsets import load_toolset

pytestmark = pytest.mark.anyio
AGENT = load_toolset("agent")
DONE = ToolResult("done")


@dataclass
class Granted:
    """An authority that was given once."""

    origins: Collection[str] | None
    asked: list[str] = field(default_factory=list)

    def refusal(self, call: ToolCall) -> TabwireError:
        self.asked.append(call.tool.name)
        return PermissionDenied("not yet")


def call_of(tool: str, arguments: dict[str, Any]) -> ToolCall:
    found = AGENT.by_name[tool]
    context = Context(*cast("Any", (None, None, None)))
    return ToolCall(found, arguments, AGENT, context, found.model.model_validate(arguments))


async def outcome(call: ToolCall, authority: Authority | None) -> ToolResult:
    async def run() -> ToolResult:
        return DONE

    return await escalation(lambda _: authority)(call, run)


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("click", {"selector": "#a"}),
    ("evaluate", {"expression": "1"}),
    ("wait", {"for": "function", "function": "return true"}),
    ("storage", {"action": "set", "key": "a", "value": "b"}),
    ("cookies", {"action": "delete", "name": "a"}),
    ("dialog", {"action": "accept"}),
    ("dialog", {"action": "get_message", "auto_handle": {"enabled": False}}),
    ("locator", {"chain": [{"method": "css", "value": "#a"}], "action": "click"}),
    ("route", {"action": "clear"}),
    ("request", {"url": "/x"}),
    ("bookmarks", {"action": "add"}),
    ("auth_state", {"action": "save", "name": "a"}),
]
READS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("wait", {"for": "timeout", "duration": 1}),
    ("storage", {"action": "entries"}),
    ("cookies", {"action": "get_all"}),
    ("dialog", {"action": "get_message"}),
    ("locator", {"chain": [{"method": "css", "value": "#a"}]}),
    ("route", {"action": "list"}),
    ("capture", {"action": "start"}),
    ("record", {"action": "start"}),
    ("bookmarks", {"action": "search"}),
    ("auth_state", {"action": "list"}),
]
ARRANGES: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {"url": "https://a.example/"}),
    ("reload", {}),
    ("tab_new", {}),
    ("tab_close", {"tabId": 1}),
]


@pytest.mark.parametrize(("tool", "arguments"), ACTS)
async def test_an_act_is_refused_until_it_is_allowed_somewhere(tool: str, arguments: dict[str, Any]) -> None:
    nowhere = Granted(())
    with pytest.raises(PermissionDenied, match="not yet"):
        await outcome(call_of(tool, arguments), nowhere)
    assert nowhere.asked == [tool]
    for origins in (("https://a.example",), None):
        call = call_of(tool, arguments)
        assert await outcome(call, Granted(origins)) is DONE
        assert call.context.only_origins == origins


@pytest.mark.parametrize(("tool", "arguments"), READS)
async def test_reading_needs_no_authority(tool: str, arguments: dict[str, Any]) -> None:
    call = call_of(tool, arguments)
    assert await outcome(call, Granted(())) is DONE
    assert call.context.only_origins is None


@pytest.mark.parametrize(("tool", "arguments"), ARRANGES)
async def test_what_arranges_the_view_is_left_to_the_browser(tool: str, arguments: dict[str, Any]) -> None:
    """It knows which tabs are the client's own."""
    call = call_of(tool, arguments)
    assert await outcome(call, Granted(())) is DONE
    assert call.context.only_origins == ()


async def test_where_no_authority_is_asked_for_everything_is_allowed() -> None:
    call = call_of("click", {"selector": "#a"})
    assert await outcome(call, None) is DONE
    assert call.context.only_origins is None
