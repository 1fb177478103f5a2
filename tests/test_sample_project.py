"""The wheel: what is in it, and that it works in an environment of its own, also for the sample project as its owner runs it."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Collection, Iterable
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from e2e.client import Tabwire
from e2e.processes import until_gone
from e2e.site import Site
from publishing.scripts import module

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = module("site/pages").repository()

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT, cwd=out)
    return next(out.glob("tabwire-*.whl"))


def needed(lines: Iterable[str], extras: Collection[str], found: dict[str, Distribution]) -> dict[str, Distribution]:
    """The distributions of this environment that these requirements ask for, and all that those need."""
    for line in lines:
        wish = Requirement(line)
        if wish.marker and not any(wish.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            continue
        one = distribution(wish.name)
        assert wish.specifier.contains(one.version, prereleases=True), f"{line} is asked for, {one.version} is here"
        name = f"{one.name.lower()} {sorted(wish.extras)}"
        if name not in found:
            found[name] = one
            needed(one.requires or (), wish.extras, found)
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment that holds the wheel, what it says it needs, and nothing of this checkout."""
    folder = tmp_path_factory.mktemp("venv")
    # The pip of this environment installs into that one, which spares the copy of pip that would be unpacked there first.
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python", "--disable-pip-version-check", "install"]
    run(*pip, "--quiet", "--no-deps", "--no-index", wheel, cwd=folder)
    # What it needs is here already: there may be no network.
    site = next((folder / "lib").glob("python*/site-packages"))
    package = zipfile.ZipFile(wheel)
    metadata = message_from_bytes(package.read(f"tabwire-{wheel.name.split('-')[1]}.dist-info/METADATA"))
    for one in needed(metadata.get_all("Requires-Dist", ()), (), {}).values():
        for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(one.locate_file(top))))
    return folder / "bin"


def test_the_wheel_carries_the_whole_extension_and_one_version(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    extension = {f"tabwire/_extension/{path.relative_to(ROOT)}" for path in (ROOT / "extension").rglob("*") if path.is_file()}
    assert extension <= names
    assert {"tabwire/_extension/manifest.json", "tabwire/demo/pages/home.html"} <= names
    assert json.loads((ROOT / "manifest.json").read_text())["version"] == wheel.name.split("-")[1]


def test_the_page_on_the_package_index_links_to_files_of_this_version_and_to_nothing_relative(wheel: Path) -> None:
    package = zipfile.ZipFile(wheel)
    version = wheel.name.split("-")[1]
    page = package.read(f"tabwire-{version}.dist-info/METADATA").decode()
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", page)]
    assert [link for link in links if "://" not in link] == []
    files = re.findall(rf"{REPOSITORY}/blob/v{version}/(\S+)", "\n".join(links))
    assert "docs/set-up.md" in files
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert f"](https://raw.githubusercontent.com/tabwire/tabwire/v{version}/docs/tabwire.gif)" in page


def test_the_wheel_carries_no_key_and_no_cache(wheel: Path) -> None:
    bad = ("pairing.json", "__pycache__", ".pem", "keys.json", "node_modules")
    assert [name for name in zipfile.ZipFile(wheel).namelist() if any(part in name for part in bad)] == []


def test_a_server_from_the_installed_wheel_launches_a_browser_and_answers_a_snapshot(installed: Path, tmp_path: Path) -> None:
    site = Site()
    server = Tabwire(
        ["--launch", "--headless"],
        {"TABWIRE_HOME": str(tmp_path / "home"), "PYTHONPATH": ""},
        tmp_path / "server",
        python=str(installed / "python"),
        from_checkout=False,
    )
    try:
        server.open(site.page("<button>From the wheel</button>"))
        assert server.ref("button", "From the wheel").startswith("@e")
    finally:
        server.close()
        site.close()


def test_the_installed_extension_is_copied_and_paired_by_one_command(installed: Path, tmp_path: Path) -> None:
    run(
        "env",
        f"TABWIRE_HOME={tmp_path}/home",
        installed / "tabwire",
        "extension",
        "install",
        "--dir",
        tmp_path / "unpacked",
        cwd=tmp_path,
    )
    manifest = json.loads((tmp_path / "unpacked/manifest.json").read_text())
    assert (tmp_path / "unpacked" / manifest["background"]["service_worker"]).is_file()
    pairing = tmp_path / "unpacked/pairing.json"
    assert pairing.stat().st_mode & 0o077 == 0
    assert set(json.loads(pairing.read_text())) >= {"version", "key", "key_id"}


def test_the_store_package_has_the_manifest_at_its_root_and_the_same_bytes_each_time(installed: Path, tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        run(installed / "tabwire", "extension", "pack", "--out", tmp_path / name, cwd=tmp_path)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    package = zipfile.ZipFile(tmp_path / "one.zip")
    manifest = json.loads(package.read("manifest.json"))
    assert "key" not in manifest
    assert manifest["background"]["service_worker"] in package.namelist()
    assert [name for name in package.namelist() if "pairing.json" in name or name.endswith((".d.ts", "jsconfig.json"))] == []


BROKEN = """
import sys

import tabwire as installed


def test_the_shop_sells_coffee(tabwire, shop):
    tabwire.navigate(shop.url)
    tabwire.click("text:Add tea")
    assert "coffee" in tabwire.snapshot()


def test_tabwire_is_that_of_this_environment():
    assert installed.__file__.startswith(sys.prefix)
"""


class Outsider:
    """A copy of the project and of the environment with the wheel. Where what they leave behind would be is a folder of their own."""

    def __init__(self, folder: Path, temp: Path, installed: Path) -> None:
        self.project = Path(shutil.copytree(ROOT / "tests/sample_project", folder / "project"))
        own = Path(shutil.copytree(installed.parent, folder / "venv", symlinks=True))
        self._python = own / "bin/python"
        self._home = folder / "home"
        self.temp = temp
        # pytest and Selenium too. A link to this checkout that may be there has no effect.
        site = next((own / "lib").glob("python*/site-packages"))
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")

    def _environment(self) -> dict[str, str]:
        foreign = ("PYTHON", "PYTEST", "TABWIRE")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign) or name == "TABWIRE_CHROMIUM"}
        return {**kept, "TABWIRE_HOME": str(self._home), "TMPDIR": str(self.temp), "COLUMNS": "200"}

    def pytest(self, *args: str) -> "subprocess.CompletedProcess[str]":
        command = [str(self._python), "-m", "pytest", f"--basetemp={self.project / 'tmp'}", *args]
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


@pytest.fixture
def outsider(tmp_path: Path, temp: Path, installed: Path) -> Outsider:
    return Outsider(tmp_path, temp, installed)


def test_the_sample_project_runs_in_two_processes_and_a_failure_shows_its_browser(outsider: Outsider) -> None:
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
