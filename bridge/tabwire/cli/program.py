"""The command line. The serve path imports nothing but argparse before it has decided to serve."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tabwire import INSTALL_COMMAND
from tabwire.cli import doctor_command, log_command, serve_command, setup_options
from tabwire.cli.commands import Commands

DOCTOR = "tabwire doctor"


def parser() -> argparse.ArgumentParser:
    """All sub-commands and their options."""
    top = argparse.ArgumentParser(
        prog="tabwire",
        description="Work in the user's own Chrome from any MCP client.",
        epilog=f"Begin with: {INSTALL_COMMAND}",
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = Commands(top.add_subparsers(dest="command", metavar="COMMAND"))
    setup_options.add_first(commands)
    doctor_command.add(commands.add("doctor", "try every hop to the browser and name the one that fails", DOCTOR))
    log_command.add(commands)
    serve_command.add(commands.add("serve", "serve MCP on stdio: what MCP clients start", "tabwire serve --launch --headless"))
    demo = commands.add("demo", "drive a bundled web app and check what happened", "tabwire demo --headed", add_help=False)
    demo.add_argument("arguments", nargs=argparse.REMAINDER)
    setup_options.add(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words and _is_terminal():
        return _explain()
    if not words or (words[0].startswith("-") and words[0] not in ("-h", "--help", "--version")):
        words.insert(0, "serve")
    if words[0] in ("-h", "--help"):
        return _help()
    if words[0] == "demo":  # its options are its own: argparse would take those it knows for itself
        return _demo(words[1:])
    options = parser().parse_args(words)
    if options.version:
        return _version(options)
    return _run(options)


def _is_terminal() -> bool:
    """Whether a person types what this program reads. Windows says so of its null device, too."""
    if sys.stdin is None or not sys.stdin.isatty():
        return False
    if sys.platform != "win32":
        return True
    from tabwire.windows import console

    return console.is_console(sys.stdin.fileno())


def _explain() -> int:
    """Tell a person at a terminal what to do: an MCP client would have its own pipe there, and the server would wait for one."""
    sys.stdout.write(
        "Tabwire lets an MCP client such as Claude work in your own Chrome.\n\n"
        f"  {INSTALL_COMMAND:<24}set it up, step by step\n"
        f"  {DOCTOR:<24}say what does not work, and what to do about it\n"
        f"  {'tabwire open URL':<24}work in a browser from this shell\n"
        f"  {'tabwire --help':<24}all commands\n\n"
        "MCP clients start `tabwire serve` by themselves.\n"
    )
    return 0


def _help() -> int:
    """The commands of this program, and those for a browser."""
    from tabwire.cli.grammar.help import overview

    sys.stdout.write(f"{parser().format_help()}\n{overview()}\n\ntabwire COMMAND --help says what each of them takes.\n")
    return 0


def _version(options: argparse.Namespace) -> int:
    from tabwire.install import extension_files

    sys.stdout.write(f"tabwire {extension_files.version()}\n")
    return 0


def _demo(words: list[str]) -> int:
    from tabwire.demo import main as demo_main

    return demo_main(words)


def _run(options: argparse.Namespace) -> int:
    """Run a sub-command. The module with its work is imported now, so that no other command waits for that."""
    code: int = import_module(f"tabwire.cli.{options.command}_command").run(options)
    return code
