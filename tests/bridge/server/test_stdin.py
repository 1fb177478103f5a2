"""Standard input: lines in order, bounded, and never in the way of the end of the process."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator

import anyio
import pytest

from programs import environment
from tabwire.server.stdin import DaemonStdin, LineSplitter

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    for descriptor in (writing, reading):
        try:
            os.close(descriptor)
        except OSError:
            continue


async def read_all(stdin: DaemonStdin) -> list[str]:
    with anyio.fail_after(5):
        return [line.text.decode("utf-8", "replace") async for line in stdin if not line.overlong]


async def test_lines_arrive_whole_and_in_order_until_the_end(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"one\ntw")
    os.write(writing, "o é\n\nrest".encode())
    os.close(writing)
    assert await read_all(DaemonStdin(reading)) == ["one\n", "two é\n", "\n", "rest"]


async def test_bytes_that_are_no_text_do_not_end_the_input(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"\xff\nnext\n")
    os.close(writing)
    assert await read_all(DaemonStdin(reading)) == ["\ufffd\n", "next\n"]


async def test_more_lines_than_fit_the_queue_wait_for_their_reader(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"".join(b"%d\n" % n for n in range(1000)))
    os.close(writing)
    assert await read_all(DaemonStdin(reading)) == [f"{n}\n" for n in range(1000)]


async def test_of_a_line_that_is_too_long_the_start_and_the_end_are_kept(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    # A pipe of Windows holds no more.
    os.write(writing, b"ok\n" + b'{"id":7,' + b"x" * 3500 + b'"jsonrpc":"2.0"}\nafter\n')
    os.close(writing)
    with anyio.fail_after(5):
        lines = [line async for line in DaemonStdin(reading, max_line=100)]
    assert [line.overlong for line in lines] == [False, True, False]
    assert lines[1].text.startswith(b'{"id":7,') and lines[1].end.endswith(b'"jsonrpc":"2.0"}')
    assert len(lines[1].text) <= 1024 and len(lines[1].end) <= 1024


async def test_waiting_for_a_line_can_be_cancelled(pipe: tuple[int, int]) -> None:
    stdin = DaemonStdin(pipe[0])
    with anyio.fail_after(5):
        with anyio.move_on_after(0.01) as scope:
            await anext(aiter(stdin))
    assert scope.cancelled_caught


def test_the_splitter_keeps_no_more_than_one_allowed_line() -> None:
    splitter = LineSplitter(10)
    lines = [line for data in (b"12345", b"67890", b"1", b"x" * 100, b"\n", b"ok\nre") for line in splitter.feed(data)]
    assert [(line.text, line.overlong, len(line.end)) for line in lines] == [(b"12345678901", True, 111), (b"ok\n", False, 0)]
    rest = splitter.rest()
    assert rest is not None and rest.text == b"re"
    list(splitter.feed(b"\n"))
    assert splitter.rest() is None


PROGRAM = """
import sys, anyio
from tabwire.config import Config
from tabwire.server.handshake import Handshake
from tabwire.server.stdin import DaemonStdin
async def main():
    handshake = Handshake(Config())
    stdin = DaemonStdin(handshake.descriptor, handshake)
    sys.stderr.write((await anext(aiter(stdin))).text.decode())
    sys.stderr.write(repr(sys.stdin.read()))
anyio.run(main)
"""


def test_the_process_ends_although_its_input_is_still_open() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(b"hello\n")
        process.stdin.flush()
        began = time.monotonic()
        assert process.wait(20) == 0
        assert time.monotonic() - began < 20
        # What else reads descriptor 0 finds it empty: the pipe is ours alone.
        assert process.stderr.read().splitlines() == [b"hello", b"''"]
