"""The argument `browser`: taken off every call, listed and told while there are several browsers, one browser for a whole call."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.server.session import ServerSession

from bridge.fake_engine import FakeEngine, Surface, fitting
from fences import unfenced
from tabwire.commands import COMMANDS
from tabwire.commands.declaration import BROWSER_ARGUMENT
from tabwire.surfaces.agent.former.tools import with_aliases
from tabwire.surfaces.tool import ToolResult, load_toolset
from tabwire.wire.messages import Browser

WORK, PLAY = Browser("b1", "Work"), Browser("b2", "Play")
AGENT = with_aliases(load_toolset("agent"))


class Engine(FakeEngine):
    """Browsers that answer with their id; both have tab 1. `find` is asked once for each call."""

    def __init__(self, *browsers: Browser) -> None:
        super().__init__()
        self.browsers = list(browsers)
        self.found: list[str | None] = []
        self.sent: list[tuple[str, str]] = []
        self.pages = {browser.id: [f'- button "{number} of {browser.name}"' for number in range(40)] for browser in (WORK, PLAY)}
        self._change = anyio.Event()

    def set(self, *browsers: Browser) -> None:
        self.browsers = list(browsers)
        change, self._change = self._change, anyio.Event()
        change.set()

    @property
    def has_several(self) -> bool:  # type: ignore[override]
        return len(self.browsers) > 1

    async def several_changed(self, told: bool) -> bool:
        while self.has_several is told:
            await self._change.wait()
        return not told

    async def find(self, wanted: str | None = None) -> Browser:
        self.found.append(wanted)
        return next(browser for browser in self.browsers if wanted in (None, browser.name))

    async def send(self, method: str, params: dict[str, Any], *, browser: str, **rest: Any) -> dict[str, Any]:
        await anyio.lowlevel.checkpoint()
        self.sent.append((method, browser))
        if method == "snapshot.capture":
            return {"snapshot": "Page: A\n\n" + "\n".join(self.pages[browser]), "tabId": 1}
        self.pages[browser].append(f"- text: {method} in {browser}")
        return fitting(method, {"title": browser, "tabId": 1})


async def call(surface: Surface, tool: str, **arguments: Any) -> ToolResult:
    result = await surface.call(tool, **arguments)
    return replace(result, text=unfenced(result.text))


def run(engine: Engine, tool: str, **arguments: Any) -> ToolResult:
    return anyio.run(partial(call, Surface(AGENT, engine), tool, **arguments))


def test_no_tool_has_an_argument_of_that_name_of_its_own() -> None:
    assert [command.tool for command in COMMANDS if BROWSER_ARGUMENT in command.model_fields] == []


@pytest.mark.parametrize("tool", ["title", "chrome_get_web_content"])
def test_it_says_where_a_call_goes_under_new_and_old_names(tool: str) -> None:
    engine = Engine(WORK, PLAY)
    assert not run(engine, tool, browser=" Play ").is_error
    assert {browser for _, browser in engine.sent} == {"b2"}
    assert set(engine.found) == {"Play"}


def test_a_call_of_several_messages_looks_for_its_browser_once() -> None:
    engine = Engine(WORK)
    assert not run(engine, "click", selector="@e1", diff=True).is_error
    assert [method for method, _ in engine.sent] == ["snapshot.capture", "input.click", "snapshot.capture"]
    assert engine.found == [None]


def test_changes_are_those_of_the_browser_of_the_call() -> None:
    engine = Engine(WORK, PLAY)

    async def work() -> list[str]:
        surface = Surface(AGENT, engine)
        await call(surface, "snapshot", browser="Work")
        await call(surface, "click", selector="@e1", browser="Play")
        await call(surface, "snapshot", browser="Play")
        await call(surface, "click", selector="@e1", browser="Play")
        changed = [await call(surface, "snapshot", diff=True, browser=name) for name in ("Work", "Play")]
        acted = await call(surface, "click", selector="@e1", diff=True, browser="Work")
        return [*(result.text for result in changed), acted.text]

    at_work, at_play, acted = anyio.run(work)
    assert at_work.startswith("No changes")
    assert at_play.count("+ - text: input.click in b2") == 1
    assert acted.count("+ - text: input.click in b1") == 1 and "b2" not in acted


def test_a_cursor_is_not_continued_in_another_browser() -> None:
    engine = Engine(WORK, PLAY)
    engine.pages["b1"] = [f'- button "{number} of Work" [ref=@e{number}]' for number in range(100)]

    async def work() -> list[ToolResult]:
        surface = Surface(AGENT, engine)
        cut = await call(surface, "snapshot", max_chars=1000, browser="Work")
        cursor = (cut.facts or {})["data"]["cursor"]
        return [
            await call(surface, "snapshot", cursor=cursor, **named) for named in ({"browser": "Play"}, {"browser": "Work"}, {})
        ]

    elsewhere, named, unnamed = anyio.run(work)
    assert elsewhere.is_error and "another browser" in elsewhere.text
    assert named.text.startswith(unnamed.text.split("\n\nCut")[0])


def test_calls_at_the_same_time_go_where_each_says() -> None:
    engine = Engine(WORK, PLAY)
    seen: list[tuple[str, str]] = []

    async def one(surface: Surface, browser: Browser) -> None:
        result = await call(surface, "title", browser=browser.name)
        seen.append((browser.id, (result.structured or {})["data"]["title"]))

    async def work() -> None:
        surface = Surface(AGENT, engine)
        async with anyio.create_task_group() as tasks:
            for browser in (WORK, PLAY) * 20:
                tasks.start_soon(one, surface, browser)

    anyio.run(work)
    assert len(seen) == 40
    assert all(meant == answered for meant, answered in seen)


@pytest.mark.parametrize("named", ["", " ", 7, None, True, ["Work"], {"name": "Work"}])
def test_what_is_no_name_is_refused_before_anything_is_sent(named: Any) -> None:
    engine = Engine(WORK, PLAY)
    result = run(engine, "title", browser=named)
    assert result.text.startswith("invalid_argument: title: 'browser': the name or id of a browser as a string, got ")
    assert engine.found == engine.sent == []


@pytest.mark.parametrize(("browsers", "is_valid"), [((WORK,), False), ((WORK, PLAY), True)])
def test_it_is_named_among_the_valid_arguments_while_there_are_several(browsers: tuple[Browser, ...], is_valid: bool) -> None:
    text = run(Engine(*browsers), "title", tab=1).text
    assert text.endswith("Valid arguments: tabId, browser" if is_valid else "Valid arguments: tabId")
    assert ("did you mean 'browser'" in run(Engine(*browsers), "title", brwser="Work").text) is is_valid


def test_with_one_browser_a_reply_does_not_name_it() -> None:
    result = run(Engine(WORK), "tab_list", browser="Work")
    assert result.text == '{"tabs":[]}'
    assert "browser" not in (result.structured or {})


def test_with_several_a_reply_says_which_one_answered() -> None:
    result = run(Engine(WORK, PLAY), "tab_list", browser="Play")
    assert result.text.endswith("\nBrowser: Play")
    assert (result.structured or {})["browser"] == "Play"


# ---- as clients see it --------------------------------------------------------------------------------------------------


async def schemas(client: Client) -> list[dict[str, Any]]:
    return [tool.input_schema for tool in (await client.list_tools()).tools]


@pytest.mark.anyio
async def test_a_client_of_the_older_protocol_is_told_when_a_second_browser_joins() -> None:
    engine, told = Engine(WORK), anyio.Event()

    async def hear(message: Any) -> None:
        if getattr(message, "method", "") == "notifications/tools/list_changed":
            told.set()

    async with Surface(AGENT, engine).client("legacy", message_handler=hear) as client:
        assert client.server_capabilities.tools is not None and client.server_capabilities.tools.list_changed is True
        alone = await schemas(client)
        engine.set(WORK, PLAY)
        await told.wait()
        now = await schemas(client)
    assert alone == [tool.input_schema for tool in AGENT.tools]
    assert all(BROWSER_ARGUMENT in schema["properties"] for schema in now)
    assert [
        {**schema, "properties": {k: v for k, v in schema["properties"].items() if k != BROWSER_ARGUMENT}} for schema in now
    ] == [{**schema, "properties": schema.get("properties", {})} for schema in alone]


@pytest.mark.anyio
async def test_a_client_of_the_newer_protocol_is_told_where_it_asked_to_be() -> None:
    engine = Engine(WORK)
    async with Surface(AGENT, engine).client("2026-07-28") as client, client.listen(tools_list_changed=True) as changes:
        assert not any(BROWSER_ARGUMENT in schema.get("properties", {}) for schema in await schemas(client))
        engine.set(WORK, PLAY)
        await anext(aiter(changes))
        assert all(BROWSER_ARGUMENT in schema["properties"] for schema in await schemas(client))


@pytest.mark.anyio
async def test_a_client_that_is_gone_is_told_once_and_the_server_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[bool] = []

    async def fails(self: ServerSession) -> None:
        tries.append(True)
        raise RuntimeError("this client is gone")

    monkeypatch.setattr(ServerSession, "send_tool_list_changed", fails)
    engine = Engine(WORK)
    async with Surface(AGENT, engine).client("legacy") as client:
        for browsers in ((WORK, PLAY), (WORK,), (WORK, PLAY)):
            engine.set(*browsers)
            await anyio.wait_all_tasks_blocked()
            assert any(BROWSER_ARGUMENT in schema.get("properties", {}) for schema in await schemas(client)) is (
                len(browsers) > 1
            )
    assert tries == [True]
