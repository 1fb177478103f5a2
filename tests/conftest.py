"""Fixtures every part of the suite may use."""

from pathlib import Path

import pytest

# A project of its own: test_sample_project.py runs it as its owner would.
collect_ignore = ["sample_project"]

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository root, which is also the unpacked extension."""
    return ROOT
