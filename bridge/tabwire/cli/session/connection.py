"""The way to a session: a local socket in a folder that is its owner's alone."""

# `socket` would cost a command half as much again: it imports selectors and enumerations that nothing here uses.
import _socket
import os
import sys
from _thread import allocate_lock

from tabwire.cli.session import places


def tell(problem: str) -> None:
    """Say what is wrong on stderr."""
    sys.stderr.write(f"tabwire: {problem}\n")


HAS_LOCAL_SOCKETS = hasattr(_socket, "AF_UNIX")
OTHERS_WRITE = 0o022
_moved = allocate_lock()
"""The working folder is that of all threads: two that dial at once would take it from each other, and find no session."""


def _check_folder() -> None:
    """Refuse the current folder as that of sockets where another user could have put one there.

    Raises:
        PermissionError: another user could.
    """
    folder = os.stat(".")
    if folder.st_uid != os.getuid():
        raise PermissionError(0, "the folder belongs to another user; set TABWIRE_HOME to one of your own")
    if folder.st_mode & OTHERS_WRITE:
        raise PermissionError(0, "other users may write to the folder; close it to them (chmod 700)")


def process_of(line: _socket.socket) -> str:
    """The process at the other end of a connection, in words."""
    # `struct pid, uid, gid` (unix(7)).
    if not hasattr(_socket, "SO_PEERCRED"):
        return "its process"
    told = line.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    return f"process {int.from_bytes(told[:4], sys.byteorder)}"


def dial(session: str) -> _socket.socket | OSError:
    """A connection to a session, or why there is none."""
    if not HAS_LOCAL_SOCKETS:
        from tabwire.cli.session import port_line

        try:
            return port_line.dial(os.path.join(places.folder(), places.socket_name(session)))
        except OSError as error:
            return error
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    with _moved:
        before = os.getcwd()
        try:
            os.chdir(places.folder())
            _check_folder()
            line.connect(places.socket_name(session))
        except OSError as error:
            line.close()
            return error
        finally:
            os.chdir(before)
    return line
