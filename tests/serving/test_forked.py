"""Servers that are forked are as those that are started."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from polling import until
from programs import command, environment
from serving import forked

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Linux alone has descriptors of processes")
HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    b'"clientInfo":{"name":"test","version":"1"}}}\n'
)
PING = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n'
LIST = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'


def started(folder: Path, *words: str, is_forked: bool, **variables: str) -> "subprocess.Popen[bytes]":
    env = environment(folder / "home", **variables)
    fork = forked.command(env, folder / "pid") if is_forked else command("serve")
    assert fork
    pipe = subprocess.PIPE
    return subprocess.Popen([*fork, *words], cwd=folder, env=env, stdin=pipe, stdout=pipe, stderr=pipe)


def pid_in(folder: Path) -> int:
    file = folder / "pid"
    return int(until(lambda: file.is_file() and file.read_text()))


@pytest.mark.parametrize("words", [("--nonsense",), ("--toolset", "none")])
def test_what_cannot_be_served_is_said_the_same_way(tmp_path: Path, words: tuple[str, ...]) -> None:
    said = []
    for is_forked in (False, True):
        with started(tmp_path, *words, is_forked=is_forked) as server:
            out, err = server.communicate(timeout=20)
        said.append((server.returncode, out, err.replace(b"__main__.py", b"tabwire")))
    assert said[0] == said[1]
    assert said[0][0] == 2


def test_it_has_the_folder_the_variables_and_the_streams_of_its_client_and_ends_with_them(tmp_path: Path) -> None:
    with started(tmp_path, is_forked=True) as server:
        assert server.stdin and server.stdout
        server.stdin.write(HELLO)
        server.stdin.flush()
        assert b'"serverInfo"' in server.stdout.readline()
        process = Path(f"/proc/{pid_in(tmp_path)}")
        assert (process / "cwd").resolve() == tmp_path
        assert os.getsid(int(process.name)) == int(process.name)
        until((tmp_path / "home").is_dir)
        server.stdin.close()
        assert server.stdout.read() == b""
        assert server.wait(20) == 0
        until(lambda: not process.exists())


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_it_the_same_way(tmp_path: Path, number: signal.Signals) -> None:
    codes = []
    for is_forked in (False, True):
        with started(tmp_path, is_forked=is_forked) as server:
            assert server.stdin and server.stdout
            server.stdin.write(HELLO + PING)
            server.stdin.flush()
            # The first answer comes before the server listens to signals, the second one from the server.
            assert b'"serverInfo"' in server.stdout.readline()
            assert b'"id":2' in server.stdout.readline().replace(b" ", b"")
            server.send_signal(number)
            assert server.stdout.read() == b""
            codes.append(server.wait(20))
    assert codes[0] == codes[1]
    until(lambda: not Path(f"/proc/{pid_in(tmp_path)}").exists())


def test_a_server_that_was_killed_ends_its_client_s_process_the_same_way(tmp_path: Path) -> None:
    with started(tmp_path, is_forked=True) as server:
        os.kill(pid_in(tmp_path), signal.SIGKILL)
        assert server.stdout and server.stdout.read() == b""
        assert server.wait(20) == -signal.SIGKILL


def test_how_python_starts_cannot_be_chosen_for_a_fork(tmp_path: Path) -> None:
    assert forked.command(environment(tmp_path), tmp_path / "pid")
    assert forked.command(environment(tmp_path, PYTHONDEVMODE="1"), tmp_path / "pid") is None
