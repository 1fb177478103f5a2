"""Browsers launched with a WebDriver session on this computer: tools and Selenium at one page, and ends of every kind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.remote.webdriver import WebDriver

from e2e.browsers.test_launcher import switches_of
from e2e.client import ROOT
from e2e.plain import chromium_path
from e2e.processes import left, processes_of, until_gone
from e2e.site import Site
from launching import stage_of
from tabwire.browsers import local_driver
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions
from tabwire.browsers.webdriver import NoBidi
from tabwire.errors import UnsupportedOperation

pytestmark = pytest.mark.anyio

DRIVEN = LaunchOptions(driver=True, chromium=Path(chromium_path()), use_pool=False)

OWNER = """
import sys, anyio
from pathlib import Path
from launching import stage_of
from e2e.browsers.test_local_driver import DRIVEN

async def main():
    async with stage_of(Path(sys.argv[1])) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        print(instance.driver.service.service_url, flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def browser_pid(instance: Instance) -> int:
    return int(instance.driver.capabilities["goog:processID"])


def driver_pid(instance: Instance) -> int:
    return int(instance.driver.service.process.pid)


def miss_first(get: Callable[..., None]) -> Callable[..., None]:
    """As chromedriver does at times under load: its first page counts as loading, and nothing it is told afterwards ends that."""
    is_missed = False

    def get_late(driver: WebDriver, url: str) -> None:
        nonlocal is_missed
        if not is_missed:
            is_missed = True
            raise TimeoutException("timeout: Timed out receiving message from renderer: 3.000")
        get(driver, url)

    return get_late


async def in_selenium(call: partial[object]) -> object:
    return await anyio.to_thread.run_sync(call)


async def test_tools_and_selenium_work_at_the_same_page(
    temp: Path,
    tmp_path: Path,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(WebDriver, "get", miss_first(WebDriver.get))
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        url = site.page('<button onclick="document.title = confirm(1) ? 2 : 3">Ask</button>', title="Both")
        await stage.open(instance, url)
        driver = instance.driver
        assert await in_selenium(lambda: driver.title) == "Both"
        button = await in_selenium(partial(driver.find_element, "css selector", "button"))
        await in_selenium(button.click)  # type: ignore[attr-defined]
        # Selenium's own questions would answer the dialog, if it were its business.
        await in_selenium(lambda: driver.window_handles)
        await stage.send(instance, "dialog.handle", action="accept", timeout=5000)
        assert await stage.evaluate(instance, "document.title") == "2"
        tabs = (await stage.send(instance, "tabs.list", "read"))["tabs"]
        assert [tab["url"] for tab in tabs] == [url]
        await stage.launcher.terminate(instance.id)
        assert not processes_of(temp)
        assert not left(temp)


async def test_a_driver_that_is_killed_takes_its_browser_along(temp: Path, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        os.kill(driver_pid(instance), signal.SIGKILL)
        with anyio.fail_after(20):
            assert await instance.wait_ended() == "Its chromedriver ended by SIGKILL, and the browser with it."
        assert not processes_of(temp)
        assert not left(temp)


async def test_a_driver_without_bidi_loads_the_extension_by_a_switch_and_leaves_a_page_that_hangs(
    temp: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def has_none(driver: object, path: str) -> None:
        raise NoBidi("it has no WebDriver BiDi")

    monkeypatch.setattr(local_driver, "install", has_none)
    monkeypatch.setattr(WebDriver, "get", miss_first(WebDriver.get))
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        assert any(switch.startswith("--load-extension=/") for switch in switches_of(browser_pid(instance)))
        assert [tab["url"] for tab in (await stage.send(instance, "tabs.list", "read"))["tabs"]] == ["about:blank"]
    until_gone(temp)


def test_nothing_is_left_when_the_owner_is_killed(temp: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT / "bridge"), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(temp)}
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(tmp_path)], env=environment, stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        assert owner.stdout.readline().startswith(b"http://")
        assert processes_of(temp)
        owner.kill()
    until_gone(temp)


async def test_a_driver_and_an_ordinary_start_exclude_each_other(temp: Path, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        with pytest.raises(UnsupportedOperation, match="anti_detect"):
            await stage.launcher.launch(LaunchOptions(driver=True, anti_detect=True, use_pool=False))


async def test_without_selenium_the_error_says_what_to_install(
    temp: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "selenium.webdriver", None)
    async with stage_of(tmp_path) as stage:
        with pytest.raises(UnsupportedOperation, match=r'pip install "tabwire\[testing\]"'):
            await stage.launcher.launch(DRIVEN)
    assert not left(temp)


async def test_a_driver_whose_port_is_another_programs_is_started_again(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlucky, tried = tmp_path / "chromedriver", tmp_path / "tried"
    real = os.environ.get("SE_CHROMEDRIVER") or shutil.which("chromedriver")
    unlucky.write_text(
        f"#!/bin/sh\nif [ ! -e '{tried}' ]; then touch '{tried}'; echo 'bind() failed: Address already in use (98)'; exit 1; fi\n"
        f'exec {real} "$@"\n'
    )
    unlucky.chmod(0o755)
    monkeypatch.setenv("SE_CHROMEDRIVER", str(unlucky))
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        await stage.open(instance, site.page("", title="There"))
        assert tried.exists() and await in_selenium(lambda: instance.driver.title) == "There"


async def test_a_browser_that_crashes_takes_its_driver_along(temp: Path, tmp_path: Path) -> None:
    async with stage_of(tmp_path) as stage:
        instance = await stage.launcher.launch(DRIVEN)
        os.kill(browser_pid(instance), signal.SIGKILL)
        with anyio.fail_after(20):
            assert "WebDriver session is gone" in await instance.wait_ended()
        assert not processes_of(temp)
        assert instance.driver.service.process.poll() is not None
