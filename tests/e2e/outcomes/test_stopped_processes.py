"""Processes of the browser that stand still under an act: an act that may have happened is never called a mere timeout."""

import os
import signal
from collections.abc import Callable

from e2e.client import Reply, Tabwire
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.tabs.windows import open_windows

PRESSED = "/gate/pressed/"
PAGE = """<script>const tell = (name) => { const x = new XMLHttpRequest(); x.open('POST', `/gate/pressed/${name}`, false); x.send('1') }</script>
<button id=b onclick="tell('click')">Go</button><select id=s onchange="tell('select')"><option>a<option>b</select>"""
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
        for tool, reply in _stopped_under(client, plain, site, stopped).items():
            # What a page's silence lets an act say is that it may have happened.
            assert reply.code == "outcome_unknown" or "may have happened" in reply.text, f"{stopped.__name__} {tool}: {reply}"


def _stopped_under(
    client: Tabwire, plain: PlainChromium, site: Site, stopped: Callable[[PlainChromium], list[int]]
) -> dict[str, Reply]:
    """The replies to acts in tabs of their own, in pages that were busy with them when the processes stopped."""
    before = len(site.hits)
    windows = open_windows(client, plain.browser, {tool: site.page(PAGE) for tool in ACTS})
    for tool in ACTS:
        site.hold(PRESSED + tool)
    calls = {tool: client.start(tool, tabId=windows[tool].tab, timeout=300, **ACTS[tool]) for tool in ACTS}
    site.wait_for(lambda site: {PRESSED + tool for tool in ACTS} <= {hit.path for hit in site.hits[before:]})
    processes = stopped(plain)
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        return {tool: call.result(20) for tool, call in calls.items()}
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)
        for tool in ACTS:
            site.let_go(PRESSED + tool)
