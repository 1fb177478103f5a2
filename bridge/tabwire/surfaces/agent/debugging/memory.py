"""Memory of a page in words: its use, constructors, growth with what keeps it, and detached elements."""

from collections.abc import Iterator

from tabwire.commands.profiles import HeapGroup, Memory, MemoryResult, MemoryUse
from tabwire.surfaces.agent.debugging.phrases import count_of, foot_of, page_text, size_of, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import Words, joined


def _text(command: Memory, result: MemoryResult) -> Words:
    before = result.get("before")
    what = "Grown most since the last call" if before else "Most objects"
    head = [_use(result["use"], before), f"{what}, by constructor:" if result["groups"] else "No constructor has more objects"]
    lines = [line for group in result["groups"] for line in _group(group)]
    detached = [
        f"  {one['count']} × {one['element']}, {count_of(one['elements'], 'element')} — {_kept(one['path'])}"
        for one in result["detached"]
    ]
    gone = ["Detached trees:", *page_text(detached)] if detached else []
    return joined("\n", [*head, *page_text(lines), *gone, *foot_of(result)])


def _use(use: MemoryUse, before: MemoryUse | None) -> str:
    def change(now: float, then: float | None) -> str:
        return "" if then is None or then == now else f" ({'+' if now > then else '−'}{abs(now - then):,.0f})"

    grown = f" ({_signed(use['heap'] - before['heap'])})" if before else ""
    numbers = [
        f"{use['objects']:,} objects" + change(use["objects"], before and before["objects"]),
        count_of(use["nodes"], "DOM node") + change(use["nodes"], before and before["nodes"]),
        count_of(use["listeners"], "listener") + change(use["listeners"], before and before["listeners"]),
        count_of(use["documents"], "document") + change(use["documents"], before and before["documents"]),
    ]
    return f"Heap {size_of(use['heap'])}{grown}; {', '.join(numbers)}"


def _group(group: HeapGroup) -> Iterator[str]:
    added = f"+{group['added']:,} (now {group['count']:,})" if "added" in group else f"{group['count']:,}"
    yield f"{group['name']}: {added}"
    for kept in group.get("kept", ()):
        yield f"  {kept['count']} of those looked at — {_kept(kept['path'])}"


def _kept(path: str) -> str:
    return f"kept by {path}" if path else "kept by nothing that can be read: a timer, a promise, a listener on an element"


def _signed(size: float) -> str:
    return f"{'+' if size >= 0 else '−'}{size_of(abs(size))}"


RUNS: Runs = {Memory: tells(_text)}
