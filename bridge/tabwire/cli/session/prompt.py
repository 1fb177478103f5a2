"""The prompt of `tabwire shell` with history and completion, by prompt_toolkit (the extra `shell`)."""

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from tabwire.cli.grammar.kept_lines import may_be_kept
from tabwire.cli.grammar.parsing import UsageError, parse
from tabwire.cli.grammar.suggestions import Elements, suggestions
from tabwire.cli.session import places
from tabwire.disk import private_files

HISTORY = "history"


class TypedLines(FileHistory):
    """The history of all shells. Lines with texts that may be secret are remembered until the shell ends, and not on disk."""

    def store_string(self, string: str) -> None:
        """Keep a line that was typed, if it may be kept."""
        try:
            is_kept = may_be_kept(parse(shlex.split(string), os.getcwd()))
        except (UsageError, ValueError, OSError):
            return
        if is_kept:
            super().store_string(string)


class Suggested(Completer):
    """Suggestions for the word before the cursor."""

    def __init__(self, elements: Elements, more_commands: Sequence[str]) -> None:
        self._elements = elements
        self._more_commands = more_commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Texts that may stand in place of the word, quoted where a line needs it."""
        typed = document.text_before_cursor
        start, words = split(typed)
        for text, about in suggestions(words, self._elements, self._more_commands):
            yield Completion(shlex.quote(text), start - len(typed), display=text, display_meta=about)


def split(typed: str) -> tuple[int, list[str]]:
    """The place where the last word of a line begins, and the words as the line means them; the last may be still open."""
    for start in range(len(typed), -1, -1):
        # The last word begins after a space at which everything before it is complete.
        if start and not typed[start - 1].isspace():
            continue
        try:
            before = shlex.split(typed[:start])
        except ValueError:
            continue
        return start, [*before, typed[start:].lstrip("'\"")]
    return 0, [typed]


def asking(prompt: str, elements: Elements, more_commands: Sequence[str]) -> Callable[[], str]:
    """The next line of a person, asked for with a prompt. See `interactive.Ask`."""
    folder = Path(places.folder())
    private_files.make_own_folder(folder)
    history = folder / HISTORY
    # The mode must be there before the first line is.
    with suppress(FileExistsError):
        os.close(private_files.create(history))
    session: PromptSession[str] = PromptSession(
        prompt, history=TypedLines(history), completer=Suggested(elements, more_commands), complete_while_typing=False
    )
    return session.prompt
