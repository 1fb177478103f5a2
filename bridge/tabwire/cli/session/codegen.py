"""`tabwire codegen`: what a person does in the browser becomes a test."""

import os
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tabwire.cli.session import frames
from tabwire.cli.session.connection import tell
from tabwire.cli.session.inner_calls import data_of, say
from tabwire.cli.session.interrupts import Interrupts
from tabwire.cli.session.options import Asked, given
from tabwire.cli.session.written_files import write
from tabwire.recordings.languages import LANGUAGES, STEPS, STEPS_SUFFIX, written

USAGE = f"usage: tabwire codegen [URL] [-o FILE] [--language {'|'.join(LANGUAGES)}] [--overwrite]"
_FLAGS = {"-o": "file", "--output": "file", "--language": "language"}


@dataclass
class _Wish:
    """The options of the command."""

    url: str
    file: str
    language: str
    may_replace: bool
    """Whether an existing file may be replaced."""


def run(asked: Asked, cwd: str) -> int:
    """Record until the person ends it; the exit code."""
    try:
        wish = _wish(asked.words[1:])
    except ValueError as error:
        tell(f"codegen {error}; {USAGE}")
        return frames.USAGE
    path = os.path.join(cwd, os.path.expanduser(wish.file)) if wish.file else ""
    if path and os.path.lexists(path) and not wish.may_replace:
        tell(f"{wish.file} exists; name another file, or add --overwrite")
        return frames.USAGE
    recording = _Recording(asked, cwd, sys.stdout if path else sys.stderr)
    code = recording.begin(wish.url)
    if code != frames.DONE:
        return code
    recording.follow()
    code, steps = recording.end(wish.language)
    if code != frames.DONE:
        return code
    return _give(written(steps, wish.language, wish.file), path, wish)


def _wish(words: list[str]) -> _Wish:
    """The options.

    Raises:
        ValueError: they are wrong.
    """
    found = given(words, switches=("--overwrite",), valued=_FLAGS)
    file = found.get("file", "")
    language = found.get("language") or (STEPS if file.endswith(STEPS_SUFFIX) else "pytest")
    if language not in LANGUAGES:
        raise ValueError(f"knows no language {language!r}; it is one of {', '.join(LANGUAGES)}")
    return _Wish(found.get("", ""), file, language, may_replace="--overwrite" in found)


class _Recording:
    """A recording under way.

    Args:
        asked: the command line, with its session.
        cwd: the folder in which it was typed.
        out: where steps are printed.
    """

    def __init__(self, asked: Asked, cwd: str, out: Any) -> None:
        self._asked = asked
        self._cwd = cwd
        self._out = out
        self._over = threading.Event()
        self._seen = 0
        self._note: str | None = None

    def begin(self, url: str) -> int:
        """Open the page, show its tab and start; the exit code. Nothing is printed yet."""
        code = self._call("navigate", url)[0] if url else frames.DONE
        if code == frames.DONE:
            code = self._show()
        if code != frames.DONE:
            return code
        code, data = self._call("record-steps", "start")
        self._note = data.get("note")
        return code

    def _show(self) -> int:
        """Show the session's tab, in which the person is to act, if it is behind another one; the exit code."""
        code, data = self._call("tab-list")
        behind = [tab["tabId"] for tab in data.get("tabs", ()) if tab["current"] and not tab["active"]]
        return self._call("tab-switch", str(behind[0]))[0] if behind else code

    def follow(self) -> None:
        """Print step after step until the person ends it, here or in the browser."""
        with Interrupts() as interrupts:
            say(self._out, "Recording what you do in the tab. Press Enter here, or Ctrl-C, or close the tab to end it.")
            if self._note:
                say(self._out, f"Note: {self._note}")
            threading.Thread(target=self._read_steps, daemon=True).start()
            if sys.stdin is not None and sys.stdin.isatty():
                threading.Thread(target=self._read_key, daemon=True).start()
            with suppress(KeyboardInterrupt):
                interrupts.in_wait(self._over.wait)
            self._over.set()

    def end(self, language: str) -> tuple[int, list[dict[str, Any]]]:
        """Stop; the exit code, and all steps. Fingerprints are for the language that has them."""
        options = ["--language", STEPS] if language == STEPS else []
        code, data = self._call("record-steps", "stop", *options)
        steps: list[dict[str, Any]] = data.get("steps", [])
        self._print(data)
        if ended := data.get("ended"):
            say(self._out, f"The recording has ended: {ended}")
        return code, steps

    def _read_key(self) -> None:
        sys.stdin.readline()
        self._over.set()

    def _read_steps(self) -> None:
        while not self._over.is_set():
            code, data = self._call("record-steps", "read", "--after", str(self._seen))
            self._print(data)
            if code != frames.DONE or not data.get("recording"):
                self._over.set()

    def _print(self, data: dict[str, Any]) -> None:
        for step, line in zip(data.get("steps", ()), data.get("lines", ()), strict=False):
            if step["number"] > self._seen:
                self._seen = step["number"]
                say(self._out, f"  {line}")

    def _call(self, *words: str) -> tuple[int, dict[str, Any]]:
        """Run a command of the session; the exit code, and its data."""
        return data_of(self._asked, self._cwd, [*words, "--json"])


def _give(text: str, path: str, wish: _Wish) -> int:
    """Write the test, or print it where no file was named; the exit code."""
    if not path:
        sys.stdout.write(text)
        return frames.DONE
    try:
        write(text, path, may_replace=wish.may_replace)
    except OSError as error:
        sys.stdout.write(text)
        tell(f"{wish.file} could not be written: {error.strerror}; the test is printed above")
        return frames.FAILED
    sys.stdout.write(f"Written to {wish.file}\n")
    return frames.DONE
