"""Browsers on a Selenium Grid: Selenium's own server with two nodes on this computer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from bridge.network import network_address
from e2e.browsers.selenium_grid import SeleniumGrid, jar
from e2e.client import ROOT, Tabwire
from e2e.processes import left, until_ended
from e2e.site import Site
from launching import stage_of
from tabwire.browsers import grid as grid_browser
from tabwire.browsers.instance import Instance
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import NotConnected
from tabwire.wire.listeners import Listen

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(jar() is None, reason="needs Selenium's server and Java: scripts/setup --dev"),
]

OWNER = """
import sys, anyio
from pathlib import Path
from launching import stage_of
from e2e.browsers.test_grid import on

async def main():
    async with stage_of(Path(sys.argv[1])) as stage:
        print((await stage.launcher.launch(on(sys.argv[2]))).where, flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


def on(url: str) -> LaunchOptions:
    return LaunchOptions(grid=url, use_pool=False)


@pytest.fixture(scope="module")
def grid() -> Iterator[SeleniumGrid]:
    """A Grid for all tests. The last one kills a node: another Grid would take six seconds."""
    with SeleniumGrid(nodes=2, slots=2) as grid:
        yield grid


@pytest.fixture(autouse=True)
def watchful(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Grid is asked ten times a second, and not every ten seconds, whether its sessions are there."""
    monkeypatch.setattr(grid_browser, "LOOK_SECONDS", 0.1)


def delete(url: str) -> None:
    """Somebody else's request to the Grid."""
    request = urllib.request.Request(url, method="DELETE")
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60).close()


def ids(grid: SeleniumGrid) -> set[str]:
    """Sessions the Grid has."""
    slots = [slot for node in grid.status()["nodes"] for slot in node["slots"]]
    return {slot["session"]["sessionId"] for slot in slots if slot["session"]}


def told(folder: Path) -> list[str]:
    """The addresses that browsers of a test were told."""
    return [json.loads(path.read_text())["address"] for path in folder.glob("tabwire-*/extension/pairing.json")]


async def test_a_browser_comes_in_by_tls_and_is_told_of_when_its_session_is_ended_elsewhere(
    grid: SeleniumGrid,
    temp: Path,
    tmp_path: Path,
) -> None:
    async with stage_of(tmp_path, Listen(network_address(), 0, tmp_path / "home")) as stage:
        instance = await stage.launcher.launch(on(grid.url))
        # There is no other way in.
        [address] = told(temp)
        assert address.startswith(f"wss://{network_address()}:")
        assert (await stage.send(instance, "tabs.list", "read"))["tabs"]
        await anyio.to_thread.run_sync(delete, f"{grid.url}/session/{instance.driver.session_id}")
        with anyio.fail_after(20):
            assert await instance.wait_ended() == f"The browser's session on the Grid has ended ({instance.where})."


def test_sessions_end_when_their_owner_is_killed(grid: SeleniumGrid, temp: Path, tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT / "bridge"), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(temp)}
    command = [sys.executable, "-c", OWNER, str(tmp_path), grid.url]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        where = owner.stdout.readline().decode().strip()
        assert where.rpartition(" ")[2] in ids(grid)
        owner.kill()
    until_ended(lambda: where.rpartition(" ")[2] not in ids(grid), says="an end of the session")
    until_ended(lambda: left(temp), equals=[], says="an end of its folder")


def test_the_server_launches_its_browser_on_a_grid(grid: SeleniumGrid, tmp_path: Path, site: Site) -> None:
    before = ids(grid)
    args = ["--launch", "--headless", "--grid", grid.url]
    tabwire = Tabwire(args, {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work")
    try:
        tabwire.open(site.page("<h1>Far</h1>"))
        assert 'heading "Far"' in tabwire.snapshot()
        assert len(ids(grid) - before) == 1
    finally:
        tabwire.close()
    until_ended(lambda: ids(grid) <= before, says="an end of the session")


async def test_a_killed_node_is_told_of_for_each_of_its_browsers_and_the_others_go_on(
    grid: SeleniumGrid,
    temp: Path,
    tmp_path: Path,
    site: Site,
) -> None:
    async with stage_of(tmp_path) as stage:
        instances: list[Instance] = []

        async def one() -> None:
            instance = await stage.launcher.launch(on(grid.url))
            await stage.open(instance, site.page("", title=instance.id))
            instances.append(instance)

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(one)
        killed = grid.node_of(instances[0].where)
        lost = [instance for instance in instances if grid.node_of(instance.where) is killed]
        kept = [instance for instance in instances if instance not in lost]
        assert lost
        assert kept
        killed.kill()
        for instance in lost:
            with anyio.fail_after(20):
                assert f"lost with its node of the Grid: {instance.where}" in await instance.wait_ended()
            with pytest.raises(NotConnected, match=killed.url):
                await stage.send(instance, "navigation.title", "read")
        for instance in kept:
            assert (await stage.send(instance, "navigation.title", "read"))["title"] == instance.id
        assert {instance.id for instance in stage.launcher.instances} == {instance.id for instance in kept}
    assert grid.nodes[grid.nodes.index(killed) - 1].process.poll() is None
    assert not left(temp)
