"""A Chromium that the test starts itself, as a user would: Tabwire does not own it and may be killed beside it."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from e2e.cdp import Browser
from e2e.client import ROOT, Tabwire

JOIN_LIMIT_S = 15
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--password-store=basic",
    "--remote-debugging-port=0",
)


def chromium_path() -> str:
    """The Chromium that the bridge would choose, too."""
    chosen = os.environ.get("TABWIRE_CHROMIUM")
    return chosen or next(path for name in NAMES if (path := shutil.which(name)))


def copy_extension(target: Path) -> Path:
    """A private copy of the unpacked extension."""
    target.mkdir(parents=True)
    shutil.copy(ROOT / "manifest.json", target)
    shutil.copytree(ROOT / "extension", target / "extension")
    return target


def pair(home: Path, extension: Path) -> None:
    """Pairs an unpacked extension with the bridges of ``home``, through the command a user would give."""
    environment = {**os.environ, "TABWIRE_HOME": str(home), "PYTHONPATH": str(ROOT / "bridge")}
    command = [sys.executable, "-m", "tabwire", "pair", "--extension", str(extension)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    assert (extension / "pairing.json").is_file(), done.stdout


class PlainChromium:
    """See the module docstring."""

    def __init__(self, work: Path, url: str, *, home: Path | None = None, extension: Path | None = None) -> None:
        """Args: extension: A paired folder that is there already; home: where the bridges' keys for it are."""
        self.work = work
        self.home = home or work / "home"
        self.extension = extension or copy_extension(work / "unpacked")
        self.profile = work / "profile"
        self._bridges: list[Tabwire] = []
        if extension is None:
            pair(self.home, self.extension)
        flags = [*FLAGS, f"--user-data-dir={self.profile}", f"--load-extension={self.extension}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        with (work / "chromium.log").open("wb") as log:
            self._process = subprocess.Popen(
                [chromium_path(), *flags, url], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        try:
            self.browser = Browser.of_profile(self.profile)
        except TimeoutError:
            self._end()
            raise

    def serve(self, *args: str, **env: str) -> Tabwire:
        """Starts one more bridge for this browser; it finds the extension, or the extension it."""
        work = self.work / f"bridge{len(self._bridges)}"
        bridge = Tabwire(list(args), {"TABWIRE_HOME": str(self.home), **env}, work)
        self._bridges.append(bridge)
        return bridge

    def join(self, *args: str) -> Tabwire:
        """Starts one more bridge and waits until the browser has found it."""
        bridge = self.serve(*args)
        end = time.monotonic() + JOIN_LIMIT_S
        while (reply := bridge.call("tab_list")).is_error:
            assert time.monotonic() < end, f"{reply.text}\n{bridge.log_tail()}"
            time.sleep(0.05)
        return bridge

    def close(self) -> None:
        for bridge in self._bridges:
            bridge.close()
        self.browser.close()
        self._end()

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(10)
