"""Browsers without sockets, for tests of the engine: they connect, answer and go away when a test says so."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio
from anyio.abc import TaskGroup

from tabwire.commands.declaration import Effect
from tabwire.engine.engine import Engine, Patience
from tabwire.errors import TabwireError
from tabwire.wire.connection import Disconnected, Receiver, Reception, Refusal, Visit
from tabwire.wire.messages import Browser, Event, Failure, Success

WORK = Browser("b1", "Work", session="s1")
HOME = Browser("b2", "Home", session="s2")
BOTH = (WORK, HOME)
BRIEF = Patience(first=0.02, again=0.05, launch=0.1)
LONG = Patience(first=30, again=30, launch=30, answer=30)


class FakeLink:
    """Browsers that connect, answer and go away when a test says so."""

    def __init__(self) -> None:
        self.problem: str | None = None
        self.last_refusal: Refusal | None = None
        self.reception = Reception(17890, "", None, 0)
        self.last_visit: Visit | None = None
        self.wake_left_s = 0.0
        self.client: tuple[str, str] | None = None
        self.receiver: Receiver | None = None
        self.open: set[str] = set()
        self._frames: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    def attach(self, receiver: Receiver) -> None:
        self.receiver = receiver

    async def send(self, browser_id: str, text: str) -> None:
        if browser_id not in self.open:
            raise Disconnected(browser_id)
        await self._frames.put((browser_id, json.loads(text)))

    def set_client(self, name: str, version: str) -> None:
        self.client = (name, version)

    def connect(self, browser: Browser) -> None:
        assert self.receiver is not None
        self.open.add(browser.id)
        self.receiver.browser_connected(browser)

    def lose(self, browser: Browser) -> None:
        assert self.receiver is not None
        self.open.discard(browser.id)
        self.receiver.browser_lost(browser.id)

    def answer(self, message: Success | Failure | Event, browser: Browser = WORK) -> None:
        assert self.receiver is not None
        self.receiver.message_received(browser.id, message)

    async def next_frame(self) -> dict[str, Any]:
        with anyio.fail_after(5):
            return (await self._frames.get())[1]

    async def next_browser(self) -> str:
        with anyio.fail_after(5):
            return (await self._frames.get())[0]

    @property
    def is_quiet(self) -> bool:
        return self._frames.empty()


class Pending:
    """A call that runs in the background; `outcome` waits for its result or its failure."""

    def __init__(self, tasks: TaskGroup, work: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        self.scope = anyio.CancelScope()
        self._done = anyio.Event()
        self._outcome: dict[str, Any] | TabwireError | None = None
        tasks.start_soon(self._run, work)

    async def _run(self, work: Callable[[], Awaitable[dict[str, Any]]]) -> None:
        try:
            with self.scope:
                self._outcome = await work()
        except TabwireError as error:
            self._outcome = error
        finally:
            self._done.set()

    async def outcome(self) -> dict[str, Any] | TabwireError | None:
        with anyio.fail_after(5):
            await self._done.wait()
        return self._outcome


def begin(
    tasks: TaskGroup, engine: Engine, effect: Effect = "read", *, timeout_ms: int = 5000, browser: str | None = None
) -> Pending:
    async def work() -> dict[str, Any]:
        return await engine.send("input.click", {"selector": "@e1"}, effect=effect, timeout_ms=timeout_ms, browser=browser)

    return Pending(tasks, work)


def connected(patience: Patience = LONG, browsers: Sequence[Browser] = (WORK,)) -> tuple[FakeLink, Engine]:
    link = FakeLink()
    engine = Engine(link, extension_dir="/opt/extension", patience=patience)
    for browser in browsers:
        link.connect(browser)
    return link, engine
