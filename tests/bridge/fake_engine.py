"""An engine with one browser made of plain values, and a surface over it: its tools, its rules, its MCP server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.server import Server
from pydantic import TypeAdapter

from tabwire.app import rules
from tabwire.commands import WIRE
from tabwire.eventlog.writer import EventLog
from tabwire.middleware import chain
from tabwire.server.mcp import build
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.files import Files
from tabwire.surfaces.shared.snapshots import Snapshots
from tabwire.surfaces.tool import ToolCall, ToolResult, Toolset, load_toolset
from tabwire.wire.connection import Reception
from tabwire.wire.messages import NOTHING_BESIDE, Beside, Browser

WORK = Browser("b1", "Work")


_EMPTY: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    return {command.method: TypeAdapter(command.result).json_schema() for command in WIRE if command.in_browser}


def fitting(method: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the method's model has it: without fields of other methods, and with all that have to be there."""
    schema = _schemas()[method]
    known = {name: value for name, value in answer.items() if name in schema["properties"]}
    whole: dict[str, Any] = _completed(schema, known, schema.get("$defs", {}))
    return whole


def _completed(schema: dict[str, Any], value: Any, definitions: dict[str, Any]) -> Any:
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    if isinstance(value, list) and "items" in schema:
        return [_completed(schema["items"], item, definitions) for item in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    fields = schema["properties"]
    empty = {name: _EMPTY[fields[name].get("type", "object")] for name in schema.get("required", ()) if name not in value}
    return {**empty, **{name: _completed(fields.get(name, {}), one, definitions) for name, one in value.items()}}


class FakeEngine:
    """A browser that answers by method; ``sent`` is what it was asked.

    Args:
        answers: Method → its result, an error to raise, or a list of these, one for each call.
        otherwise: The result of every other method.
    """

    has_several = False
    present = ()
    browsers = (WORK,)
    reception = Reception(1, "by the link", None, 0)

    def __init__(self, answers: Mapping[str, Any] | None = None, otherwise: Mapping[str, Any] | None = None) -> None:
        self.answers = dict(answers or {})
        self.otherwise = otherwise or {"tabId": 1}
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.beside = NOTHING_BESIDE
        """The envelope fields of the last call."""

    @property
    def methods(self) -> list[str]:
        return [method for method, _ in self.sent]

    def params(self, method: str) -> dict[str, Any]:
        """Parameters of the last call of a method."""
        return [params for name, params in self.sent if name == method][-1]

    async def send(self, method: str, params: dict[str, Any], *, beside: Beside = NOTHING_BESIDE, **more: Any) -> dict[str, Any]:
        self.sent.append((method, params))
        self.beside = beside
        answer = self.answers.get(method, self.otherwise)
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return fitting(method, answer)

    async def find(self, wanted: str | None = None) -> Browser:
        return WORK

    async def several_changed(self, told: bool) -> bool:
        await anyio.sleep_forever()
        raise AssertionError("it sleeps forever")

    def label(self, browser: Browser) -> str:
        return browser.name


class Surface:
    """A surface over an engine.

    Args:
        toolset: The surface, or its name.
        engine: Default: a browser to which nothing is special.
        files: The folder of saved files.
        log: The event log of its calls.
        context: Further fields of `Context`.
    """

    def __init__(
        self,
        toolset: Toolset | str,
        engine: Any = None,
        *,
        files: Path | Files = Path("/nowhere"),
        log: EventLog | None = None,
        **context: Any,
    ) -> None:
        self.toolset = load_toolset(toolset) if isinstance(toolset, str) else toolset
        self.context = Context(
            FakeEngine() if engine is None else engine,
            files if isinstance(files, Files) else Files(files),
            Snapshots(),
            **context,
        )
        self.chain = chain(rules(self.toolset, log))

    def asked(self, tool: str, /, **arguments: Any) -> ToolCall:
        """A call whose arguments nobody has looked at."""
        return ToolCall(self.toolset.by_name[tool], arguments, self.toolset, self.context, client="Tester")

    def validated(self, tool: str, /, **arguments: Any) -> ToolCall:
        """A call with validated arguments."""
        call = self.asked(tool, **arguments)
        call.parameters = call.tool.model.model_validate(arguments)
        return call

    async def run(self, tool: str, /, **arguments: Any) -> Any:
        """The result of a tool alone."""
        call = self.validated(tool, **arguments)
        return await call.tool.run(call)

    async def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """The reply to a call that went through all rules."""
        return await self.chain(self.asked(tool, **arguments))

    def server(self, version: str = "0", **options: Any) -> Server[Any]:
        """Its MCP server."""
        return build(self.toolset, self.chain, self.context, version, lambda name, version: None, **options)

    @asynccontextmanager
    async def client(self, mode: Any = "legacy", **options: Any) -> AsyncIterator[Client]:
        """A client of its server, for 20 seconds at most."""
        with anyio.fail_after(20):
            async with Client(self.server(), mode=mode, **options) as client:
                yield client
