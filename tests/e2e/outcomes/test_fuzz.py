"""A small part of `scripts/lab/fuzz`: whatever a client sends is answered in time, by something better than an unknown error."""

from pathlib import Path

import pytest

from e2e.site import Site
from fuzz.calls import Fuzz, Report
from fuzz.lines import fuzz_lines
from fuzz.surfaces import SURFACES, Surface

CALLS = {"agent": 50, "facade": 20, "browseagent": 20, "instrument": 20, "reader": 30}
LINES = 60
SEED = 20261122
LEAST_VALID = 0.4
"""Share of few calls; of many it is half."""


def assert_well(report: Report) -> None:
    assert report.problems == [], "\n".join([str(report), *report.problems])


@pytest.mark.slow
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.name)
def test_no_call_of_a_surface_ends_in_a_defect(surface: Surface, tmp_path: Path, site: Site) -> None:
    fuzz = Fuzz(surface, tmp_path, site)
    try:
        report = fuzz.run(CALLS[surface.name], SEED)
    finally:
        fuzz.close()
    assert_well(report)
    assert report.valid >= LEAST_VALID * report.calls, report


def test_no_line_ends_in_silence_or_a_defect(tmp_path: Path) -> None:
    report = fuzz_lines(tmp_path, LINES, SEED)
    assert_well(report)
    assert report.valid > LINES / 5, report
