"""Sessions where Python has no local sockets: a loopback port, and words that only the user can read prove who is there."""

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polling import until
from programs import ROOT, command, environment
from tabwire.cli.session import frames, port_line

Run = Callable[..., subprocess.CompletedProcess[str]]
REFUSED = "invalid_argument: click: needs exactly one of selector or coordinates\n"
WITHOUT_LOCAL_SOCKETS = "import tabwire.cli.session.connection as connection\nconnection.HAS_LOCAL_SOCKETS = False\n"


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Runs commands of a Python without local sockets, one process for each."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_LOCAL_SOCKETS, encoding="utf-8")
    env = environment(tmp_path / "home", PYTHONPATH=os.pathsep.join((str(tmp_path), str(ROOT / "bridge"))))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command(*words), env=env, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
            check=False,
        )  # fmt: skip

    yield run
    run("close", "--all")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the session's address."""
    return tmp_path / "home/shell/default.sock"


def process_of(run: Run) -> int:
    (found,) = re.findall(r"^default: process (\d+)", run("sessions").stdout, re.MULTILINE)
    return int(found)


def test_a_command_starts_a_session_that_further_ones_find_until_it_is_closed(run: Run, file: Path) -> None:
    assert run("click").stderr == REFUSED
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first = process_of(run)
    assert (run("click").stderr, process_of(run)) == (REFUSED, first)
    assert (run("close").returncode, run("sessions").stdout, file.exists()) == (0, "", False)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows knows no SIGKILL")
def test_a_killed_session_is_started_again(run: Run) -> None:
    run("click")
    first = process_of(run)
    os.kill(first, signal.SIGKILL)
    done = run("click")
    assert "had ended unexpectedly; a new one is started" in done.stderr
    assert process_of(run) != first


@pytest.mark.parametrize("said", [b"", b"0" * port_line.WORD_BYTES, frames.frame(frames.CLOSE) * 20])
def test_a_program_without_the_word_is_not_heard(said: bytes, run: Run, file: Path) -> None:
    run("click")
    address = port_line.address_in(str(file))
    with socket.create_connection((port_line.HOST, address.port), 30) as stranger:
        stranger.sendall(said)
        stranger.shutdown(socket.SHUT_WR)
        heard = b""
        with contextlib.suppress(ConnectionError):
            heard = stranger.recv(1)
    assert heard == b""
    assert run("click").stderr == REFUSED


def test_a_program_that_has_the_port_of_a_dead_session_is_sent_no_command(file: Path) -> None:
    file.parent.mkdir(parents=True)
    heard: list[bytes] = []
    with socket.create_server((port_line.HOST, 0)) as listener:
        words = (b"a" * port_line.WORD_BYTES, b"b" * port_line.WORD_BYTES)
        file.write_text(port_line.written(port_line.Address(listener.getsockname()[1], *words)), encoding="ascii")

        def answer() -> None:
            line, _ = listener.accept()
            with line:
                heard.append(line.recv(4096))
                line.sendall(b"c" * port_line.WORD_BYTES)
                heard.append(line.recv(4096))

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ConnectionRefusedError):
            port_line.dial(str(file))
        thread.join(30)
    assert heard == [words[0], b""]


@pytest.mark.parametrize("content", ["", "80", "port a b", "1 2 3 4"])
def test_a_file_without_an_address_is_an_error(content: str, file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(content, encoding="ascii")
    with pytest.raises(OSError, match="no address"):
        port_line.dial(str(file))


def test_the_port_of_an_ended_session_refuses(file: Path) -> None:
    file.parent.mkdir(parents=True)
    with socket.create_server((port_line.HOST, 0)) as listener:
        port = listener.getsockname()[1]
    file.write_text(port_line.written(port_line.Address(port, b"a" * 32, b"b" * 32)), encoding="ascii")
    with pytest.raises(ConnectionRefusedError):
        port_line.dial(str(file))


def test_waiting_for_the_end_of_a_session_ends_with_its_process(run: Run, file: Path) -> None:
    run("click")
    number = process_of(run)
    line = port_line.dial(str(file))
    line.settimeout(30)
    line.sendall(frames.frame(frames.CLOSE))
    assert line.recv(1) == b""
    line.close()
    until(
        lambda: not Path(f"/proc/{number}").exists() or "Z" in Path(f"/proc/{number}/stat").read_text(encoding="ascii"), within=30
    )
