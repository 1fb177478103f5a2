"""The window of loopback ports: taking the first free one, and saying which bridge holds which.

Every MCP client starts a bridge of its own. Each notes itself in `run/<port>.json`; a port is never taken from its holder.
"""

import asyncio
import json
import logging
import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tabwire.disk import plain_files
from tabwire.wire.keys import write_private

HOST = "127.0.0.1"
NEWS_PATH = "/news"
"""Asked for by a bridge that has just begun to listen: the others have their browsers look for it."""
NEWS_TIMEOUT_S = 1.0
_BACKLOG = 64

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Holder:
    """A bridge process and its port."""

    port: int
    pid: int
    client: str
    started: str
    version: str


class PortsTaken(Exception):
    """No port of the window is free."""


def claim(ports: Sequence[int]) -> socket.socket:
    """A socket that listens on the first free port, on this computer's loopback only.

    Raises:
        PortsTaken: There is none.
    """
    for port in ports:
        try:
            return listen_at(HOST, port)
        except OSError as error:
            logger.debug("port %d is not free: %s", port, error)
    raise PortsTaken


def listen_at(address: str, port: int) -> socket.socket:
    """A socket that listens on one address of this computer.

    Args:
        address: IPv4 or IPv6, not a name.
        port: 0 for any free one.

    Raises:
        OSError: It is not to be had.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            # There SO_REUSEADDR would let a second program take over a port in use.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        # Two bridges that start together may both bind; only one of them may listen.
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


async def announce(run_dir: Path, own: int) -> None:
    """Say to the other bridges of this user that one listens on this port now. Who does not answer is passed over."""
    others = [holder.port for holder in await asyncio.to_thread(holders, run_dir) if holder.port != own]
    await asyncio.gather(*(_say_news(port) for port in others))


async def _say_news(port: int) -> None:
    try:
        async with asyncio.timeout(NEWS_TIMEOUT_S):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(f"GET {NEWS_PATH} HTTP/1.1\r\nHost: {HOST}:{port}\r\n\r\n".encode())
                await reader.read(1)
            finally:
                writer.close()
    except (OSError, TimeoutError) as error:
        logger.debug("the bridge on port %d was not told: %r", port, error)


def note(run_dir: Path, holder: Holder) -> None:
    """Say that this process holds a port. Failing to is no reason not to serve."""
    try:
        write_private(_path(run_dir, holder.port), json.dumps(asdict(holder)) + "\n")
    except OSError as error:
        logger.warning("cannot note port %d in %s: %s", holder.port, run_dir, error)


def forget(run_dir: Path, port: int) -> None:
    """Take this process's note away."""
    path = _path(run_dir, port)
    holder = _read(path)
    if holder is None or holder.pid != os.getpid():
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("cannot remove %s: %s", path, error)


def forget_dead(run_dir: Path) -> None:
    """Take the notes of processes that are gone away."""
    for path in run_dir.glob("*.json"):
        holder = _read(path)
        if holder is None or not is_alive(holder.pid):
            path.unlink(missing_ok=True)


def holders(run_dir: Path) -> list[Holder]:
    """The bridges that run now, by port; notes of processes that are gone are left out."""
    return [holder for holder, is_alive in notes(run_dir) if is_alive]


def notes(run_dir: Path) -> list[tuple[Holder, bool]]:
    """All notes by port, each with whether its process lives."""
    read = (_read(path) for path in run_dir.glob("*.json"))
    return sorted(((holder, is_alive(holder.pid)) for holder in read if holder), key=lambda noted: noted[0].port)


def _path(run_dir: Path, port: int) -> Path:
    return run_dir / f"{port}.json"


def _read(path: Path) -> Holder | None:
    try:
        fields = json.loads(plain_files.read_text(path))
        return Holder(
            port=int(fields["port"]),
            pid=int(fields["pid"]),
            client=str(fields["client"]),
            started=str(fields["started"]),
            version=str(fields["version"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs."""
    if pid <= 0:
        return False
    if sys.platform == "win32":
        from tabwire.windows import processes

        return processes.is_alive(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        pass
    return True
