"""The rules and the table of the bench of planted bugs (scripts/lab/bench/bugs): a rule that guesses would find what no reply says."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [str(ROOT / "scripts/lab/bench"), str(ROOT / "scripts/lab/apps")]
STACK = "Uncaught TypeError\n  at a (/node_modules/vue/dist/vue.js:7:1)\n  at total (/src/react/totals.js:5:25)"
HEAP = "index,className,addedCount,removedCount,countDelta\n0,(string),9,3,6,1 kB\n1,EventListener,6,0,6,1 kB\n2,PriceSeries,7,1,{growth},1 kB"
REQUEST = "#7\nPOST http://127.0.0.1:1/api/save\n{status}, fetch, 22 B"


@pytest.fixture
def bench() -> Iterator[None]:
    """Its folders on the path."""
    sys.path.extend(FOLDERS)
    yield
    for folder in FOLDERS:
        sys.path.remove(folder)


def module(name: str) -> ModuleType:
    return importlib.import_module(f"bugs.{name}")


RIGHT_AND_WRONG = [
    ("error", STACK, "totals.js:5", STACK.replace("/src/react/", "/node_modules/react/")),
    ("listener", "click — /src/a.js:1:1\nclick (capture) — /src/b.js:2:2", "b.js:2", "no listeners"),
    ("style", "  × color — /src/a.css:1:1\n  = color — /src/b.css:2:2", "b.css:2", "color: red"),
    ("failed-request", REQUEST.format(status=500), "POST /api/save 500", REQUEST.format(status="pending")),
    (
        "failed-request",
        "GET http://a/x\nStatus: net::ERR_FAILED, blocked by CORS policy",
        "GET /x CORS",
        "Status: net::ERR_FAILED",
    ),
    (
        "slow-request",
        "GET http://a/b fetch — 200, 9 ms\nGET http://a/c fetch — 200, 80 ms",
        "/c",
        "GET http://a/b fetch — pending",
    ),
    ("leak", HEAP.format(growth=6), "PriceSeries", HEAP.format(growth=1)),
    ("leak", "Set: +6 (now 8)\nCardEntry: +6 (now 7)", "CardEntry", "Set: +6 (now 8)\nNg: +12 (now 20)"),
    ("covered", 'Covered by @e35 <div id="veil" class="veil">', "veil", '@e30 <button id="order">'),
    ("shift", 'Layout shifts: 1\n  at 8 ms: @e3 <div id="offer"> "x" moved', "offer", "Layout shifts: none"),
    ("blocking", "Blocked the first paint: http://a/x.css 9 ms\nBlocked the first paint: http://a/y.css 80 ms", "/y.css", "none"),
    (
        "blocking",
        "allUrls = [0: http://a/x.css, 1: http://a/y]\n0;s-1;1 ms;2 ms;3 ms;4 ms;1,229 ms;1 ms",
        "/x.css",
        "allUrls = []",
    ),
    ("audit", '- button-name [accessibility]: no name\n  snippet="<button id=\\"go\\">"', "button-name go", "Passed: 15"),
]


@pytest.mark.usefixtures("bench")
@pytest.mark.parametrize(("kind", "right", "answer", "wrong"), RIGHT_AND_WRONG)
def test_a_rule_picks_what_the_reply_says_and_nothing_from_another(kind: str, right: str, answer: str, wrong: str) -> None:
    pick = module("picking").pick
    assert pick(kind, [right]) == answer
    assert pick(kind, [wrong]) != answer
    assert pick(kind, []) is None


@pytest.mark.usefixtures("bench")
def test_every_bug_has_an_answer_a_rule_and_a_session_of_both_servers() -> None:
    bugs = module("catalog").all_bugs()
    assert len({bug.id for bug in bugs}) == len(bugs) == 24
    for bug in bugs:
        assert bug.kind in module("picking").RULES
        assert bug.answer not in (None, "")
        for name in ("tabwire_sessions", "devtools_sessions"):
            assert module(name).steps(bug, "http://a/")


@pytest.mark.usefixtures("bench")
def test_the_table_counts_only_answers_that_are_equal() -> None:
    table = module("table")
    found = table.Outcome("leak", "leak", "A", "Card", "Card", "", 3, 1200)
    other = table.Outcome("leak", "leak", "B", "Card", "Cards", "", 5, 90)
    ended = table.Outcome("error", "error", "A", "a.js:1", None, "no id in the reply of x", 1, 10)
    told = table.Outcome("error", "error", "B", "a.js:1", "a.js:1", "", 2, 20)
    lines = table.markdown([found, other, ended, told]).splitlines()
    assert lines[0] == "| bug | answer | A | calls | tokens | B | calls | tokens |"
    assert lines[2] == "| leak | Card | found | 3 | 1,200 | not found | 5 | 90 |"
    assert lines[4] == "| all | | 1 of 2 | 4 | 1,210 | 1 of 2 | 7 | 110 |"
    assert lines[6:] == ["- leak, B: the replies lead to Cards", "- error, A: no id in the reply of x"]
