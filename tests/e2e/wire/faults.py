"""Faults between an MCP client and a page, and the calls they hit. test_faults.py crosses the two tables."""

import contextlib
import itertools
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from e2e.cdp import CdpError, Page
from e2e.client import Reply, Tabwire
from e2e.plain import PlainChromium
from e2e.ports import free_port
from e2e.site import Site
from e2e.wire.lines import Wire
from e2e.worker import clients_shown
from polling import until

ANSWER_LIMIT_S = 40
OK = "ok"
RECOVERED = "recovered"
"""A property of a test: how soon calls succeeded again. conftest.py prints them all at the end of the run."""
GONE = "bridge gone"
"""The bridge ended before it could answer: the MCP client learns that from its pipe."""

PAGE = """<form method=post action=/gate/ACT><button>Send</button></form>"""
STUCK_S = 8
"""A worker that has not begun by then, on any machine, will not."""
SLEEP_S = 12
"""Longer than either side waits for a sign of life."""


class Rig:
    """A browser as the user's own is, one bridge it reaches over a wire, and a ledger of what acts the site has seen.

    Args:
        has_neighbour: Whether a second bridge has joined the browser.
    """

    def __init__(self, work: Path, site: Site, *, has_neighbour: bool = False) -> None:
        self.site = site
        self.port = free_port()
        self.wire = Wire(self.port)
        ports = [self.port, free_port()] if has_neighbour else [self.port]
        self.chromium = PlainChromium(work, "about:blank", flags=[self.wire.flag], pairing={"ports": ports})
        self.acts: list[str] = []
        self.pages: dict[int, Page] = {}
        self.waiting: list[Future[Reply]] = []
        """Calls that a fault has made while it lasted: they are to be done afterwards."""
        self._numbers = itertools.count(1)
        self._bridge: Tabwire | None = None
        self.neighbour = self.chromium.serve("--port", str(ports[1])) if has_neighbour else None

    @property
    def bridge(self) -> Tabwire:
        """The bridge, started anew if a fault has ended it."""
        if self._bridge is None or not self._bridge.is_running():
            self._bridge = self.chromium.serve("--port", str(self.port))
        return self._bridge

    def number(self) -> str:
        """One that no other call has."""
        return f"{self.port}-{next(self._numbers)}"

    def new_act(self) -> str:
        """The number of an act, which goes to the ledger."""
        self.acts.append(self.number())
        return self.acts[-1]

    def count(self, act: str) -> int:
        """How often the site has been told of an act."""
        return sum(hit.method == "POST" and hit.path == f"/gate/{act}" for hit in self.site.hits)

    def open(self, html: str) -> int:
        """A tab of its own for the bridge; waits until the browser is there."""
        self.recovered(time.monotonic())
        url = self.site.page(html)
        tab = self.bridge.ok("tab_new", url=url, active=False).data["tabId"]
        (target,) = [target for target in self.chromium.browser.targets("page") if target["url"] == url]
        self.pages[tab] = Page(self.chromium.browser, target["targetId"])
        self.use(tab)
        return int(tab)

    def use(self, tab: int) -> None:
        """Uses a tab twice: by then its page holds what brings the worker back."""
        self.bridge.ok("title", tabId=tab)
        self.bridge.ok("snapshot", tabId=tab)

    def leave(self, *tabs: int) -> None:
        """Closes tabs, but for those that are gone with an earlier start of the browser."""
        for tab in tabs:
            page = self.pages.pop(tab)
            if page.browser is self.chromium.browser:
                page.close()

    def has_bridge(self) -> bool:
        return self._bridge is not None and self._bridge.is_running()

    def recovered(self, since: float, tab: int | None = None) -> float:
        """Seconds from ``since`` to the first call that succeeds.

        A worker that Chrome installs while it starts, as after an update and a crash, now and then never gets to its first line
        (``STARTING`` for ever in chrome://serviceworker-internals). Whoever meets that starts Chrome again; so does this, once.
        """
        where = {} if tab is None else {"tabId": tab}
        may_restart = True
        while (reply := self.bridge.call("tab_list" if tab is None else "title", **where)).is_error:
            assert time.monotonic() - since < 30, f"{reply.text}\n{self.bridge.log_tail()}"
            if may_restart and time.monotonic() - since > STUCK_S and self._has_stuck_worker():
                may_restart = False
                self.chromium.restart()
                since = time.monotonic()
            time.sleep(0.02)
        return time.monotonic() - since

    def _has_stuck_worker(self) -> bool:
        """Whether there is a worker into which Chrome has put nothing yet."""
        with contextlib.suppress(CdpError, TimeoutError, IndexError):
            return bool(self.chromium.browser.in_worker("typeof chrome === 'undefined'"))
        return False

    def clients_in_badge(self) -> int:
        """How many clients the browser shows."""
        return clients_shown(self.chromium.browser)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            if self._bridge:
                os.kill(self._bridge.pid, signal.SIGCONT)
        self.chromium.close()
        self.wire.close()


@dataclass
class Flight:
    """A call that runs while the fault hits."""

    reply: "Future[Reply]"
    land: Callable[[], None]
    act: str = ""
    answer: str = field(default="", init=False)
    text: str = field(default="", init=False)
    data: Any = field(default=None, init=False)

    def wait(self) -> str:
        """``OK``, ``GONE`` or the code of the error."""
        try:
            reply = self.reply.result(ANSWER_LIMIT_S)
        except TimeoutError:
            raise
        except Exception as error:
            self.answer, self.text = GONE, repr(error)
        else:
            self.text, self.data = reply.text, reply.data
            self.answer = (reply.code or GONE) if reply.is_error else OK
        return self.answer


