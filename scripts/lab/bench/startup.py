"""Spawn to `initialize`, to the first answer of a launched browser, and a command at a shell from start to end."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from row import Row

from e2e.site import Site

ROUNDS = 9
LAUNCHES = 5
GOAL = 0.3
ANSWER_MS = 1000
SHELL_ROUNDS = 50
SHELL_GOAL = 3.0
"""60 ms, where an interpreter takes 20."""
TABWIRE = str(Path(sys.executable).with_name("tabwire"))
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "tab_list", "arguments": {}}}


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TABWIRE_HOME": home}
        _serve(environment)
        _import()
        # Alternating, so that a change of the machine's load meets both.
        pairs = [(_serve(environment), _import()) for _ in range(ROUNDS)]
        answered = statistics.median(_serve(environment, CALL, "--launch", "--headless") for _ in range(LAUNCHES))
    served, imported = (statistics.median(times) for times in zip(*pairs, strict=True))
    return [
        Row("spawn to initialize / python -c 'import mcp'", served, imported, "ms", GOAL),
        Row("spawn to a launched browser's answer / 1 s", answered, ANSWER_MS, "ms", 1.0),
    ]


def _serve(environment: dict[str, str], last: dict[str, Any] = INITIALIZE, *options: str) -> float:
    """Milliseconds from the start of a server to its answer to the last of the messages that it is sent at once."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "tabwire", "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin and process.stdout
    messages = [INITIALIZE] if last is INITIALIZE else [INITIALIZE, INITIALIZED, last]
    process.stdin.write("".join(json.dumps(message) + "\n" for message in messages).encode())
    process.stdin.flush()
    answer = next(line for line in process.stdout if json.loads(line).get("id") == last["id"])
    elapsed_ms = (time.perf_counter() - started) * 1000
    assert b'"result"' in answer and b'"isError":true' not in answer, answer
    process.stdin.close()
    process.wait(10)
    process.stdout.close()
    return elapsed_ms


def _import() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp"], check=True, timeout=30)
    return (time.perf_counter() - started) * 1000


def measure_shell() -> list[Row]:
    """A command at a shell from its start to its end, against an interpreter that does nothing."""
    site = Site()
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TABWIRE_HOME": home}
        try:
            page = site.page("<h1>Shop</h1><button>Order</button>")
            subprocess.run([TABWIRE, "--headless", "open", page], env=environment, check=True, stdout=subprocess.DEVNULL)
            # The page takes its time for a snapshot, whoever asks: it has no goal.
            return [_row("title", environment, SHELL_GOAL), _row("snapshot", environment)]
        finally:
            subprocess.run([TABWIRE, "close"], env=environment, check=True)
            site.close()


def _row(command: str, environment: dict[str, str], goal: float | None = None) -> Row:
    # Alternating, so that a change of the machine's load meets both.
    pairs = [
        (_timed([TABWIRE, command], environment), _timed([sys.executable, "-c", "pass"], environment))
        for _ in range(SHELL_ROUNDS)
    ]
    asked, nothing = (statistics.median(times) for times in zip(*pairs, strict=True))
    return Row(f"tabwire {command} / python -c pass", asked, nothing, "ms", goal)


def _timed(command: list[str], environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return (time.perf_counter() - started) * 1000
