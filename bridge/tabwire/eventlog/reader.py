"""Reads the log, and finds out whether it is as it was written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tabwire.disk import plain_files
from tabwire.eventlog.entry import GENESIS, Entry, Malformed, unseal
from tabwire.eventlog.log_count import LogCount
from tabwire.eventlog.writer import GAP, HEAD, SUFFIX

MAX_READ_BYTES = 1024 * 1024 * 1024
"""Far more than a file of the log grows to."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of the check of one file."""

    path: Path
    lines: int
    """Number of sound lines, from the first on."""
    head: str
    """Hash of the last of these."""
    faults: tuple[str, ...] = ()
    """Faults in the file, the first one first; empty when all is as it was written."""
    notes: tuple[str, ...] = ()
    """Irregularities that are explained by a process that was killed."""
    gaps: tuple[str, ...] = ()
    """Lines that could not be written, as the log itself says."""
    number: int = 0
    """Number of the file among all that were begun; 0 in those of earlier versions."""
    before: dict[str, str] | None = field(default=None, repr=False)
    hashes: frozenset[str] = field(default=frozenset(), repr=False)


def files(folder: Path) -> list[Path]:
    """All files of the log, the oldest first."""
    return sorted(path for path in folder.glob(f"*{SUFFIX}") if path.is_file())


def deleted(folder: Path) -> list[Verdict]:
    """Files of which only the head is left, the oldest first: a file is made before its head, so each of them was there."""
    heads = sorted(head for head in folder.glob(f"*{HEAD}") if not head.with_suffix(SUFFIX).is_file())
    return [Verdict(head.with_suffix(SUFFIX), 0, GENESIS, (_deleted(head),)) for head in heads]


def _deleted(head: Path) -> str:
    said = _head(head)
    lines = f"with {said[0]} lines" if said else "with an unknown number of lines"
    return f"the file is gone, and {head.name} says that it was there, {lines}"


def missing(folder: Path, verdicts: Sequence[Verdict]) -> list[str]:
    """Faults that the count beside the log shows, in sentences: files that are gone, lines that no file tells of.

    Args:
        folder: where the log is.
        verdicts: of all its files.
    """
    count = LogCount(folder)
    counts = count.read()
    faults = []
    newest = max((verdict.number for verdict in verdicts), default=0)
    if (gone := counts.begun - newest) > 0:
        faults.append(f"{_gone(counts.begun, gone)}. If you moved the log away yourself, delete {count.path}.")
    if counts.lost_lines:
        faults.append(f"{_lines_lost(counts.lost_lines, counts.lost_acts)}, and no file tells of them yet.")
    return faults


def _gone(begun: int, gone: int) -> str:
    if begun == 1:
        return "1 file of this log was begun, and it is gone"
    which = "all of them are gone" if gone == begun else f"the last {gone} are gone" if gone > 1 else "the last one is gone"
    return f"{begun} files of this log were begun, and {which}"


def _lines_lost(lines: int, acts: int) -> str:
    return f"{lines} line{'s' if lines != 1 else ''} could not be written, {acts} of them the beginning of an act"


def entries(path: Path) -> Iterator[Entry]:
    """The lines of a file that are entries, whether sound or not."""
    for line in _lines(path)[0]:
        try:
            yield unseal(line)
        except Malformed:
            continue


