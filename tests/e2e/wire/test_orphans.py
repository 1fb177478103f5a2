"""A client that is killed leaves nothing: no bridge, no browser, no folder. Not even when a child of it still holds its pipes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

from e2e.processes import processes_of, until_ended, until_gone
from polling import side_by_side
from programs import environment
from tabwire.server.parent_process import LAUNCHER_S

CLIENT = """
import json, subprocess, sys, time
command = [sys.executable, "-m", "tabwire", "serve", *sys.argv[3:]]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
with open(sys.argv[2], "w") as file:
    file.write(str(server.pid))
def say(**message):
    server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\\n")
    server.stdin.flush()
def ask(number, method, **params):
    say(id=number, method=method, params=params)
    while json.loads(server.stdout.readline()).get("id") != number:
        pass
ask(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "doomed", "version": "1"})
say(method="notifications/initialized")
ask(2, "tools/call", name="tab_list", arguments={})
if sys.argv[1] == "held":
    # A child that has inherited the pipes, as one of a client's other tools may have.
    pipes = server.stdin.fileno(), server.stdout.fileno()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "tabwire-holder"], pass_fds=pipes)
print("ready", flush=True)
time.sleep(600)
"""


class Client:
    """An MCP client in a process of its own."""

    def __init__(self, work: Path, temp: Path, pipes: str, *args: str) -> None:
        note = work / "bridge.pid"
        command = [sys.executable, "-c", CLIENT, pipes, str(note), *args]
        self.process = subprocess.Popen(
            command,
            env=environment(work / "home", TMPDIR=str(temp)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"
        self.ready = time.monotonic()
        self.bridge = int(note.read_text())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)

    def end(self) -> None:
        """Ends what the test itself has left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return state.rsplit(")", 1)[1].split()[0] != "Z"


BROWSER = ("--launch", "--headless")
CASES = {
    "pipes closed": ("closed", BROWSER),
    "pipes held": ("held", BROWSER),
    "pipes held, no browser": ("held", ()),
}


def leave_nothing(work: Path, temp: Path, pipes: str, options: tuple[str, ...]) -> None:
    """Kills a client and waits until its bridge, its browser and their files are gone."""
    client = Client(work, temp, pipes, *options)
    try:
        assert is_running(client.bridge)
        assert bool(processes_of(temp)) is bool(options)
        # One that ends earlier is taken for a launcher.
        until_ended(lambda: time.monotonic() - client.ready > LAUNCHER_S, says="the bridge knows its parent")
        client.kill()
        until_ended(lambda: not is_running(client.bridge), says="the bridge ended")
        until_gone(temp)
        assert not list((work / "home" / "run").glob("*.json"))
    finally:
        client.end()


def test_nothing_is_left_of_a_client_that_was_killed(tmp_path: Path, temp: Path) -> None:
    # Each case mostly waits, for a browser or for LAUNCHER_S, and has folders of its own.
    cases = {}
    for number, (name, case) in enumerate(CASES.items()):
        folders = tmp_path / str(number), temp / str(number)
        for folder in folders:
            folder.mkdir()
        cases[name] = partial(leave_nothing, *folders, *case)
    side_by_side(cases)


LAUNCHER = "import subprocess, sys; subprocess.Popen([sys.executable, '-m', 'tabwire', 'serve'])"


def test_a_launcher_that_ends_takes_no_bridge_along(tmp_path: Path) -> None:
    launcher = subprocess.Popen(
        [sys.executable, "-c", LAUNCHER],
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert launcher.stdin is not None
    assert launcher.stdout is not None
    assert launcher.wait(10) == 0
    with launcher.stdin as to_bridge, launcher.stdout as from_bridge:
        for number in (1, 2):
            to_bridge.write(b'{"jsonrpc": "2.0", "id": %d, "method": "ping"}\n' % number)
            to_bridge.flush()
            assert json.loads(from_bridge.readline())["id"] == number
        to_bridge.close()
        assert from_bridge.read() == b""
