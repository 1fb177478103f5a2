"""Which tests run in which conditions, and what the list of expected failures may say."""

import re
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from e2e.conditions import selection
from e2e.conditions.condition import CONDITIONS
from e2e.conditions.expected_failures import EXPECTED_FAILURES, ExpectedFailure, reason_for
from programs import ROOT

COLLECTED = "tests/e2e/input/test_transformed_frames.py"


def collected(*options: str) -> list[str]:
    """Ids of the tests of a file that would run with these options."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", COLLECTED, *options]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    return re.findall(rf"^{re.escape(COLLECTED)}::(\S+)$", told, re.MULTILINE)


def test_a_marked_test_runs_in_each_condition_that_is_chosen_and_the_others_run_in_none() -> None:
    twice = collected("--condition", "scale-2", "--condition", "zoom-67")
    assert {f"test_frames_out_of_view_are_scrolled_to[{name}]" for name in ("scale-2", "zoom-67")} < {*twice}
    # One condition after the other.
    assert ["scale-2" in name for name in twice] == [True] * (len(twice) // 2) + [False] * (len(twice) // 2)
    assert [name for name in twice if "scale-2" not in name and "zoom-67" not in name] == []


def test_all_conditions_are_chosen_by_one_option() -> None:
    options: dict[str, Any] = {"--conditions": True, "--condition": ["usual"]}
    config: Any = SimpleNamespace(getoption=options.__getitem__)
    assert [one.name for one in selection.chosen(config)] == ["usual", *CONDITIONS]
    options["--conditions"] = False
    assert [one.name for one in selection.chosen(config)] == ["usual"]


@pytest.mark.parametrize("failure", EXPECTED_FAILURES, ids=lambda failure: failure.case)
def test_an_expected_failure_names_a_marked_test_conditions_and_a_reason(failure: ExpectedFailure) -> None:
    path, _, name = failure.case.partition("::")
    function = re.escape(name.partition("[")[0])
    marked = rf"@pytest\.mark\.conditions\n(@.*\n)*def {function}\("
    source = (ROOT / path).read_text()
    assert re.search(marked, source) or (
        f"def {function}(" in source and re.search(r"^pytestmark = .*mark\.conditions", source, re.M)
    )
    assert set(failure.conditions) <= CONDITIONS.keys()
    assert len(failure.reason) > 20


def test_an_expected_failure_without_parameters_means_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (ExpectedFailure("a.py::test_x", ("scale-2",), "all"), ExpectedFailure("a.py::test_y[one]", ("scale-2",), "one"))
    monkeypatch.setattr("e2e.conditions.expected_failures.EXPECTED_FAILURES", listed)
    assert [reason_for(case, "scale-2") for case in ("a.py::test_x", "a.py::test_x[one]", "a.py::test_y[one]")] == [
        "all",
        "all",
        "one",
    ]
    assert [reason_for(case, "scale-2") for case in ("a.py::test_xy", "a.py::test_y", "a.py::test_y[two]")] == [None, None, None]
    assert reason_for("a.py::test_x", "scale-3") is None
