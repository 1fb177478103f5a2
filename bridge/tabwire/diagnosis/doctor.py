"""The whole way looked at from outside: as one more bridge, which leaves nothing behind."""

import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio

from tabwire.config import Config
from tabwire.diagnosis import installed, neighbours, report
from tabwire.diagnosis.installed import Installed
from tabwire.diagnosis.report import Hop, fault, first_fault, is_proven, remark
from tabwire.diagnosis.round_trips import try_all, try_server, try_version
from tabwire.engine.engine import Engine
from tabwire.errors import EXTENSIONS_PAGE, TabwireError
from tabwire.wire.connection import Refusal
from tabwire.wire.desk_claim import DeskClaim
from tabwire.wire.keys import KeyStore, MemoryKeys
from tabwire.wire.messages import Browser
from tabwire.wire.pairing_desk import Asking, PairingDesk
from tabwire.wire.transport import Transport

CLIENT = "tabwire doctor"
JOIN_LIMIT_S = 8.0
"""An unpacked extension that no client uses looks for bridges every 6 s."""
KNOWN_LIMIT_S = 2.5
"""Seconds to wait for a browser when a reason is already known (a refusal, no folder in order): another one may still join."""
OTHERS_LIMIT_S = 2.5
"""Seconds for the other browsers after the first has joined, if there are keys for more: one with a client looks every 2 s."""
DESK_S = 86_400.0
"""Longest time for which the command keeps the desk: it gives it back when it ends."""

START = f"Start Chrome; if it runs, look in {EXTENSIONS_PAGE}: Tabwire has to be there, switched on, loaded from that folder"
ASK_POPUP = "Open the extension's popup in that browser: it says what stands in the way"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was seen, in the order of the way."""

    hops: tuple[Hop, ...]
    browsers: tuple[dict[str, Any], ...] = ()
    port: int | None = None

    @property
    def ok(self) -> bool:
        return is_proven(self.hops)

    @property
    def first_fault(self) -> Hop | None:
        return first_fault(self.hops)

    def to_data(self) -> dict[str, Any]:
        """Return the diagnosis as JSON, like the result of the tool `status`."""
        return report.to_data(self.hops, self.browsers, self.port, CLIENT)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A browser that a person sets up meanwhile.

    Args:
        limit_s: How long it is waited for.
        refused: Called for each browser that is turned away.
        joined: Called when one is there.
        person: Who compares the code of a browser that has no key yet.
    """

    limit_s: float
    refused: Callable[[Refusal], None]
    joined: Callable[[Browser], None]
    person: Asking


async def examine(
    config: Config,
    browser: str | None,
    version: str,
    extension_id: str,
    told: Callable[[Hop], None],
    wait: Callable[[], None],
    arrival: Arrival | None = None,
) -> Diagnosis:
    """Look at everything, in the order of a call's way.

    Args:
        config: Which home and ports.
        browser: Name or id of the one to look at; None for all that join.
        version: Of this bridge.
        extension_id: The only extension that may join.
        told: Called with each finding as soon as it stands.
        wait: Called when the wait for a browser begins.
        arrival: The browser that is waited for, where a person sets it up meanwhile. Its use of its key is noted.
    """
    hops: list[Hop] = []

    def tell(*found: Hop) -> None:
        hops.extend(found)
        for hop in found:
            told(hop)

    disk = installed.examine(config.home_dir(), version)
    tell(disk.keys, *await neighbours.examine(config.home_dir() / "run", config.ports()))
    if disk.keys.ok is False:
        tell(*(remark(hop, "not tried") for hop in ("extension", "worker", "page") if hop != disk.keys.hop))
        return Diagnosis(tuple(hops))
    desk = PairingDesk(_store(config), arrival.person) if arrival else None
    async with _bridge(config, version, extension_id, desk) as (transport, engine):
        if transport.port is None:
            tell(_taken(config, hops), *disk.folders)
            return Diagnosis(tuple(hops))
        tell(await try_server(transport.port, None))
        wait()
        browsers = await (_arrived(engine, version, arrival, desk) if arrival and desk else _joined(engine, browser, disk))
        if not browsers:
            tell(*_nobody(engine, browser, version, disk.folders, arrival.limit_s if arrival else JOIN_LIMIT_S))
            return Diagnosis(tuple(hops), port=transport.port)
        # What joins is in order, whatever lies in some folder.
        tell(*_as_remarks(disk.folders))
        found = await try_all(engine, version, browsers, {})
        tell(*found.hops)
        return Diagnosis(tuple(hops), found.browsers, transport.port)


def _store(config: Config) -> KeyStore:
    return KeyStore(config.home_dir() / "keys.json")


