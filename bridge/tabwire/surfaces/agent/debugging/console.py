"""Console messages in words: a line for each, and one with its values, its stack and the source around it."""

from __future__ import annotations

from collections.abc import Sequence

from tabwire.commands.console import (
    ConsoleMessageResult,
    ConsoleMessagesResult,
    ListedMessage,
    Message,
    MessageFacts,
    Messages,
    SourceExcerpt,
    StackFrame,
)
from tabwire.surfaces.agent.debugging.phrases import built_of, count_of, foot_of, page_text, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined

MAX_LIBRARY_FRAMES = 2
"""Frames of libraries in a row that are told: what is between them and the next frame of the page's own is counted."""

_UNCAUGHT = {False: "Uncaught", True: "Uncaught (in promise)"}


def _list_text(command: Messages, result: ConsoleMessagesResult) -> Words:
    messages, errors = result["messages"], result["errors"]
    scope = "collected" if command.all else "since the navigation"
    told = f"{count_of(result['total'], 'message')} {scope}" + (f", {count_of(errors, 'error')}" if errors else "")
    head = told if len(messages) == result["total"] else f"{told}; {len(messages)} of them:"
    lines = page_text([listed_message(message) for message in messages])
    older = f"{result['older']} older: before: {messages[0]['id']}" if result.get("older") and messages else ""
    return joined("\n", [head, *lines, *([older] if older else []), *foot_of(result)])


def listed_message(message: ListedMessage) -> str:
    """A message on its line."""
    times = f" ×{message['count']}" if message["count"] > 1 else ""
    place = f" — {_placed(message.get('name'), message['place'])}" if "place" in message else ""
    return f"#{message['id']} {_clock(message['time'])} {message['level']}{times} {message['text']}{place}"


def _clock(time: str) -> str:
    return time[11:23]


def _placed(name: str | None, place: str) -> str:
    return f"{name} ({place})" if name else place


def _message_text(command: Message, result: ConsoleMessageResult) -> Words:
    return joined("\n", [head_of(result), PageText("\n".join(message_lines(result))), *foot_of(result)])


def message_lines(result: ConsoleMessageResult) -> list[str]:
    """A message in detail: its values, its stack and the source around its place."""
    # An error tells its own stack; that of the exception adds what was waited for.
    is_told = "kind" in result and "\n  at " in "".join(result["values"])
    is_told = is_told and not any("after" in frame for frame in result["stack"])
    stack = [] if is_told else stack_lines(result["stack"])
    return [_said(result), *stack, *source_lines(result.get("excerpt"))]


def head_of(result: MessageFacts) -> str:
    """Number, kind and time of a message."""
    kind = "uncaught exception" if "kind" in result else result["level"]
    times = f", {result['count']} times until {_clock(result['last'])}" if "last" in result else ""
    return f"#{result['id']} {kind}, {_clock(result['time'])}{times}"


def _said(result: ConsoleMessageResult) -> str:
    """The values; the text alone where nothing more is known, or where it says more than they do."""
    values = result["values"]
    if not values:
        return result["text"]
    if "kind" in result:
        return f"{_UNCAUGHT[result['text'].startswith(_UNCAUGHT[True])]} {values[0]}"
    return "\n".join(values) if any("\n" in value for value in values) else " ".join(values)


def stack_lines(stack: Sequence[StackFrame]) -> list[str]:
    """The stack; of libraries' frames in a row the first ones."""
    lines: list[str] = []
    left_out = run = 0
    for frame in stack:
        run = run + 1 if frame.get("library") else 0
        if run > MAX_LIBRARY_FRAMES:
            left_out += 1
            continue
        lines += _left_out(left_out)
        left_out = 0
        lines += [f"  -- {frame['after']} --"] if "after" in frame else []
        lines.append(f"  at {_placed(frame.get('name'), frame['place'])}{built_of(frame)}")
    return ["Stack:", *lines, *_left_out(left_out)] if lines else []


def _left_out(number: int) -> list[str]:
    return [f"  … {count_of(number, 'more frame')} of libraries"] if number else []


def source_lines(excerpt: SourceExcerpt | None) -> list[str]:
    """The lines around a place, the one that is meant marked."""
    if excerpt is None:
        return []
    width = max((len(str(line["number"])) for line in excerpt["lines"]), default=0)
    lines = [
        f"{'>' if line['number'] == excerpt['line'] else ' '} {line['number']:>{width}} | {line['text']}".rstrip()
        for line in excerpt["lines"]
    ]
    return [f"Source {excerpt['source']}:", *lines]


RUNS: Runs = {Messages: tells(_list_text), Message: tells(_message_text)}
