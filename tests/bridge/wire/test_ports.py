"""The port window: exclusive, first free first, and notes on who holds what."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabwire.wire import ports
from tabwire.wire.ports import Holder, PortsTaken


def holder(port: int, pid: int | None = None) -> Holder:
    return Holder(port, os.getpid() if pid is None else pid, "Claude", "2026-01-01T00:00:00+00:00", "0.1.0")


@pytest.fixture
def taken() -> Iterator[int]:
    with ports.claim([0]) as listener:
        yield listener.getsockname()[1]


def test_the_first_free_port_is_taken_on_loopback_only(taken: int) -> None:
    with ports.claim([taken, 0]) as listener:
        host, port = listener.getsockname()
        assert host == "127.0.0.1"
        assert port != taken


def test_a_port_another_program_listens_on_is_left_to_it() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(PortsTaken):
            ports.claim([other.getsockname()[1]])


def test_a_port_can_be_taken_again_after_its_connections_ended() -> None:
    with ports.claim([0]) as listener:
        port = listener.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            listener.setblocking(True)
            listener.accept()[0].close()
    ports.claim([port]).close()


def test_notes_are_written_listed_by_port_and_taken_away(tmp_path: Path) -> None:
    for port in (17891, 17890):
        ports.note(tmp_path, holder(port))
    assert ports.holders(tmp_path) == [holder(17890), holder(17891)]
    ports.forget(tmp_path, 17890)
    assert ports.holders(tmp_path) == [holder(17891)]


def test_a_note_of_a_process_that_is_gone_is_left_out(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(30)
    ports.note(tmp_path, holder(17890, process.pid))
    ports.note(tmp_path, holder(17891, 0))
    ports.note(tmp_path, holder(17892, 2**80))
    assert [found.port for found in ports.holders(tmp_path)] in ([], [17892])


def test_another_processs_note_is_not_taken_away(tmp_path: Path) -> None:
    ports.note(tmp_path, holder(17890, os.getppid()))
    ports.forget(tmp_path, 17890)
    assert (tmp_path / "17890.json").exists()
    ports.forget(tmp_path, 17899)


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"port": "x", "pid": 1})])
def test_a_broken_note_is_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "17890.json").write_text(text)
    assert ports.holders(tmp_path) == []


def test_a_folder_that_cannot_be_made_only_costs_the_note(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    ports.note(tmp_path / "file", holder(17890))
    assert "17890" in caplog.text
    assert ports.holders(tmp_path / "nowhere") == []
