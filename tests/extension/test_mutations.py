"""The faults of `scripts/lab/mutations` fit the extension as it is: each has one place, and a test to catch it."""

import runpy
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAULTS = runpy.run_path(str(ROOT / "scripts/lab/mutations.py"))["FAULTS"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_fits_in_one_place_and_has_a_test(fault: Any) -> None:
    assert (ROOT / "extension" / fault.path).read_text().count(fault.sound) == 1
    assert fault.faulty != fault.sound
    assert (ROOT / "tests/e2e" / fault.test).is_file()


def test_there_are_enough_faults_of_different_names() -> None:
    assert len(FAULTS) >= 12
    assert max(Counter(fault.name for fault in FAULTS).values()) == 1
