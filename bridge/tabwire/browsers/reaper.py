"""Ends a launched browser when its owner is gone, however it went.

Run as a script, in a process of its own: it reads orders from a pipe whose other end the owner holds. When the owner dies, even
by SIGKILL, the pipe closes and the orders are carried out: `group NUMBER` (end a process group), `session URL` (delete a
WebDriver session), `folder PATH` (delete it). Imports nothing of tabwire.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import os
import shutil
import signal
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable

ASKED_SECONDS = 5.0
CHILDREN_SECONDS = 1.0
GONE_SECONDS = 5.0
SESSION_SECONDS = 10.0


def end_group(group: int) -> None:
    """Have the first process of a group end the others, then ask these, then kill what is still there.

    A browser that ends writes down what its pages and sites have left, and needs its children for that. Chromium does so for
    SIGINT; for SIGTERM it leaves out the cookies.
    """
    for signalled, sent, awaited, limit in (
        (os.kill, signal.SIGINT, os.kill, ASKED_SECONDS),
        (os.killpg, 0, os.killpg, CHILDREN_SECONDS),
        (os.killpg, signal.SIGTERM, os.killpg, CHILDREN_SECONDS),
        (os.killpg, signal.SIGKILL, os.killpg, GONE_SECONDS),
    ):
        if not _sent(os.killpg, group, 0):
            return
        _sent(signalled, group, sent)
        deadline = time.monotonic() + limit
        while _sent(awaited, group, 0) and time.monotonic() < deadline:
            time.sleep(0.02)  # POSIX has no event for the end of somebody else's processes


def _sent(send: Callable[[int, int], None], number: int, sent: int) -> bool:
    """Whether there was anybody to send a signal to; 0 only asks."""
    try:
        send(number, sent)
    except ProcessLookupError:
        return False
    return True


def delete(folder: str) -> None:
    """Delete a folder that a dying browser may still write to."""
    deadline = time.monotonic() + GONE_SECONDS
    while os.path.isdir(folder) and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)


def delete_session(url: str) -> None:
    """Delete a WebDriver session. A server that is gone has taken its sessions along."""
    scheme, _, rest = url.partition("://")
    user, at, address = rest.rpartition("@")
    request = urllib.request.Request(f"{scheme}://{address}", method="DELETE")
    if at:
        request.add_header("Authorization", f"Basic {base64.b64encode(urllib.parse.unquote(user).encode()).decode()}")
    with contextlib.suppress(OSError, http.client.HTTPException):
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=SESSION_SECONDS).close()


END: tuple[tuple[str, Callable[[str], None]], ...] = (
    ("session", delete_session),
    ("group", lambda number: end_group(int(number))),
    ("folder", delete),
)
"""In this order: a folder goes when nobody writes to it any more."""


def main() -> None:
    """Read orders, lines of a kind and a value, until the owner is gone; then carry them out."""
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    orders = [line.rstrip("\n").split(" ", 1) for line in sys.stdin]
    for kind, end in END:
        for ordered, value in orders:
            if ordered == kind:
                end(value)


if __name__ == "__main__":
    main()
