"""A browser on this computer with a WebDriver session: chromedriver and what it starts are one process group of ours."""

import os
import re
import shutil
import signal
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from tabwire.browsers import chromium
from tabwire.browsers.endpoint import Endpoint
from tabwire.browsers.guard import exit_of
from tabwire.browsers.process import last_words, spawn
from tabwire.browsers.running import Start
from tabwire.browsers.webdriver import (
    NoBidi,
    first_line,
    in_thread,
    install,
    open_guarded,
    options_for,
    quit_quietly,
    refuse,
    selenium,
    show_blank,
)
from tabwire.disk import private_files
from tabwire.errors import SessionNotCreated, TabwireError

OPEN_SECONDS = 60.0
LISTEN_SECONDS = 20.0
BIND_TRIES = 3
_IN_USE = "Address already in use"
LOOK_SECONDS = 2.0
CLOSE_SECONDS = 10.0
GONE_SECONDS = 5.0
_PORT = re.compile(rb"started successfully on port (\d+)")


class LocalDriver:
    """`running.Running`."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._service = driver.service
        self._endpoint = Endpoint(driver.service.service_url)
        self.where = f"process {driver.capabilities.get('goog:processID')}, chromedriver {driver.service.process.pid}"

    async def ended(self) -> str:
        """Wait until browser or driver is gone; which, and how."""
        while True:
            with anyio.move_on_after(LOOK_SECONDS):
                await exit_of(self._service.process)
            if problem := await self.is_alive():
                return problem

    async def is_alive(self) -> str | None:
        """None while both run."""
        code = self._service.process.poll()
        if code is not None:
            how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
            return f"Its chromedriver ended {how}, and the browser with it."
        state, _ = await anyio.to_thread.run_sync(self._endpoint.session_state, self.driver.session_id, abandon_on_cancel=True)
        return "The browser ended; its WebDriver session is gone." if state == "ended" else None

    async def close(self) -> None:
        """Close the connections to chromedriver."""
        self.driver.command_executor.close()


async def start(start: Start) -> LocalDriver:
    """A `running.Starter`.

    Raises:
        UnsupportedOperation: Selenium or Chromium is not installed, or the options cannot be.
        SessionNotCreated: the driver did not start, or could not start the browser.
    """
    refuse(start.options)
    selenium()
    binary = chromium.find(start.options.chromium)
    driver = await in_thread(
        partial(_open, start, binary), OPEN_SECONDS, lambda: f"chromedriver started no browser within {OPEN_SECONDS:g} s."
    )
    return LocalDriver(driver)


def _open(start: Start, binary: Path) -> Any:
    """Open a session. BiDi installs the extension and says what is wrong with it; a switch does if a driver is too old for it."""
    driver = _session(start, binary, with_bidi=True)
    try:
        install(driver, str(start.extension))
    except NoBidi:
        group = driver.service.process.pid
        quit_quietly(driver)
        # A browser that finds its profile in use hands over to the one that has it, and the driver waits in vain.
        _wait_gone(group)
        driver = _session(start, binary, with_bidi=False)
        show_blank(driver)
    return driver


def _wait_gone(group: int) -> None:
    """Wait for the end of all processes of a group, and see to it.

    Raises:
        SessionNotCreated: killing them did not help.
    """
    if os.name != "posix":
        return
    asked = time.monotonic() + GONE_SECONDS
    killed = asked + GONE_SECONDS
    with suppress(ProcessLookupError):
        while (now := time.monotonic()) < killed:
            os.killpg(group, 0 if now < asked else signal.SIGKILL)
            time.sleep(0.02)  # POSIX has no event for the end of somebody else's processes
        raise SessionNotCreated(
            f"chromedriver {group} and its browser do not end; a new one would find their profile in use.",
            next_step=f"End them with `kill -9 -{group}`.",
        )


def _session(start: Start, binary: Path, *, with_bidi: bool) -> Any:
    webdriver = selenium()
    switches = [f"--user-data-dir={start.profile}", *chromium.switches(start.options, start.spki)]
    if not with_bidi:
        switches.append(f"--load-extension={start.extension}")
    options = options_for(switches, with_bidi=with_bidi)
    options.binary_location = str(binary)
    service = _service(start)
    try:
        # Deleting the session lets the browser write down what a kept profile keeps.
        return open_guarded(
            partial(webdriver.Chrome, options=options, service=service),
            lambda made: f"{service.service_url}/session/{made.session_id}",
            start.guard,
        )
    except TabwireError:
        raise
    except Exception as error:
        words = last_words(service.log)
        raise SessionNotCreated(f"chromedriver started no browser: {first_line(error)} {words}".strip()) from error


def _service(wanted: Start) -> Any:
    """Selenium's view of our chromedriver."""
    base = selenium().ChromeService

    class OwnService(base):  # type: ignore[misc, valid-type]
        """A chromedriver that the guard knows of before it runs, on a port that it chose itself."""

        log = wanted.extension.with_name("chromedriver.log")

        def start(self) -> None:
            # It chooses a free port for IPv6, which for IPv4 may be another program's.
            for more in reversed(range(BIND_TRIES)):
                self._spawn()
                try:
                    self.port = _port_of(self.log, self.process)
                    return
                except SessionNotCreated as error:
                    if not more or _IN_USE not in str(error):
                        raise

        def _spawn(self) -> None:
            # It is started again where it has no BiDi.
            self.log.unlink(missing_ok=True)
            with os.fdopen(private_files.create(self.log), "wb") as words:
                command = [self.path, "--port=0", *self.service_args]
                self.process = spawn(command, wanted.guard, words, words, chromium.environment(wanted.profile))

        def stop(self) -> None:
            if getattr(self, "process", None) is None:
                return
            with suppress(OSError):
                self.process.terminate()
            self.process.wait(CLOSE_SECONDS)

    found = os.environ.get("SE_CHROMEDRIVER") or shutil.which("chromedriver")
    return OwnService(executable_path=found)


def _port_of(log: Path, process: Any) -> int:
    """The port that a driver says it listens on.

    Raises:
        SessionNotCreated: it ended, or said nothing.
    """
    deadline = time.monotonic() + LISTEN_SECONDS
    while time.monotonic() < deadline:
        has_ended = process.poll() is not None
        if found := _PORT.search(log.read_bytes()):
            return int(found[1])
        if has_ended:
            break
        time.sleep(0.02)  # its only event is what it writes
    raise SessionNotCreated(f"chromedriver does not listen. {last_words(log)}".strip())
