"""Run as a program by forked.py: the origin, a process that has imported Tabwire and forks servers, and the stand-in of each server.

A stand-in is what the MCP client starts. It hands its streams, folder, environment and arguments to the origin, passes signals on
and ends as the server does.
"""

from __future__ import annotations

import array
import os
import signal
import socket
import struct
import sys

# What a stand-in does not need it does not import: it has to be there at once.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

MODULES = ("tabwire.app", "tabwire.cli.serve_command", "tabwire.server.mcp", "tabwire.surfaces.agent.toolset")
STREAMS = 3
KILLED = b"9"
SEPARATOR = "\0"
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LENGTH = struct.Struct("!I")


# ---- the process that the client starts ----------------------------------------------------------------------------------------


def stand_in(place: str, pid_file: str, *arguments: str) -> int:
    """Has a server forked with the streams of this process; its exit code."""
    origin = socket.socket(socket.AF_UNIX)
    origin.connect(f"\0{place}")
    parts = [pid_file, os.getcwd(), str(len(arguments)), *arguments, *(f"{name}={value}" for name, value in os.environ.items())]
    told = SEPARATOR.join(parts).encode("utf-8", "surrogateescape")
    streams = array.array("i", range(STREAMS))
    origin.sendmsg([_LENGTH.pack(len(told))], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, streams)])
    origin.sendall(told)
    answers = origin.makefile("rb")
    pid = int(answers.readline())

    def pass_on(number: int, frame: FrameType | None) -> None:
        _kill(pid, number)

    for number in PASSED_ON:
        signal.signal(number, pass_on)
    # The client must see the end of the server's streams.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(STREAMS):
        os.dup2(nothing, stream)
    code = os.waitstatus_to_exitcode(int(answers.readline() or KILLED))
    if code < 0:
        if -code in PASSED_ON:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def _kill(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass  # It has ended meanwhile.


# ---- the process that forks ----------------------------------------------------------------------------------------------------


def origin(place: str) -> None:
    """Forks a server for each stand-in until stdin ends; kills a server whose stand-in was killed."""
    import contextlib
    import gc
    import select

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    from importlib import import_module

    for module in MODULES:
        import_module(module)
    gc.freeze()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0{place}")
    listener.listen()
    os.write(1, b"ready\n")
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(listener, select.POLLIN)
    ends: dict[int, tuple[int, socket.socket]] = {}
    asked: dict[int, int] = {}
    while True:
        # One at a time: what the others say may no longer be so after this one.
        descriptor, _ = poll.poll()[0]
        if descriptor == 0:
            return
        if descriptor == listener.fileno():
            stand_in, _ = listener.accept()
            if pid := _forked(stand_in):
                end = os.pidfd_open(pid)
                ends[end], asked[stand_in.fileno()] = (pid, stand_in), pid
                poll.register(end, select.POLLIN)
                poll.register(stand_in, select.POLLIN)
        elif descriptor in asked:
            _kill(asked.pop(descriptor), signal.SIGKILL)
            poll.unregister(descriptor)
        else:
            pid, stand_in = ends.pop(descriptor)
            _, status = os.waitpid(pid, 0)
            poll.unregister(descriptor)
            os.close(descriptor)
            if asked.pop(stand_in.fileno(), None):
                poll.unregister(stand_in)
                with contextlib.suppress(OSError):
                    stand_in.sendall(b"%d\n" % status)
            stand_in.close()


def _forked(stand_in: socket.socket) -> int | None:
    """Receives what a stand-in tells, and forks; the server's process id, None if the stand-in was killed before it had said all."""
    head, streams, _, _ = socket.recv_fds(stand_in, _LENGTH.size, STREAMS)
    told = stand_in.recv(_LENGTH.unpack(head)[0], socket.MSG_WAITALL) if head else b""
    if not told or len(told) < _LENGTH.unpack(head)[0]:
        stand_in.close()
        return None
    pid = os.fork()
    if not pid:
        _serve(streams, told.decode("utf-8", "surrogateescape").split(SEPARATOR))
    for stream in streams:
        os.close(stream)
    stand_in.sendall(b"%d\n" % pid)
    return pid


def _serve(streams: list[int], told: list[str]) -> NoReturn:
    """Be the server: what a process has of its own is as if this one had just been started."""
    import tempfile
    from pathlib import Path

    pid_file, folder, count, *rest = told
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.closerange(STREAMS, 256)
    os.chdir(folder)
    Path(pid_file).write_text(str(os.getpid()), encoding="utf-8")
    os.environ.clear()
    os.environ.update(variable.partition("=")[::2] for variable in rest[int(count) :])
    sys.argv = ["tabwire", "serve", *rest[: int(count)]]
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os._exit(_code())


def _code() -> int:
    """Run the command; its exit code, as Python would have given it."""
    import traceback

    from tabwire.__main__ import main

    try:
        return main() or 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException as error:
        traceback.print_exc()
        if isinstance(error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


if __name__ == "__main__":
    role, *words = sys.argv[1:]
    sys.exit({"stand-in": stand_in, "origin": origin}[role](*words))