def start_read(rig: Rig, tab: int) -> Flight:
    """A wait whose condition asks the site, which keeps the answer back."""
    path = f"/gate/{rig.number()}"
    rig.site.hold(path)
    body = f"return fetch({json.dumps(path)}).then((answer) => answer.ok)"
    reply = rig.bridge.start("wait", **{"for": "function", "function": body, "timeout": 20_000, "tabId": tab})
    rig.site.wait_for(lambda site: site.hit_count(path), 10)
    return Flight(reply, lambda: rig.site.let_go(path))


def start_act(rig: Rig, tab: int) -> Flight:
    """A click that posts a form; the site keeps its answer back, so that the act has happened and has not ended."""
    act = rig.new_act()
    path = f"/gate/{act}"
    rig.site.hold(path)
    rig.pages[tab].evaluate(f"document.forms[0].action = {path!r}")
    reply = rig.bridge.start("click", selector="text:Send", tabId=tab, timeout=20_000)
    rig.site.wait_for(lambda site: site.hit_count(path), 10)
    return Flight(reply, lambda: rig.site.let_go(path), act)


def post(rig: Rig, tab: int, act: str) -> "Future[Reply]":
    """A script that posts and waits for the answer."""
    expression = f"fetch({json.dumps(f'/gate/{act}')}, {{method: 'POST'}}).then((answer) => answer.status)"
    return rig.bridge.start("evaluate", expression=expression, tabId=tab, timeout=20_000)


def start_script(rig: Rig, tab: int) -> Flight:
    """A script whose answer the site keeps back."""
    act = rig.new_act()
    path = f"/gate/{act}"
    rig.site.hold(path)
    reply = post(rig, tab, act)
    rig.site.wait_for(lambda site: site.hit_count(path), 10)
    return Flight(reply, lambda: rig.site.let_go(path), act)


# ---- faults: each hits what is between a client and its tabs, and returns the moment from which the recovery counts ---------

Tabs = Sequence[int]


def worker_stopped(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    assert rig.chromium.browser.stop_workers() == 1
    return since


def extension_process_killed(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    processes = rig.chromium.processes("--extension-process")
    assert processes
    for process in processes:
        os.kill(process, signal.SIGKILL)
    return since


def bridge_killed(rig: Rig, tabs: Tabs) -> float:
    """What counts is the time from when the client's next bridge can be called."""
    rig.bridge.kill()
    until(lambda: not rig.has_bridge(), within=5, says="the end of the bridge")
    assert rig.bridge.tools()
    return time.monotonic()


def bridge_stopped_for_a_moment(rig: Rig, tabs: Tabs) -> float:
    os.kill(rig.bridge.pid, signal.SIGSTOP)
    rig.chromium.browser.call("Browser.getVersion")
    os.kill(rig.bridge.pid, signal.SIGCONT)
    return time.monotonic()


def bridge_stopped_until_noticed(rig: Rig, tabs: Tabs) -> float:
    """The browser gives it up and works for the other one meanwhile."""
    neighbour, bridge = rig.neighbour, rig.bridge
    assert neighbour
    neighbour.until_joined()
    neighbour.ok("tab_new", url=rig.site.page("<p>Page</p>"))
    slowest = 0.0

    def clients() -> int:
        nonlocal slowest
        slowest = max(slowest, neighbour.ok("snapshot").elapsed_ms)
        return rig.clients_in_badge()

    os.kill(bridge.pid, signal.SIGSTOP)
    try:
        rig.waiting += [bridge.start("title", tabId=tabs[0]), post(rig, tabs[0], rig.new_act())]
        until(clients, equals=1, within=20, every=0.1, says="the browser gives the stopped bridge up")
        neighbour.ok("evaluate", expression="1")
        assert slowest < 1000
        assert not any(call.done() for call in rig.waiting)
    finally:
        os.kill(bridge.pid, signal.SIGCONT)
    return time.monotonic()


def bridge_stopped_and_killed(rig: Rig, tabs: Tabs) -> float:
    os.kill(rig.bridge.pid, signal.SIGSTOP)
    return bridge_killed(rig, tabs)


def browser_restarted(rig: Rig, tabs: Tabs) -> float:
    rig.chromium.restart()
    return time.monotonic()


def extension_reloaded(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    with contextlib.suppress(CdpError, TimeoutError):
        rig.chromium.browser.in_worker("chrome.runtime.reload()")
    return since


def extension_updated(rig: Rig, tabs: Tabs) -> float:
    manifest = rig.chromium.extension / "manifest.json"
    content = json.loads(manifest.read_text())
    major, minor, patch = content["version"].split(".")
    manifest.write_text(json.dumps({**content, "version": f"{major}.{minor}.{int(patch) + 1}"}))
    return extension_reloaded(rig, tabs)


def laptop_slept(rig: Rig, tabs: Tabs) -> float:
    """Neither side runs while the clock does."""
    rig.chromium.send_signal(signal.SIGSTOP)
    os.kill(rig.bridge.pid, signal.SIGSTOP)
    time.sleep(SLEEP_S)  # The fault itself: time passes and nobody runs.
    rig.chromium.send_signal(signal.SIGCONT)
    os.kill(rig.bridge.pid, signal.SIGCONT)
    return time.monotonic()


def tab_discarded(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    for tab in tabs:
        rig.chromium.browser.in_worker(f"chrome.tabs.discard({tab})")
    return since


def renderer_crashed(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    for tab in tabs:
        with contextlib.suppress(CdpError, TimeoutError):
            rig.pages[tab].call("Page.crash", timeout=0.3)
    return since


def connection_cut(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    rig.wire.cut()
    return since


def connection_went_dead(rig: Rig, tabs: Tabs) -> float:
    since = time.monotonic()
    rig.wire.go_dead()
    return since
