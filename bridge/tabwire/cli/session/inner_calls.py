"""Calls that one command makes in a session by itself, for their data, and what it prints of them."""

import json
from collections.abc import Callable
from typing import Any, TextIO

from tabwire.cli.session import calls, frames
from tabwire.cli.session.options import Asked

Run = Callable[[Asked, str, Callable[[str], bool]], int]


def data_of(asked: Asked, cwd: str, words: list[str], run: Run = calls.run) -> tuple[int, dict[str, Any]]:
    """Run a command that prints JSON in the session of another; the exit code, and its data."""
    one, said = Asked(), []

    def take(text: str) -> bool:
        said.append(text)
        return True

    one.session, one.options, one.words = asked.session, asked.options, words
    code = run(one, cwd, take)
    data = json.loads(said[-1]).get("data") if code == frames.DONE and said else None
    return code, data if isinstance(data, dict) else {}


def say(out: TextIO, *lines: str) -> None:
    """Print lines in which a page may speak: it may have named its elements so that they give orders to a terminal."""
    out.write("".join("".join(letter if letter.isprintable() else "?" for letter in line) + "\n" for line in lines))
    out.flush()
