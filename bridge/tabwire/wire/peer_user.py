"""The user whose program is at the other end of a connection on this computer, where the system tells it."""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_TABLE = Path("/proc/net/tcp")
_LOCAL, _REMOTE, _UID = 1, 2, 7
"""Columns (proc_net_tcp, Linux kernel documentation)."""


def is_own(peer: tuple[str, int], here: tuple[str, int]) -> bool | None:
    """Whether the program at the other end is one of this user's.

    Args:
        peer: Its IPv4 address and port.
        here: The ones it has dialled.

    Returns:
        None where the system does not tell: outside Linux, and for a connection from elsewhere, such as another container.
    """
    if sys.platform != "linux":
        return None
    try:
        with _TABLE.open(encoding="ascii") as lines:
            owner = owner_in(lines, peer, here)
    except OSError:
        return None
    return None if owner is None else owner == os.getuid()


def owner_in(lines: Iterable[str], peer: tuple[str, int], here: tuple[str, int]) -> int | None:
    """The user id of a connection's socket in the kernel's table; None when it is not in it."""
    wanted = [_entry(peer), _entry(here)]
    for line in lines:
        columns = line.split()
        if columns[_LOCAL : _REMOTE + 1] == wanted:
            return int(columns[_UID])
    return None


def _entry(address: tuple[str, int]) -> str:
    (number,) = struct.unpack("=I", socket.inet_aton(address[0]))
    return f"{number:08X}:{address[1]:04X}"
