"""Fixtures every part of the suite may use."""

import signal
from pathlib import Path

import pytest

# A shell starts what runs in its background with SIGINT ignored, and all that it starts inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A project of its own: test_sample_project.py runs it as its owner would.
collect_ignore = ["sample_project"]

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository root, which is also the unpacked extension."""
    return ROOT
