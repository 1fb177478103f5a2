"""Fixtures every part of the suite may use."""

import gc
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.conditions import selection

# A shell starts what runs in its background with SIGINT ignored, and all that it starts inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Collected tests stay: to look again and again for what could be freed among them takes more than half of the time of their collection.
gc.disable()

# A project of its own: test_sample_project.py runs it as its owner would.
collect_ignore = ["sample_project"]

ROOT = Path(__file__).resolve().parents[1]
BROWSED = ("e2e", "extension")
"""Folders of tests in a browser."""


def pytest_addoption(parser: pytest.Parser) -> None:
    selection.add_options(parser)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where everything temporary goes. Short: Chromium aborts when the path of a socket in it exceeds 108 bytes."""
    # `tmp_path` comes first: pytest keeps the folders of all tests where the first of them was made.
    with tempfile.TemporaryDirectory(prefix="tw") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository root, which is also the unpacked extension."""
    return ROOT


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long come first and those without a browser last: no process is left alone with a long file at the end."""
    longest = [ROOT / line for line in (ROOT / "tests/longest.txt").read_text().split()]
    if gone := [file for file in longest if not file.is_file()]:
        raise pytest.UsageError(f"tests/longest.txt names what is not there: {', '.join(map(str, gone))}")
    place = {file: number for number, file in enumerate(longest)}
    items.sort(key=lambda item: place.get(item.path, len(place) + (item.path.parts[len(ROOT.parts) + 1] not in BROWSED)))
    selection.select(config, items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Also where others collect: the process that hands the tests out."""
    gc.enable()
