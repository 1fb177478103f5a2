"""`tabwire serve`: options → configuration → the running bridge."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from typing import TYPE_CHECKING

from tabwire.settings import TOOLSETS

if TYPE_CHECKING:
    from tabwire.config import Config

_LEVELS = ("debug", "info", "warning", "error")
Group = argparse._ArgumentGroup
"""Options under one heading; argparse gives the class no public name."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options, those for experts last. Not given means None, so that environment and file settings count."""
    _add_usual(parser.add_argument_group("what is served"))
    _add_launch(parser)
    _add_surfaces(parser)
    _add_network(parser.add_argument_group("over the network"))
    _add_expert(parser.add_argument_group("for experts"))


def _add_usual(usual: Group) -> None:
    usual.add_argument("--toolset", choices=TOOLSETS, help="surface to serve (default: agent)")
    usual.add_argument(
        "--tools",
        type=_names,
        metavar="GROUP,…",
        help="tools to list: all (default: without debug, performance, steps); groups; core: few, everyday: more, and with both "
        "enable_tools adds groups",
    )
    usual.add_argument(
        "--browser", metavar="NAME", help="the browser for calls that name none, by name or id; no other one is used"
    )
    usual.add_argument("--files", action="append", metavar="DIR", help="a folder that tools may read and write (repeatable)")
    usual.add_argument(
        "--observe-only",
        nargs="?",
        const="client",
        choices=["client", "user"],
        help="refuse acts until the client escalates, with a reason that is logged; user: only the user may escalate",
    )


def _add_network(network: Group) -> None:
    network.add_argument(
        "--http",
        type=int,
        metavar="PORT",
        help="serve streamable HTTP on 127.0.0.1 in place of stdio, until a signal comes (0: any free port)",
    )
    network.add_argument(
        "--http-token-file",
        metavar="FILE",
        help="holds the bearer token (default: TABWIRE_HTTP_TOKEN, else one made once and kept below --home)",
    )
    network.add_argument(
        "--listen",
        metavar="HOST:PORT",
        help="also accept browsers of other computers at this address: TLS, and a token that launched browsers are given",
    )
    network.add_argument("--tls-cert", metavar="FILE", help="certificate for --listen (default: one made once)")
    network.add_argument("--tls-key", metavar="FILE", help="its private key (default: in the same file)")


def _add_expert(expert: Group) -> None:
    expert.add_argument(
        "--no-diff", dest="diff", action="store_false", default=None, help="acts say only that the page changed, not what"
    )
    expert.add_argument("--input", choices=["auto", "dom", "trusted"], help="how acts reach the page (default: auto)")
    expert.add_argument("--refs", choices=["full", "short"], help="short: @e1 in place of [ref=@e1], for fewer tokens")
    expert.add_argument(
        "--aliases",
        action="store_true",
        default=None,
        help="serve old tool names such as chrome_navigate too, after the new ones (until 1.0.0)",
    )
    expert.add_argument("--port", type=int, help="pin one port instead of the first free one of the window")
    expert.add_argument("--home", metavar="DIR", help="keys, run files, artifacts (default: ~/.tabwire)")
    expert.add_argument("--log-level", choices=_LEVELS, help="on stderr (default: warning)")


def _add_launch(parser: argparse.ArgumentParser) -> None:
    launch = parser.add_argument_group("a browser of its own")
    launch.add_argument(
        "--launch", action="store_true", default=None, help="start a Chromium with the extension, end it with the server"
    )
    launch.add_argument("--headless", action="store_true", default=None, help="without a window")
    launch.add_argument("--chromium", metavar="PATH", help="the Chromium to start (default: the usual names on PATH)")
    launch.add_argument("--profile", metavar="NAME|DIR", help="a kept profile (default: a temporary one)")
    launch.add_argument("--grid", metavar="URL", help="start it on this Selenium Grid, in place of this computer")
    launch.add_argument(
        "--anti-detect",
        action="store_true",
        default=None,
        help="start it without any switch that an ordinary browser would not have",
    )
    launch.add_argument(
        "--pool", type=int, metavar="N", help="browsers kept ready for further launches by tools (default: 1; 0: none)"
    )
    launch.add_argument(
        "--browser-arg", action="append", dest="browser_args", metavar="ARG", help="passed to Chromium (repeatable)"
    )


def _add_surfaces(parser: argparse.ArgumentParser) -> None:
    """Add the options of single surfaces."""
    reading = parser.add_argument_group("reading (--toolset reader; more in [reader] of config.toml)")
    reading.add_argument(
        "--loader",
        choices=["browser", "http"],
        dest="reader.loader",
        help="how pages are read: in the user's browser (default), or by plain HTTP",
    )
    reading.add_argument("--search", metavar="PROVIDER", dest="reader.search", help="the search provider")
    reading.add_argument("--search-url", metavar="URL", dest="reader.search_url", help="where it is")
    facade = parser.add_argument_group("--toolset facade (more in [facade] of config.toml)")
    facade.add_argument("--limits", metavar="FILE", dest="facade.limits", help="byte limits of its tools, as TOML or YAML")
    facade.add_argument(
        "--search-engine", metavar="URL", dest="facade.search_url", help="where web_search asks; {query} stands for the words"
    )


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def run(options: argparse.Namespace) -> int:
    """Serve until stdin ends (not with --http) or a signal comes; the exit code."""
    settings = {name: value for name, value in vars(options).items() if name not in ("command", "version")}
    # Nothing of what is imported goes before the server does.
    gc.disable()
    # To look for plugins of other packages takes a tenth of the time until the client has its first answer.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from tabwire import config
    from tabwire.errors import TabwireError, only_told

    try:
        return _serve(config.load(settings))
    except (TabwireError, OSError, BaseExceptionGroup) as error:
        # In a group where it was raised while other things were starting.
        told = only_told(error)
        if told is None:
            raise
        sys.stderr.write(f"tabwire: {told}\n")
        return 2


def _serve(config: Config) -> int:
    from tabwire.server.handshake import Handshake

    # Before what takes long to import: clients wait for the answer to their first line.
    handshake = None if config.http is not None else Handshake(config)
    from tabwire import app

    return app.run(config, handshake)
