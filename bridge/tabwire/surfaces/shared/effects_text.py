"""Observed effects of an act, in words: the same on every surface."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

from tabwire.commands.results import AnsweredDialog, Change, Effects, FrameAddress, Scrolled, SentRequest
from tabwire.surfaces.tool import Answer
from tabwire.text.provenance import PageText, Words, joined


def effects_of(answer: Answer) -> Effects:
    """The observed effects of an act; empty for anything else."""
    return cast(Effects, answer.get("effects") or {})


def observed(effects: Mapping[str, object]) -> list[str]:
    """Phrases for the things that happened, the weightiest first."""
    return [text for _, text in seen(effects)]


def observed_of(effects: Mapping[str, object], names: Iterable[str]) -> list[str]:
    """The same for these effects only, in this order."""
    return [text for name in names if name in effects for text in [_EFFECTS[name](effects[name])] if text]


def seen(effects: Mapping[str, object]) -> list[tuple[str, str]]:
    """Phrases as in `observed`, each with the name of its effect. Mere counts are told where nothing else is."""
    told = [(name, text) for name in _EFFECTS if name in effects for text in [_EFFECTS[name](effects[name])] if text]
    return [(name, text) for name, text in told if name not in _COUNTS] or told[:1]


_MAX_ADDRESS = 200
_MAX_PATH = 40
_MAX_REQUESTS = 4
"""Requests that a brief reply names."""


def _moved(change: Change) -> str:
    return f"{change['from']} → {change['to']}"


def _answered(dialog: AnsweredDialog) -> str:
    text = f" with {_shown_text(dialog['text'])}" if "text" in dialog else ""
    return f"{dialog['type']} {_shown_text(dialog['message'])} answered by auto_handle: {dialog['answer']}{text}"


def _request(request: SentRequest) -> str:
    outcome = request.get("error") or request.get("status") or "no answer yet"
    return f"{request['method']} {request['url'] or request.get('barred', '')} → {outcome}"


def brief_requests(requests: Sequence[SentRequest], more: int = 0) -> str:
    """Requests by method, end of the path and status, those that are the same as one; the first ones of many."""
    counts = Counter(_brief_request(request) for request in requests)
    named = [text if count == 1 else f"{text} × {count}" for text, count in counts.items()]
    rest = sum(list(counts.values())[_MAX_REQUESTS:]) + more
    return ", ".join([*named[:_MAX_REQUESTS], *([f"{rest} more"] if rest else [])])


def _brief_request(request: SentRequest) -> str:
    _, host, path, *_ = urlsplit(request["url"])
    if path in ("", "/"):
        path = host + path
    *_, last = path.rstrip("/").split("/")
    where = path if len(path) <= _MAX_PATH else f"…/{last[-_MAX_PATH:]}"
    outcome = request.get("error") or request.get("status") or "no answer yet"
    return f"{request['method']} {where or request.get('barred', '')} → {outcome}"


def _frame(frame: FrameAddress) -> str:
    url = frame["url"] or frame.get("barred", "")
    if "error" in frame:
        return PageText(f"a frame could not load {url} ({frame['error']})")
    if frame.get("loading"):
        return PageText(f"a frame is loading {url}")
    return Words(PageText(f"a frame navigated to {url}"), " (take a new snapshot)")


def _scroll(scrolled: Scrolled) -> str:
    ways = ((scrolled.get("dy", 0), "down", "up"), (scrolled.get("dx", 0), "right", "left"))
    by = [f"{forth if distance > 0 else back} {abs(distance):.0f} px" for distance, forth, back in ways if distance]
    what = f"the {scrolled['element']}" if scrolled["element"] == "page" else scrolled["element"]
    return f"{' '.join([what, 'scrolled', *by])} to x {scrolled['x']:.0f}, y {scrolled['y']:.0f}"


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
    "external": lambda url: Words(
        "the page led to ",
        PageText(url[:_MAX_ADDRESS]),
        ", which opens another program: Chrome may ask the user first, and the tab gets no input until they answer",
    ),
    "downloads": lambda files: "; ".join(f"download {file.get('path') or file.get('filename') or file['url']}" for file in files),
    "dialog": lambda dialog: f"a dialog is open ({dialog['type']}: {_shown_text(dialog['message'])})",
    "paused": lambda place: Words("the page paused at ", PageText(place), " (call paused)"),
    "answered": lambda dialogs: "; ".join(map(_answered, dialogs)),
    "answered_more": lambda count: f"{count} more dialogs answered by auto_handle",
    "unwatched": lambda yes: "the page goes on; its content was not watched (take a new snapshot)" if yes else "",
    "unobserved": lambda yes: "the page was too busy to show what changed (take a new snapshot)" if yes else "",
    "frames": lambda frames: joined("; ", map(_frame, frames)),
    "requests": lambda requests: f"requests: {', '.join(map(_request, requests))}",
    "requests_more": lambda count: f"{count} more requests",
    "earlier_requests": lambda requests: Words(
        "answered since an earlier act sent them (what changed may come from that): ",
        PageText(brief_requests(requests)),
    ),
    "errors": lambda errors: f"errors on the page: {', '.join(map(_shown_text, errors))}",
    "changes": "; ".join,
    "fields": "; ".join,
    "scrolled": lambda scrolled: "; ".join(map(_scroll, scrolled)),
    "under_way": lambda things: f"still under way: {', '.join(things)}",
    "focus": lambda where: f"focus on {where}",
    "mutations": lambda count: "the page changed, though no text came or went" if count else "",
    "events": lambda count: "events of fields or media, with no other change" if count else "",
}

_COUNTS = frozenset({"mutations", "events"})

OWN_WORDS = frozenset(
    {"navigated", "closed", "answered_more", "unwatched", "unobserved", "requests_more", "under_way", "mutations", "events"}
)
"""Effects in whose phrase no page has a word."""
