"""Spawn to the answer of `initialize`, against an interpreter that only imports `mcp`."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from row import Row

ROUNDS = 9
GOAL = 1.3
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}


def measure() -> list[Row]:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TABWIRE_HOME": home}
        _serve(environment)
        _import()
        # Alternating, so that a change of the machine's load meets both.
        pairs = [(_serve(environment), _import()) for _ in range(ROUNDS)]
    served, imported = (statistics.median(times) for times in zip(*pairs, strict=True))
    return [Row("spawn to initialize / python -c 'import mcp'", served, imported, "ms", GOAL)]


def _serve(environment: dict[str, str]) -> float:
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "tabwire", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin and process.stdout
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    elapsed_ms = (time.perf_counter() - started) * 1000
    assert b"serverInfo" in answer, answer
    process.stdin.close()
    process.wait(10)
    process.stdout.close()
    return elapsed_ms


def _import() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import mcp"], check=True, timeout=30)
    return (time.perf_counter() - started) * 1000
