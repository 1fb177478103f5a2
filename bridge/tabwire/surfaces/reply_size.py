"""Size of a reply on the wire, and its shortening to a limit."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic_core import to_json

from tabwire.surfaces.tool import ToolResult, with_note
from tabwire.text.provenance import PageText, Words, parts_of

MAX_RESULT_BYTES = 1_000_000
"""Below what the strictest client accepts for a whole result (1,048,576 bytes)."""
NOTE_BYTES = 1_000
"""Room for what is said of a reply that was cut."""


def size_of(result: ToolResult) -> int:
    """Bytes of the reply on the wire, near enough: JSON escapes included."""
    written = [part for part in (result.text, result.structured, result.facts) if part is not None]
    return sum(map(_bytes_of, written)) + sum(len(image.data) for image in result.images)


def shortened(result: ToolResult, most: int) -> ToolResult:
    """The reply to an act in at most so many bytes: the longest texts and lists lose their ends, pictures are left out."""
    size = size_of(result)
    images = f" and {len(result.images)} pictures" if result.images else ""
    outcome = "It failed; its message" if result.is_error else "Done; its reply"
    note = f"{outcome} was too large ({size:,} bytes{images}) and is cut here. Do not make the call again for the rest."
    members = [part for part in (result.structured, result.facts) if part is not None]
    room = max(most - NOTE_BYTES, 0) // (1 + len(members))
    structured, facts = (None if part is None else _fitting(part, room) for part in (result.structured, result.facts))
    kept = with_note(replace(result, structured=structured, facts=facts, images=()), note)
    # At the beginning of a long text, so that it is not overlooked.
    return replace(kept, text=Words(f"{note}\n", _fitting(result.text, room)))


def _bytes_of(value: Any) -> int:
    return len(to_json(value))


def _fitting(value: Any, room: int) -> Any:
    """Cut a JSON value to its room and keep its shape: small members of an object stay whole, large ones share the rest."""
    if _bytes_of(value) <= room:
        return value
    if isinstance(value, str):
        return _start_of(value, room)
    if isinstance(value, Mapping):
        kept: dict[str, Any] = {}
        for taken, name in enumerate(sorted(value, key=lambda name: _bytes_of(value[name]))):
            room -= _bytes_of(name) + 2
            if room < 0:
                break
            kept[name] = _fitting(value[name], room // (len(value) - taken))
            room -= _bytes_of(kept[name])
        return {name: kept[name] for name in value if name in kept}
    if isinstance(value, list | tuple):
        items: list[Any] = []
        for item in value:
            room -= _bytes_of(item) + 1
            if room < 0:
                break
            items.append(item)
        return items
    return value


def _start_of(text: str, room: int) -> str:
    """The beginning of a text that is too long, knowing still who says what."""
    kept: list[str] = []
    for part in parts_of(text):
        size = _bytes_of(part)
        if size > room:
            # Escapes may be close together: what is kept is measured, too.
            cut = part[: max(room, 0) * len(part) // size]
            while _bytes_of(cut) > max(room, 2):
                cut = cut[: len(cut) * 9 // 10]
            kept.append(PageText(f"{cut}…") if isinstance(part, PageText) else f"{cut}…")
            break
        kept.append(part)
        room -= size
    return Words(*kept)
