"""A browser of the user's that can be killed and started again on its profile."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from e2e.cdp import Browser
from e2e.plain import PlainChromium
from polling import until


class Chromium(PlainChromium):
    """See the module docstring. ``generation`` changes with every start: tab ids of earlier ones mean nothing any more."""

    def __init__(self, name: str, work: Path, url: str, home: Path) -> None:
        work.mkdir(parents=True)
        # Bridges of one home know all its browsers.
        (work / "home").symlink_to(home, target_is_directory=True)
        super().__init__(work, url)
        self.name = name
        self.generation = 0
        self.known_as = ""
        """The id by which bridges know this browser."""
        self._command: list[str] = list(self._process.args)  # type: ignore[arg-type]

    @contextlib.contextmanager
    def devtools(self) -> Iterator[Browser]:
        """A DevTools connection of one's own: one takes a command at a time."""
        browser = Browser.of_profile(self.profile)
        try:
            yield browser
        finally:
            browser.close()

    def learn_id(self) -> None:
        """Asks the extension who it is, until it has been connected."""
        asked = "chrome.storage.local.get('browser_id').then((found) => found.browser_id)"
        self.known_as = until(lambda: self.browser.in_worker(asked))

    def processes(self, flag: str) -> list[int]:
        """The running processes of this browser whose command line has the flag."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes()
                if flag.encode() in words and self._is_ours(int(entry.name)):
                    found.append(int(entry.name))
        return found

    def _is_ours(self, pid: int) -> bool:
        return os.getpgid(pid) == self._process.pid

    def kill(self) -> None:
        """SIGKILL to the whole browser."""
        with contextlib.suppress(Exception):
            self.browser.close()
        self._end()

    def restart(self) -> None:
        """Starts it again with the same profile."""
        for name in ("DevToolsActivePort", "SingletonLock", "SingletonSocket", "SingletonCookie"):
            (self.profile / name).unlink(missing_ok=True)
        self.generation += 1
        with (self.work / "chromium.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.browser = Browser.of_profile(self.profile)

    def kill_extension(self) -> int:
        """SIGKILL to the process the extension runs in; says how many there were."""
        pids = self.processes("--extension-process")
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return len(pids)
