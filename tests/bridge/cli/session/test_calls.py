"""A call and its reply, where the session or the output fails."""

import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.session.fake_session import FakeSession, fake_session
from polling import until
from programs import command, environment
from tabwire.cli.session import calls, frames
from tabwire.cli.session.connection import dial
from tabwire.cli.session.interrupts import Interrupts
from tabwire.cli.session.options import asked_in

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    near, far = socket.socketpair()
    with near, far:
        yield near, far


def test_a_session_that_hears_nothing_is_said(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(calls, "HEARD_LIMIT_S", 0.05)
    assert calls.converse(pair[0], asked_in(["title"]), "/") == frames.FAILED
    assert "session default does not answer: nothing came within 0.05 s" in capfd.readouterr().err


def test_threads_that_dial_at_once_all_find_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where Ctrl-C ends what is followed while the next news are asked for."""
    monkeypatch.setenv("TABWIRE_HOME", str(tmp_path))
    before = os.getcwd()

    def dialled(_: int) -> object:
        line = dial("default")
        if isinstance(line, OSError):
            return line
        line.close()
        return None

    with fake_session(tmp_path, lambda session, words: None), ThreadPoolExecutor(4) as pool:
        assert [problem for problem in pool.map(dialled, range(400)) if problem] == []
    assert os.getcwd() == before


def test_a_call_that_was_heard_may_take_long(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "HEARD_LIMIT_S", 5)
    pair[1].sendall(frames.frame(frames.HEARD) + frames.frame(frames.END, "0"))
    assert calls.converse(pair[0], asked_in(["title"]), "/") == frames.DONE
    assert pair[0].gettimeout() is None


def test_a_session_that_ends_before_it_hears_a_call_has_done_nothing(pair: Pair, capfd: pytest.CaptureFixture[str]) -> None:
    pair[1].close()
    assert calls.converse(pair[0], asked_in(["title"]), "/") is None
    assert capfd.readouterr().err == ""


def test_a_session_that_has_gone_is_said(pair: Pair, capfd: pytest.CaptureFixture[str]) -> None:
    pair[1].sendall(frames.frame(frames.HEARD))
    pair[1].shutdown(socket.SHUT_WR)
    assert calls.converse(pair[0], asked_in(["title"]), "/") == frames.FAILED
    assert "session default ended before it answered" in capfd.readouterr().err


def test_a_call_that_is_withdrawn_as_its_session_ends_still_has_its_exit_code(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes once the last frame is sent and the session's end is closed."""
    pair[1].sendall(frames.frame(frames.HEARD) + frames.frame(frames.END, "0"))
    take = calls.Call.take

    def interrupted(call: calls.Call, kind: bytes, content: bytes) -> int | None:
        if kind == frames.HEARD:
            pair[1].close()
            raise KeyboardInterrupt
        return take(call, kind, content)

    monkeypatch.setattr(calls.Call, "take", interrupted)
    assert calls.converse(pair[0], asked_in(["title"]), "/") == frames.INTERRUPTED


class InterruptedLine(socket.socket):
    """A connection on which Ctrl-C comes as soon as bytes have been sent or taken."""

    moment = ""

    def _come(self, moment: str) -> None:
        if self.moment == moment:
            self.moment = ""
            signal.raise_signal(signal.SIGINT)

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        super().sendall(data, flags)
        self._come("sent")

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        found = super().recv(size, flags)
        self._come("seen" if flags & socket.MSG_PEEK else "taken")
        return found


@pytest.mark.parametrize("moment", ["sent", "seen", "taken"])
def test_ctrl_c_at_any_moment_withdraws_the_call_and_tells_what_became_of_it(
    pair: Pair, capfd: pytest.CaptureFixture[str], moment: str
) -> None:
    pair[1].sendall(frames.frame(frames.HEARD) + frames.frame(frames.ERR, "had begun") + frames.frame(frames.END, "130"))
    with InterruptedLine(fileno=os.dup(pair[0].fileno())) as line:
        line.moment = moment
        assert calls.converse(line, asked_in(["title"]), "/") == frames.INTERRUPTED
    assert capfd.readouterr().err == "had begun\n"
    sent = frames.Reader(pair[1])
    assert [kind for kind, _ in filter(None, (sent.read(), sent.read()))] == [frames.CALL, frames.CANCEL]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_ends_the_wait_for_a_session_that_says_nothing(pair: Pair, capfd: pytest.CaptureFixture[str]) -> None:
    pair[1].sendall(frames.frame(frames.HEARD))

    def interrupt_again() -> None:
        sent = frames.Reader(pair[1])
        while (sent.read() or (frames.CANCEL, b""))[0] != frames.CANCEL:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt_again)
    thread.start()
    with InterruptedLine(fileno=os.dup(pair[0].fileno())) as line:
        line.moment = "sent"
        assert calls.converse(line, asked_in(["title"]), "/") == frames.INTERRUPTED
    thread.join(10)
    assert "did not say what became of the call; take a snapshot" in capfd.readouterr().err


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    def answer(session: FakeSession, parts: list[str]) -> None:
        # Nothing after it: the command does not wait for more.
        session.say(frames.OUT, "Shop")

    with fake_session(tmp_path, answer), open("/dev/full", "wb") as full:
        done = subprocess.run(
            command("title"), env=environment(tmp_path), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
        )
    assert (done.returncode, done.stderr) == (1, "tabwire: the reply could not be written: No space left on device\n")


@pytest.mark.parametrize("waits", [True, False])
def test_a_slow_reader_gets_all_of_it(waits: bool) -> None:
    """Also where the pipe does not let a program wait in a write, as some parents open it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, waits)
    found = bytearray()

    def read() -> None:
        until(lambda: select.select([], [writing], [], 0)[1] == [], says="a full pipe")
        while part := os.read(reading, 4096):
            found.extend(part)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        calls._write(writing, b"x" * 300_000, Interrupts())
    finally:
        os.close(writing)
        reader.join(30)
        os.close(reading)
    assert found == b"x" * 300_000
