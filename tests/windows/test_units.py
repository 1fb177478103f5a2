"""Unit tests of the bridge, run by CPython for Windows; `left_out.py` says which ones are not, and why."""

import os
import subprocess

import pytest

from programs import ROOT
from windows import wine
from windows.left_out import LEFT_OUT

pytestmark = [pytest.mark.skipif(not wine.IS_SET_UP, reason=wine.WITHOUT), pytest.mark.timeout(1800)]

WHOLE = "TABWIRE_WHOLE_WINDOWS"
"""Variable that chooses all folders; `scripts/windows --all` sets it."""
DIFFERENT = ("disk", "eventlog", "install", "server", "windows", "wire")
"""Folders of tests about what differs between systems most."""
FOLDERS = sorted(path.name for path in (ROOT / "tests/bridge").iterdir() if path.is_dir() and any(path.rglob("test_*.py")))


@pytest.fixture(scope="module", autouse=True)
def services() -> None:
    wine.start_services()


@pytest.mark.parametrize("folder", FOLDERS if os.environ.get(WHOLE) else DIFFERENT)
def test_they_pass_on_windows(folder: str) -> None:
    left_out = [word for node in LEFT_OUT for word in (f"--{'deselect' if '::' in node else 'ignore'}", node)]
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--timeout", "300", "--tb", "short"]
    done = subprocess.run(
        ["wine", str(wine.PYTHON), "-m", "pytest", f"tests/bridge/{folder}", *options, *left_out],
        cwd=ROOT, env=wine.environment(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-20_000:]}\n{done.stderr[-2000:]}"


def test_what_is_left_out_is_there() -> None:
    named = [node.partition("[")[0].split("::") for node in LEFT_OUT]
    assert [node for node in named if f"def {node[1]}(" not in (ROOT / node[0]).read_text(encoding="utf-8")] == []
