"""``tabwire serve`` on a pipe, and lines that no MCP client would send."""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from programs import environment
from serving import forked

START_LIMIT_S = 30


class RawLines:
    """A bridge without a browser: ``send`` writes a line, ``answer`` reads one. The handshake is done."""

    def __init__(self, work: Path, version: str = "2025-11-25", *args: str) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self.log = work / "server.log"
        env = environment(work / "home")
        serve = forked.serve(env, work / "server.pid")
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [*serve, *args],
                env=env,
                cwd=work,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
            )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.version = self.ask("initialize", params, within=START_LIMIT_S)["result"]["protocolVersion"]
        self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def send(self, line: str | bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self.process.stdin.flush()

    def answer(self, within: float = 10) -> Any:
        """The next line of the bridge's, as JSON."""
        return json.loads(self._lines.get(timeout=within))

    def ask(self, method: str, params: dict[str, Any], request_id: Any = "raw", within: float = 10) -> Any:
        """Sends a request; its answer, which is the next line."""
        self.send(json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}))
        return self.answer(within)

    def unread(self) -> Iterator[bytes]:
        """Lines that nobody has asked for."""
        while not self._lines.empty():
            yield self._lines.get()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        finally:
            self.process.kill()
            self._reader.join(10)
            self.process.stdout.close()