@asynccontextmanager
async def _bridge(
    config: Config, version: str, extension_id: str, desk: PairingDesk | None
) -> AsyncIterator[tuple[Transport, Engine]]:
    claim = DeskClaim(config.home_dir() / "run")
    if desk:
        # A person has typed the command: where a client waits for the same browser, its desk is closed. A home that takes no
        # claim takes no key either, which is said there.
        with suppress(TabwireError):
            claim.take(DESK_S, from_others=True)
    # Its own note would take the place of one that a dead process has left, and other bridges need not know of it.
    with tempfile.TemporaryDirectory(prefix="tabwire-doctor-") as run_dir:
        transport = Transport(
            ports=config.ports(),
            # As they are now: nothing that a handshake may note about a key reaches the disk, unless it shall.
            keys=_store(config) if desk else MemoryKeys(*_store(config).all()),
            run_dir=Path(run_dir),
            extension_id=extension_id,
            server_version=version,
            client_name=CLIENT,
            client_version=version,
            desk=desk,
        )
        try:
            async with transport:
                yield transport, Engine(transport)
        finally:
            claim.release()


def _taken(config: Config, hops: Sequence[Hop]) -> Hop:
    ports = config.ports()
    if len(ports) == 1 and any(hop.ok and hop.detail.startswith(f"port {ports[0]}: ") for hop in hops):
        detail = f"port {ports[0]} is pinned, and the bridge that holds it answers: there is no room for this look at it"
        return fault("server", detail, "Call the tool `status` in that client instead", subject="this bridge")
    return neighbours.taken(ports, config.home_dir() / "run")


async def _arrived(engine: Engine, version: str, arrival: Arrival, desk: PairingDesk) -> tuple[Browser, ...]:
    """The first browser whose extension is of this version, or that has just been given its key; none when the time is up."""
    refusal: Refusal | None = None
    with anyio.move_on_after(arrival.limit_s):
        while True:
            here = tuple(known for known in engine.browsers if known.extension_version == version or known.id == desk.browser_id)
            if here:
                arrival.joined(here[0])
                return here
            if engine.reception.refusal and engine.reception.refusal != refusal:
                refusal = engine.reception.refusal
                arrival.refused(refusal)
            await engine.changed()
    return ()


async def _joined(engine: Engine, named: str | None, disk: Installed) -> tuple[Browser, ...]:
    """The browsers that joined in time; with a name, only that one."""
    give_up = anyio.current_time() + (JOIN_LIMIT_S if any(folder.ok for folder in disk.folders) else KNOWN_LIMIT_S)
    enough = 1 if named else max(disk.count, 1)
    while anyio.current_time() < give_up:
        here = tuple(known for known in engine.browsers if _is_named(known, named))
        if len(here) >= enough:
            break
        if engine.browsers:
            give_up = min(give_up, anyio.current_time() + OTHERS_LIMIT_S)
        elif engine.reception.refusal:
            give_up = min(give_up, anyio.current_time() + KNOWN_LIMIT_S)
        with anyio.move_on_after(give_up - anyio.current_time()):
            await engine.changed()
    return tuple(known for known in engine.browsers if _is_named(known, named))


def _is_named(browser: Browser, named: str | None) -> bool:
    return named is None or named == browser.id or named.casefold() == browser.name.casefold()


def _as_remarks(folders: Sequence[Hop]) -> tuple[Hop, ...]:
    """Findings about folders that need not be the ones in use."""
    return tuple(hop if hop.ok else replace(hop, ok=None) for hop in folders)


def _nobody(engine: Engine, named: str | None, version: str, folders: Sequence[Hop], limit_s: float) -> tuple[Hop, ...]:
    """Hops that explain why no browser joined, by what was seen and nothing else."""
    reception, others = engine.reception, engine.browsers
    if others or any(folder.ok for folder in folders):
        folders = _as_remarks(folders)
    if others and named is None:
        return tuple(try_version(browser, version) for browser in others)
    if others:
        names = ", ".join(browser.name for browser in others)
        detail = f"no browser named {named!r} joined within {limit_s:g} s; joined: {names}"
        return *folders, fault("extension", detail, "Name one of these, or start the other", subject=f"browser {named}")
    if reception.refusal:
        return *folders, fault(
            "extension",
            f"a browser tried to join and was refused: {reception.refusal.why}",
            reception.refusal.fix,
            subject="browser",
        )
    if reception.probes:
        detail = f"a browser's extension asked for bridges {reception.probes} times but did not join within {limit_s:g} s"
        return *folders, fault("extension", detail, ASK_POPUP, subject="browser")
    detail = f"no browser asked for this bridge within {limit_s:g} s: Chrome is not running, or the extension is not loaded in it"
    return *folders, fault("extension", detail, START, subject="browser")
