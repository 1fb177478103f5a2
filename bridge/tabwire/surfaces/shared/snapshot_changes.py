"""Difference between two snapshots of a tab. References are stable, so unchanged elements are unchanged lines."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from tabwire.surfaces.shared.snapshot_lines import indent_of
from tabwire.text.provenance import PageText, Words, received, unmarked

NOTHING = "No changes since the last snapshot."
SOME = "Changes since the last snapshot (- gone, + new):"


def changes(before: str, after: str) -> str:
    """A diff for readers: `-` and `+` lines, each run under the unchanged lines that contain it.

    Where a diff would be longer than the page, the page itself is the answer.
    """
    if before == after:
        return NOTHING
    old, new = before.splitlines(), after.splitlines()
    text = "\n".join([SOME, *_lines(old, new)])
    return text if len(text) < len(after) else after


def worded(text: str) -> Words:
    """A snapshot, or its changes, and what of it is the page's: all but that nothing changed, and what is said below the page.

    A snapshot has a head, an empty line, the page, an empty line and a foot; no page gets an empty line into the first two.
    """
    if text == NOTHING:
        return Words(text)
    if text.startswith(SOME):
        return Words(f"{SOME}\n", PageText(unmarked(text.removeprefix(f"{SOME}\n"))))
    head, gap, rest = text.partition("\n\n")
    tree, end, foot = rest.partition("\n\n")
    return Words(PageText(f"{head}{gap}{tree}"), received(f"{end}{foot}"))


def _lines(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    shown: set[int] = set()
    for tag, i, j, k, m in _opcodes(old, new):
        if tag == "equal":
            continue
        anchor = new[k] if k < m else old[i]
        for index in _ancestors(new, k, indent_of(anchor)):
            if index not in shown:
                shown.add(index)
                yield f"  {new[index]}"
        yield from _gone(old[i:j])
        yield from (f"+ {line}" for line in new[k:m])


def _gone(lines: Sequence[str]) -> Iterator[str]:
    """Lines that are gone: of what contained others that are gone with it one line, which says how many they were."""
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and indent_of(lines[end]) > indent_of(lines[at]):
            end += 1
        inside = end - at - 1
        yield f"- {lines[at]}" + (f" (and {inside} line{'s' if inside > 1 else ''} in it)" if inside else "")
        at = end


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """difflib on the part between the common beginning and end: it is slow on long equal runs."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    middle = SequenceMatcher(None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False)
    for tag, i, j, k, m in middle.get_opcodes():
        yield tag, i + start, j + start, k + start, m + start


def _ancestors(lines: Sequence[str], index: int, indent: int) -> list[int]:
    """The lines that contain a line of this indent at this index, outermost first, without the document."""
    found: list[int] = []
    for at in range(index - 1, -1, -1):
        line = lines[at]
        if line.lstrip().startswith("- ") and indent_of(line) < indent:
            found.append(at)
            indent = indent_of(line)
    return [at for at in reversed(found) if indent_of(lines[at]) > 0]
