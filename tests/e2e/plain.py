"""A Chromium that the test starts itself, as a user would: Tabwire does not own it and may be killed beside it."""

import atexit
import contextlib
import functools
import io
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser, CdpError, Page
from e2e.client import ROOT, Tabwire
from e2e.conditions.condition import USUAL, Condition
from polling import until
from tabwire.cli.program import main

SHOWN_LIMIT_S = 5
WORKER_LIMIT_S = 20
WORKER = "Service Worker"
_pairing, _knowing = threading.Lock(), threading.Lock()
LOAD = "--load-extension="
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
LEAN = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
"""The list below the address field would take half of the processor time of a start."""
NO_BAR = "--silent-debugger-extension-api"
"""Chrome's notice of a debugger takes height from the page when it likes: what is in it would move from under a hand."""
HEADLESS = "--headless=new"
FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--password-store=basic",
    "--remote-debugging-port=0",
    LEAN,
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
    """Pairs an unpacked extension with the bridges of ``home`` by the command a user would give, within this process. It asks nothing."""
    said = io.StringIO()
    # Browsers may be started side by side, and the environment and stdout are the process's.
    with _pairing, pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        patch.setenv("TABWIRE_HOME", str(home))
        code = main(["pair", "--extension", str(extension), "--allow", "all"])
    assert code == 0, said.getvalue()
    assert (extension / "pairing.json").is_file(), said.getvalue()


def _in_developer_mode(profile: Path, **extensions: Any) -> None:
    """Without it Chrome disables an unpacked extension that reloads itself.

    Args:
        extensions: More of what Chrome remembers of extensions.
    """
    preferences = profile / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True, exist_ok=True)
    preferences.write_text(json.dumps({"extensions": {"ui": {"developer_mode": True}, **extensions}}))


@functools.cache
def _worker_known() -> Path:
    """A profile that holds nothing but our worker, as Chrome keeps it: to install its 240 modules takes 0.4 s of processor time.

    The browser it is taken from has ended. All that pages or the extension store is left out.
    """
    folder = Path(tempfile.mkdtemp(prefix="tabwire-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    first = PlainChromium(folder / "first", "about:blank", is_fresh=True)
    until(
        lambda: first.browser.in_worker("self.registration?.active?.state"),
        equals="activated",
        within=WORKER_LIMIT_S,
        ignoring=(IndexError, CdpError),
    )
    first.browser.call("Browser.close")
    first.wait()
    first.close()
    known, profile = folder / "known", first.profile / "Default"
    shutil.copytree(profile / WORKER, known / "Default" / WORKER)
    remembered = json.loads((profile / "Preferences").read_text())["extensions"]
    ours = {key: entry for key, entry in remembered["settings"].items() if entry.get("path") == str(first.extension)}
    assert ours, remembered
    _in_developer_mode(known, settings=ours, last_chrome_version=remembered["last_chrome_version"])
    return known


class PlainChromium:
    """See the module docstring.

    Args:
        url: What its first tab shows.
        flags: Further switches; another ``--load-extension`` adds extensions.
        pairing: Changed fields of pairing.json, such as the ports to look at.
        home: ``TABWIRE_HOME`` of its pairing and its bridges, to share it with another browser.
        extension: A paired folder that is there already.
        is_fresh: Chrome has never run this extension in its profile; it is installed as the browser starts.
        condition: The condition in which the user works.
    """

    def __init__(
        self,
        work: Path,
        url: str,
        *,
        flags: Sequence[str] = (),
        pairing: dict[str, Any] | None = None,
        home: Path | None = None,
        extension: Path | None = None,
        is_fresh: bool = False,
        condition: Condition = USUAL,
    ) -> None:
        self.work = work
        self.home = home or work / "home"
        self.extension = extension or copy_extension(work / "unpacked")
        self.profile = work / "profile"
        self._bridges: list[Tabwire] = []
        if extension is None:
            pair(self.home, self.extension)
        file = self.extension / "pairing.json"
        if file.is_file():
            welcome = {"welcome": condition.is_new_user}
            file.write_text(json.dumps({**json.loads(file.read_text()), **welcome, **(pairing or {})}))
        load = ",".join([str(self.extension), *(flag.removeprefix(LOAD) for flag in flags if flag.startswith(LOAD))])
        others = (flag for flag in flags if not flag.startswith(LOAD))
        window = [] if condition.has_window else [HEADLESS]
        flags = [*window, *FLAGS, *condition.flags, f"--user-data-dir={self.profile}", LOAD + load, *others]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # Another folder may hold another worker of the same version.
        if is_fresh or condition.is_new_user or extension is not None:
            _in_developer_mode(self.profile)
        else:
            with _knowing:
                known = _worker_known()
            shutil.copytree(known, self.profile, dirs_exist_ok=True)
        condition.write_preferences(self.profile)
        self._environment = {**os.environ, **condition.environment}
        self._command = [chromium_path(), *flags, url]
        self._url = url
        self._start()

    def _start(self) -> None:
        (self.profile / "DevToolsActivePort").unlink(missing_ok=True)
        with (self.work / "chromium.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, env=self._environment
            )
        try:
            self.browser = Browser.of_profile(self.profile)
        except TimeoutError:
            self._end()
            raise
        self._show()

    def _show(self) -> None:
        """Waits for the page it was started with. On a busy computer Chromium may leave its first tab empty."""
        try:
            self.browser.at(self._url, SHOWN_LIMIT_S)
        except AssertionError:
            self.browser.pages()[0].call("Page.navigate", {"url": self._url})

    def restart(self) -> None:
        """Kills the browser as a crash would end it, and starts it again with the same profile."""
        self.browser.close()
        self._end()
        self._start()

    def processes(self, mark: str = "") -> list[int]:
        """Its processes whose command line contains ``mark``."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                if os.getpgid(int(entry.name)) == self._process.pid and mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found

    def send_signal(self, number: signal.Signals) -> None:
        """Sends a signal to all its processes."""
        os.killpg(self._process.pid, number)

    def serve(
        self, *args: str, name: str | None = None, mode: str = "auto", elicited: Callable[[str], str] | None = None, **env: str
    ) -> Tabwire:
        """Starts one more bridge for this browser; it finds the extension, or the extension it."""
        work = self.work / f"bridge{len(self._bridges)}"
        tools = [] if {"--tools", "--toolset"} & {*args} else ["--tools", "all,debug,performance,steps"]
        bridge = Tabwire([*tools, *args], {"TABWIRE_HOME": str(self.home), **env}, work, name=name, mode=mode, elicited=elicited)
        self._bridges.append(bridge)
        return bridge

    def join(self, *args: str, name: str | None = None) -> Tabwire:
        """Starts one more bridge and waits until the browser has found it."""
        bridge = self.serve(*args, name=name)
        bridge.until_joined()
        return bridge

    @contextlib.contextmanager
    def for_a_test(self, *clients: Tabwire) -> Iterator[None]:
        """Closes the tabs that come meanwhile; each client hears once that its tab was closed. Its own windows the extension closes."""
        before = {target["targetId"] for target in self.browser.targets("page")}
        yield
        for target in self.browser.targets("page"):
            if target["targetId"] not in before and not target["url"].startswith("chrome-extension:"):
                Page(self.browser, target["targetId"]).close()
        for client in clients:
            client.call("title")

    def wait(self) -> None:
        """Waits until it has ended by itself."""
        self._process.wait(10)

    def close(self) -> None:
        for bridge in self._bridges:
            bridge.close()
        self.browser.close()
        self._end()

    def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(10)
