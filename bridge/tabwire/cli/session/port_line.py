"""The way to a session where Python has no local sockets (Windows): a loopback port, and words in a file only its owner can read.

The file has the port, the word of a command and the word of the session. A command says its word first, and the session answers
with the other one: a program that has been given the port of a dead session learns nothing of use, and is sent no command.
"""

from __future__ import annotations

import _socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Address(NamedTuple):
        """Content of the file: a port, and the words of both sides."""

        port: int
        command_word: bytes
        session_word: bytes
else:
    from collections import namedtuple

    Address = namedtuple("Address", "port command_word session_word")

HOST = "127.0.0.1"
WORD_BYTES = 32
GREETING_S = 10.0


def written(address: Address) -> str:
    """The file's content."""
    return f"{address.port} {address.command_word.decode()} {address.session_word.decode()}\n"


def address_in(path: str) -> Address:
    """The address in a file.

    Raises:
        OSError: there is no such file, or it has no address.
    """
    with open(path, encoding="ascii") as file:
        parts = file.read().split()
    if len(parts) != 3 or not parts[0].isdigit():
        raise OSError(0, "its file has no address")
    return Address(int(parts[0]), parts[1].encode(), parts[2].encode())


def dial(path: str) -> _socket.socket:
    """A connection to the session of a file, which has proved to be that.

    Raises:
        ConnectionRefusedError: it has ended.
        OSError: it cannot be reached.
    """
    address = address_in(path)
    line = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
    try:
        line.settimeout(GREETING_S)
        line.connect((HOST, address.port))
        line.sendall(address.command_word)
        answer = b""
        while len(answer) < len(address.session_word) and (part := line.recv(len(address.session_word) - len(answer))):
            answer += part
        if answer != address.session_word:
            raise ConnectionRefusedError(0, "another program has its port now")
        line.settimeout(None)
    except TimeoutError:
        line.close()
        raise ConnectionRefusedError(0, "what has its port now does not answer") from None
    except OSError:
        line.close()
        raise
    return line
