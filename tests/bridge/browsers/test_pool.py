"""Spare browsers: started ahead, given once, watched until then."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from tabwire.browsers.pool import WarmPool
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import SessionNotCreated

pytestmark = pytest.mark.anyio

PLAIN = LaunchOptions()
HEADED = LaunchOptions(headless=False)


@dataclass(eq=False)
class Fake:
    """What a pool needs of an instance."""

    options: LaunchOptions
    where: str = "nowhere"
    is_answering: bool = True
    is_over: anyio.Event = field(default_factory=anyio.Event)
    is_put_away: anyio.Event = field(default_factory=anyio.Event)

    @property
    def running(self) -> Fake:
        return self

    async def ended(self) -> str:
        await self.is_over.wait()
        return "It ended."


class Works:
    """Starts and ends fakes; a start waits for `gate`."""

    def __init__(self) -> None:
        self.begun: list[Fake] = []
        self.ended: list[Fake] = []
        self.gate = anyio.Event()
        self.gate.set()
        self.failures = 0
        self.change = anyio.Event()

    async def begin(self, options: LaunchOptions) -> Any:
        fake = Fake(options)
        self.begun.append(fake)
        self.change.set()
        await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise SessionNotCreated("It would not.")
        return fake

    async def end(self, fake: Any) -> None:
        self.ended.append(fake)
        fake.is_put_away.set()

    async def answers(self, fake: Any) -> bool:
        await anyio.lowlevel.checkpoint()
        return bool(fake.is_answering)


@asynccontextmanager
async def pool_of(works: Works, size: int = 1, idle_seconds: float = 60) -> AsyncIterator[WarmPool]:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            yield WarmPool(tasks, begin=works.begin, end=works.end, answers=works.answers, size=size, idle_seconds=idle_seconds)
            tasks.cancel_scope.cancel()


async def test_a_spare_is_given_once_and_only_for_equal_options() -> None:
    works = Works()
    async with pool_of(works) as pool:
        assert await pool.take(PLAIN) is None
        pool.stock(PLAIN)
        pool.stock(PLAIN)
        assert await pool.ready(PLAIN) == 1
        assert await pool.take(HEADED) is None
        assert await pool.take(replace(PLAIN)) is works.begun[0]
        assert await pool.take(PLAIN) is None
        pool.stock(PLAIN)
        assert await pool.ready(PLAIN) == 1
    assert len(works.begun) == 2
    assert works.ended == []


async def test_as_many_are_kept_as_there_shall_be() -> None:
    works = Works()
    async with pool_of(works, size=3) as pool:
        pool.stock(PLAIN)
        assert await pool.ready(PLAIN) == 3
        assert {await pool.take(PLAIN), await pool.take(PLAIN), await pool.take(PLAIN)} == set(works.begun)


async def test_none_are_kept_where_none_shall_be() -> None:
    works = Works()
    async with pool_of(works, size=0) as pool:
        pool.stock(PLAIN)
        assert await pool.ready(PLAIN) == 0
        assert await pool.take(PLAIN) is None
    assert works.begun == []


async def test_one_that_is_starting_is_waited_for() -> None:
    works = Works()
    works.gate = anyio.Event()
    async with pool_of(works) as pool:
        pool.stock(PLAIN)
        given: list[Any] = []

        async def take() -> None:
            given.append(await pool.take(PLAIN))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(take)
            await anyio.wait_all_tasks_blocked()
            assert given == []
            works.gate.set()
        assert given == works.begun


async def test_who_stops_waiting_for_one_that_is_starting_leaves_it_to_the_next() -> None:
    works = Works()
    works.gate = anyio.Event()
    async with pool_of(works) as pool:
        pool.stock(PLAIN)
        with anyio.move_on_after(0):
            await pool.take(PLAIN)
        works.gate.set()
        assert await pool.take(PLAIN) is works.begun[0]
    assert len(works.begun) == 1


async def test_one_that_does_not_start_is_nobodys_and_the_reason_is_told_to_who_waits_for_spares() -> None:
    works = Works()
    works.failures = 1
    async with pool_of(works) as pool:
        pool.stock(PLAIN)
        with pytest.raises(SessionNotCreated, match="It would not"):
            await pool.ready(PLAIN)
        assert await pool.take(PLAIN) is None
        pool.stock(PLAIN)
        assert await pool.take(PLAIN) is works.begun[1]


async def test_one_that_does_not_answer_is_ended_and_the_next_one_given() -> None:
    works = Works()
    async with pool_of(works, size=2) as pool:
        pool.stock(PLAIN)
        await pool.ready(PLAIN)
        first, second = works.begun
        first.is_answering = False
        assert await pool.take(PLAIN) is second
        await first.is_put_away.wait()
    assert works.ended == [first]


async def test_one_that_ends_by_itself_is_put_away_and_not_given() -> None:
    works = Works()
    async with pool_of(works) as pool:
        pool.stock(PLAIN)
        await pool.ready(PLAIN)
        works.begun[0].is_over.set()
        await works.begun[0].is_put_away.wait()
        assert await pool.take(PLAIN) is None


async def test_one_that_was_given_is_put_away_by_nobody_here() -> None:
    works = Works()
    async with pool_of(works) as pool:
        pool.stock(PLAIN)
        given = await pool.take(PLAIN)
        assert given is works.begun[0]
        works.begun[0].is_over.set()
        await anyio.wait_all_tasks_blocked()
    assert works.ended == []


async def test_one_that_nobody_wants_for_long_is_ended() -> None:
    works = Works()
    async with pool_of(works, idle_seconds=0) as pool:
        pool.stock(PLAIN)
        await works.change.wait()
        await works.begun[0].is_put_away.wait()
        assert await pool.take(PLAIN) is None


@pytest.mark.parametrize(
    ("options", "fits"),
    [
        (PLAIN, True),
        (LaunchOptions(driver=True), True),
        (LaunchOptions(use_pool=False), False),
        (LaunchOptions(profile="work"), False),
        (LaunchOptions(profile=Path("/p")), False),
        (LaunchOptions(grid="http://127.0.0.1:4444"), False),
    ],
)
async def test_kept_profiles_and_places_of_a_grid_are_not_kept_ready(options: LaunchOptions, fits: bool) -> None:
    assert WarmPool.fits(options) is fits
