"""The page of a debugging report: all of it in one file that runs no script and loads nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

from tabwire.commands.console import ConsoleMessageResult, ConsoleMessagesResult
from tabwire.commands.media import ScreenshotResult
from tabwire.commands.performance import InsightsResult
from tabwire.commands.secret_shapes import mask_text
from tabwire.commands.traffic import NetworkRequestsResult, RequestDetailsResult
from tabwire.surfaces.agent.debugging.console import head_of, listed_message, message_lines
from tabwire.surfaces.agent.debugging.performance import insight_lines
from tabwire.surfaces.agent.debugging.phrases import count_of
from tabwire.surfaces.agent.debugging.requests import listed_request, request_lines

STYLE = """
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  h2 { margin: 2rem 0 .5rem; font-size: 1.15rem }
  pre { margin: .4rem 0; padding: .6rem; background: #8881; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem }
  .failed { border-left: 4px solid #d33 }
  img { max-width: 100%; border: 1px solid #8884 }
"""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


@dataclass
class Seen:
    """Parts of a page as seen; `missing` names what could not be read, with the reason."""

    requests: NetworkRequestsResult
    note: str
    at: float = field(default_factory=time.time)
    url: str = ""
    title: str = ""
    failed: list[RequestDetailsResult] = field(default_factory=list)
    console: ConsoleMessagesResult | None = None
    errors: list[ConsoleMessageResult] = field(default_factory=list)
    insights: InsightsResult | None = None
    picture: ScreenshotResult | None = None
    missing: list[str] = field(default_factory=list)


def page_of(seen: Seen) -> str:
    """The whole page; texts have no secrets that can be told by their name or their shape."""
    title = f"Debugging report: {_clean(seen.title or seen.url)}"
    when = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(seen.at))
    head = (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
    )
    return "\n".join([head, f"<h1>{title}</h1>", f"<p>{_clean(seen.url)}<br>{when}</p>", *_sections(seen), "</html>", ""])


def _sections(seen: Seen) -> Iterator[str]:
    if seen.note:
        yield from _section("What is wrong", [seen.note])
    if seen.picture:
        source = f"data:{escape(seen.picture['mime_type'])};base64,{escape(seen.picture['data'])}"
        yield f'<h2>Picture</h2>\n<img alt="The page" src="{source}">'
    yield from _section("Errors", ["\n".join([head_of(one), *message_lines(one)]) for one in seen.errors], is_failed=True)
    yield from _section("Failed requests", ["\n".join(request_lines(one)) for one in seen.failed], is_failed=True)
    if seen.console:
        told, total = seen.console["messages"], seen.console["total"]
        newest = f", the newest {len(told)}" if len(told) < total else ""
        yield from _section(f"Console: {count_of(total, 'message')}{newest}", _joined(map(listed_message, told)))
    asked, total = seen.requests["requests"], seen.requests["total"]
    began = min((one["started"] for one in asked), default=0)
    in_order = sorted(asked, key=lambda one: one["started"])
    yield from _section(f"Requests: {total}", _joined(listed_request(one, began) for one in in_order))
    if seen.insights:
        yield from _section("Performance", _joined(insight_lines(seen.insights)))
    yield from _section("What could not be read", _joined(seen.missing))
    yield "<p>Secrets are redacted by their names and shapes; bodies of requests are left out. The picture is as the page.</p>"


def _section(title: str, texts: Iterable[str], *, is_failed: bool = False) -> Iterator[str]:
    """A heading with texts; nothing where there are none."""
    kind = ' class="failed"' if is_failed else ""
    told = [f"<pre{kind}>{_clean(text)}</pre>" for text in texts]
    if told:
        yield "\n".join([f"<h2>{escape(title)}</h2>", *told])


def _joined(lines: Iterable[str]) -> list[str]:
    text = "\n".join(lines)
    return [text] if text else []


def _clean(text: str) -> str:
    return escape(mask_text(text))
