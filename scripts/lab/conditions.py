"""Prints a JUnit report of pytest as a table: the marked tests down, the conditions across."""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bridge")]

from e2e.conditions.condition import CONDITIONS, USUAL  # noqa: E402
from e2e.conditions.selection import CASE, FIXTURE  # noqa: E402

PASSED, FAILED, EXPECTED, ABSENT = "ok", "FAILED", "known", "-"
CASE_WIDTH = 110


def results(report: Path) -> Iterator[tuple[str, str, str, str]]:
    """Yields case, condition, result and the reason of a known failure. A test whose teardown fails as well has two entries."""
    for entry in ElementTree.parse(report).iter("testcase"):
        told = {one.get("name"): one.get("value", "") for one in entry.iter("property")}
        if FIXTURE not in told:
            continue
        skipped = entry.find("skipped")
        is_failed = entry.find("failure") is not None or entry.find("error") is not None
        result = FAILED if is_failed else PASSED if skipped is None else EXPECTED
        yield told[CASE], told[FIXTURE], result, "" if skipped is None else skipped.get("message", "")


def table(report: Path) -> Iterator[str]:
    """Yields the lines of the table, the sums of each condition and the reasons of known failures."""
    cells: dict[str, dict[str, str]] = {}
    reasons: dict[str, set[str]] = {}
    for case, condition, result, reason in results(report):
        row = cells.setdefault(case, {})
        if row.get(condition) != FAILED:
            row[condition] = result
        if reason:
            reasons.setdefault(reason, set()).add(f"{case} in {condition}")
    names = [name for name in (USUAL.name, *CONDITIONS) if any(name in row for row in cells.values())]
    yield " ".join([" " * CASE_WIDTH, *names])
    for case, row in sorted(cells.items()):
        short = case.removeprefix("tests/e2e/").replace("::test_", ": ").replace("_", " ")
        marks = [row.get(name, ABSENT).center(len(name)) for name in names]
        yield " ".join([short[:CASE_WIDTH].ljust(CASE_WIDTH), *marks]).rstrip()
    yield ""
    for name in names:
        sums = Counter(row[name] for row in cells.values() if name in row)
        yield f"{name}: " + ", ".join(f"{sums[result]} {word}" for result, word in WORDS if sums[result])
    for reason, where in sorted(reasons.items()):
        yield f"known: {reason}"
        yield from (f"  {one}" for one in sorted(where))


WORDS = ((PASSED, "passed"), (EXPECTED, "failed as known"), (FAILED, "failed"))

if __name__ == "__main__":
    print("\n".join(table(Path(sys.argv[1]))))
