"""The value under our name in a configuration: what it should be, and whether the one that is there is ours."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PureWindowsPath
from typing import Any

from tabwire.install.clients.table import CLIENTS, SERVER_NAME, Client

_PROGRAM = "tabwire"
_STARTERS = re.compile(r"uvx?|pipx|py|pythonw?[\d.]*")
"""Programs that start us by our name."""
TOOLS = "--tools"
_CHOICES = (TOOLS, "--toolset")
_WRITTEN = frozenset(client.tools for client in CLIENTS)
"""Lists of tools that an installation may have written; any other was chosen by the user."""
_OWN_FLAGS = frozenset({"--launch"})
_OWN_OPTIONS = frozenset({"--home"})


def entry(
    client: Client, command: Sequence[str], options: Sequence[str], previous: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Build the entry that belongs into a configuration.

    Args:
        command: The words that start this program.
        options: Those of `serve` that the installation decides.
        previous: Our entry that is there; environment, other options and unknown members of it are kept.
    """
    kept = _other_options(_arguments(previous or {}))
    has_chosen = any(word.split("=")[0] in _CHOICES for word in kept)
    args = [*command[1:], "serve", *(() if has_chosen else (TOOLS, client.tools)), *options, *kept]
    return {**client.shape, **(previous or {}), **client.shape, "command": command[0], "args": args}


def is_ours(value: Any) -> bool:
    """Whether an entry starts Tabwire."""
    if not isinstance(value, Mapping) or not isinstance(value.get("command"), str):
        return False
    program = _stem(value["command"])
    if program == _PROGRAM:
        return True
    return bool(_STARTERS.fullmatch(program)) and any(_names_us(word) for word in _arguments(value))


def _names_us(word: str) -> bool:
    return re.split(r"[@=<>~!\[]", word, maxsplit=1)[0] == SERVER_NAME


def _stem(command: str) -> str:
    # Understands both kinds of slashes.
    return PureWindowsPath(command).name.lower().removesuffix(".exe")


def _arguments(value: Mapping[str, Any]) -> list[str]:
    args = value.get("args")
    return [word for word in args if isinstance(word, str)] if isinstance(args, list) else []


def _other_options(args: Sequence[str]) -> list[str]:
    """Options after `serve` that the user has put there."""
    given = list(args[args.index("serve") + 1 :] if "serve" in args else ())
    if TOOLS in given and (given + [""])[(at := given.index(TOOLS)) + 1] in _WRITTEN:
        del given[at : at + 2]
    words = iter(given)
    kept = []
    for word in words:
        if word in _OWN_OPTIONS:
            next(words, None)
        elif word not in _OWN_FLAGS and word.split("=")[0] not in _OWN_OPTIONS:
            kept.append(word)
    return kept
