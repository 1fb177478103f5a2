"""The short list of tools, and the tool that makes it longer."""

from __future__ import annotations

from typing import Any, Literal

import anyio
import pytest
from mcp.shared.exceptions import MCPError

from bridge.fake_engine import FakeEngine, Surface
from tabwire.surfaces.tool import Toolset, load_toolset
from tabwire.surfaces.tool_groups import with_groups

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])]

Mode = Literal["legacy", "2026-07-28"]
AGENT = load_toolset("agent")


def short() -> Toolset:
    return with_groups(AGENT.only(["core"]), AGENT)


async def names(client: Any) -> list[str]:
    return [tool.name for tool in (await client.list_tools()).tools]


async def test_groups_are_added_while_the_client_is_connected_and_it_is_told(mode: Mode) -> None:
    told = anyio.Event()

    async def hear(message: Any) -> None:
        if "tools/list_changed" in str(getattr(message, "method", "")):
            told.set()

    surface = Surface(short(), FakeEngine())
    async with surface.client(mode, message_handler=hear) as client:
        before = await names(client)
        assert before == [*AGENT.only(["core"]).by_name, "enable_tools"]
        with pytest.raises(MCPError, match=r'cookies is not enabled; call enable_tools {"groups": \["storage"\]} first'):
            await client.call_tool("cookies", {"action": "get_all"})
        async with anyio.create_task_group() as tasks:
            if mode != "legacy":

                async def listen(*, task_status: Any) -> None:
                    async with client.listen(tools_list_changed=True) as events:
                        task_status.started()
                        async for _ in events:
                            told.set()

                await tasks.start(listen)
            added = await client.call_tool("enable_tools", {"groups": ["storage", "storage", "media"]})
            with anyio.fail_after(5):
                await told.wait()
            tasks.cancel_scope.cancel()
        said = added.content[0].text  # type: ignore[union-attr]
        assert said.startswith("Added: cookies, storage, auth_state, pdf, record.")
        cookies = next(tool for tool in AGENT.tools if tool.name == "cookies").input_schema
        (line,) = [line for line in said.splitlines() if line.startswith("cookies(action: ")]
        assert all(name in line for name in [*cookies["properties"], *cookies["properties"]["action"]["enum"]])
        assert await names(client) == [*before, "pdf", "record", "cookies", "storage", "auth_state"]
        assert not (await client.call_tool("cookies", {"action": "get_all"})).is_error
        assert "make their calls in batch" in said
        calls = [{"tool": "cookies", "arguments": {"action": "get_all"}}]
        assert not (await client.call_tool("batch", {"calls": calls})).is_error


async def test_a_group_that_is_not_there_is_refused_with_those_there_are(mode: Mode) -> None:
    async with Surface(short(), FakeEngine()).client(mode) as client:
        refused = await client.call_tool("enable_tools", {"groups": ["cooking"]})
        assert refused.is_error and "there is no group cooking; groups: snapshot, navigation" in refused.content[0].text  # type: ignore[union-attr]


async def test_a_parameter_that_the_short_list_leaves_out_is_taken(mode: Mode) -> None:
    engine = FakeEngine({"input.click": {"effects": {"none": True}, "tabId": 1}})
    async with Surface(short(), engine).client(mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "timeout" not in listed["click"].input_schema["properties"]
        await client.call_tool("click", {"selector": "@e1", "timeout": 70})
    assert engine.params("input.click")["timeout"] == 70