def verify(path: Path) -> Verdict:
    """Follow the chain of one file to its end, or to the first line that is not as it was written."""
    # Its writer may be at work: the file must reach the head of before, and the head of after the file.
    before_head = _head(path)
    lines, rest = _lines(path)
    after_head = _head(path)
    hashes: list[str] = []
    before: dict[str, str] | None = None
    file_number = 0
    faults: list[str] = []
    gaps: list[str] = []
    for number, line in enumerate(lines):
        try:
            entry = unseal(line)
        except Malformed:
            faults.append(f"line {number + 1} is not an entry")
            break
        if wrong := _wrong(entry, number, hashes[-1] if hashes else GENESIS):
            faults.append(f"line {number + 1} {wrong}")
            break
        if number == 0:
            before, file_number = entry.event.get("before"), entry.event.get("file_number", 0)
        if entry.event.get("event") == GAP:
            gaps.append(_gap(entry, number))
        hashes.append(entry.hash)
    notes = []
    if not faults and len(lines) <= 1 and _is_unwritten(path):
        notes.append("it was just begun when its process ended")
    elif not faults:
        faults += _against(before_head, after_head, hashes)
    if rest and not faults:
        notes.append("the last line is incomplete: its process was killed, or the disk was full, while it was written")
    head = hashes[-1] if hashes else GENESIS
    return Verdict(path, len(hashes), head, tuple(faults), tuple(notes), tuple(gaps), file_number, before, frozenset(hashes))


def _gap(entry: Entry, number: int) -> str:
    lost = _lines_lost(int(entry.event.get("lines", 0)), int(entry.event.get("acts", 0)))
    return f"before line {number + 1}, {lost} ({entry.event.get('reason', 'the reason is not known')})"


def verify_all(paths: Sequence[Path]) -> list[Verdict]:
    """Verify files, and that each follows the one it says it does.

    Args:
        paths: in the order they were begun in. The first may follow one that is not among them.
    """
    found = [verify(path) for path in paths]
    by_name = {verdict.path.name: verdict for verdict in found}
    return [_with_before(verdict, by_name, is_first=index == 0) for index, verdict in enumerate(found)]


def _with_before(verdict: Verdict, by_name: dict[str, Verdict], *, is_first: bool) -> Verdict:
    if verdict.before is None or verdict.faults:
        return verdict
    name, head = verdict.before.get("file", ""), verdict.before.get("head", "")
    other = by_name.get(name)
    if other is None:
        return verdict if is_first else _with_fault(verdict, f"it follows {name}, which is not there")
    if head != GENESIS and head not in other.hashes and not other.faults:
        return _with_fault(verdict, f"it follows a line of {name} that is not there any more")
    return verdict


def _with_fault(verdict: Verdict, fault: str) -> Verdict:
    return replace(verdict, faults=(*verdict.faults, fault))


def _wrong(entry: Entry, number: int, prev: str) -> str | None:
    if entry.seq != number:
        return f"has number {entry.seq} instead of {number}: lines were removed, added or moved"
    if entry.prev != prev:
        return "does not follow the line before it"
    if not entry.is_sound:
        return "was changed"
    return None


def _head(path: Path) -> tuple[int, str] | None:
    try:
        count, _, digest = plain_files.read_text(path.with_suffix(HEAD)).partition(" ")
        return int(count), digest.strip()
    except (OSError, ValueError):
        return None


def _is_unwritten(path: Path) -> bool:
    """Whether the head was not written yet. Nobody who cuts off lines gains by it: he could as well have removed the file."""
    head = path.with_suffix(HEAD)
    return not head.exists() or head.stat().st_size == 0


def _against(before: tuple[int, str] | None, after: tuple[int, str] | None, hashes: Sequence[str]) -> list[str]:
    """Whether the file reaches as far as its head says. A process that was killed has written one line more at most."""
    if before is None or after is None:
        return ["its head is missing or unreadable: lines may have been cut off at the end"]
    count, digest = before
    if count > len(hashes):
        return [f"it has {len(hashes)} lines and had {count}: the last ones were cut off"]
    if after[0] < len(hashes) - 1:
        return [f"it has {len(hashes)} lines, and its head knows only {after[0]}"]
    if count and hashes[count - 1] != digest:
        return [f"line {count} is another one than its head says"]
    return []


def _lines(path: Path) -> tuple[list[str], str]:
    """The whole lines, and what follows the last line break."""
    *whole, rest = plain_files.read(path, MAX_READ_BYTES).decode("ascii", "replace").split("\n")
    return whole, rest
