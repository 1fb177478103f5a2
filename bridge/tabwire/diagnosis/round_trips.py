"""The hops of a running bridge: its own port, the browsers that have joined it, their workers, a page in each."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import anyio

from tabwire import INSTALL_COMMAND
from tabwire.commands.declaration import Command, R, Returns, read_answer
from tabwire.commands.session import Echo, Status
from tabwire.diagnosis.probe import probe
from tabwire.diagnosis.report import Hop, fault, remark, seen
from tabwire.engine.browser_choice import label
from tabwire.errors import RELOAD_STEP, TabwireError, capitalized
from tabwire.wire.versions import version_gap

if TYPE_CHECKING:
    from tabwire.engine.engine import Engine
    from tabwire.wire.messages import Browser

WORKER_LIMIT_S = 1.2
"""A page in use brings a killed worker back in a tenth of a second."""
PAGE_LIMIT_S = 1.5
"""The extension itself gives a page half of it, and says what it saw."""
SERVER_LIMIT_S = 0.5

WAKE = "If Chrome is running, open the extension's popup, which wakes it and says what is wrong; else start Chrome"
AGAIN = capitalized(RELOAD_STEP)
NO_BROWSER = "Start Chrome with the extension; `tabwire doctor` in a terminal says whether it is installed and paired"
RELOAD = f"Run `{INSTALL_COMMAND}`, then {RELOAD_STEP} and restart the MCP client"


@dataclass(frozen=True, slots=True)
class Found:
    """Results of the round trips."""

    hops: tuple[Hop, ...]
    browsers: tuple[dict[str, Any], ...]


async def try_server(port: int | None, problem: str | None) -> Hop:
    """Whether this process still answers on its own port."""
    subject = "this bridge"
    if port is None and problem is None:
        return remark(
            "server", "it listens for browsers elsewhere only: no port of the window on this computer was free", subject=subject
        )
    if port is None:
        what, _, fix = (problem or "").rpartition(". End ")
        return fault("server", what or str(problem), f"End {fix}" if what else "Start the MCP client again", subject=subject)
    answer = await probe(port, SERVER_LIMIT_S)
    if answer.who == "bridge":
        return seen("server", f"port {port}", ms=answer.ms, subject=subject)
    return fault(
        "server",
        f"this process does not answer on its port {port}",
        "Restart the MCP client, which starts it again",
        subject=subject,
    )


async def try_all(engine: Engine, version: str, browsers: Sequence[Browser], params: dict[str, Any]) -> Found:
    """A round trip through the extension, worker and page of each browser, all at the same time.

    Args:
        engine: The way there.
        version: Of this bridge, to compare with the extension's.
        browsers: Which; some may have left a moment ago.
        params: Of `session.status`.
    """
    found: list[tuple[list[Hop], dict[str, Any]]] = [([], {"name": browser.name, "id": browser.id}) for browser in browsers]
    async with anyio.create_task_group() as tasks:
        for browser, (hops, facts) in zip(browsers, found, strict=True):
            tasks.start_soon(_try_browser, engine, version, browser, params, hops, facts)
    told = tuple(
        replace(hop, browser=label(one, browsers)) for one, (hops, _) in zip(browsers, found, strict=True) for hop in hops
    )
    return Found(told, tuple(facts for _, facts in found))


async def _try_browser(
    engine: Engine, version: str, browser: Browser, params: dict[str, Any], hops: list[Hop], facts: dict[str, Any]
) -> None:
    worker = await _try_worker(engine, browser)
    if (seconds := engine.missing_since(browser.id)) is not None:
        hops.append(away(browser, seconds))
        return
    joined = next((known for known in engine.browsers if known.id == browser.id), browser)
    facts["version"] = joined.extension_version
    hops += [try_version(joined, version), worker]
    if worker.ok:
        hops.append(await _try_page(engine, joined, params, facts))


def away(browser: Browser, seconds: float) -> Hop:
    """A browser that was here."""
    return fault("extension", f"it left {seconds:.0f} s ago and has not come back", WAKE, browser=browser.name)


def try_version(browser: Browser, version: str) -> Hop:
    """Whether the extension that has joined is the one made for this bridge."""
    gap = version_gap(browser.extension_version, version)
    if gap is None:
        return seen("extension", f"version {version} is connected", browser=browser.name)
    return fault("extension", gap.fact, capitalized(gap.step), browser=browser.name)


async def _try_worker(engine: Engine, browser: Browser) -> Hop:
    started = time.perf_counter()
    payload = f"{started:.9f}"
    try:
        with anyio.fail_after(WORKER_LIMIT_S):
            answer = await _ask(engine, browser, Echo(), {"payload": payload}, WORKER_LIMIT_S)
    except TimeoutError:
        detail = f"the extension's worker did not answer within {WORKER_LIMIT_S:g} s, though its connection is open"
        return fault("worker", detail, AGAIN, browser=browser.name)
    except TabwireError as error:
        return fault("worker", str(error), AGAIN, browser=browser.name)
    if answer.get("payload") != payload:
        return fault("worker", "the worker gave another answer than asked for", RELOAD, browser=browser.name)
    return seen("worker", ms=_ms_since(started), browser=browser.name)


async def _try_page(engine: Engine, browser: Browser, params: dict[str, Any], facts: dict[str, Any]) -> Hop:
    started = time.perf_counter()
    try:
        with anyio.fail_after(PAGE_LIMIT_S):
            answer = await _ask(engine, browser, Status(), params, PAGE_LIMIT_S)
    except TimeoutError:
        detail = f"the extension's worker answers, but did not say within {PAGE_LIMIT_S:g} s how the page is"
        return fault("page", detail, f"Try again; if it stays so, {RELOAD_STEP}", browser=browser.name)
    except TabwireError as error:
        return fault("page", str(error), "Choose a tab that tab_list shows", browser=browser.name)
    facts["tabs"] = answer["tabs"]
    if paused := answer.get("paused"):
        facts["paused"] = paused
    page = answer["page"]
    return Hop(
        "page",
        page["ok"],
        page["detail"],
        page.get("fix", ""),
        _ms_since(started) if page["ok"] else None,
        browser.name,
        page["kind"],
    )


async def _ask(engine: Engine, browser: Browser, command: Returns[R], params: dict[str, Any], limit_s: float) -> R:
    assert isinstance(command, Command)
    return read_answer(command, await engine.ask(browser.id, command.method, params, timeout_ms=round(limit_s * 1000)))


def _ms_since(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 1)
