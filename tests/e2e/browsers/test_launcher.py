"""Launched browsers, as real ones: spares, kept profiles, an ordinary start, ends of every kind."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from e2e.client import ROOT
from e2e.plain import chromium_path
from e2e.processes import left, processes_of, until_ended, until_gone
from e2e.site import Site
from launching import PATIENCE, stage_of
from polling import until
from programs import environment
from serving import forked
from tabwire.browsers import launcher as launcher_module
from tabwire.browsers import profiles
from tabwire.browsers.chromium import FLAGS
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import NotConnected, OutcomeUnknown, SessionNotCreated

pytestmark = pytest.mark.anyio

CHROMIUM = Path(chromium_path())
FRESH = LaunchOptions(chromium=CHROMIUM, use_pool=False)


def switches_of(pid: int) -> set[str]:
    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
    return {word for word in command.split("\0")[1:] if word.startswith("-")}


def pid_of(instance: Instance) -> int:
    return int(instance.where.removeprefix("process "))


async def test_browsers_come_and_go_one_that_is_killed_is_told_of_at_once_and_they_leave_nothing(
    temp: Path, tmp_path: Path, site: Site
) -> None:
    async with stage_of(tmp_path) as stage:
        first, second = await stage.launcher.launch(FRESH), await stage.launcher.launch(FRESH)
        for instance in (first, second):
            await stage.open(instance, site.page("", title=instance.id))
        for instance in (first, second):
            assert (await stage.send(instance, "navigation.title", "read"))["title"] == instance.id
        await stage.launcher.terminate(first.id)
        until_ended(lambda: not processes_of(first.profile) and not first.profile.exists(), says="nothing is left of it")
        with pytest.raises(NotConnected, match="terminated on request"):
            await stage.send(first, "navigation.title", "read")
        assert (await stage.send(second, "navigation.title", "read"))["title"] == second.id
        async with anyio.create_task_group() as tasks:
            failures: list[BaseException] = []

            async def wait_in_it() -> None:
                try:
                    await stage.evaluate(second, "fetch('/post', {method: 'POST'}).then(() => new Promise(() => {}))")
                except (NotConnected, OutcomeUnknown) as error:
                    failures.append(error)

            tasks.start_soon(wait_in_it)
            await anyio.to_thread.run_sync(site.wait_for_post, "/post", 30)
            began = time.monotonic()
            os.kill(pid_of(second), signal.SIGKILL)
        assert time.monotonic() - began < PATIENCE.again / 2, "it was waited for as if it could come back"
        assert isinstance(failures[0], OutcomeUnknown)
        assert "The browser ended by SIGKILL. Launch another one." in str(failures[0])
        assert await second.wait_ended() == "The browser ended by SIGKILL."
        until_gone(temp)
        assert stage.engine.browsers == ()


async def test_a_spare_is_given_and_not_one_that_was_killed(
    temp: Path, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher_module, "ANSWER_MS", 60_000)
    options = LaunchOptions(chromium=CHROMIUM)
    async with stage_of(tmp_path) as stage:
        assert await stage.launcher.warm(options) == 1
        assert stage.engine.browsers == ()
        (spare,) = left(temp)
        first = await stage.launcher.launch(options)
        assert first.profile == spare / "profile"
        assert [browser.id for browser in stage.engine.browsers] == [first.id]
        assert await stage.launcher.warm(options) == 1
        (spare,) = {folder / "profile" for folder in left(temp)} - {first.profile}
        os.kill(int(os.readlink(spare / "SingletonLock").rpartition("-")[2]), signal.SIGKILL)
        until_ended(lambda: processes_of(spare), equals=[])
        second = await stage.launcher.launch(options)
        await stage.open(second, site.page("", title="Second"))
        assert (await stage.send(second, "navigation.title", "read"))["title"] == "Second"
    until_gone(temp)


async def test_a_kept_profile_remembers_and_is_nobody_elses_meanwhile(
    temp: Path, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "PATIENCE_SECONDS", 0.5)
    options = LaunchOptions(chromium=CHROMIUM, profile="work")
    page = site.page("", title="Kept")
    async with stage_of(tmp_path) as stage, stage_of(tmp_path) as other:
        first = await stage.launcher.launch(options)
        await stage.open(first, page)
        await stage.evaluate(first, "localStorage.setItem('kept', 'yes'), document.cookie = 'known=yes; max-age=999'")
        with pytest.raises(SessionNotCreated, match=f"in use by the browser 'work' .*{first.id}"):
            await stage.launcher.launch(options)
        with pytest.raises(SessionNotCreated, match=r"in use by process \d+\. End that browser"):
            await other.launcher.launch(options)
        await stage.launcher.terminate(first.id)
        second = await stage.launcher.launch(options)
        await stage.open(second, page)
        assert await stage.evaluate(second, "[localStorage.getItem('kept'), document.cookie]") == ["yes", "known=yes"]
    assert (tmp_path / "profiles/work/Default").is_dir()
    until_ended(lambda: processes_of(tmp_path / "profiles"), equals=[])


def answers(link: Path) -> bool:
    """Whether somebody listens at the socket that a link names."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as other:
        other.connect(os.readlink(link))
        return True
    return False


