"""Faults that hit one of several bridges, or the ports they stand at."""

import contextlib
import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.ui.own_pages import EXTENSION
from e2e.wire.faults import RECOVERED
from e2e.worker import clients_shown
from polling import until
from tabwire import config

IDLE_LIMIT_S = 30


def badge(plain: PlainChromium) -> int:
    """How many clients the browser shows."""
    return clients_shown(plain.browser)


@contextlib.contextmanager
def stopped(bridge: Tabwire) -> Iterator[None]:
    os.kill(bridge.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(bridge.pid, signal.SIGCONT)


@pytest.mark.slow
def test_a_stopped_bridge_disturbs_no_other_and_answers_when_it_goes_on(plain: PlainChromium, site: Site) -> None:
    halted, other = plain.join(), plain.join()
    for bridge in (halted, other):
        bridge.ok("tab_new", url=site.page("<p>Page</p>"))
    post = "fetch('/gate/once', {method: 'POST'}).then((answer) => answer.status)"
    with stopped(halted):
        read, act = halted.start("title"), halted.start("evaluate", expression=post)
        slowest = 0.0
        while badge(plain) != 1:
            slowest = max(slowest, other.ok("snapshot").elapsed_ms)
        other.ok("evaluate", expression="1")
        assert not read.done()
        assert not act.done()
        assert slowest < 1000
    assert not read.result(20).is_error
    assert act.result(20).data == 200
    assert site.hit_count("/gate/once") == 1


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


def test_a_bridge_whose_port_was_taken_stands_at_another(plain: PlainChromium, site: Site) -> None:
    first = plain.join()
    (note,) = (plain.home / "run").glob("*.json")
    port = int(note.stem)
    first.kill()
    until(lambda: not first.is_running())
    # Its note is stale now: it names a process that is gone.
    assert note.exists()
    with squatter(port):
        second = plain.serve()
        second.until_joined(IDLE_LIMIT_S)
        assert second.ok("tab_new", url=site.page("", "Second")).data["title"] == "Second"
        ports = {int(held.stem) for held in (plain.home / "run").glob("*.json")}
        assert ports - {port} <= set(config.load({}).window())
        assert len(ports) == 2


def test_bridges_that_start_at_once_stand_at_ports_of_their_own(plain: PlainChromium) -> None:
    with ThreadPoolExecutor(3) as pool:
        bridges = list(pool.map(lambda _: plain.serve(), range(3)))
    for bridge in bridges:
        bridge.until_joined(IDLE_LIMIT_S)
    assert len(list((plain.home / "run").glob("*.json"))) == 3


def test_without_a_tab_in_use_the_worker_is_back_within_half_a_minute(
    plain: PlainChromium, record_property: Callable[[str, object], None]
) -> None:
    bridge = plain.join()
    assert plain.browser.stop_workers() == 1
    seconds = bridge.until_joined(IDLE_LIMIT_S)
    record_property(RECOVERED, f"{'worker_stopped':30} {'unused':6} {seconds * 1000:6.0f} ms")
    assert seconds < IDLE_LIMIT_S


RECORD = """(async () => {
  const { lookUp, noteStart } = await import("/extension/background/calls/act-record.js");
  await (await import("/extension/background/base/state.js")).ready;
  const states = (client, ids) => ids.map((id) => lookUp(`${client}:${id}`).state);
  await noteStart("idle:1", { method: "input.click" });
  for (let id = 1; id <= 250; id += 1) await noteStart(`busy:${id}`, { method: "input.click" });
  return { idle: states("idle", [1, 2]), busy: states("busy", [1, 250, 251]) };
})()"""


def test_an_act_that_has_left_the_record_is_not_taken_for_a_new_one(plain: PlainChromium) -> None:
    page = plain.browser.open(f"chrome-extension://{EXTENSION}/manifest.json")
    assert page.evaluate(RECORD) == {"idle": ["unknown", "new"], "busy": ["unknown", "unknown", "new"]}
