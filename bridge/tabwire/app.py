"""Composition root: configuration → toolset, chain, engine, transport, browser, server. The chain's order is one list here."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, closing, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from tabwire.config import SEARCH_KEY_VARIABLE, Config
from tabwire.disk import private_files
from tabwire.engine.engine import Engine
from tabwire.engine.first_pairing import FirstPairing
from tabwire.engine.patience import Patience
from tabwire.eventlog.writer import EventLog
from tabwire.install import extension_files, installed_extension
from tabwire.rules.grants import Grants
from tabwire.server.handshake import Handshake
from tabwire.server.stdin import MAX_LINE_BYTES, DaemonStdin
from tabwire.surfaces.shared.files import Files
from tabwire.wire.keys import JoinedKeys, Keys, KeyStore, MemoryKeys
from tabwire.wire.listeners import Listen, address_of
from tabwire.wire.transport import Transport

if TYPE_CHECKING:
    import socket

    from tabwire.browsers.kept_browser import KeptBrowser
    from tabwire.browsers.launcher import Launcher
    from tabwire.middleware.audit import Refused
    from tabwire.server.http import Token
    from tabwire.surfaces.context import Context
    from tabwire.surfaces.tool import Middleware, ToolCall, ToolResult, Toolset

log = logging.getLogger(__name__)


# Imported when the port is open and a browser is starting: what these bring along takes as long as all of that.


def common_rules() -> tuple[Middleware, ...]:
    """Rules of every surface, outermost first; what limits replies comes last."""
    from tabwire.middleware.aliases import aliases
    from tabwire.middleware.arguments import arguments
    from tabwire.middleware.browser import browser

    return (browser, aliases, arguments)


def rules(
    toolset: Toolset, events: EventLog | None = None, first: FirstPairing | None = None, *, needs_log: bool = False
) -> tuple[Middleware, ...]:
    """All rules of a call, outermost first. Without a log for those who keep their own."""
    from tabwire.middleware.audit import audit, required
    from tabwire.middleware.errors import errors
    from tabwire.middleware.escalation import escalation
    from tabwire.middleware.fence import fence
    from tabwire.middleware.first_browser import first_browser
    from tabwire.middleware.limits import limits
    from tabwire.middleware.versions import versions

    own = toolset.rules
    fenced = (fence,) if own.is_fenced else ()
    authorized = (escalation(own.authority_of),) if own.authority_of else ()
    logged = (audit(events),) if events else ()
    # Behind the arguments, which say whether a call is an act.
    on_record = (required,) if needs_log else ()
    # Behind the rules that may refuse a call: one that is refused anyway needs no browser.
    asking = (first_browser(first.admit),) if first else ()
    inside = (*own.before_arguments, *common_rules(), *on_record, *authorized, *asking, limits)
    return (*fenced, *own.outermost, errors, *logged, versions(extension_files.version()), *inside)


ANY_FREE_PORT = (0,)
"""A launched browser knows its bridge's port, and the user's own browser must not find it in the window."""
STAGING_S = 1.0


@dataclass(frozen=True)
class Bridge:
    """A bridge that is open for browsers, as whoever brings it the calls of clients needs it."""

    toolset: Toolset
    run: Callable[[ToolCall], Awaitable[ToolResult]]
    """The chain: all rules, then the tool."""
    context: Context
    on_refused: Refused | None = None
    """Callback for calls that reach no tool."""


Talk = Callable[[Bridge], Awaitable[None]]
"""Brings a bridge the calls of its clients, for as long as there are any."""


def run(config: Config, handshake: Handshake | None = None) -> int:
    """Serve MCP, on stdio until it ends or over HTTP, until SIGINT or SIGTERM comes; the exit code.

    Args:
        config: the settings.
        handshake: the reader of stdin's first line, if it has begun; not over HTTP.
    """
    prepare(config)
    if config.http is None:
        anyio.run(serve, config, partial(_on_stdio, handshake or Handshake(config)), _import_server)
        return 0
    from tabwire.server import http

    with http.claim(config.http) as listener:
        given = config.http_token.get_secret_value() if config.http_token else None
        token = http.token_of(config.home_dir(), given, config.http_token_file)
        # The browser that may be launched need not know it.
        os.environ.pop(http.TOKEN_VARIABLE, None)
        anyio.run(serve, config, partial(_over_http, listener, token), _import_server)
    return 0


def prepare(config: Config) -> None:
    """Set up this process for a bridge: its log, what its children may not see, its own folder."""
    logging.basicConfig(stream=sys.stderr, level=config.log_level.upper(), format="tabwire %(levelname)s %(name)s: %(message)s")
    # The browser that may be launched need not know it.
    os.environ.pop(SEARCH_KEY_VARIABLE, None)
    with suppress(OSError):
        # An earlier version made it for others to enter. Where it cannot be made, what needs it says so.
        private_files.make_own_folder(config.home_dir())


async def _on_stdio(handshake: Handshake, bridge: Bridge) -> None:
    from tabwire.server.stdio import serve_stdio

    server = _server(bridge, on_client=bridge.context.engine.set_client_info)
    await serve_stdio(server, DaemonStdin(handshake.descriptor, handshake))


async def _over_http(listener: socket.socket, token: Token, bridge: Bridge) -> None:
    from tabwire.server import http
    from tabwire.server.mcp import http_app

    server = _server(bridge, on_client=http.Callers(bridge.context.engine.set_client_info).seen, asks_roots=False)
    # The longest message is that of stdio.
    app = http_app(server, http.PATH, max_body=MAX_LINE_BYTES, max_sessions=http.MAX_SESSIONS, session_idle_s=http.SESSION_IDLE_S)
    await http.serve(app, listener, token)


def _import_server(config: Config) -> None:
    """Import what makes the MCP server of a bridge."""
    from tabwire.server import sdk

    # Over HTTP it needs all of the SDK.
    with sdk.on_a_pipe() if config.http is None else nullcontext():
        import tabwire.server.mcp  # noqa: F401  # it is used once the bridge is open


def _server(bridge: Bridge, **options: Any) -> Any:
    """The MCP server of a bridge."""
    from tabwire.server.mcp import build

    return build(bridge.toolset, bridge.run, bridge.context, extension_files.version(), on_refused=bridge.on_refused, **options)


def transport_for(config: Config, keys: Keys, *, launches: bool) -> Transport:
    """The listeners for browsers.

    Args:
        config: the settings.
        keys: who may come in.
        launches: whether they are browsers that this process starts.
    """
    return Transport(
        ports=ANY_FREE_PORT if launches and config.port is None else config.ports(),
        keys=keys,
        run_dir=config.home_dir() / "run",
        extension_id=extension_files.identity(),
        listen=_listen(config),
        server_version=extension_files.version(),
        input_mode=config.input,
    )


def files_for(config: Config) -> Files:
    """Files that tools may read and write."""
    return Files(config.home_dir() / "artifacts", _folders(config), _private(config))


def context_for(config: Config, engine: Engine, files: Files) -> Context:
    """Return the context that tools work in: engine, files and snapshots."""
    from tabwire.surfaces.context import Context
    from tabwire.surfaces.shared.snapshots import Snapshots

    return Context(engine, files, Snapshots(), tells_changes=config.diff, short_refs=config.refs == "short")


async def serve(config: Config, talk: Talk, imports: Callable[[Config], None] | None = None) -> None:
    """Open a bridge for browsers and have it brought calls, until that ends or SIGINT or SIGTERM comes.

    Args:
        config: the settings.
        talk: brings it the calls.
        imports: what that needs to import first, while the browser is on its way.
    """
    own = MemoryKeys()
    users = [] if config.launch else [KeyStore(config.home_dir() / "keys.json")]
    transport = transport_for(config, JoinedKeys(own, *users), launches=config.launch)
    async with transport, anyio.create_task_group() as tasks:
        patience = Patience(answer=config.answer_wait)
        put = installed_extension.usual_folder(config.home_dir())
        engine = Engine(transport, extension_dir=put if installed_extension.is_put(put) else None, patience=patience)
        # Only the launched browser can join its bridge, under a name that nobody knows before.
        engine.default_browser = None if config.launch else config.browser
        tasks.start_soon(_end_on_signal, tasks.cancel_scope)
        # The user's own browser asks as soon as it is there, before the surface is.
        is_loaded = anyio.Event()
        tasks.start_soon(_write_tests, engine, is_loaded)
        files, is_usual = files_for(config), _opens_usual(config)
        config = _opening(config, files) if is_usual else config
        async with AsyncExitStack() as stack:
            launcher = await _launcher(config, transport, own, engine, stack) if config.launch else None
            if launcher is not None:
                # Hundreds of small files, each of which would wait for the imports. A kept profile may be in use for a while.
                with anyio.move_on_after(STAGING_S):
                    await launcher.staged()
            # Meanwhile a browser of our own starts, or the user's own one finds the bridge.
            toolset = await anyio.to_thread.run_sync(_load, config, imports)
            is_loaded.set()
            if toolset.launches and launcher is None:
                launcher = await _launcher(config, transport, own, engine, stack)
            context = replace(context_for(config, engine, files), opens_only_readable=is_usual, launcher=launcher)
            first = _first_pairing(config, toolset, engine, transport)
            await talk(await _bridge(config, toolset, context, first, stack))
        tasks.cancel_scope.cancel()


async def _write_tests(engine: Engine, is_loaded: anyio.Event) -> None:
    """Write the tests of what people record in the side panels of their browsers, once the imports of the start are done."""
    from tabwire.engine.browser_wishes import fulfil

    def work(params: Mapping[str, Any]) -> Mapping[str, Any]:
        # The generator is imported for those who ask for a test.
        from tabwire.recordings.panel_tests import panel_test

        return panel_test(params)

    await fulfil(engine, "steps.write", "steps.written", work, is_loaded)


def _load(config: Config, imports: Callable[[Config], None] | None) -> Toolset:
    """The surface, after other imports: they take most of a start."""
    if imports:
        imports(config)
    toolset = toolset_for(config)
    # What has been imported stays until the end: to look through it takes 0.3 s when the process ends.
    gc.freeze()
    gc.enable()
    return toolset


def toolset_for(config: Config) -> Toolset:
    """The surface with its tools as the settings say."""
    from tabwire.surfaces.tool import SHORT_LISTS, load_toolset

    whole = load_toolset(config.toolset)
    toolset = whole.only(config.tools)
    if config.aliases:
        from tabwire.surfaces.agent.former.tools import with_aliases

        toolset = with_aliases(toolset)
    if config.observe_only:
        from tabwire.surfaces.shared.observe_only import observing

        toolset = observing(toolset, config.observe_only)
    if any(name in SHORT_LISTS for name in config.tools):
        from tabwire.surfaces.tool_groups import with_groups

        toolset = with_groups(toolset, whole)
    return toolset


async def _bridge(
    config: Config, toolset: Toolset, context: Context, first: FirstPairing | None, stack: AsyncExitStack
) -> Bridge:
    """The open bridge, with everything that calls need until the stack is left."""
    from tabwire.middleware import chain
    from tabwire.middleware.audit import refusals

    if first:
        stack.callback(first.close)
    events = _event_log(config, toolset) if config.event_log else None
    stack.enter_context(closing(events) if events else nullcontext())
    context = await stack.enter_async_context(toolset.opened(config, replace(context, events=events)))
    run = chain(rules(toolset, events, first, needs_log=config.log.required))
    refused = refusals(events, toolset.name) if events else None
    return Bridge(toolset, run, context, refused)


def _first_pairing(config: Config, toolset: Toolset, engine: Engine, transport: Transport) -> FirstPairing | None:
    """The way in for a first browser of the person's own; None where no such browser is wanted, or none would look.

    Over HTTP, and for browsers elsewhere, nobody sits before the client; a browser without a key looks at the window only.
    """
    is_own_wanted = not (config.launch or toolset.launches or config.http is not None or config.listen)
    if not is_own_wanted or transport.port not in config.window():
        return None
    home = config.home_dir()
    return FirstPairing(engine, transport.open_desk, KeyStore(home / "keys.json"), home / "run", config.answer_wait)


def _opens_usual(config: Config) -> bool:
    """Whether nobody has said which local pages browsers of ours may open."""
    return config.permissions.files is None and "file://" not in (config.permissions.sites or {})


def _opening(config: Config, files: Files) -> Config:
    """Settings with which the browsers we launch open as pages what tools may read."""
    profile = [Path(config.profile)] if config.profile and os.sep in config.profile else []
    closed = [str(path) for folder in (config.home_dir(), *profile) for path in {folder.absolute(), folder.resolve()}]
    usual = Grants(files=[str(folder) for folder in files.folders], closed_files=closed)
    return config.model_copy(update={"permissions": config.permissions.over(usual)})


def _event_log(config: Config, toolset: Toolset) -> EventLog:
    return EventLog(config.events_dir(), {"version": extension_files.version(), "surface": toolset.name})


async def _launcher(config: Config, transport: Transport, keys: MemoryKeys, engine: Engine, stack: AsyncExitStack) -> Launcher:
    """Return the launcher of browsers, which runs until the stack is left; with `--launch` it starts a browser now."""
    from tabwire.browsers.launcher import Launcher

    launcher = await stack.enter_async_context(Launcher(engine, transport, keys, config.home_dir(), spares=config.pool))
    if config.launch:
        engine.expect_browser()
        tasks = await stack.enter_async_context(anyio.create_task_group())
        stack.callback(tasks.cancel_scope.cancel)
        tasks.start_soon(_kept_browser(config, launcher, engine).keep)
    return launcher


def _kept_browser(config: Config, launcher: Launcher, engine: Engine) -> KeptBrowser:
    from tabwire.browsers.kept_browser import KeptBrowser

    options = replace(
        config.launch_options(),
        headless=config.headless,
        profile=config.profile,
        anti_detect=config.anti_detect,
        use_pool=False,
    )
    return KeptBrowser(engine, launcher, options)


def _listen(config: Config) -> Listen | None:
    if config.listen is None:
        return None
    host, port = address_of(config.listen)
    return Listen(host, port, config.home_dir(), config.tls_cert, config.tls_key)


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            log.info("ending on %s", signal.Signals(number).name)
            scope.cancel()
            return


def _folders(config: Config) -> list[Path]:
    """Folders the user named, and the folder the server was started in."""
    return [*(folder.expanduser().absolute() for folder in config.files), *working_folders(Path(os.getcwd()))]


def working_folders(started_in: Path) -> list[Path]:
    """The folder that a client works in, unless a whole home or everything temporary is in it, or it is of the system's programs.

    Clients on Windows start servers in the folder of the system, and a bundle is started in its own.
    """
    folder = started_in.resolve()
    shared = (Path.home(), Path(tempfile.gettempdir()))
    holds_all = any(each.resolve().is_relative_to(folder) for each in shared)
    is_of_programs = any(folder.is_relative_to(each.resolve()) for each in _program_folders())
    return [] if holds_all or is_of_programs else [folder]


def _program_folders() -> list[Path]:
    """Folders of Windows, of installed programs, and of the program that runs, such as a bundle's: no work is there."""
    names = ("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "ProgramData") if sys.platform == "win32" else ()
    started = getattr(sys.modules["__main__"], "__file__", None)
    return [Path(path) for path in (*map(os.environ.get, names), started and os.path.dirname(started)) if path]


def _private(config: Config) -> list[Path]:
    """Files and folders that hold secrets of tabwire and its browsers, wherever the user keeps them."""
    from tabwire.browsers import profiles

    named = (config.http_token_file, config.tls_cert, config.tls_key)
    profile = [profiles.folder_of(config.profile, config.home_dir())] if config.profile else []
    return [config.home_dir(), *(path for path in named if path is not None), *profile]