@pytest.fixture
def theirs(temp: Path, tmp_path: Path) -> Iterator[Path]:
    """The profile of a browser that runs and is none of ours."""
    profile = tmp_path / "theirs"
    command = [CHROMIUM, f"--user-data-dir={profile}", "--headless=new", "--no-sandbox", "--no-first-run", "about:blank"]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        until_ended(lambda: answers(profile / "SingletonSocket"), says="it has its profile")
        yield profile
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait(10)
        until_ended(lambda: processes_of(profile), equals=[])


async def test_a_profile_that_the_users_browser_has_open_is_not_handed_over_to_it(
    theirs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "PATIENCE_SECONDS", 0.5)
    async with stage_of(tmp_path) as stage:
        with pytest.raises(SessionNotCreated, match=rf"{theirs} is in use by process \d+\. End that browser"):
            await stage.launcher.launch(LaunchOptions(chromium=CHROMIUM, profile=theirs))


async def test_an_ordinary_start_has_nothing_of_automation(temp: Path, tmp_path: Path, site: Site) -> None:
    options = LaunchOptions(chromium=CHROMIUM, anti_detect=True, use_pool=False)
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(options)
        switches = switches_of(pid_of(instance))
        # What the system's own script adds is in every user's browser.
        added_by_us = {"--no-first-run", "--headless=new", "--no-sandbox"}
        assert switches & set(FLAGS) <= {"--no-first-run", "--no-default-browser-check"}
        assert not [switch for switch in switches if "automation" in switch or "remote-debugging" in switch]
        assert {f"--user-data-dir={instance.profile}", "--no-first-run"} <= switches
        assert added_by_us - {"--no-sandbox"} <= switches
        await stage.open(instance, site.page("<button onclick='globalThis.trusted = event.isTrusted'>Press</button>"))
        assert await stage.evaluate(instance, "navigator.webdriver") is False
        own = await stage.evaluate(instance, "Object.getOwnPropertyNames(navigator).length")
        assert own == 0, "nothing is patched"
        await stage.send(instance, "input.click", selector="button")
        assert await stage.evaluate(instance, "globalThis.trusted") is True


async def test_a_chromium_that_fails_says_why(temp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho 'what a pity' >&2\nexit 7\n")
    broken.chmod(0o755)
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    async with stage_of(tmp_path) as stage:
        with pytest.raises(SessionNotCreated, match="exit code 7. Its last words: what a pity"):
            await stage.launcher.launch(LaunchOptions(chromium=broken))
        with pytest.raises(SessionNotCreated, match=r"(?s)exit code \d+\..*launch it headless"):
            await stage.launcher.launch(LaunchOptions(chromium=CHROMIUM, headless=False))
        until_gone(temp)


OWNER = """
import asyncio, sys
from pathlib import Path
from e2e.browsers.test_launcher import CHROMIUM, LaunchOptions
from launching import stage_of

async def main():
    async with stage_of(Path(sys.argv[1])) as stage:
        await stage.launcher.launch(LaunchOptions(chromium=CHROMIUM))
        await stage.launcher.launch(LaunchOptions(chromium=CHROMIUM, profile="work"))
        await stage.launcher.warm(LaunchOptions(chromium=CHROMIUM))
        print("ready", flush=True)
        await asyncio.sleep(600)

asyncio.run(main())
"""


MOMENTS: dict[str, Callable[[Path], Any]] = {
    "it has a folder": left,
    "it has a process": processes_of,
    "it has a profile": lambda temp: [path for path in temp.glob("tabwire-*/profile") if (path / "SingletonLock").is_symlink()],
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_is_left_of_an_owner_that_is_killed_while_it_launches(moment: str, temp: Path, tmp_path: Path) -> None:
    env = environment(tmp_path / "home", TMPDIR=str(temp))
    pid = tmp_path / "pid"
    words = [*forked.serve(env, pid), "--launch", "--headless"]
    with subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        try:
            until(lambda: MOMENTS[moment](temp), within=60, every=0, says=moment)
        finally:
            # The server itself, not the process that stands in for a fork; its stdin stays open.
            os.kill(int(pid.read_text()) if pid.exists() else owner.pid, signal.SIGKILL)
        until_gone(temp)


def test_nothing_is_left_of_an_owner_that_is_killed(temp: Path, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "bridge"), str(ROOT / "tests")])}
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path)], env=env, stdout=subprocess.PIPE, start_new_session=True
    )
    with owner:
        try:
            assert owner.stdout is not None
            assert owner.stdout.readline() == b"ready\n"
            assert len(left(temp)) == 3
        finally:
            owner.kill()
    until_ended(lambda: processes_of(tmp_path / "profiles"), equals=[])
    until_gone(temp)
