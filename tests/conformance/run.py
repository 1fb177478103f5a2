"""The conformance suite against a server of this checkout; called by scripts/lab/conformance with the path of the suite.

Every failed check has to be listed in expected.json, and every listed check has to fail: a pass that nobody expected is news, too.
"""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from proxy import BearerProxy

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = Path(__file__).with_name("expected.json")
SERVING = re.compile(r"serving MCP at http://127\.0\.0\.1:(\d+)/mcp, bearer token in (.+)")
SCENARIO = re.compile(r"server-(.+)-\d{4}-\d\d-\d\dT.*")
START_LIMIT_S = 20
SUITE_LIMIT_S = 300
END_LIMIT_S = 10


@contextlib.asynccontextmanager
async def served(home: str) -> AsyncIterator[tuple[int, Path]]:
    """A server with a browser of its own: its port and the file of its token. It must end by itself when it is told to."""
    command = [sys.executable, "-m", "tabwire", "serve", "--http", "0", "--launch", "--headless", "--home", home]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bridge")}
    server = await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.PIPE)
    assert server.stderr is not None
    try:
        line = (await asyncio.wait_for(server.stderr.readline(), START_LIMIT_S)).decode()
        started = SERVING.search(line)
        assert started, f"the server did not start: {line}{(await server.stderr.read()).decode()}"
        yield int(started[1]), Path(started[2].strip())
        server.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(server.wait(), END_LIMIT_S) == 0, f"the server ended with {server.returncode}"
    finally:
        if server.returncode is None:
            server.kill()


async def failures(suite: str, url: str, requirements: str, results: Path) -> tuple[set[str], str]:
    """The failed checks of a set of requirements, each as "scenario check", and the suite's own totals."""
    words = ["node", suite, "server", "--url", url, "--requirements", requirements, "-o", str(results)]
    ran = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT)
    output = (await asyncio.wait_for(ran.communicate(), SUITE_LIMIT_S))[0].decode()
    totals = re.search(r"^Total: .*$", output, re.MULTILINE)
    assert totals, f"the suite did not come to its end:\n{output[-3000:]}"
    return failed_in(results), totals[0]


def failed_in(results: Path) -> set[str]:
    """The failed checks that the suite has written down."""
    failed = set()
    for file in results.glob("*/checks.json"):
        scenario = SCENARIO.fullmatch(file.parent.name)
        assert scenario, file
        failed |= {f"{scenario[1]} {check['id']}" for check in json.loads(file.read_text()) if check["status"] == "FAILURE"}
    return failed


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(line + "\n")


def report(requirements: str, failed: set[str], totals: str, expected: dict[str, list[str]]) -> bool:
    """Print how the failures compare with the list; whether they are the same."""
    listed = {check for checks in expected.values() for check in checks}
    say(f"{requirements}: {totals}")
    for reason, checks in expected.items():
        say(f"  {len(checks)} expected: {reason}")
    for check in sorted(failed - listed):
        say(f"  FAILED and not expected to: {check}")
    for check in sorted(listed - failed):
        say(f"  passed or no longer run, but listed as a failure: {check}")
    return failed == listed


async def main(suite: str) -> int:
    """The exit code."""
    sets: dict[str, dict[str, list[str]]] = json.loads(EXPECTED.read_text())
    with tempfile.TemporaryDirectory(prefix="tabwire-conformance-") as work:
        async with served(f"{work}/home") as (port, token_file), BearerProxy(port, token_file).running() as proxy:
            url = f"http://127.0.0.1:{proxy.port}/mcp"
            as_listed = [
                report(name, *(await failures(suite, url, name, Path(work) / name)), expected) for name, expected in sets.items()
            ]
    say("as expected" if all(as_listed) else "NOT as expected: see tests/conformance/expected.json")
    return 0 if all(as_listed) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
