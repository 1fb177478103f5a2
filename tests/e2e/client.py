"""An MCP client as plain calls: starts ``tabwire serve``, speaks MCP to it over stdio, and bounds every wait."""

import contextlib
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TextIO

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import ElicitResult, Implementation

from fences import unfenced, unfenced_within
from polling import until
from programs import ROOT
from serving import forked
from tabwire.server.mcp import FACTS

LINE = re.compile(r'^\s*- (?P<role>[\w-]+)(?: "(?P<name>(?:[^"\\]|\\.)*)")?(?P<rest>.*)$')
REF = re.compile(r"\[ref=(@e\d+)\]")
WITH_PID = ["/bin/sh", "-c", 'echo $$ > "$0"; exec "$@"']


class Reply:
    """What a tool answered: ``text``, ``images``, ``data`` and ``is_error``; a protocol error counts as one.

    ``text`` and ``structured`` are without the marks around what a page says, which are checked; ``fenced`` is the text with them.
    ``structured`` is the unified response: that of `_meta`, where the reply is a text.
    """

    def __init__(self, text: str, is_error: bool, structured: dict[str, Any] | None = None, images: list[Any] | None = None):
        self.fenced = text
        self.text = unfenced(text)
        self.is_error = is_error
        self.structured = unfenced_within(structured or {})
        self.images = images or []
        self.protocol_code: int | None = None
        self.elapsed_ms = 0.0

    @classmethod
    def of(cls, result: Any) -> "Reply":
        text = "\n".join(part.text for part in result.content if part.type == "text")
        images = [part for part in result.content if part.type == "image"]
        structured = result.structured_content or (result.meta or {}).get(FACTS)
        return cls(text, bool(result.is_error), structured, images)

    @classmethod
    def refused(cls, error: MCPError) -> "Reply":
        reply = cls(error.error.message, True)
        reply.protocol_code = error.error.code
        return reply

    @property
    def data(self) -> Any:
        """``data`` of the unified response."""
        return self.structured.get("data")

    @property
    def code(self) -> str:
        """The error code that starts the text of a failure, or ``""``."""
        found = re.match(r"(?:error: )?([a-z_]+):", self.text) if self.is_error else None
        return found[1] if found else ""

    def __repr__(self) -> str:
        return f"<Reply {'error ' if self.is_error else ''}{self.text[:2000]!r} {self.structured}>"


def _eliciting(answer: Callable[[str], str] | None) -> Any:
    """What asks the client's user: gets the message, gives the action; None for a client that cannot."""
    if answer is None:
        return None

    async def ask(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action=answer(params.message), content={})  # type: ignore[arg-type]

    return ask


class Line:
    """One node of a snapshot: ``role``, ``name``, ``ref`` (or ``""``), the raw ``text`` and its ``depth``."""

    def __init__(self, text: str) -> None:
        found = LINE.match(text)
        self.text = text.strip()
        self.depth = (len(text) - len(text.lstrip())) // 2
        self.role = found["role"] if found else ""
        self.name = json.loads(f'"{found["name"]}"') if found and found["name"] else ""
        ref = REF.search(text)
        self.ref = ref[1] if ref else ""

    def __repr__(self) -> str:
        return self.text


JOIN_LIMIT_S = 15


