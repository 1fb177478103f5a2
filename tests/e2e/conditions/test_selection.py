"""Which tests run in which conditions, what the list of expected failures may say, and the table of results."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from e2e.conditions import selection
from e2e.conditions.condition import CONDITIONS
from e2e.conditions.expected_failures import EXPECTED_FAILURES, ExpectedFailure, reason_for
from programs import ROOT

COLLECTED = "tests/e2e/page/test_transformed_frames.py"


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


REPORT = """<testsuites><testsuite>{}</testsuite></testsuites>"""
ENTRY = """<testcase name="t"><properties><property name="condition" value="{}"/><property name="case" value="{}"/></properties>{}</testcase>"""


def test_the_table_has_a_row_for_each_test_and_a_column_for_each_condition(tmp_path: Path) -> None:
    entries = [
        ENTRY.format("usual", "tests/e2e/a.py::test_one", ""),
        ENTRY.format("scale-2", "tests/e2e/a.py::test_one", "<failure message='x'/>"),
        ENTRY.format("window-unfocused", "tests/e2e/a.py::test_one", "<skipped type='pytest.xfail' message='no blur'/>"),
        # A test that has passed and could not be torn down.
        ENTRY.format("scale-2", "tests/e2e/a.py::test_two", ""),
        ENTRY.format("scale-2", "tests/e2e/a.py::test_two", "<error message='x'/>"),
        "<testcase name='of no condition'/>",
    ]
    report = tmp_path / "report.xml"
    report.write_text(REPORT.format("".join(entries)))
    spec = importlib.util.spec_from_file_location("lab_conditions", ROOT / "scripts/lab/conditions.py")
    assert spec and spec.loader
    lab = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(lab)
    lines = [" ".join(line.split()) for line in lab.table(report)]
    assert lines == [
        "usual scale-2 window-unfocused",
        "a.py: one ok FAILED known",
        "a.py: two - FAILED -",
        "",
        "usual: 1 passed",
        "scale-2: 2 failed",
        "window-unfocused: 1 failed as known",
        "known: no blur",
        "tests/e2e/a.py::test_one in window-unfocused",
    ]
