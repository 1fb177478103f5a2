"""A browser on a Selenium Grid: its node gets the extension by Selenium's file upload and loads it by WebDriver BiDi."""

import base64
import io
import math
import zipfile
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio

from tabwire.browsers import chromium
from tabwire.browsers.endpoint import Endpoint
from tabwire.browsers.running import Start
from tabwire.browsers.webdriver import (
    NoBidi,
    first_line,
    in_thread,
    install,
    open_guarded,
    options_for,
    put_away,
    quit_quietly,
    refuse,
    selenium,
)
from tabwire.errors import SessionNotCreated, TabwireError, UnsupportedOperation

OPEN_SECONDS = 60.0
QUEUE_SECONDS = 330.0
"""Longer than a Grid keeps a request in its queue: a session that comes when nobody waits for it can then be ended."""
LOOK_SECONDS = 10.0
LOST_SECONDS = 15.0
"""Seconds in which a browser that has lost its connection may come back, while its Grid does not answer."""
FOLDER = "tabwire"

PREFERENCES = {"extensions.ui.developer_mode": True}
"""Preferences for the browsers. `chrome.runtime.reload()` disables an unpacked extension for good without developer mode."""

_NODE = "query($id: String!) { session(id: $id) { nodeUri } }"


class GridBrowser:
    """`running.Running`."""

    def __init__(self, driver: Any, endpoint: Endpoint, node: str, look_seconds: float) -> None:
        self.driver = driver
        self.node = node
        self.where = f"{node}, session {driver.session_id}"
        self._endpoint = endpoint
        self._session_id: str = driver.session_id
        self._look_seconds = look_seconds
        self._silent_since: float | None = None

    async def ended(self) -> str:
        """Wait until its session is gone, or what runs it. The questions also keep the session: a Grid ends idle ones."""
        while True:
            await anyio.sleep(self._look_seconds)
            state, reason = await self._state()
            if state in _ENDED:
                # Told twice: one connection may fail while the node is there.
                state, reason = await self._state()
            if state in _ENDED:
                return self._how(state, reason)

    async def is_alive(self) -> str | None:
        """Ask the Grid, for a browser whose connection is lost."""
        state, reason = await self._state()
        if state in _ENDED:
            return self._how(state, reason)
        if state == "alive":
            self._silent_since = None
            return None
        now = anyio.current_time()
        self._silent_since = self._silent_since or now
        if now - self._silent_since < LOST_SECONDS:
            return None
        return f"The connection to the browser is lost ({self.where}), and the Grid does not answer: {reason}."

    async def close(self) -> None:
        """Put the driver of the deleted session away."""
        put_away(self.driver)

    async def _state(self) -> tuple[str, str]:
        return await anyio.to_thread.run_sync(self._endpoint.session_state, self._session_id, abandon_on_cancel=True)

    def _how(self, state: str, reason: str) -> str:
        if state == "ended":
            return f"The browser's session on the Grid has ended ({self.where})."
        if self.node in reason:
            return f"The browser is lost with its node of the Grid: {self.where} does not answer any more."
        return f"The browser's driver on its node of the Grid has ended ({self.where})."


_ENDED = ("ended", "unreachable")


async def start(start: Start) -> GridBrowser:
    """A `running.Starter`.

    Raises:
        UnsupportedOperation: Selenium is not installed, or the options cannot be.
        SessionNotCreated: the Grid gave no browser, or one that takes no extension.
    """
    refuse(start.options)
    if start.options.profile is not None:
        raise UnsupportedOperation(
            "A kept profile is a folder of this computer, and the node of a Grid has folders of its own.",
            next_step="Leave out the profile.",
        )
    selenium()
    assert start.options.grid is not None
    endpoint = Endpoint(start.options.grid)
    return await in_thread(partial(_open, start, endpoint), OPEN_SECONDS, lambda: _late(endpoint))


