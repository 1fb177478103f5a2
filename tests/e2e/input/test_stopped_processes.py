"""Processes of the browser that stand still under an act: an act that may have happened is never called a mere timeout."""

import os
import signal
from collections.abc import Callable
from typing import Any

from e2e.client import Reply, Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site

PAGE = """<button id=b onclick="const x = new XMLHttpRequest(); x.open('POST', '/gate/pressed', false); x.send('1')">Go</button>
<select id=s onchange="b.onclick()"><option>a<option>b</select>"""
ACTS = {"click": {"selector": "#b"}, "select": {"selector": "#s", "value": "b"}}


def pages_of(plain: PlainChromium) -> list[int]:
    """The processes that run pages, not the extension's."""
    extension = set(plain.processes("--extension-process"))
    return [process for process in plain.processes("--type=renderer") if process not in extension]


def all_of(plain: PlainChromium) -> list[int]:
    return plain.processes()


def test_an_act_that_had_happened_when_its_process_stopped_is_of_unknown_outcome(plain: PlainChromium, site: Site) -> None:
    client = plain.join()
    for stopped in (pages_of, all_of):
        for tool, arguments in ACTS.items():
            client.ok("tab_new", url=site.page(PAGE))
            reply = _stopped_under(client, plain, site, stopped, tool, arguments)
            # What a page's silence lets an act say is that it may have happened.
            assert reply.code == "outcome_unknown" or "may have happened" in reply.text, f"{tool}: {reply}"


def _stopped_under(
    client: Tabwire, plain: PlainChromium, site: Site, stopped: Callable[[PlainChromium], list[int]], tool: str, arguments: Any
) -> Reply:
    before = site.hit_count("/gate/pressed")
    site.hold("/gate/pressed")
    call = client.start(tool, **arguments, timeout=300)
    site.wait_for(lambda site: site.hit_count("/gate/pressed") > before)
    processes = stopped(plain)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        return call.result(20)
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
        site.let_go("/gate/pressed")
