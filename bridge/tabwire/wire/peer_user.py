"""The user whose program is at the other end of a connection on this computer, where the system tells it."""

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

_TABLE = Path("/proc/net/tcp")
_LOCAL, _REMOTE, _UID = 1, 2, 7
"""Columns (proc_net_tcp, Linux kernel documentation)."""
_LSOF = "/usr/sbin/lsof"
_LSOF_S = 3.0


def is_told() -> bool:
    """Whether this system tells it for connections on this computer."""
    return sys.platform in ("linux", "win32") or (sys.platform == "darwin" and os.access(_LSOF, os.X_OK))


def is_own(peer: tuple[str, int], here: tuple[str, int]) -> bool | None:
    """Whether the program at the other end is one of this user's.

    Args:
        peer: Its IPv4 address and port.
        here: The ones it has dialled.

    Returns:
        None where the system does not tell: for a connection from elsewhere, such as another container. macOS shows a user only
        their own connections: there it is never False.
    """
    if not is_told():
        return None
    if sys.platform == "win32":
        from tabwire.windows import connections

        return connections.is_own(peer, here)
    try:
        if sys.platform == "linux":
            with _TABLE.open(encoding="ascii") as lines:
                owner = owner_in(lines, peer, here)
            return None if owner is None else owner == os.getuid()
        return True if is_listed(_own_connections(peer), peer, here) else None
    except (OSError, subprocess.TimeoutExpired):
        return None


def is_own_socket(peer: socket.socket) -> bool | None:
    """Whether the program at the other end of a local socket is one of this user's; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    _, owner, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    return bool(owner == os.getuid())


def _own_connections(peer: tuple[str, int]) -> Iterable[str]:
    """The lines of lsof about this user's connections from an address."""
    chosen = ["-a", "-u", str(os.getuid()), f"-iTCP@{peer[0]}:{peer[1]}"]
    command = [_LSOF, "-nPw", *chosen, "-Fn"]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", timeout=_LSOF_S, check=False
    ).stdout.splitlines()


def is_listed(lines: Iterable[str], peer: tuple[str, int], here: tuple[str, int]) -> bool:
    """Whether the end of a connection that has dialled is among those that lsof names (`-Fn`)."""
    return f"n{peer[0]}:{peer[1]}->{here[0]}:{here[1]}" in lines


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
