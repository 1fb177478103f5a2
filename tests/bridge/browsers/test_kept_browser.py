"""The browser of `serve --launch`, against browsers that are none: a new one after each end, and a pause when it ends again and again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

from bridge.fake_browsers import ALONE, FakeBrowser, Works, stage_of, works_in
from launching import Stage
from tabwire.browsers import kept_browser
from tabwire.browsers.kept_browser import MAX_BRIEF_LIVES, KeptBrowser
from tabwire.errors import NotConnected, UnsupportedOperation

pytestmark = pytest.mark.anyio


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Works:
    return works_in(tmp_path, monkeypatch)


@asynccontextmanager
async def kept(home: Path, **seconds: float) -> AsyncIterator[Stage]:
    async with stage_of(home) as stage, anyio.create_task_group() as tasks:
        stage.engine.expect_browser()
        tasks.start_soon(KeptBrowser(stage.engine, stage.launcher, ALONE, **seconds).keep)
        yield stage
        tasks.cancel_scope.cancel()


async def call(stage: Stage, browser: str | None = None) -> Any:
    with anyio.fail_after(35):
        return (await stage.engine.send("a.b", {}, effect="act", timeout_ms=30_000, browser=browser))["by"]


async def ended(stage: Stage, browser: FakeBrowser) -> None:
    before = len(stage.engine.ended)
    browser.end("It fell over.")
    while len(stage.engine.ended) == before:
        await stage.engine.changed()


async def test_a_new_one_is_started_for_the_next_call_which_is_told_and_does_nothing(works: Works, tmp_path: Path) -> None:
    async with kept(tmp_path) as stage:
        first = await call(stage)
        await ended(stage, works.started[0])
        assert not stage.engine.has_several
        assert len(works.started) == 1, "nobody has asked for a new one yet"
        outcomes = []

        async def try_it() -> None:
            with pytest.raises(NotConnected) as failure:
                await call(stage)
            outcomes.append(str(failure.value))

        async with anyio.create_task_group() as both:
            both.start_soon(try_it)
            both.start_soon(try_it)
        assert len(works.started) == 2
        assert len(outcomes) == 2 and all("a new one" in outcome and "refs" in outcome for outcome in outcomes)
        second = await call(stage)
        assert second == stage.engine.browsers[0].id != first
        with pytest.raises(NotConnected, match=r"It fell over\. The next call starts a new browser"):
            await call(stage, first)


async def test_a_call_under_way_tells_of_the_end_and_the_next_one_goes_to_the_new_browser(works: Works, tmp_path: Path) -> None:
    async with kept(tmp_path) as stage:
        first = await call(stage)
        works.started[0].is_silent = True
        async with anyio.create_task_group() as tasks:

            async def begun() -> None:
                with pytest.raises(Exception, match="The next call starts a new browser") as failure:
                    await call(stage)
                assert type(failure.value).__name__ == "OutcomeUnknown"

            tasks.start_soon(begun)
            with anyio.fail_after(5):
                await works.started[0].was_asked.wait()
            works.started[0].end("It fell over.")
        assert await call(stage) not in (None, first)


async def test_one_that_ended_before_any_call_went_to_it_is_replaced_without_a_word(works: Works, tmp_path: Path) -> None:
    async with kept(tmp_path) as stage:
        while not stage.engine.browsers:
            await stage.engine.changed()
        await ended(stage, works.started[0])
        assert await call(stage) == stage.engine.browsers[0].id


async def test_one_that_ends_again_and_again_is_left_alone_for_a_while(
    works: Works, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with kept(tmp_path, pause_seconds=0.5) as stage:
        for number in range(MAX_BRIEF_LIVES):
            await call(stage)
            await ended(stage, works.started[number])
            if number < MAX_BRIEF_LIVES - 1:
                with pytest.raises(NotConnected, match="a new one"):
                    await call(stage)
        while stage.engine.problem is None:
            await stage.engine.changed()
        with pytest.raises(NotConnected, match=r"ended 3 times in a row.*It fell over\..*after 0\.5 seconds"):
            await call(stage)
        assert len(works.started) == MAX_BRIEF_LIVES
        while stage.engine.problem is not None:
            await stage.engine.changed()
        with pytest.raises(NotConnected, match="a new one"):
            await call(stage)
        monkeypatch.setattr(kept_browser, "BRIEF_LIFE_SECONDS", 0)
        await call(stage)


async def test_a_start_that_fails_is_tried_again_for_a_later_call(works: Works, tmp_path: Path) -> None:
    works.failure = UnsupportedOperation("No Chromium here.")
    async with kept(tmp_path, retry_seconds=0.3) as stage:
        with pytest.raises(NotConnected, match=r"No Chromium here\. A call after 0\.3 seconds tries again"):
            await call(stage)
        works.failure = None
        while stage.engine.problem is not None:
            await stage.engine.changed()
        assert await call(stage) == stage.engine.browsers[0].id
