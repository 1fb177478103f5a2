"""The rule of escalation: who only observes does not act."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import pytest

from bridge.fake_engine import Surface
from tabwire.errors import PermissionDenied, TabwireError
from tabwire.middleware.escalation import escalation
from tabwire.surfaces.shared.observe_only import observing
from tabwire.surfaces.tool import Authority, Middleware, ToolCall, ToolResult, load_toolset

pytestmark = pytest.mark.anyio
AGENT = load_toolset("agent")
DONE = ToolResult("done")


@dataclass
class Granted:
    """An authority that was given once."""

    origins: Collection[str] | None
    asked: list[str] = field(default_factory=list)
    reason: str | None = "to compare prices"

    def refusal(self, call: ToolCall) -> TabwireError:
        self.asked.append(call.tool.name)
        return PermissionDenied("not yet")


def call_of(tool: str, arguments: dict[str, Any]) -> ToolCall:
    return Surface(AGENT).validated(tool, **arguments)


async def outcome(call: ToolCall, authority: Authority | None) -> ToolResult:
    return await ruled(call, escalation(lambda _: authority))


async def ruled(call: ToolCall, rule: Middleware) -> ToolResult:
    async def run() -> ToolResult:
        return DONE

    return await rule(call, run)


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
        assert (call.context.only_origins, call.context.reason) == (origins, "to compare prices")


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


async def test_only_the_user_may_escalate_where_that_is_configured() -> None:
    toolset = observing(AGENT, "user")
    assert [tool.name for tool in toolset.tools] == [tool.name for tool in AGENT.tools]
    assert toolset.rules.authority_of
    rule = escalation(toolset.rules.authority_of)
    call = call_of("click", {"selector": "#a"})
    with pytest.raises(PermissionDenied) as refused:
        await ruled(call, rule)
    assert "nothing was done. Only the user can allow it" in str(refused.value)


async def test_escalations_add_up() -> None:
    toolset = observing(AGENT, "client")

    async def told(**arguments: Any) -> str:
        call = Surface(toolset).validated("escalate", **arguments)
        return toolset.replies.respond(call, await call.tool.run(call)).text

    assert await told(reason="a", origin="https://b.example/page") == "Acts are allowed now at https://b.example."
    assert await told(reason="a", origin="a.example") == "Acts are allowed now at https://a.example, https://b.example."
    assert await told(reason="a") == "Acts are allowed now."
    assert await told(reason="a", origin="a.example") == "Acts are allowed now."


async def test_an_escalation_that_cannot_be_logged_is_none() -> None:
    surface = Surface(observing(AGENT, "client"), unlogged="the disk is full")
    with pytest.raises(PermissionDenied, match="the disk is full"):
        await surface.run("escalate", reason="a")


@pytest.mark.parametrize("surface", ["facade", "browseagent"])
async def test_every_surface_that_acts_can_be_one_that_observes(surface: str) -> None:
    plain = load_toolset(surface)
    toolset = observing(plain, "client")
    assert [tool.name for tool in toolset.tools] == [*plain.by_name, "escalate"]
    intents = {
        "facade": {
            ("browser_interact", "click"): "act",
            ("browser_interact", "wait"): "read",
            ("browser_inspect", "get_html"): "read",
            ("browser_navigate", "goto"): "arrange",
            ("browser_navigate", "get_url"): "read",
            ("browser_execute", "evaluate"): "act",
            ("browser_storage", "clear_downloads"): "act",
            ("web_search", ""): "arrange",
        },
        "browseagent": {("browser_click", ""): "act", ("browser_navigate", ""): "arrange", ("browser_snapshot", ""): "read"},
    }[surface]
    for (name, action), intent in intents.items():
        call = Surface(toolset).asked(name)
        call.parameters = call.tool.model.model_construct(action=action) if action else None
        assert (name, action, call.intent) == (name, action, intent)


async def test_a_surface_that_only_reads_stays_as_it_is() -> None:
    reader = load_toolset("reader")
    assert observing(reader, "client") is reader


async def test_where_no_authority_is_asked_for_everything_is_allowed() -> None:
    call = call_of("click", {"selector": "#a"})
    assert await outcome(call, None) is DONE
    assert call.context.only_origins is None
