"""An MCP client with its bridge, which it starts again when it dies, as MCP hosts do."""

import contextlib
import os
import signal
import threading
import time
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trail import Trail

from e2e.client import Reply, Tabwire

GRACE_S = 5.0
"""Seconds that a call may take beyond its own deadline before it counts as hanging."""
STEP_S = 0.1


@dataclass(frozen=True)
class Answer:
    """Outcome of one call."""

    is_error: bool
    code: str
    """`bridge_gone`: the bridge died before it answered; `hanging`: no answer within the limit."""
    text: str
    data: Any
    seconds: float


class Host:
    """See the module docstring. ``generation`` changes with every bridge."""

    def __init__(self, name: str, work: Path, home: Path, args: list[str], trail: Trail) -> None:
        self.name = name
        self.generation = 0
        self.paused_s = 0.0
        """Seconds for which its bridges were stopped altogether: no call is to blame for that."""
        self.deaths = 0
        """Bridges that ended although nobody killed them."""
        self._work = work
        self._home = home
        self._args = args
        self._trail = trail
        self._killed: set[int] = set()
        self._lock = threading.Lock()
        self.bridge = self._start()

    def _start(self) -> Tabwire:
        env = {"TABWIRE_HOME": str(self._home), "TABWIRE_LOG_LEVEL": "info"}
        bridge = Tabwire(self._args, env, self._work / f"bridge{self.generation}")
        self._trail.note("bridge", host=self.name, generation=self.generation, pid=bridge.pid)
        return bridge

    @property
    def pid(self) -> int:
        return self.bridge.pid

    @property
    def life(self) -> int | None:
        """Generation of the bridge that is at work; None while none is."""
        return None if self.generation in self._killed else self.generation

    def kill(self) -> None:
        """SIGKILL; the next call starts another bridge."""
        self._killed.add(self.generation)
        self.bridge.kill()

    def revive(self, generation: int) -> None:
        """Starts another bridge unless that happened already."""
        with self._lock:
            if self.generation != generation:
                return
            if generation not in self._killed:
                self.deaths += 1
                self._trail.note("death", host=self.name, log=self.bridge.log_tail(30))
            self.bridge.close()
            self.generation += 1
            self.bridge = self._start()

    def pause(self, seconds: float) -> None:
        """SIGSTOP, and SIGCONT after so long."""
        pid = self.pid
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(seconds)
        finally:
            self.paused_s += seconds
            os.kill(pid, signal.SIGCONT)

    def call(self, tool: str, arguments: dict[str, Any], deadline_s: float) -> Answer:
        """Make one call, however it ends; it never takes longer than its limit."""
        started = time.monotonic()
        generation, bridge, paused = self.generation, self.bridge, self.paused_s
        try:
            future: Future[Reply] = bridge.start(tool, **arguments)
        except RuntimeError as error:
            # Its event loop ended while another lane was reviving the bridge.
            self.revive(generation)
            return Answer(True, "bridge_gone", str(error), None, time.monotonic() - started)
        while True:
            try:
                reply = future.result(STEP_S)
                break
            except NotYet:
                limit = deadline_s + GRACE_S + self.paused_s - paused
                if time.monotonic() - started > limit:
                    future.cancel()
                    return Answer(True, "hanging", f"no answer within {limit:.1f} s", None, time.monotonic() - started)
            except (CancelledError, Exception) as error:
                reply = Reply(f"Connection closed ({error!r})", True)
                break
        code, seconds = reply.code, time.monotonic() - started
        if reply.is_error and not code and "onnection closed" in reply.text:
            code = "bridge_gone"
            self.revive(generation)
        code = code or ("protocol_error" if reply.is_error else "")
        return Answer(reply.is_error, code, reply.text, reply.data, seconds)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.bridge.close()
