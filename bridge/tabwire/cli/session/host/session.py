"""A session: one client of a bridge, whose calls come as command lines."""

import json
import os
from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from pathlib import Path

import anyio

from tabwire.app import Bridge, working_folders
from tabwire.cli.grammar.parsing import Line, UsageError, parse
from tabwire.cli.session import frames
from tabwire.cli.session.host.slow_calls import ToldReason
from tabwire.cli.session.options import COMMANDS
from tabwire.commands.line_spelling import SAVED_ALWAYS, SAVED_TO
from tabwire.engine.call_wait import told_in
from tabwire.errors import InvalidArgument, NotConnected, SessionNotCreated
from tabwire.install import extension_files
from tabwire.surfaces.context import Context
from tabwire.surfaces.tool import ToolCall, ToolResult

MAX_STEM = 100
"""Characters kept of the name of a file that a command saves: date, session and number follow it."""
CODES = {InvalidArgument.code: frames.USAGE, NotConnected.code: frames.NO_BROWSER, SessionNotCreated.code: frames.NO_BROWSER}
"""Code of an error → exit code, where it is not the usual one."""

Send = Callable[..., Awaitable[None]]
"""Takes a frame's kind and parts to the command."""


@dataclass(frozen=True)
class Typed:
    """A command line as it came."""

    cwd: str
    options: list[str]
    words: list[str]


class Session:
    """The client that a session is for its bridge.

    Args:
        name: its name.
        bridge: where its calls go.
        is_launched: whether the browser is the session's own.
    """

    def __init__(self, name: str, bridge: Bridge, *, is_launched: bool) -> None:
        self.name = name
        self.ended = anyio.Event()
        """Set when it is to end."""
        self._bridge = bridge
        self._is_launched = is_launched
        self._client = f"shell session {name}"
        self._under_way = 0
        self._rest = anyio.Event()
        """Set while nothing is under way."""
        self._used = anyio.current_time()
        self._numbers = count(1)
        bridge.context.engine.set_client_info(self._client, extension_files.version())

    def about(self) -> str:
        """A description of this session."""
        browser = "a browser of its own" if self._is_launched else "your browser"
        idle = round(anyio.current_time() - self._used)
        doing = f"{self._under_way} under way" if self._under_way else f"idle for {idle} s"
        return f"process {os.getpid()}, {browser}, {doing}"

    async def end_when_idle(self, limit_s: float) -> None:
        """End it when no command has come for so long."""
        while (left := self._used + limit_s - anyio.current_time()) > 0 or self._under_way:
            if self._under_way:
                await self._rest.wait()
            else:
                await anyio.sleep(left)
        self.ended.set()

    async def run(self, typed: Typed, send: Send, cancelled: anyio.Event) -> None:
        """Run a command line and send its reply; the last frame has the exit code."""
        if not self._under_way:
            self._rest = anyio.Event()
        self._under_way += 1
        try:
            code = await self._run(typed, send, cancelled)
        finally:
            self._under_way -= 1
            self._used = anyio.current_time()
            if not self._under_way:
                self._rest.set()
        await send(frames.END, str(code))

    async def _run(self, typed: Typed, send: Send, cancelled: anyio.Event) -> int:
        if typed.options and not self._is_launched:
            problem = f"session {self.name} works in your browser: `tabwire close` it first, or name another one with -s"
            await send(frames.ERR, f"tabwire: {problem}")
            return frames.USAGE
        try:
            line = parse(typed.words, typed.cwd, COMMANDS, self._bridge.toolset.by_name)
        except UsageError as error:
            await send(frames.ERR, f"tabwire: {error}")
            return frames.USAGE
        call = self._call(line, typed.cwd)
        result = await self._answer(call, send, cancelled)
        if result is None:
            await send(frames.ERR, f"tabwire: {_withdrawn(call)}")
            return frames.INTERRUPTED
        return await _told(line, result, send)

    def _call(self, line: Line, cwd: str) -> ToolCall:
        arguments = {**line.arguments, **self._saved_to(line)}
        return ToolCall(
            tool=line.tool,
            arguments=arguments,
            toolset=self._bridge.toolset,
            context=_working_in(cwd, self._bridge.context),
            client=self._client,
        )

    def _saved_to(self, line: Line) -> dict[str, str]:
        """The name of the file that the tool saves, in a folder of shells among the artifacts."""
        name = line.tool.name
        if line.output is None and name not in SAVED_ALWAYS:
            return {}
        # Two commands may ask for files of one name, in different folders.
        stem, suffix = ("", "") if line.output is None else os.path.splitext(os.path.basename(line.output))
        stem = stem[:MAX_STEM] or SAVED_ALWAYS.get(name, name)
        return {SAVED_TO[name]: f"shell/{stem}-{datetime.now():%Y%m%d-%H%M%S}-{self.name}-{next(self._numbers)}{suffix}"}

    async def _answer(self, call: ToolCall, send: Send, cancelled: anyio.Event) -> ToolResult | None:
        """The reply to a call; None when it was withdrawn."""
        reason, found = ToldReason(), None

        async def run() -> None:
            nonlocal found
            with told_in(reason):
                found = await self._bridge.run(call)
            tasks.cancel_scope.cancel()

        async def withdraw() -> None:
            await cancelled.wait()
            tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
            tasks.start_soon(withdraw)
            tasks.start_soon(reason.tell, lambda text: send(frames.ERR, f"tabwire: {text}"))
        return found


def _working_in(cwd: str, context: Context) -> Context:
    """The context of a call that is typed in a folder: the client works there, and may read and write there."""
    files = copy(context.files)
    files.roots = working_folders(Path(cwd))
    return replace(context.for_call(), files=files)


async def _told(line: Line, result: ToolResult, send: Send) -> int:
    """Send a reply; the exit code."""
    data = result.structured if result.structured is not None else result.facts
    if line.as_json and data is not None:
        await send(frames.OUT, json.dumps(data, ensure_ascii=False))
    if result.is_error:
        await send(frames.ERR, str(result.text))
        # Replies of this surface begin with the code of the error.
        return CODES.get(str(result.text).partition(":")[0], frames.FAILED)
    if not line.as_json or data is None:
        await send(frames.OUT, str(result.text))
    if line.output is None:
        return frames.DONE
    if not result.saved:
        await send(frames.ERR, f"tabwire: nothing was saved by this command, so there is no {line.output}")
        return frames.FAILED
    await send(frames.COPY, str(result.saved[0].path), line.output)
    return frames.DONE


def _withdrawn(call: ToolCall) -> str:
    """Words for what became of a call that was withdrawn."""
    acts = [sent for sent in call.context.sent if sent.command.effect == "act"]
    name = call.tool.name
    if not acts:
        return f"cancelled: {name} was withdrawn before anything was done in the browser"
    if all(act.result for act in acts):
        return f"cancelled: {name} had been carried out; its reply was not waited for"
    return f"cancelled: {name} had begun, so whether it happened is unknown. Take a snapshot to see the page"
