"""Composition root: configuration → toolset, chain, engine, transport, browser, server. The chain's order is one list here."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from tabwire import extension
from tabwire.config import Config
from tabwire.engine import Engine
from tabwire.errors import TabwireError
from tabwire.eventlog.writer import EventLog
from tabwire.files import Files
from tabwire.keys import Key, KeyStore, MemoryKeys, new_key
from tabwire.middleware import chain
from tabwire.middleware.aliases import aliases
from tabwire.middleware.arguments import arguments
from tabwire.middleware.audit import audit
from tabwire.middleware.browser import browser
from tabwire.middleware.errors import errors
from tabwire.middleware.limits import limits
from tabwire.server import build, http_app, serve_stdio
from tabwire.state.snapshots import Snapshots
from tabwire.stdin import MAX_LINE_BYTES, DaemonStdin
from tabwire.tool import Context, Middleware
from tabwire.toolsets import load_toolset
from tabwire.transport import Transport

if TYPE_CHECKING:
    import socket

    from tabwire.http import Token

MakeServer = Callable[..., Any]
"""`server.build` with everything but who is told of clients."""

log = logging.getLogger(__name__)

CHAIN: tuple[Middleware, ...] = (browser, aliases, arguments, limits)
"""Outermost first; around them are `errors` and `audit`."""


def rules(events: EventLog | None) -> tuple[Middleware, ...]:
    """All rules, outermost first. Without a log for tests of the others."""
    return (errors, *((audit(events),) if events else ()), *CHAIN)


ANY_FREE_PORT = (0,)
"""A launched browser knows its bridge's port, and the user's own browser must not find it in the window."""


def run(config: Config) -> int:
    """Serve MCP, on stdio until it ends or over HTTP, until SIGINT or SIGTERM comes; the exit code."""
    logging.basicConfig(stream=sys.stderr, level=config.log_level.upper(), format="tabwire %(levelname)s %(name)s: %(message)s")
    if config.http is None:
        anyio.run(_serve, config, _on_stdio)
        return 0
    from tabwire import http

    with http.claim(config.http) as listener:
        given = config.http_token.get_secret_value() if config.http_token else None
        token = http.token_of(config.home_dir(), given, config.http_token_file)
        # The browser that may be launched need not know it.
        os.environ.pop(http.TOKEN_VARIABLE, None)
        anyio.run(_serve, config, partial(_over_http, listener, token))
    return 0


async def _on_stdio(make: MakeServer, engine: Engine) -> None:
    await serve_stdio(make(on_client=engine.set_client_info), DaemonStdin())


async def _over_http(listener: socket.socket, token: Token, make: MakeServer, engine: Engine) -> None:
    from tabwire import http

    server = make(on_client=http.Callers(engine.set_client_info).seen, asks_roots=False)
    # The longest message is that of stdio.
    app = http_app(server, http.PATH, max_body=MAX_LINE_BYTES, max_sessions=http.MAX_SESSIONS, session_idle_s=http.SESSION_IDLE_S)
    await http.serve(app, listener, token)


async def _serve(config: Config, talk: Callable[[MakeServer, Engine], Awaitable[None]]) -> None:
    toolset = load_toolset(config.toolset).only(config.tools)
    if config.aliases:
        from tabwire.toolsets.old_tools import with_aliases

        toolset = with_aliases(toolset)
    key = new_key("launched") if config.launch else None
    transport = Transport(
        ports=ANY_FREE_PORT if key and config.port is None else config.ports(),
        keys=MemoryKeys(key) if key else KeyStore(config.home_dir() / "keys.json"),
        run_dir=config.home_dir() / "run",
        extension_id=extension.identity(),
        server_version=extension.version(),
        input_mode=config.input,
        launched=key is not None,
    )
    async with transport, anyio.create_task_group() as tasks:
        engine = Engine(transport, extension_dir=extension.source())
        # Only the launched browser can join its bridge, under a name that nobody knows before.
        engine.default_browser = None if config.launch else config.browser
        tasks.start_soon(_end_on_signal, tasks.cancel_scope)
        if key is not None and transport.port is not None:
            engine.expect_browser()
            tasks.start_soon(_keep_browser, config, engine, key, (transport.port,))
        context = Context(engine, Files(config.home_dir() / "artifacts", _folders(config)), Snapshots())
        events = EventLog(config.home_dir() / "events", {"version": extension.version(), "surface": toolset.name})
        with closing(events):
            await talk(partial(build, toolset, chain(rules(events)), context, extension.version()), engine)
        tasks.cancel_scope.cancel()


async def _keep_browser(config: Config, engine: Engine, key: Key, ports: Sequence[int]) -> None:
    """Run the launched browser; when it fails or ends, calls say so instead of waiting."""
    from tabwire.browsers.launch import launched

    try:
        async with launched(
            key=key,
            ports=ports,
            binary=config.chromium,
            headless=config.headless,
            profile=config.profile,
            extra=config.browser_args,
            downloads=config.home_dir() / "artifacts" / "downloads",
        ) as browser:
            code = await browser.ended()
            _give_up(engine, f"The launched browser has ended (exit code {code}). Restart the server to get a new one.")
    except TabwireError as error:
        _give_up(engine, str(error))
    except OSError as error:
        _give_up(engine, f"The browser could not be started: {error}. See --chromium and TABWIRE_CHROMIUM.")


def _give_up(engine: Engine, problem: str) -> None:
    log.error("%s", problem)
    engine.give_up(problem)


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            log.info("ending on %s", signal.Signals(number).name)
            scope.cancel()
            return


def _folders(config: Config) -> list[Path]:
    """What the user named, and the folder the server was started in unless that is a whole home or disk."""
    started_in = Path(os.getcwd())
    everything = {Path.home(), Path(started_in.anchor)}
    return [*(folder.expanduser() for folder in config.files), *([] if started_in in everything else [started_in])]
