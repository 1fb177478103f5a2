"""Faults that hit one of several bridges, or the ports they stand at."""

import contextlib
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.ui.own_pages import EXTENSION
from polling import until
from tabwire import config

JOIN_LIMIT_S = 30


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    chromium = PlainChromium(tmp_path_factory.mktemp("bridges"), "about:blank")
    yield chromium
    chromium.close()


@contextlib.contextmanager
def squatter(port: int) -> Iterator[None]:
    """A program that takes a port of the window and says nothing. A bridge of another test may be faster: it is taken all the same."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", port)))
        assert taken(port)
        yield


def taken(port: int) -> bool:
    """Whether a program listens at a port."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_bridges_that_start_at_once_stand_at_ports_of_their_own(chromium: PlainChromium) -> None:
    with ThreadPoolExecutor(3) as pool:
        bridges = list(pool.map(lambda _: chromium.serve(), range(3)))
    for bridge in bridges:
        bridge.until_joined(JOIN_LIMIT_S)
    assert len(list((chromium.home / "run").glob("*.json"))) == 3
    for bridge in bridges:
        bridge.close()


def test_a_bridge_whose_port_was_taken_stands_at_another(chromium: PlainChromium, site: Site) -> None:
    first = chromium.join()
    (note,) = (chromium.home / "run").glob("*.json")
    port = int(note.stem)
    first.kill()
    until(lambda: not first.is_running())
    # Its note is stale now: it names a process that is gone.
    assert note.exists()
    with squatter(port):
        second = chromium.serve()
        second.until_joined(JOIN_LIMIT_S)
        assert second.ok("tab_new", url=site.page("", "Second")).data["title"] == "Second"
        ports = {int(held.stem) for held in (chromium.home / "run").glob("*.json")}
        assert ports - {port} <= set(config.load({}).window())
        assert len(ports) == 2


RECORD = """(async () => {
  const { lookUp, noteStart } = await import("/extension/background/calls/act-record.js");
  await (await import("/extension/background/base/state.js")).ready;
  const states = (client, ids) => ids.map((id) => lookUp(`${client}:${id}`).state);
  await noteStart("idle:1", { method: "input.click" });
  for (let id = 1; id <= 250; id += 1) await noteStart(`busy:${id}`, { method: "input.click" });
  return { idle: states("idle", [1, 2]), busy: states("busy", [1, 250, 251]) };
})()"""


def test_an_act_that_has_left_the_record_is_not_taken_for_a_new_one(chromium: PlainChromium) -> None:
    page = chromium.browser.open(f"chrome-extension://{EXTENSION}/manifest.json")
    assert page.evaluate(RECORD) == {"idle": ["unknown", "new"], "busy": ["unknown", "unknown", "new"]}
