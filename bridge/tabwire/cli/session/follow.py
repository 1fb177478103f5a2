"""`tabwire console --follow` and `tabwire requests --follow`: what is new is printed as it comes, until Ctrl-C."""

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from tabwire.cli.grammar.followed import lines_for, news, polling
from tabwire.cli.grammar.parsing import UsageError
from tabwire.cli.session import calls, frames
from tabwire.cli.session.connection import dial, tell
from tabwire.cli.session.inner_calls import data_of, say
from tabwire.cli.session.options import FOLLOW, Asked

_ENDED = "session {} has ended, and nothing more is followed"


def run(asked: Asked, cwd: str) -> int:
    """Print news until Ctrl-C, or until they end; the exit code."""
    try:
        tool, words, as_json = lines_for(asked.words, FOLLOW, cwd)
    except UsageError as error:
        tell(str(error))
        return frames.USAGE
    following = _Following(asked, cwd, words, as_json=as_json)
    code = following.begin(tool)
    if code != frames.DONE:
        following.end()
        return code
    # A thread of its own waits in the call: Ctrl-C then ends this one at once, and the session withdraws the call with its line.
    threading.Thread(target=following.follow, daemon=True).start()
    try:
        following.over.wait()
        code = following.code
    except KeyboardInterrupt:
        code = frames.INTERRUPTED
    following.end()
    return code


class _Following:
    """News of a tab.

    Args:
        asked: the command line, with its session.
        cwd: the folder in which it was typed.
        words: of the call that is made again and again.
        as_json: whether JSON is printed.
    """

    def __init__(self, asked: Asked, cwd: str, words: list[str], *, as_json: bool) -> None:
        self.over = threading.Event()
        self.code = frames.FAILED
        self._asked = asked
        self._cwd = cwd
        self._words = words
        self._as_json = as_json
        self._tab: int | None = None
        self._last = 0
        self._has_begun_buffer = False

    def begin(self, tool: str) -> int:
        """Ask for the newest number, and have messages collected; the exit code."""
        code, data = self._call(polling(self._words, 0, None), starts=True)
        if code == frames.DONE and tool == "console" and not data.get("buffering"):
            self._tab = data.get("tabId")
            code, _ = self._call(["console", "start_buffer", *self._of_tab(), "--json"])
            self._has_begun_buffer = code == frames.DONE
            if code == frames.DONE:
                code, data = self._call(polling(self._words, 0, self._tab))
        if code != frames.DONE:
            return code
        self._tab, self._last = data.get("tabId"), data["last"]
        tell(f"following tab {self._tab}; Ctrl-C ends it")
        return frames.DONE

    def follow(self) -> None:
        """Print news until they end."""
        while not self.over.is_set():
            code, data = self._call(polling(self._words, self._last, self._tab))
            if self.over.is_set() or not self._told(code, data):
                break
        self.over.set()

    def _told(self, code: int, data: dict[str, Any]) -> bool:
        """Print the news of a reply; false where they have ended."""
        if code != frames.DONE:
            # The tab or the session has gone, and the collection with it.
            self.code, self._has_begun_buffer = code, False
            return False
        self._last = data["last"]
        if lost := data.get("dropped"):
            tell(f"{lost} were dropped to make room before they could be printed")
        if not self._printed(news(data, as_json=self._as_json)):
            return False
        if data.get("buffering", True):
            return True
        self._has_begun_buffer = False
        tell(f"the console of tab {self._tab} is no longer collected: the debugger was detached, or another command ended that")
        return False

    def _printed(self, lines: list[str]) -> bool:
        """Print lines; false where nobody reads them any more."""
        try:
            say(sys.stdout, *lines)
        except BrokenPipeError:
            # Python would complain of it once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return False
        return True

    def end(self) -> None:
        """Have messages no longer collected, where this command has begun that."""
        self.over.set()
        if self._has_begun_buffer:
            self._call(["console", "stop_buffer", *self._of_tab(), "--max-messages=1", "--json"])

    def _of_tab(self) -> list[str]:
        return [] if self._tab is None else [f"--tab-id={self._tab}"]

    def _call(self, words: list[str], *, starts: bool = False) -> tuple[int, dict[str, Any]]:
        """Run a command of the session, which is started only where `starts` says so; the exit code, and its data."""
        return data_of(self._asked, self._cwd, words, calls.run if starts else _called)


def _called(one: Asked, cwd: str, take: Callable[[str], bool]) -> int:
    """Make a call in a session that is there; the exit code."""
    line = dial(one.session)
    code = None
    if not isinstance(line, OSError):
        try:
            code = calls.converse(line, one, cwd, take)
        finally:
            line.close()
    if code is None:
        tell(_ENDED.format(one.session))
    return frames.FAILED if code is None else code
