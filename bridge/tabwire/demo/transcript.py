"""An MCP session that prints what it does: each call with its time, and the lines of the reply worth reading."""

import json
import re
import textwrap
import time
from typing import Any

from mcp import Client
from mcp.shared.exceptions import MCPError

LINE = re.compile(r'^\s*- (?P<role>[\w-]+) "(?P<name>(?:[^"\\]|\\.)*)".*?\[ref=(?P<ref>@e\d+)\]')
WIDTH = 118


class DemoFailed(Exception):
    """The main job did not work; the message says which part."""


class Transcript:
    """Calls tools through ``client`` and prints the calls; remembers the last snapshot, to find refs in."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.last_snapshot = ""
        self.times_ms: list[float] = []

    def heading(self, text: str) -> None:
        print(f"\n== {text} ==", flush=True)

    async def call(self, tool: str, /, show: int = 3, expect_error: bool = False, on: str = "", **arguments: Any) -> str:
        """Calls ``tool``, prints call, time and the first ``show`` lines, and returns the text of the reply.

        Args:
            on: what the selector stands for, for the reader.
        """
        started = time.perf_counter()
        try:
            result = await self.client.call_tool(tool, arguments)
        except MCPError as error:
            raise DemoFailed(f"{tool}: {error.error.message}") from error
        elapsed_ms = (time.perf_counter() - started) * 1000
        self.times_ms.append(elapsed_ms)
        text = "\n".join(_text_of(part) for part in result.content)
        call = " ".join(part for part in (tool, json.dumps(arguments, ensure_ascii=False) if arguments else "", on) if part)
        print(f"-> {call:<{WIDTH - 14}} {elapsed_ms:7.1f} ms")
        _print_lines(text, show)
        if bool(result.is_error) is not expect_error:
            raise DemoFailed(f"{tool} was expected to {'fail' if expect_error else 'succeed'}: {text}")
        return text

    async def snapshot(self, show: int = 14) -> str:
        """Takes a snapshot, from which the next :meth:`ref` reads."""
        self.last_snapshot = await self.call("snapshot", show=show)
        return self.last_snapshot

    def ref(self, role: str, name: str) -> str:
        """The ``@eN`` of the node with this role and name in the last snapshot."""
        for row in self.last_snapshot.splitlines():
            found = LINE.match(row)
            if found and found["role"] == role and json.loads(f'"{found["name"]}"') == name:
                return found["ref"]
        raise DemoFailed(f'the last snapshot has no {role} "{name}" with a ref')

    async def act(self, tool: str, role: str, name: str, **arguments: Any) -> str:
        """Acts on a node of the last snapshot by its ref."""
        return await self.call(tool, selector=self.ref(role, name), on=f'({role} "{name}")', **arguments)

    async def wait_for(self, what: str, text: str) -> None:
        """Waits for ``text`` to appear (``"text"``) or to go (``"text_hidden"``)."""
        condition: dict[str, Any] = {"for": what, "text": text, "timeout": 10_000}
        await self.call("wait", show=1, **condition)

    def expect(self, text: str) -> None:
        """The last snapshot must contain ``text``."""
        if text not in self.last_snapshot:
            raise DemoFailed(f"the snapshot does not show {text!r}")
        print(f"   seen: {text}")


def _text_of(part: Any) -> str:
    if part.type == "text":
        return str(part.text)
    return f"[{part.type} {getattr(part, 'mime_type', '')}, {len(getattr(part, 'data', '')) * 3 // 4:,} bytes]"


def _print_lines(text: str, show: int) -> None:
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines[:show]:
        print("   | " + textwrap.shorten(line, WIDTH, placeholder=" …") if len(line) > WIDTH else f"   | {line}")
    if len(lines) > show:
        print(f"   | … {len(lines) - show} more lines")
