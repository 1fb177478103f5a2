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
    for port in itertools.islice(_others, _SIZE):
        with socket.socket() as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                one.bind((HOST, port))
            except OSError:
                continue
            return port
    raise OSError("no port of this process is free")
