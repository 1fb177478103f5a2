"""Ends a launched browser when its owner is gone, however it went.

Run as a script, in a process of its own: it reads orders from a pipe whose other end the owner holds. When the owner dies, even
by SIGKILL, the pipe closes and the orders are carried out: `group NUMBER` (end a process group, on Windows the job whose handle
is the script's argument and whose first process this is), `session URL` (delete a WebDriver session), `folder PATH` (delete it).
Imports nothing of tabwire, and of Python only what waiting needs: one such process
waits beside each launched browser for as long as that runs.
"""

from __future__ import annotations

import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ASKED_SECONDS = 5.0
CHILDREN_SECONDS = 1.0
GONE_SECONDS = 5.0
LOOK_SECONDS = 0.03
SESSION_SECONDS = 10.0


def end_job(first: int) -> None:
    """Windows: ask the first process of our job to close, then end all that is left in it."""
    import importlib

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "windows"))
    jobs = importlib.import_module("jobs")
    jobs.end(int(sys.argv[1]), first, asked_s=ASKED_SECONDS, gone_s=GONE_SECONDS)


def end_group(group: int) -> None:
    """Have the first process of a group end the others, then ask these, then kill what is still there.

    A browser that ends writes down what its pages and sites have left, and needs its children for that. Chromium does so for
    SIGINT; for SIGTERM it leaves out the cookies.
    """
    for send, sent, awaited, limit in (
        (os.kill, signal.SIGINT, _first_lives, ASKED_SECONDS),
        (os.killpg, 0, _group_lives, CHILDREN_SECONDS),
        (os.killpg, signal.SIGTERM, _group_lives, CHILDREN_SECONDS),
        (os.killpg, signal.SIGKILL, _group_lives, GONE_SECONDS),
    ):
        if not _group_lives(group):
            return
        _sent(send, group, sent)
        deadline = time.monotonic() + limit
        while awaited(group) and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)  # POSIX has no event for the end of somebody else's processes


def _group_lives(group: int) -> bool:
    return _sent(os.killpg, group, 0) and any(_lives(pid, group) for pid in _pids(group))


def _first_lives(group: int) -> bool:
    return _sent(os.kill, group, 0) and _lives(group, group)


def _pids(group: int) -> list[int]:
    """All processes where they can be listed, else the group's name for itself."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return [group]


def _lives(pid: int, group: int) -> bool:
    """Whether a process is of the group and has not ended: one that has may wait long for its parent to take note."""
    if not os.path.isdir("/proc/self"):
        return True
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            state, _, its_group = file.read().rpartition(")")[2].split()[:3]
    except OSError:
        return False
    return int(its_group) == group and state not in "ZX"


def _sent(send: Callable[[int, int], None], number: int, sent: int) -> bool:
    """Whether there was anybody to send a signal to; 0 only asks."""
    try:
        send(number, sent)
    except ProcessLookupError:
        return False
    return True


def delete(folder: str) -> None:
    """Delete a folder that a dying browser may still write to."""
    import shutil

    deadline = time.monotonic() + GONE_SECONDS
    while os.path.isdir(folder) and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)


def delete_session(url: str) -> None:
    """Delete a WebDriver session. A server that is gone has taken its sessions along."""
    import base64
    import contextlib
    import http.client
    import urllib.parse
    import urllib.request

    scheme, _, rest = url.partition("://")
    user, at, address = rest.rpartition("@")
    request = urllib.request.Request(f"{scheme}://{address}", method="DELETE")
    if at:
        request.add_header("Authorization", f"Basic {base64.b64encode(urllib.parse.unquote(user).encode()).decode()}")
    with contextlib.suppress(OSError, http.client.HTTPException):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=SESSION_SECONDS).close()


END: tuple[tuple[str, Callable[[str], None]], ...] = (
    ("session", delete_session),
    ("group", lambda number: (end_job if sys.platform == "win32" else end_group)(int(number))),
    ("folder", delete),
)
"""Cleaning steps in order: a folder goes when nobody writes to it any more."""


def main() -> None:
    """Read orders, lines of a kind and a value, until the owner is gone; then carry them out."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows knows no SIGHUP.
        if ignored := getattr(signal, name, None):
            signal.signal(ignored, signal.SIG_IGN)
    # As bytes: Windows would read the pipe in the letters of its code page, and a home with others would not be found.
    orders = [os.fsdecode(line).rstrip("\n").split(" ", 1) for line in sys.stdin.buffer]
    for kind, end in END:
        for ordered, value in orders:
            if ordered == kind:
                end(value)


if __name__ == "__main__":
    main()
