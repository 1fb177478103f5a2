"""A wire between a browser and a bridge that can be cut or go dead, with a program of the test in the middle.

The dialled port is part of the handshake's proof, so a proxy on another port would be refused. Chrome itself is told to go to the
proxy when it dials the bridge's port: it still believes, and proves, that it talks to that port.
"""

import contextlib
import socket
import threading

from e2e.ports import HOST


class _Pair:
    """One forwarded connection."""

    def __init__(self, near: socket.socket, far: socket.socket) -> None:
        self.ends = (near, far)
        self.is_dead = False
        self._pumps = [
            threading.Thread(target=self._pump, args=way, daemon=True) for way in (self.ends, tuple(reversed(self.ends)))
        ]
        for pump in self._pumps:
            pump.start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if not self.is_dead:
                    target.sendall(data)
        if not self.is_dead:
            self.close()

    def close(self) -> None:
        for end in self.ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def free(self) -> None:
        """Gives the sockets back: one that is left to the garbage collection is an error of whichever test runs then."""
        self.is_dead = False
        self.close()
        for pump in self._pumps:
            pump.join()
        for end in self.ends:
            end.close()


class Wire:
    """Forwards what comes to ``entry`` to ``port``. ``flag`` makes Chrome come to it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._pairs: list[_Pair] = []
        self._listener = socket.create_server((HOST, 0))
        self.entry = int(self._listener.getsockname()[1])
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    @property
    def flag(self) -> str:
        return f"--host-resolver-rules=MAP {HOST}:{self.port} {HOST}:{self.entry}"

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                try:
                    self._pairs.append(_Pair(near, socket.create_connection((HOST, self.port), timeout=None)))
                except OSError:
                    near.close()

    def go_dead(self) -> None:
        """The connections there are carry nothing any more, not even their end; new ones work."""
        for pair in self._pairs:
            pair.is_dead = True

    def cut(self) -> None:
        """Ends the connections there are; new ones work."""
        for pair in self._pairs:
            pair.close()

    def close(self) -> None:
        # It wakes the thread that accepts; to close the socket does not.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join()
        self._listener.close()
        for pair in self._pairs:
            pair.free()
