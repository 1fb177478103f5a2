"""Hits in the tree of a page, each with its reference and the elements around it, in place of a whole snapshot."""

import re
from collections.abc import Callable, Sequence

from tabwire.commands.snapshot import Capture, Find
from tabwire.surfaces.shared.matching import match_lines
from tabwire.surfaces.shared.pdf.tabs import pdf_of
from tabwire.surfaces.shared.snapshot_changes import worded
from tabwire.surfaces.shared.snapshot_lines import indent_of, with_short_refs
from tabwire.surfaces.tool import Answer, Runs, ToolCall
from tabwire.text.provenance import PageText, Words, received

PATTERN_S = 2.0
"""Time for a regular expression."""
MAX_AROUND = 6
MAX_NAME = 60
MAX_LINE = 300
HEAD = 60
"""Characters of the beginning of a long line whose hit is further on: its role and the first words."""

_NODE = re.compile(r'^\s*- ([\w-]+)(?: "((?:[^"\\]|\\.)*)")?')
_MARKS = re.compile(r"\s*\[(?:ref=@e\d+|box=[-\d,]+)\]")
_REF = re.compile(r" \[ref=@e\d+\]")
_ESCAPE = re.compile(r"\\(.)")
_NAMELESS = frozenset({"generic", "none", "presentation", "group", "text", "paragraph"})
"""Roles that say nothing of where something is, unless they have a name."""


async def run_find(call: ToolCall) -> Answer:
    """The lines of the tree that match."""
    command: Find = call.parameters
    result = await call.context.send(Capture(tabId=command.tabId, timeout=command.timeout))
    if "pdf" in result:
        pdf = await pdf_of(call.context, result, command.timeout)
        lines, foot = list(pdf.lines()), Words(received(pdf.foot))
    else:
        lines, foot = _parts_of(result["snapshot"])
    plain = [_MARKS.sub("", line.strip().removeprefix("- ")) for line in lines]
    if command.regex is None:
        wanted = " ".join((command.text or "").split()).casefold()
        found = [
            (at, wanted) for at, line in enumerate(plain) if wanted in line.casefold() or wanted in _unbroken(line).casefold()
        ]
        listed, count = found[: command.limit], len(found)
    else:
        matches = await match_lines(
            plain, command.regex, most=command.limit, seconds=PATTERN_S, instead="give it as text to find it as it stands"
        )
        listed, count = [(at, plain[at][start:end]) for at, start, end in matches.listed], matches.count
    told = _told(lines, listed, count, with_short_refs if call.context.short_refs else str)
    return {"tabId": result["tabId"], "count": count, "snapshot": Words(told, foot)}


def _unbroken(line: str) -> str:
    """A line with blanks in place of the line breaks and the indentation of its texts, and without escapes."""
    return " ".join(_ESCAPE.sub(lambda match: " " if match[1] in "nt" else match[1], line).split())


def _parts_of(snapshot: str) -> tuple[list[str], Words]:
    """The lines of the page itself, and what the foot says of parts that could not be read.

    A snapshot has a head, an empty line, the tree, an empty line and a foot.
    """
    _, tree, *rest = snapshot.split("\n\n", 2) if "\n\n" in snapshot else ("", snapshot)
    return [line for line in tree.splitlines() if line.strip()], Words(*(("\n", worded(rest[0])) if rest else ()))


def _told(lines: Sequence[str], listed: Sequence[tuple[int, str]], count: int, written: Callable[[str], str]) -> Words:
    """The lines of the hits, each given with the words that match in it."""
    if not listed:
        return Words("No line of the page's tree matches; what is not rendered is not in it")
    hits = PageText("\n".join(written(f"{_short(lines[at], match)}{_place(lines, at)}") for at, match in listed))
    more = f"\n{count - len(listed)} more: be more specific" if count > len(listed) else ""
    return Words(f"{count} {'line matches' if count == 1 else 'lines match'}:\n", hits, more)


def _short(line: str, match: str) -> str:
    """A line without its indentation, cut around what matches; the reference is never cut off."""
    text = line.strip().removesuffix(":")
    if len(text) <= MAX_LINE:
        return text
    start, end = (_beside_ref(text, at) for at in _cut(text, match))
    head = f"{text[: _beside_ref(text, HEAD)]} … " if start else ""
    shown = f"{head}{text[start:end]}{'…' if end < len(text) else ''}"
    ref = _REF.search(text)
    return f"{shown}{ref[0]}" if ref and ref[0] not in shown else shown


def _beside_ref(text: str, at: int) -> int:
    """The place, or the beginning of the reference that it is in."""
    return next((ref.start() for ref in _REF.finditer(text) if ref.start() < at < ref.end()), at)


def _cut(text: str, match: str) -> tuple[int, int]:
    """The part of a long line that is shown: its beginning, or what is around the match where that is further on."""
    at = text.casefold().find(match.casefold())
    if at + len(match) <= MAX_LINE:
        return 0, MAX_LINE
    width = MAX_LINE - HEAD
    start = min(max(HEAD, at - max(0, width - len(match)) // 2), max(HEAD, len(text) - width))
    return start, min(len(text), start + width)


def _place(lines: Sequence[str], at: int) -> str:
    """The elements around a line, outermost first."""
    around: list[str] = []
    indent = indent_of(lines[at])
    for index in range(at - 1, -1, -1):
        if indent == 0:
            break
        node = _NODE.match(lines[index]) if indent_of(lines[index]) < indent else None
        if node is None:
            continue
        indent = indent_of(lines[index])
        role, name = node[1], node[2]
        if role != "document" and (name or role not in _NAMELESS):
            around.append(f'{role} "{name[:MAX_NAME]}"' if name else role)
    shown = around[:MAX_AROUND]
    left_out = "… > " if len(around) > MAX_AROUND else ""
    return f" in {left_out}{' > '.join(reversed(shown))}" if shown else ""


RUNS: Runs = {Find: run_find}
