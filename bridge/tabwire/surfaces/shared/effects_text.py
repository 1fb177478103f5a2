"""What was observed of an act, in words: the same on every surface."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from tabwire.commands.results import AnsweredDialog, Change, Effects
from tabwire.surfaces.tool import Answer

UNOBSERVED = "not observed, because the page was busy; take a snapshot"


def effects_of(answer: Answer) -> Effects:
    """The observed effects of an act; empty for anything else."""
    return cast(Effects, answer.get("effects") or {})


def observed(effects: Mapping[str, object]) -> list[str]:
    """One phrase for each thing that happened, the weightiest first."""
    return observed_of(effects, _EFFECTS)


def observed_of(effects: Mapping[str, object], names: Iterable[str]) -> list[str]:
    """The same for these effects only, in this order."""
    return [text for name in names if name in effects for text in [_EFFECTS[name](effects[name])] if text]


def seen(effects: Mapping[str, object]) -> list[tuple[str, str]]:
    """As `observed`, each with the name of its effect."""
    return [(name, text) for name in _EFFECTS if name in effects for text in [_EFFECTS[name](effects[name])] if text]


def _moved(change: Change) -> str:
    return f"{change['from']} → {change['to']}"


def _answered(dialog: AnsweredDialog) -> str:
    text = f" with {_shown_text(dialog['text'])}" if "text" in dialog else ""
    return f"{dialog['type']} {_shown_text(dialog['message'])} answered by auto_handle: {dialog['answer']}{text}"


def _shown_text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


_EFFECTS: dict[str, Callable[[Any], str]] = {
    "url": lambda change: f"url {_moved(change)}",
    "title": lambda change: f"title {_moved(change)}",
    "navigated": lambda yes: "the page navigated (take a new snapshot)" if yes else "",
    "new_tabs": lambda tabs: "; ".join(f"new tab {tab['tabId']} {tab.get('url', '')}".rstrip() for tab in tabs),
    "loading": lambda url: f"still loading {url}",
    "navigation_error": lambda error: f"the navigation failed ({error})",
    "closed": lambda yes: "the tab closed" if yes else "",
    "downloads": lambda files: "; ".join(f"download {file.get('filename') or file['url']}" for file in files),
    "dialog": lambda dialog: f"a dialog is open ({dialog['type']}: {_shown_text(dialog['message'])})",
    "answered": lambda dialogs: "; ".join(map(_answered, dialogs)),
    "answered_more": lambda count: f"{count} more dialogs answered by auto_handle",
    "unwatched": lambda yes: "the page goes on; its content was not watched (take a new snapshot)" if yes else "",
    "unobserved": lambda yes: UNOBSERVED if yes else "",
    "focus": lambda where: f"focus on {where}",
    "mutations": lambda count: f"{count} DOM changes" if count else "",
    "events": lambda count: f"{count} input, change or scroll events" if count else "",
}

OWN_WORDS = frozenset({"navigated", "closed", "answered_more", "unwatched", "unobserved", "mutations", "events"})
"""Effects in whose phrase no page has a word."""
