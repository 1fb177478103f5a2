"""The table that `scripts/lab/conditions` prints."""

import importlib.util
from pathlib import Path

from programs import ROOT

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
