"""`tabwire demo`: the main job in the bundled app, told by its exit code and its transcript."""

import re
import subprocess
from pathlib import Path

import pytest

from e2e.site import Site
from programs import ran

pytestmark = pytest.mark.slow


def demo(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return ran("demo", "--headless", *args, home=home, timeout=100, cwd=home)


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
