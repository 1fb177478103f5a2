"""The connection as a tool shows it: tried at the moment of the call, never remembered."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from tabwire.commands.session import Status
from tabwire.diagnosis.report import Hop, fault, to_data
from tabwire.diagnosis.round_trips import NO_BROWSER, Found, away, try_all, try_server
from tabwire.engine import browser_choice
from tabwire.engine.engine import Engine
from tabwire.errors import NotConnected, TabwireError
from tabwire.install import extension_files
from tabwire.surfaces.tool import Runs, ToolCall
from tabwire.wire.messages import Browser


async def run_status(call: ToolCall) -> dict[str, Any]:
    """Try every hop of every browser; that something is broken is an answer, not an error."""
    command: Status = call.parameters
    engine = call.context.engine
    reception = engine.reception
    server = await try_server(reception.port, engine.problem)
    await _joined(engine)
    meant = _meant(engine, call.context.target.named or engine.default_browser)
    found = await try_all(engine, extension_files.version(), meant, command.params()) if server.ok is not False else Found((), ())
    hops = [server, *found.hops]
    if server.ok is not False and not found.browsers:
        hops.append(_nobody(engine))
    loss = call.context.events.loss if call.context.events else None
    return {**to_data(hops, found.browsers, reception.port, reception.client), **({"event_log": loss} if loss else {})}


async def _joined(engine: Engine) -> None:
    """A browser that this server is starting is waited for, as by all other tools. One that has ended is not started again."""
    if engine.is_expecting and not (engine.present or engine.ended):
        with suppress(TabwireError):
            await engine.find()


def _meant(engine: Engine, named: str | None) -> Sequence[Browser]:
    """The browsers to try: all of them, unless one is named.

    Raises:
        NotConnected: none has that name; the message lists those that are there.
    """
    if named is None or not (engine.present or engine.ended):
        return engine.present
    if found := browser_choice.matching(named, engine.present):
        return found
    if ended := browser_choice.matching(named, [browser for browser, _ in engine.ended]):
        raise NotConnected(dict(engine.ended)[ended[0]])
    raise browser_choice.missing(named, named == engine.default_browser, engine.browsers, engine.departed)


def _nobody(engine: Engine) -> Hop:
    """Hop that says why no browser is there, as far as it was seen from here."""
    reception = engine.reception
    if engine.problem:
        return fault("extension", engine.problem, "Mend that and call again; if it stays so, restart the MCP client")
    if reception.refusal:
        return fault("extension", f"a browser tried to join and was refused: {reception.refusal.why}", reception.refusal.fix)
    for _, problem in engine.ended:
        return fault("extension", problem, NO_LAUNCHED)
    if engine.is_expecting:
        return fault("extension", "the browser that this server starts has not joined yet", "Try again in a few seconds")
    for browser in engine.departed:
        return away(browser, engine.missing_since(browser.id) or 0)
    looked = f"one has looked for this bridge {reception.probes} times" if reception.probes else "none has looked for this bridge"
    return fault("extension", f"no browser has joined; {looked}", NO_BROWSER)


NO_LAUNCHED = "If the server was started with --launch, call any other tool: that starts a new browser. Else launch another one"

RUNS: Runs = {Status: run_status}
