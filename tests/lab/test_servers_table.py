"""The table of the benchmark beside other servers (scripts/lab/bench/servers): a wrong one would flatter or slander somebody."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = str(Path(__file__).resolve().parents[2] / "scripts/lab/bench")
PEERS = ("playwright", "agent-browser")


@pytest.fixture
def table() -> Iterator[ModuleType]:
    """Its module `table`."""
    sys.path.insert(0, FOLDER)
    yield importlib.import_module("servers.table")
    sys.path.remove(FOLDER)


def test_cells_have_median_and_minimum_and_a_factor_to_the_best_peer(table: ModuleType) -> None:
    cells = {
        "launched": table.Cell([8.0, 4.0, 5.0]),
        "own": table.Cell([10.0]),
        "playwright": table.Cell([500.0]),
        "agent-browser": table.Cell([25.0]),
    }
    row = table.TableRow("click", "ms", table.Goal(8, 9), cells)
    lines = table.markdown([row], list(cells), PEERS).splitlines()
    assert lines[0] == "| work | launched | own | playwright | agent-browser | best peer / Tabwire | goal |"
    assert lines[2] == (
        "| click, ms | 5.00 / 4.00 | 10.0 / 10.0 | 500 / 500 | 25.0 / 25.0 | 5.0× / 2.5× agent-browser | ≤ 8 / 9: met / 1.1× |"
    )


def test_an_act_that_did_not_happen_is_an_error_and_never_a_time(table: ModuleType) -> None:
    cells = {
        "launched": table.Cell([4.0, 4.0], ["the page saw 1 of 2 clicks"]),
        "playwright": table.Cell([1.0], ["lost | twice", "lost | twice"]),
        "agent-browser": table.Cell([20.0]),
    }
    row = table.TableRow("click", "ms", table.Goal(8, 8), cells)
    text = table.markdown([row], list(cells), PEERS)
    assert "| click, ms | error | error | 20.0 / 20.0 | – | ≤ 8 |" in text
    assert text.endswith("\nErrors:\n- click, launched: the page saw 1 of 2 clicks\n- click, playwright: lost \\| twice\n")
    assert row.best_peer(PEERS) == ("agent-browser", 20.0)
    kept = table.as_json([row])[0]["servers"]["launched"]
    assert (kept["median"], kept["min"], kept["samples"]) == (None, None, [4.0, 4.0])


def test_a_goal_is_a_limit_or_a_multiple_of_the_floor(table: ModuleType) -> None:
    cells = {"launched": table.Cell([14.0]), "own": table.Cell([9.0]), "floor": table.Cell([8.0])}
    row = table.TableRow("small page", "ms", table.Goal(floors=1.5), cells)
    assert row.verdict() == "≤ 1.5 × floor: 1.2× / met"
    assert [one.is_met for one in row.against_goal()] == [False, True]
    without = table.TableRow("small page", "ms", table.Goal(floors=1.5), {"launched": table.Cell([14.0])})
    assert (without.verdict(), without.against_goal()) == ("≤ 1.5 × floor", [])


def test_a_server_without_a_tool_has_no_figure(table: ModuleType) -> None:
    cells = {"launched": table.Cell([3.0]), "playwright": table.Cell()}
    row = table.TableRow("title", "ms", table.Goal(), cells)
    assert "| title, ms | 3.00 / 3.00 | – | – | – |" in table.markdown([row], list(cells), PEERS)