def _open(start: Start, endpoint: Endpoint) -> GridBrowser:
    seconds = look_seconds(endpoint)
    options = options_for(chromium.switches(start.options, start.spki, is_here=endpoint.is_here), with_bidi=True)
    options.add_experimental_option("prefs", PREFERENCES)
    try:
        driver = open_guarded(
            partial(_session, endpoint, options), lambda made: f"{endpoint.full_url}/session/{made.session_id}", start.guard
        )
    except TabwireError:
        raise
    except Exception as error:
        raise SessionNotCreated(
            f"The Grid at {endpoint.url} started no browser: {first_line(error)}",
            next_step="Look at the Grid's own page for its nodes, and try again.",
        ) from error
    try:
        return _loaded(driver, start, endpoint, seconds)
    except BaseException:
        quit_quietly(driver)
        raise


def _session(endpoint: Endpoint, options: Any) -> Any:
    of_client = import_module("selenium.webdriver.remote.client_config")
    config = of_client.ClientConfig(remote_server_addr=endpoint.full_url, timeout=QUEUE_SECONDS)
    return selenium().Remote(command_executor=endpoint.full_url, options=options, client_config=config)


def _loaded(driver: Any, start: Start, endpoint: Endpoint, seconds: float) -> GridBrowser:
    node = _node_of(driver.session_id, endpoint)
    try:
        path = driver.execute("uploadFile", {"file": base64.b64encode(packed(start.extension)).decode()})["value"]
        install(driver, path)
    except NoBidi as error:
        raise SessionNotCreated(
            f"The browser on {node} took no extension: {error}.",
            next_step="The node needs Chromium or Chrome 149 or later, with its chromedriver.",
        ) from None
    except Exception as error:
        raise SessionNotCreated(
            f"The extension did not reach the node {node}: {first_line(error)}",
            next_step="Look at the log of the node, and try again.",
        ) from error
    return GridBrowser(driver, endpoint, node, seconds)


def packed(folder: Path) -> bytes:
    """A folder as a zip file with one top folder, which the node unpacks and whose path it answers."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                file.write(path, f"{FOLDER}/{path.relative_to(folder).as_posix()}")
    return archive.getvalue()


def look_seconds(endpoint: Endpoint) -> float:
    """Seconds between two looks at a session: a node ends a session that gets no requests.

    Raises:
        SessionNotCreated: no Grid answers.
    """
    try:
        _, status = endpoint.ask("/status")
        nodes = status["nodes"]
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise SessionNotCreated(
            f"No Selenium Grid answers at {endpoint.url}: {reason}.", next_step="Start it there, or correct --grid."
        ) from None
    except (KeyError, TypeError):
        raise SessionNotCreated(f"What answers at {endpoint.url} is no Selenium Grid.", next_step="Correct --grid.") from None
    if not nodes:
        raise SessionNotCreated(
            f"The Selenium Grid at {endpoint.url} has no nodes.", next_step="Start a node that registers with it."
        )
    idle_ms = min(float(node.get("sessionTimeout") or math.inf) for node in nodes)
    return min(LOOK_SECONDS, idle_ms / 1000 / 3)


def _node_of(session_id: str, endpoint: Endpoint) -> str:
    with suppress(OSError, KeyError, TypeError):
        _, answer = endpoint.ask("/graphql", {"query": _NODE, "variables": {"id": session_id}})
        return str(answer["data"]["session"]["nodeUri"])
    return endpoint.url


def _late(endpoint: Endpoint) -> str:
    """Reason why no session came, as far as the Grid's state tells."""
    text = f"The Grid at {endpoint.url} gave no browser within {OPEN_SECONDS:g} s."
    with suppress(OSError, KeyError, TypeError):
        _, status = endpoint.ask("/status", seconds=1.0)
        slots = [slot for node in status["nodes"] for slot in node["slots"]]
        used = sum(slot["session"] is not None for slot in slots)
        text += f" {used} of its {len(slots)} places are taken, on {len(status['nodes'])} nodes."
    return text
