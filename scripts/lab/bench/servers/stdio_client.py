"""A client of MCP servers that writes and reads plain lines: its own share of a call is small, and the same for every server."""

import contextlib
import json
import os
import select
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROTOCOL = "2025-06-18"
CALL_LIMIT_S = 120
END_LIMIT_S = 15
CHUNK = 1 << 20
METHOD_NOT_FOUND = -32601


@dataclass(frozen=True)
class Called:
    """Result of a call, and the milliseconds from sending it to the last byte of its reply."""

    result: dict[str, Any]
    elapsed_ms: float

    @property
    def is_error(self) -> bool:
        return bool(self.result.get("isError"))

    @property
    def text(self) -> str:
        return "\n".join(part["text"] for part in self.result.get("content", []) if part["type"] == "text")

    @property
    def images(self) -> list[str]:
        """The images in base64."""
        return [part["data"] for part in self.result.get("content", []) if part["type"] == "image"]


class StdioClient:
    """A server process and the connection to it; one call at a time.

    Args:
        log: Takes what the server writes to its standard error.
    """

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path, log: Path) -> None:
        self.log = log
        self._unread = b""
        self._last_id = 0
        with log.open("ab") as errors:
            self.began = time.perf_counter()
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def since_spawn_ms(self) -> float:
        return (time.perf_counter() - self.began) * 1000

    def initialize(self) -> None:
        """Shakes hands with the server.

        Raises:
            RuntimeError: It refuses, or has ended.
        """
        client = {"name": "tabwire-bench", "version": "1"}
        params = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        reply, _ = self._ask("initialize", params, CALL_LIMIT_S)
        if "result" not in reply:
            raise RuntimeError(f"initialize failed: {reply}; see {self.log}")
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def tools(self) -> list[dict[str, Any]]:
        """The list of tools as it is sent."""
        reply, _ = self._ask("tools/list", {}, CALL_LIMIT_S)
        listed: list[dict[str, Any]] = reply["result"]["tools"]
        return listed

    def call(self, tool: str, arguments: dict[str, Any], limit_s: float = CALL_LIMIT_S) -> Called:
        """Calls a tool; a protocol error counts as a result that is one."""
        reply, elapsed_ms = self._ask("tools/call", {"name": tool, "arguments": arguments}, limit_s)
        if "result" in reply:
            return Called(reply["result"], elapsed_ms)
        return Called({"isError": True, "content": [{"type": "text", "text": str(reply["error"])}]}, elapsed_ms)

    def _ask(self, method: str, params: dict[str, Any], limit_s: float) -> tuple[dict[str, Any], float]:
        self._last_id += 1
        began = time.perf_counter()
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params})
        while True:
            line = self._line(began + limit_s)
            elapsed_ms = (time.perf_counter() - began) * 1000
            message = json.loads(line)
            if message.get("id") == self._last_id and "method" not in message:
                return message, elapsed_ms
            self._answer(message)

    def _answer(self, message: dict[str, Any]) -> None:
        """Answers a request of the server's: pings alone are understood."""
        if "method" in message and "id" in message:
            refused = {"error": {"code": METHOD_NOT_FOUND, "message": "not offered"}}
            self._send({"jsonrpc": "2.0", "id": message["id"], **({"result": {}} if message["method"] == "ping" else refused)})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _line(self, until: float) -> bytes:
        assert self._process.stdout
        pipe = self._process.stdout.fileno()
        chunks = [self._unread]
        while b"\n" not in chunks[-1]:
            if not select.select([pipe], [], [], max(0.0, until - time.perf_counter()))[0]:
                raise TimeoutError(f"no answer within the limit; see {self.log}")
            chunks.append(os.read(pipe, CHUNK))
            if not chunks[-1]:
                raise RuntimeError(f"the server has ended; see {self.log}")
        line, _, self._unread = b"".join(chunks).partition(b"\n")
        return line if line.strip() else self._line(until)

    def close(self) -> None:
        """Closes the server's standard input, by which it ends, and waits for its end."""
        assert self._process.stdin and self._process.stdout
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_LIMIT_S)
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
