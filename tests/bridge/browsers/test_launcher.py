"""Launching, against browsers that are none: what joins, what does not, and what becomes of it."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from bridge.fake_browsers import ALONE, FakeBrowser, Works, ask, stage_of, works_in
from bridge.peer import EXTENSION
from tabwire.browsers import launcher as launcher_module
from tabwire.browsers.launcher import Launcher
from tabwire.browsers.running import LaunchOptions
from tabwire.engine.engine import Engine
from tabwire.errors import InvalidArgument, NotConnected, SessionNotCreated, TabwireError, UnsupportedOperation
from tabwire.wire.keys import MemoryKeys
from tabwire.wire.transport import Transport

pytestmark = pytest.mark.anyio


@pytest.fixture
def works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Works:
    return works_in(tmp_path, monkeypatch)


async def test_a_browser_has_joined_as_whom_it_was_given_when_it_is_launched(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        first, second = await stage.launcher.launch(ALONE), await stage.launcher.launch(ALONE)
        assert [browser.id for browser in stage.engine.browsers] == [first.id, second.id]
        assert [browser.name for browser in stage.engine.browsers] == [first.name, second.name]
        assert stage.launcher.instances == (first, second)
        assert await ask(stage, second) == second.id
        assert await ask(stage, first) == first.id
        assert first.key_id != second.key_id
        assert (first.where, first.driver, first.ended) == ("a fake", None, None)
    assert [browser.is_closed for browser in works.started] == [True, True]
    assert first.ended == second.ended == "The browser was ended with its launcher."
    assert works.folders() == []


async def test_one_that_is_terminated_is_gone_with_its_files_and_the_others_go_on(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        first, second = await stage.launcher.launch(ALONE), await stage.launcher.launch(ALONE)
        await stage.launcher.terminate(first.id)
        assert works.started[0].is_closed
        assert not stage.keys.holds(first.key_id)
        assert works.folders() == [works.started[1].start.extension.parent]
        assert await first.wait_ended() == "The browser was terminated on request."
        with pytest.raises(NotConnected, match=r"terminated on request\. Launch another one"):
            await ask(stage, first)
        assert await ask(stage, second) == second.id
        with pytest.raises(InvalidArgument, match=second.name):
            await stage.launcher.terminate(first.id)


async def test_one_that_ends_by_itself_is_told_of_at_once(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(ALONE, next_step="Do this.")
        works.started[0].end("It fell over.")
        assert await instance.wait_ended() == "It fell over."
        assert stage.launcher.instances == ()
        with pytest.raises(NotConnected, match=r"It fell over\. Do this\."):
            await ask(stage, instance)
        assert works.folders() == []


async def test_one_whose_connection_is_lost_is_looked_at(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(ALONE)
        browser = works.started[0]
        browser.drop()
        browser.connect()
        assert await ask(stage, instance) == instance.id
        assert instance.ended is None
        browser.found_dead = "Its node is gone."
        browser.drop()
        assert await instance.wait_ended() == "Its node is gone."
        with pytest.raises(NotConnected, match=r"Its node is gone\."):
            await ask(stage, instance)


@pytest.mark.parametrize(
    ("failure", "error", "words"),
    [
        (UnsupportedOperation("No such thing."), UnsupportedOperation, "No such thing"),
        (OSError(28, "No space left on device"), SessionNotCreated, "could not be started: .*No space left"),
    ],
)
async def test_a_start_that_fails_leaves_nothing(
    failure: Exception, error: type[TabwireError], words: str, works: Works, tmp_path: Path
) -> None:
    works.failure = failure
    async with stage_of(tmp_path) as stage:
        with pytest.raises(error, match=words):
            await stage.launcher.launch(LaunchOptions(profile="work"))
        assert works.folders() == []
        works.failure = None
        await stage.launcher.launch(LaunchOptions(profile="work"))


async def test_one_that_ends_before_it_joins_says_how_and_what_to_do(works: Works, tmp_path: Path) -> None:
    works.next = lambda browser: browser.end("The browser ended with exit code 1. Its last words: Missing X server or $DISPLAY")
    async with stage_of(tmp_path) as stage:
        with pytest.raises(SessionNotCreated, match=r"exit code 1\..*Missing X server.*headless"):
            await stage.launcher.launch(ALONE)
        assert stage.launcher.instances == ()
        assert works.folders() == []


async def test_one_that_does_not_join_in_time_is_ended(works: Works, tmp_path: Path) -> None:
    works.next = lambda browser: None
    async with stage_of(tmp_path, join_seconds=0.1) as stage:
        with pytest.raises(SessionNotCreated, match=r"\(a fake\) runs, but .* did not join .* within 0\.1 s.*Chrome for Testing"):
            await stage.launcher.launch(ALONE)
        assert works.started[0].is_closed
        assert works.folders() == []


async def test_a_launch_that_is_cancelled_leaves_nothing(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        scope = anyio.CancelScope()

        def cancel(browser: FakeBrowser) -> None:
            scope.cancel()

        works.next = cancel
        with scope:
            await stage.launcher.launch(LaunchOptions(profile="work"))
        assert scope.cancelled_caught
        assert works.started[0].is_closed
        assert works.folders() == []
        works.next = FakeBrowser.connect
        await stage.launcher.launch(LaunchOptions(profile="work"))


async def test_a_bridge_that_does_not_listen_launches_nothing(works: Works, tmp_path: Path) -> None:
    keys = MemoryKeys()
    async with stage_of(tmp_path) as stage:
        port = stage.engine.reception.port
        assert port is not None
        deaf = Transport(ports=[port], keys=keys, run_dir=tmp_path / "run", extension_id=EXTENSION, server_version="0.1.0")
        async with deaf, Launcher(Engine(deaf), deaf, keys, tmp_path) as launcher:
            with pytest.raises(SessionNotCreated, match=f"{port} is taken"):
                await launcher.launch(ALONE)


async def test_a_kept_profile_stays_and_is_for_one_browser_at_a_time(works: Works, tmp_path: Path) -> None:
    options = LaunchOptions(profile="work")
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(options)
        assert instance.name == "work"
        assert instance.profile == tmp_path / "profiles/work"
        with pytest.raises(SessionNotCreated, match=rf"in use by the browser 'work' .* \(id {instance.id}\)"):
            await stage.launcher.launch(options)
        await stage.launcher.launch(LaunchOptions(profile="other"))
        await stage.launcher.terminate(instance.id)
        again = await stage.launcher.launch(options)
        assert (await ask(stage, again), again.profile) == (again.id, instance.profile)
    assert (tmp_path / "profiles/work/Default/Preferences").is_file()
    assert works.folders() == []


async def test_a_spare_is_unknown_to_calls_until_it_is_given(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        assert await stage.launcher.warm(LaunchOptions()) == 1
        assert stage.engine.browsers == ()
        assert not stage.engine.has_several
        assert stage.launcher.instances == ()
        instance = await stage.launcher.launch(LaunchOptions())
        assert instance.profile == works.started[0].start.profile
        assert await ask(stage, instance) == instance.id
        assert await stage.launcher.warm(LaunchOptions()) == 1
        assert [browser.id for browser in stage.engine.browsers] == [instance.id]
        assert len(works.started) == 2
        assert await stage.launcher.warm(LaunchOptions(profile="work")) == 0
    assert all(browser.is_closed for browser in works.started)
    assert works.folders() == []


async def test_a_spare_that_fell_silent_is_replaced_by_a_cold_start(
    works: Works, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher_module, "ANSWER_MS", 50)
    async with stage_of(tmp_path) as stage:
        await stage.launcher.warm(LaunchOptions())
        silent = works.started[0]
        silent.drop()
        instance = await stage.launcher.launch(LaunchOptions())
        assert instance.profile == works.started[1].start.profile
        assert await ask(stage, instance) == instance.id
        assert [browser.id for browser in stage.engine.browsers] == [instance.id]
        await silent.is_over.wait()
        assert silent.is_closed


async def test_what_starts_when_all_ends_leaves_nothing(works: Works, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        await stage.launcher.launch(ALONE)
        starting = anyio.Event()
        works.next = lambda browser: starting.set()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(stage.launcher.warm, LaunchOptions())
            await starting.wait()
            tasks.cancel_scope.cancel()
    assert [browser.is_closed for browser in works.started] == [True, True]
    assert works.folders() == []
