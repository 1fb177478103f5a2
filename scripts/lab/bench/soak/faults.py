"""Faults, one at a time, and how long it takes until the clients concerned work again."""

import contextlib
import random
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from chromium import Chromium
from host import Host
from lane import Lane
from trail import Trail
from websockets.exceptions import WebSocketException

from e2e.cdp import CdpError, Page

RECOVERY_LIMIT_S = 60.0
STEP_S = 0.02
NONSENSE = (b"", b"HTTP/1.1 204 No Content\r\n\r\n", b"\0" * 64)


@dataclass
class World:
    """Parts of the system that can be broken."""

    hosts: list[Host]
    browsers: list[Chromium]
    lanes: list[Lane]
    trail: Trail
    random: random.Random
    ports: Sequence[int]
    """The window in which bridges listen."""
    kinds: Sequence[str]
    """Kinds of `FAULTS` that may happen."""

    def lanes_of(self, owner: Host | Chromium) -> list[Lane]:
        return [lane for lane in self.lanes if owner in (lane.host, lane.browser)]


@dataclass
class Recoveries:
    """Seconds from the end of each fault to the first success of the last lane concerned, by kind of fault."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def _kill_worker(world: World) -> list[Lane]:
    browser = world.random.choice(world.browsers)
    with browser.devtools() as devtools:
        devtools.stop_workers()
    return world.lanes_of(browser)


def _kill_extension(world: World) -> list[Lane]:
    browser = world.random.choice(world.browsers)
    return world.lanes_of(browser) if browser.kill_extension() else []


def _kill_bridge(world: World) -> list[Lane]:
    host = world.random.choice(world.hosts)
    generation = host.generation
    host.kill()
    # How long a Python process takes to start is not the question.
    host.revive(generation)
    return world.lanes_of(host)


def _stop_bridge(world: World) -> list[Lane]:
    host = world.random.choice(world.hosts)
    host.pause(world.random.uniform(0.2, 3))
    return world.lanes_of(host)


def _kill_browser(world: World) -> list[Lane]:
    browser = world.random.choice(world.browsers)
    browser.kill()
    browser.restart()
    return world.lanes_of(browser)


def _on_desk(world: World, work: Callable[[Page, Lane], Any]) -> list[Lane]:
    """Does something to the desk of a lane, as its user or the page may."""
    lane = world.random.choice(world.lanes)
    with lane.browser.devtools() as devtools:
        found = [target for target in devtools.targets("page") if target["url"].endswith(f"/desk/{lane.key}")]
        if not found:
            return []
        work(Page(devtools, found[0]["targetId"]), lane)
    return [lane]


def _close_tab(world: World) -> list[Lane]:
    return _on_desk(world, lambda page, lane: page.close())


def _reload(world: World) -> list[Lane]:
    return _on_desk(world, lambda page, lane: page.call("Page.reload"))


def _crash(world: World) -> list[Lane]:
    def crash(page: Page, lane: Lane) -> None:
        # Nobody is left to answer.
        with contextlib.suppress(CdpError, TimeoutError):
            page.call("Page.crash", timeout=1)

    return _on_desk(world, crash)


def _dialog(world: World) -> list[Lane]:
    def show(page: Page, lane: Lane) -> None:
        browser = page.browser
        session = browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
        browser.call("Page.enable", session=session)
        browser.call("Runtime.evaluate", {"expression": "setTimeout(() => alert('soak'))"}, session)
        time.sleep(world.random.uniform(0.2, 3))
        # A client may have answered it.
        with contextlib.suppress(CdpError):
            browser.call("Page.handleJavaScriptDialog", {"accept": True}, session)

    return _on_desk(world, show)


def _squat(world: World) -> list[Lane]:
    """A program that is no bridge takes a free port of the window, answers probes, and says nothing that makes sense."""
    for port in world.ports:
        with socket.socket() as squatter:
            try:
                squatter.bind(("127.0.0.1", port))
            except OSError:
                continue
            squatter.listen()
            squatter.settimeout(0.2)
            _answer(squatter, world.random.uniform(0.5, 3), world.random.choice(NONSENSE))
            return world.lanes
    return []


def _answer(squatter: socket.socket, seconds: float, answer: bytes) -> None:
    end = time.monotonic() + seconds
    with contextlib.ExitStack() as kept:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                peer = kept.enter_context(squatter.accept()[0])
                peer.sendall(answer)


FAULTS: dict[str, tuple[Callable[[World], list[Lane]], int]] = {
    "worker killed": (_kill_worker, 4),
    "extension process killed": (_kill_extension, 3),
    "bridge killed": (_kill_bridge, 3),
    "bridge stopped": (_stop_bridge, 3),
    "browser killed": (_kill_browser, 2),
    "tab closed": (_close_tab, 3),
    "page reloaded": (_reload, 4),
    "renderer crashed": (_crash, 3),
    "dialog open": (_dialog, 3),
    "port squatted": (_squat, 2),
}
"""Kind → what it does, giving the lanes it concerns; weight."""


def inject(world: World, recoveries: Recoveries) -> None:
    """Inject one fault and wait for everybody's recovery."""
    kind = world.random.choices(world.kinds, [FAULTS[kind][1] for kind in world.kinds])[0]
    world.trail.note("fault", what=kind)
    try:
        concerned = FAULTS[kind][0](world)
    except (CdpError, OSError, TimeoutError, WebSocketException) as error:
        # What was to break is gone already: a lane has just closed it.
        return world.trail.note("fault missed", what=kind, error=repr(error))
    ended = time.monotonic()
    world.trail.note("fault ended", what=kind, lanes=[lane.name for lane in concerned])
    if not concerned:
        return
    waiting = list(concerned)
    while waiting and time.monotonic() < ended + RECOVERY_LIMIT_S:
        time.sleep(STEP_S)
        waiting = [lane for lane in waiting if lane.is_running and lane.last_success < ended]
    took = time.monotonic() - ended
    recoveries.seconds.setdefault(kind, []).append(took)
    world.trail.note("recovered", what=kind, s=round(took, 3), missing=[lane.name for lane in waiting])
    if waiting:
        names = ", ".join(lane.name for lane in waiting)
        recoveries.failures.append(f"{kind}: {names} did not work again within {RECOVERY_LIMIT_S:.0f} s")
