"""Preparation of a launched browser: a copy of the extension that is paired with this bridge, and a profile."""

from __future__ import annotations

import secrets
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

import anyio

from tabwire.browsers import profiles
from tabwire.browsers.endpoint import Endpoint
from tabwire.browsers.guard import Guard
from tabwire.browsers.running import LaunchOptions, Start
from tabwire.disk import private_files
from tabwire.errors import SessionNotCreated, UnsupportedOperation
from tabwire.install import extension_files
from tabwire.rules.grants import LAUNCHED
from tabwire.wire.keys import Key, write_pairing
from tabwire.wire.messages import Browser
from tabwire.wire.transport import Transport


def wanted_browser(options: LaunchOptions) -> Browser:
    """A browser with a new id, as the engine will know it; the name says which profile it is, where that is a kept one."""
    made = str(uuid.uuid4())
    return Browser(made, profiles.name_of(options.profile) if options.profile else f"Chromium {made[:4]}")


@dataclass(frozen=True, slots=True)
class Way:
    """Route of a browser to this bridge: a port of this computer, or an address."""

    ports: tuple[int, ...] | None = None
    address: str | None = None
    token: str | None = None
    spki: str | None = None


def way_to(transport: Transport, options: LaunchOptions) -> Way:
    """Choose the route by which the wanted browser will reach this bridge.

    Raises:
        SessionNotCreated: the bridge does not listen.
        UnsupportedOperation: it does not listen where a browser on a Grid could reach it.
    """
    remote = transport.address_for_remote()
    if remote is not None and (options.grid is not None or transport.port is None):
        return Way(address=remote.address, token=remote.token, spki=remote.spki)
    if options.grid is not None and not (grid := Endpoint(options.grid)).is_here:
        raise UnsupportedOperation(
            f"Browsers of the Grid at {grid.url} cannot reach this bridge, which listens on this computer's loopback only.",
            next_step="Start it with --listen HOST:PORT, an address of this computer that the Grid's nodes can dial.",
        )
    if transport.port is None:
        raise SessionNotCreated(transport.problem or "This bridge does not listen, so no browser can join it.")
    return Way(ports=(transport.port,))


async def stage(options: LaunchOptions, wanted: Browser, key: Key, way: Way, guard: Guard, kept: Path | None) -> Start:
    """Prepare the start of a browser.

    Args:
        kept: the folder of a kept profile, which is ours; None for a fresh one.

    Raises:
        OSError: something cannot be written.
    """
    scratch = Path(tempfile.gettempdir()) / f"tabwire-{secrets.token_hex(8)}"
    guard.folder(scratch)
    private_files.make_folder(scratch)

    def write() -> Start:
        staged = extension_files.write_to(scratch / "extension", extension_files.contents_for_launched())
        browser = {"id": wanted.id, "name": wanted.name}
        permissions = options.permissions.over(LAUNCHED).written()
        told = {"browser": browser, "permissions": permissions}
        write_pairing(staged, key, ports=way.ports, address=way.address, token=way.token, **told)
        return Start(options, staged, profiles.prepare(kept or scratch / "profile", options.downloads), guard, way.spki)

    return await anyio.to_thread.run_sync(write)
