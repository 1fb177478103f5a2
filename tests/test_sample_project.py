"""The sample project, as its owner runs it: with the wheel installed, in several processes."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from e2e.processes import until_gone

ROOT = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

BROKEN = """
def test_the_shop_sells_coffee(tabwire, shop):
    tabwire.navigate(shop.url)
    tabwire.click("text:Add tea")
    assert "coffee" in tabwire.snapshot()
"""


class Outsider:
    """A copy of the project and an environment with the wheel. Where what they leave behind would be is a folder of their own."""

    def __init__(self, folder: Path, temp: Path) -> None:
        self.project = Path(shutil.copytree(ROOT / "tests/sample_project", folder / "project"))
        self.python = folder / "venv/bin/python"
        self._home = folder / "home"
        self.temp = temp
        self._install(folder)

    def _install(self, folder: Path) -> None:
        build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT]
        self._run(build, cwd=folder)
        venv.create(folder / "venv")
        wheel = next(folder.glob("tabwire-*.whl"))
        pip = [sys.executable, "-m", "pip", "--python", self.python, "--disable-pip-version-check", "install"]
        self._run([*pip, "--quiet", "--no-deps", "--no-index", wheel], cwd=folder)
        # What it depends on is here already: there may be no network. A link to this checkout that may be there has no effect.
        site = next((folder / "venv/lib").glob("python*/site-packages"))
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def _run(self, command: list[str | Path], cwd: Path) -> None:
        done = subprocess.run(command, cwd=cwd, env=self._environment(), capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"

    def _environment(self) -> dict[str, str]:
        foreign = ("PYTHON", "PYTEST", "TABWIRE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign) or name == "TABWIRE_CHROMIUM"}
        return {**kept, "TABWIRE_HOME": str(self._home), "TMPDIR": str(self.temp), "COLUMNS": "200"}

    def pytest(self, *args: str) -> "subprocess.CompletedProcess[str]":
        command = [str(self.python), "-m", "pytest", f"--basetemp={self.project / 'tmp'}", *args]
        return subprocess.run(
            command,
            cwd=self.project,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=200,
            check=False,
        )

    def origin(self) -> Path:
        """Where this environment has Tabwire from."""
        command = [str(self.python), "-c", "import tabwire; print(tabwire.__file__)"]
        done = subprocess.run(
            command, cwd=self.project, env=self._environment(), capture_output=True, text=True, timeout=60, check=True
        )
        return Path(done.stdout.strip())


@pytest.fixture
def outsider(tmp_path: Path, temp: Path) -> Outsider:
    return Outsider(tmp_path, temp)


def test_it_runs_in_two_processes_and_a_failure_shows_its_browser(outsider: Outsider) -> None:
    assert outsider.origin().is_relative_to(outsider.python.parents[1])
    (outsider.project / "tests/test_coffee.py").write_text(BROKEN)
    ran = outsider.pytest("-n", "2", "--tabwire-artifacts=seen")
    assert ran.returncode == 1, ran.stdout
    assert "1 failed, 7 passed" in ran.stdout
    assert "tabwire calls" in ran.stdout
    assert "click(selector='text:Add tea')" in ran.stdout
    assert "1 in the basket" in ran.stdout
    (folder,) = (outsider.project / "seen").iterdir()
    assert folder.name == "tests-test_coffee.py-test_the_shop_sells_coffee"
    assert (folder / "screenshot.png").read_bytes().startswith(b"\x89PNG")
    until_gone(outsider.temp)
