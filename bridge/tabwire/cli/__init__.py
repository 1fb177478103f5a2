"""The command line. The serve path imports nothing but argparse before it has decided to serve."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from tabwire.cli import doctor_command, log_command, serve_command, setup_options

Handler = Callable[[argparse.Namespace], int]


def parser() -> argparse.ArgumentParser:
    """All sub-commands and their options."""
    top = argparse.ArgumentParser(prog="tabwire", description="Work in the user's own Chrome from any MCP client.")
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    serve_command.add(commands.add_parser("serve", help="serve MCP on stdio (the default)"))
    doctor_command.add(commands.add_parser("doctor", help="try every hop to the browser and name the one that fails"))
    log_command.add(commands.add_parser("log", help="show, verify or export the event log"))
    setup_options.add(commands)
    demo = commands.add_parser("demo", help="drive a bundled web app and check what happened", add_help=False)
    demo.add_argument("arguments", nargs=argparse.REMAINDER)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "serve")
    if words[0] == "demo":  # its options are its own: argparse would take those it knows for itself
        return _demo(words[1:])
    options = parser().parse_args(words)
    if options.version:
        return _version(options)
    return _HANDLERS[options.command](options)


def _version(options: argparse.Namespace) -> int:
    from tabwire.install import extension_files

    sys.stdout.write(f"tabwire {extension_files.version()}\n")
    return 0


def _demo(words: list[str]) -> int:
    from tabwire.demo import main as demo_main

    return demo_main(words)


_HANDLERS: dict[str, Handler] = {
    "serve": serve_command.run,
    "doctor": doctor_command.run,
    "log": log_command.run,
    **setup_options.HANDLERS,
}
