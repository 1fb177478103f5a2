"""`tabwire demo`: the main job in the bundled app, told by its exit code and its transcript."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.client import ROOT
from e2e.site import Site

pytestmark = pytest.mark.slow


def demo(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "TABWIRE_HOME": str(home), "PYTHONPATH": str(ROOT / "bridge")}
    command = [sys.executable, "-m", "tabwire", "demo", "--headless", *args]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, cwd=home)


def test_the_demo_does_the_main_job_and_checks_it(tmp_path: Path) -> None:
    done = demo(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r'-> click \{"selector": "@e\d+"\} \(link "Order"\) +[\d.]+ ms', done.stdout)
    assert "PASSED" in done.stdout
    assert "WRONG" not in done.stdout


def test_the_demo_prints_the_snapshot_of_any_page(tmp_path: Path, running_site: Site) -> None:
    done = demo(tmp_path, "--url", running_site.url("/status/200"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'heading "Status 200"' in done.stdout


def test_the_demo_fails_when_the_page_cannot_be_reached(tmp_path: Path) -> None:
    done = demo(tmp_path, "--url", "http://127.0.0.1:9/")
    assert done.returncode == 1
    assert "FAILED" in done.stdout