class Tabwire:
    """A running ``tabwire serve`` and the MCP client connected to it."""

    def __init__(
        self,
        args: list[str],
        env: dict[str, str],
        work: Path,
        *,
        python: str = sys.executable,
        command: list[str] | None = None,
        from_checkout: bool = True,
        mode: str = "auto",
        name: str | None = None,
        elicited: Callable[[str], str] | None = None,
    ) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self.log = work / "server.log"
        self._pid_file = work / "server.pid"
        self._stack = contextlib.ExitStack()
        self._portal: BlockingPortal = self._stack.enter_context(start_blocking_portal())
        errlog: TextIO = self._stack.enter_context(self.log.open("a"))
        environment = {**os.environ, **env}
        if from_checkout:
            environment["PYTHONPATH"] = str(ROOT / "bridge")
        is_ours = command is None and from_checkout and python == sys.executable
        fork = forked.command(environment, self._pid_file) if is_ours else None
        program, *words = fork or [*WITH_PID, str(self._pid_file), *(command or [python, "-m", "tabwire", "serve"])]
        server = StdioServerParameters(command=program, args=[*words, *args], env=environment, cwd=work)
        self.heard: list[str] = []
        self.on_open: Callable[[], object] = lambda: None
        """What a condition does to a page that `open` has opened."""
        info = Implementation(name=name, version="1") if name else None
        connection = stdio_client(server, errlog)
        client = Client(
            connection, mode=mode, client_info=info, message_handler=self._hear, elicitation_callback=_eliciting(elicited)
        )  # type: ignore[arg-type]
        try:
            self.client = self._stack.enter_context(self._portal.wrap_async_context_manager(client))
        except BaseException:
            with contextlib.suppress(Exception):
                self._stack.close()
            raise RuntimeError(f"tabwire serve did not start:\n{self.log_tail()}") from None

    async def _hear(self, message: Any) -> None:
        """Notes a notification by its method, an event by its type."""
        self.heard.append(str(getattr(message, "method", type(message).__name__)))

    @contextlib.contextmanager
    def listening(self) -> Iterator[list[str]]:
        """Subscribes to changes of the list of tools, as the newer protocol has it; what is told comes to ``heard``."""

        async def listen(*, task_status: Any) -> None:
            async with self.client.listen(tools_list_changed=True) as events:
                task_status.started()
                async for event in events:
                    await self._hear(event)

        future, _ = self._portal.start_task(listen)
        yield self.heard
        future.cancel()

    @property
    def pid(self) -> int:
        return int(self._pid_file.read_text())

    def is_running(self) -> bool:
        try:
            state = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8")
            threads = os.listdir(f"/proc/{self.pid}/task")
        except (FileNotFoundError, ProcessLookupError):
            return False
        # A killed process is called ended before its other threads are, and they hold its port.
        return state.rsplit(")", 1)[1].split()[0] != "Z" or len(threads) > 1

    def kill(self) -> None:
        """SIGKILL to the bridge, as a crash would end it."""
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Ends the client; the server sees the end of its stdin."""
        with contextlib.suppress(Exception):
            self._stack.close()

    def log_tail(self, lines: int = 60) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def start(self, tool: str, /, **arguments: Any) -> "Future[Reply]":
        """Begins a call and returns its future; ``.result(seconds)`` waits for the reply."""
        return self._portal.start_task_soon(self._call, tool, arguments)

    def start_told(self, told: list[str], tool: str, /, **arguments: Any) -> "Future[Reply]":
        """Like ``start``; what the server says of its progress comes to ``told``."""

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            told.append(message or "")

        return self._portal.start_task_soon(self._call, tool, arguments, hear)

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Calls a tool and returns what it answered, failure or not."""
        limit = 30 + float(arguments.get("timeout") or 0) / 1000 if isinstance(arguments.get("timeout"), int) else 60
        future = self.start(tool, **arguments)
        try:
            return future.result(limit)
        except TimeoutError:
            future.cancel()
            raise TimeoutError(f"{tool} {arguments} gave no answer in {limit} s; server log:\n{self.log_tail()}") from None

    def ok(self, tool: str, /, **arguments: Any) -> Reply:
        """Calls a tool that must succeed."""
        reply = self.call(tool, **arguments)
        assert not reply.is_error, f"{tool} {arguments} failed: {reply.text}"
        return reply

    def fails(self, tool: str, /, **arguments: Any) -> Reply:
        """Calls a tool that must fail."""
        reply = self.call(tool, **arguments)
        assert reply.is_error, f"{tool} {arguments} did not fail: {reply}"
        return reply

    async def _call(self, tool: str, arguments: dict[str, Any], hear: Any = None) -> Reply:
        started = time.perf_counter()
        try:
            reply = Reply.of(await self.client.call_tool(tool, arguments, progress_callback=hear))
        except MCPError as error:
            reply = Reply.refused(error)
        reply.elapsed_ms = (time.perf_counter() - started) * 1000
        return reply

    def until_joined(self, within: float = JOIN_LIMIT_S, **browser: str) -> float:
        """Seconds until a browser works for this client."""
        began = time.monotonic()
        until(lambda: self.call("tab_list", **browser), lambda reply: not reply.is_error, within=within, says=self.log_tail)
        return time.monotonic() - began

    def tools(self) -> dict[str, Any]:
        """The listed tools by name."""
        listed = self._portal.start_task_soon(self.client.list_tools).result(30)
        return {tool.name: tool for tool in listed.tools}

    def open(self, url: str) -> Reply:
        """Navigates the current tab."""
        reply = self.ok("navigate", url=url)
        self.on_open()
        return reply

    def show(self) -> Reply:
        """Brings the client's tab to the front, for a person who is to look or to act there."""
        (tab,) = [tab["tabId"] for tab in self.tabs() if tab["current"]]
        return self.ok("tab_switch", tabId=tab)

    def snapshot(self, **arguments: Any) -> str:
        """The text of a fresh snapshot."""
        return self.ok("snapshot", **arguments).text

    def lines(self, **arguments: Any) -> list[Line]:
        """The nodes of a fresh snapshot."""
        return [Line(text) for text in self.snapshot(**arguments).splitlines() if text.lstrip().startswith("- ")]

    def refs(self, role: str, name: str | None = None, **arguments: Any) -> list[str]:
        """The refs of all nodes with this role and name in a fresh snapshot, in document order."""
        return [line.ref for line in self.lines(**arguments) if line.role == role and name in (None, line.name) and line.ref]

    def ref(self, role: str, name: str | None = None, *, nth: int = 0, **arguments: Any) -> str:
        """The ref of a node by role and exact name in a fresh snapshot."""
        text = self.snapshot(**arguments)
        lines = [Line(row) for row in text.splitlines() if row.lstrip().startswith("- ")]
        found = [line.ref for line in lines if line.role == role and name in (None, line.name) and line.ref]
        assert len(found) > nth, f'no {role} "{name}" with a ref in:\n{text}'
        return found[nth]

    def tabs(self) -> list[dict[str, Any]]:
        """The open tabs as ``tab_list`` tells them."""
        data = self.ok("tab_list").data
        listed: list[dict[str, Any]] = data["tabs"] if isinstance(data, dict) else data
        return listed
