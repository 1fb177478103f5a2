"""Suggestions for the end of a line that is being typed: commands, flags, choices, and elements that replies have named."""

import re
from collections.abc import Iterator, Sequence

from tabwire.cli.grammar.fields import commands, tool_of
from tabwire.cli.grammar.parsing import JSON_FLAG
from tabwire.commands.line_spelling import SAVED_TO, Field, fields_of, positions_of
from tabwire.surfaces.tool import Tool

MAX_ELEMENTS = 500
"""References that are remembered, the latest."""
MAX_SHOWN = 60
_REF = re.compile(r"(?P<before>[^\n\[\]]*?)\s*\[?(?:ref=)?(?P<ref>@e\d+)\b")
_NAMED = re.compile(r'(?P<role>[\w-]+) (?P<name>"(?:[^"\\]|\\.)*")$')


class Elements:
    """The elements of replies: a reference and what stands before it there."""

    def __init__(self) -> None:
        self._by_ref: dict[str, str] = {}

    def read(self, reply: str) -> None:
        """Remember the elements that a reply names."""
        for found in _REF.finditer(reply):
            ref, words = found["ref"], found["before"].strip(" -:·;,")
            # The latest last; an act that only repeats the reference does not take the words away.
            words = words or self._by_ref.get(ref, "")
            self._by_ref.pop(ref, None)
            self._by_ref[ref] = words
        while len(self._by_ref) > MAX_ELEMENTS:
            del self._by_ref[next(iter(self._by_ref))]

    def refs(self) -> Iterator[tuple[str, str]]:
        """Reference and words about it, the latest first."""
        for ref, words in reversed(self._by_ref.items()):
            yield ref, words[-MAX_SHOWN:]

    def named(self) -> Iterator[str]:
        """Elements as selectors by role and name, the latest first: `button "Save"`."""
        found = (_NAMED.search(words) for words in reversed(self._by_ref.values()))
        yield from dict.fromkeys(one[0] for one in found if one)


def suggestions(words: Sequence[str], elements: Elements, more_commands: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Texts that may stand in place of the last word, each with words about it.

    Args:
        words: those typed so far; the last one may be empty.
        elements: those that may be named.
        more_commands: commands that are no tools.
    """
    *before, last = words or [""]
    if not before:
        return [(name, about) for name, about in _commands(more_commands) if name.startswith(last)]
    tool = tool_of(before[0])
    if tool is None:
        return []
    if last.startswith("-"):
        return [(flag, about) for flag, about in _flags(tool) if flag.startswith(last)]
    wanted = _wanted(tool, before[1:])
    if wanted is not None and wanted.choices:
        return [(choice, "") for choice in wanted.choices if choice.startswith(last)]
    if last.startswith("@"):
        return [(ref, about) for ref, about in elements.refs() if ref.startswith(last)]
    part = last.lower()
    return [(selector, "") for selector in elements.named() if part in selector.lower()] if part else []


def _commands(more_commands: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from ((name, "") for name in more_commands)
    yield from ((name, tool.title) for name, tool in commands().items())


def _flags(tool: Tool) -> Iterator[tuple[str, str]]:
    yield from ((each.usual_flag, str(each.schema.get("description", ""))) for each in fields_of(tool))
    yield JSON_FLAG, "print the reply as data"
    if tool.name in SAVED_TO:
        yield "-o", "where to put a copy of the file"


def _wanted(tool: Tool, given: Sequence[str]) -> Field | None:
    """The field that the next word is for."""
    fields = {each.flag: each for each in fields_of(tool)}
    flag = fields.get(given[-1]) if given else None
    if flag is not None and not flag.is_switch:
        return flag
    names = positions_of(tool)
    # Values of flags are counted as words without one: a suggestion that is missing does no harm.
    place = sum(not word.startswith("-") for word in given)
    by_name = {each.name: each for each in fields.values()}
    return by_name.get(names[place]) if place < len(names) else None
