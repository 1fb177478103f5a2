"""Options of `install`, `uninstall`, `pair` and `extension`. `serve` imports nothing of their work."""

import argparse

from tabwire.cli.commands import Commands

_DIR_HELP = "folder of the extension's copy (default: ~/Tabwire-extension)"


def add_first(commands: Commands) -> None:
    """Declare what everybody needs."""
    _install(commands.add("install", "set up the extension and MCP clients, step by step", "tabwire install --client Cursor"))


def add(commands: Commands) -> None:
    """Declare the others."""
    _uninstall(commands.add("uninstall", "undo what install did", "tabwire uninstall --keep-data"))
    _pair(commands.add("pair", "for experts: keys of browsers, and what is allowed ahead", "tabwire pair --list"))
    _extension(commands.add("extension", "for experts: the extension's files", "tabwire extension pack --out tabwire.zip"))


def _install(parser: argparse.ArgumentParser) -> None:
    _clients(parser, "configure (repeatable; default: those that are there)")
    parser.add_argument("--launch", action="store_true", help="configure a browser of its own instead of the user's")
    parser.add_argument(
        "--skill",
        action="store_true",
        help="only the skill for agents with a shell, where Claude Code and others look",
    )
    parser.add_argument("--dir", metavar="DIR", help=_DIR_HELP)
    parser.add_argument(
        "--open", action="store_true", help="open the browser's page of extensions, where the system lets programs"
    )
    parser.add_argument(
        "--wait",
        action=argparse.BooleanOptionalAction,
        help="wait until the browser is connected (default: at a terminal)",
    )


def _uninstall(parser: argparse.ArgumentParser) -> None:
    _clients(parser, "clean (repeatable; default: all)")
    parser.add_argument("--skill", action="store_true", help="only the skill that install --skill has put in place")
    parser.add_argument("--dir", metavar="DIR", help=_DIR_HELP)
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--keep-data", action="store_true", help="clean the clients only; the extension stays, and stays paired")
    kept.add_argument("--all-data", action="store_true", help="delete logins, artifacts, settings and every key, too")


def _clients(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--client", action="append", metavar="NAME", dest="clients", help=f"a client to {what}; ? lists them")
    parser.add_argument("--all", action="store_true", help="all clients, there or not")
    parser.add_argument("--project", action="store_true", help="the file in the current folder, not the user's own")
    parser.add_argument("--print", action="store_true", dest="only_print", help="change nothing, say what would be changed")


def _pair(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--extension", metavar="DIR", help="folder Chrome loads the extension from")
    parser.add_argument(
        "--allow",
        metavar="KIND[@SITE]",
        action="append",
        default=[],
        help="a sensitive act the extension need not ask about (all, cookies, uploads@example.com …); none: ask about all again",
    )
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--list", action="store_true", dest="list_keys", help="the keys there are, never the secrets")
    act.add_argument("--rotate", action="store_true", help="give a paired folder a new key; the old one stops at once")
    act.add_argument("--revoke", metavar="ID|LABEL", help="take a key back; browsers that use it are disconnected")


def _extension(parser: argparse.ArgumentParser) -> None:
    actions = Commands(parser.add_subparsers(dest="action", metavar="ACTION", required=True))
    actions.add("path", "print the folder of the extension's files", "tabwire extension path")
    install = actions.add("install", "copy it, with a key, without configuring a client", "tabwire extension install --dir copy")
    install.add_argument("--dir", metavar="DIR", help=_DIR_HELP)
    pack = actions.add("pack", "write it as a zip for the Chrome Web Store", "tabwire extension pack --out tabwire.zip")
    pack.add_argument("--out", metavar="FILE", help="default: tabwire-extension-VERSION.zip in the current folder")
    pack.add_argument("--keep-key", action="store_true", help="leave the key, and with it the extension id, in the manifest")
