"""The extension's sentences about the tab in front, in the words of a surface: notes on it, and refusals to take it."""

import re
from collections.abc import Callable, Sequence

from tabwire.errors import TabwireError
from tabwire.surfaces.context import Sent
from tabwire.text.provenance import PageText, Words, parts_of

SAME_CALL = "the same call with tabId"
NAVIGATE = "navigate with a url"
_RELOAD = re.compile(r", or load it again: reload with tabId: \d+")
_CHOICES = ("Open tabs that can be ", "No other open tab can be ", "Next: ")
"""Beginnings of the sentences that say which tabs a call can name, and what to do."""


def note_on_front(sent: Sequence[Sent]) -> str:
    """Note of the browser on the tab that was used because a call named none; empty if there is none."""
    return next((note for one in sent if (note := one.about.get("note"))), "")


def is_about_front(error: TabwireError) -> bool:
    """Whether a call was refused because it named no tab, and the one in front cannot be meant."""
    return "tabs" in error.data and "reason" in error.data


def naming(words: Words, tool: str, navigate: str = NAVIGATE) -> Words:
    """The refusal with the names of this surface's tools: the one that was called, and the one that opens an address."""

    def change(part: str) -> str:
        own = part if navigate == NAVIGATE else _RELOAD.sub("", part)
        return own.replace(SAME_CALL, f"{tool} with tabId").replace(NAVIGATE, navigate)

    return _in_own(words, change)


def without_tabs(words: Words, way_out: str) -> Words:
    """The refusal for a surface whose tools can name no tab: another way out takes the place of the tabs."""
    kept: list[str] = []
    for part in parts_of(words):
        ends = [part.find(choice) for choice in _CHOICES if choice in part and not isinstance(part, PageText)]
        kept.append(part[: min(ends)] if ends else part)
        if ends:
            break
    return Words(*kept, way_out)


def _in_own(words: Words, change: Callable[[str], str]) -> Words:
    """Changes our own words, not those of a page."""
    return Words(*(part if isinstance(part, PageText) else change(part) for part in parts_of(words)))
