"""The wheel: what is in it, and that it works in an empty environment."""

import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from e2e.client import Tabwire
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin directory of an environment that holds the wheel and nothing of this checkout."""
    folder = tmp_path_factory.mktemp("venv")
    # The pip of this environment installs into that one, which spares the copy of pip that would be unpacked there first.
    venv.create(folder)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python", "--disable-pip-version-check", "install"]
    run(*pip, "--quiet", wheel, cwd=folder)
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
