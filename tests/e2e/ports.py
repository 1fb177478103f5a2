"""Loopback ports of this test process alone.

Other processes of the same run look for bridges as well, and every connection takes a port of the system's own choice for itself. So
a process has a block below those: its window of bridges first, then ports for whatever else a test listens on.
"""

import itertools
import os
import socket

HOST = "127.0.0.1"
_LOWEST, _BLOCKS, _SIZE, _WINDOW = 18_000, 220, 64, 16
_FIRST = _LOWEST + os.getpid() % _BLOCKS * _SIZE
_others = itertools.cycle(range(_FIRST + _WINDOW, _FIRST + _SIZE))


def own_window() -> int:
    """The first port of this process's window of bridges."""
    return _FIRST


def free_port() -> int:
    """A port nobody listens on now, and nobody else takes by chance."""
    for port in filter(_is_free, itertools.islice(_others, _SIZE)):
        return port
    raise OSError("no port of this process is free")


def free_in_window(count: int) -> list[int]:
    """Ports of the window on which nobody listens now; bridges take the lower ones first."""
    return list(itertools.islice(filter(_is_free, range(_FIRST + _WINDOW - 1, _FIRST - 1, -1)), count))


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((HOST, port))
        except OSError:
            return False
    return True
