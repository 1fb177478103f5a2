"""Checks of the published files, each by using it the way its receiver does."""

from __future__ import annotations

import json
import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from environments import Environment
from failures import CheckFailed

from tabwire.install import extension_files, skill

SKILL_FILE = "tabwire/SKILL.md"
SKILL_FIELD = re.compile(r"^(name|description): *(.+)$", re.MULTILINE)
SKILL_LIMITS = {"name": 64, "description": 1024}
"""Longest values of the fields, by the open standard (agentskills.io)."""
EPOCH = (1980, 1, 1, 0, 0, 0)
SECRET_FILES = ("pairing.json", ".pem", "keys.json")
IMPORTED = re.compile(r"""^\s*(?:import|export)\b[^"'();]*?["'](\.[^"']+)["']""", re.MULTILINE)
IN_HTML = re.compile(r"""(?:src|href)="([^"#:]+)\"""")


@dataclass(frozen=True)
class Files:
    """The published files of one version."""

    folder: Path
    version: str

    def __getattr__(self, name: str) -> Path:
        return self.folder / NAMES[name].format(version=self.version)


NAMES = {
    "wheel": "tabwire-{version}-py3-none-any.whl",
    "sdist": "tabwire-{version}.tar.gz",
    "store": "tabwire-extension-{version}.zip",
    "bundle": "tabwire-{version}.mcpb",
    "server": "server.json",
    "skill": "tabwire-skill-{version}.zip",
    "sbom": "tabwire-{version}.cdx.json",
    "licences": "tabwire-{version}-licences.md",
    "sums": "SHA256SUMS",
    "notes": "RELEASE_NOTES.md",
}


def write_skill(path: Path) -> None:
    """The skill as agents take it: a zip of its folder, with the same bytes for the same text."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(zipfile.ZipInfo(SKILL_FILE, EPOCH), skill.text(), zipfile.ZIP_DEFLATED)


def check_wheel(files: Files, place: Environment) -> str:
    """Install the wheel; the command tells its version, the server answers, and the skill is the published one."""
    place.install(str(files.wheel))
    _check_installed(files.version, place)
    place.tabwire("install", "--skill")
    published = zipfile.ZipFile(files.skill).read(SKILL_FILE).decode()
    found = {path: path.read_text() for path in skill.places(place.home) if path.is_file()}
    if set(found.values()) != {published} or len(found) != len(skill.places(place.home)):
        raise CheckFailed(
            f"`tabwire install --skill` wrote {sorted(map(str, found))}, not {files.skill.name}", "see install/skill"
        )
    return "installed; tells its version, answers initialize, puts the skill in place"


def check_sdist(files: Files, place: Environment, wheel_place: Environment) -> str:
    """Install from source; the result has the same files as the wheel."""
    place.install(str(files.sdist))
    _check_installed(files.version, place)
    built, published = (set(_package_files(one)) for one in (place, wheel_place))
    if built != published:
        raise CheckFailed(
            f"installed from {files.sdist.name}, these files differ from the wheel's: {sorted(built ^ published)[:10]}",
            "compare [tool.hatch.build.targets.sdist] in pyproject.toml with the wheel's",
        )
    return f"built and installed; answers initialize; the same {len(built)} files as the wheel"


def _check_installed(version: str, place: Environment) -> None:
    told = {"tabwire --version": place.tabwire("--version").split()[-1], "initialize": place.initialize()["version"]}
    if set(told.values()) != {version}:
        raise CheckFailed(
            f"the version is {version}, but installed it is {told}", "look for an old file in dist/, delete it, run again"
        )


def _package_files(place: Environment) -> Iterator[str]:
    (package,) = (place.folder / "venv").glob("lib/python*/site-packages/tabwire")
    paths = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return (path.relative_to(package).as_posix() for path in paths)


def check_store_package(files: Files) -> str:
    """Unpack the store package; Chrome finds in it everything that the manifest, the pages and the modules name."""
    package = zipfile.ZipFile(files.store)
    contents = {name: package.read(name) for name in package.namelist()}
    manifest = json.loads(contents[extension_files.MANIFEST])
    if manifest["version"] != files.version or manifest["manifest_version"] != 3 or "key" in manifest:
        raise CheckFailed(
            f"the manifest in {files.store.name} is not one of version {files.version} for a store", "run scripts/bundle"
        )
    if secret := [name for name in contents if name.endswith(SECRET_FILES)]:
        raise CheckFailed(
            f"{files.store.name} holds {secret}", "delete the package, and see what `extension_files.contents` takes"
        )
    if missing := sorted(missing_files(contents)):
        raise CheckFailed(f"{files.store.name} lacks files that it names: {missing}", "add them, or correct what names them")
    return f"{len(contents)} files, all that they name among them; no key"


def missing_files(contents: Mapping[str, bytes]) -> Iterator[str]:
    """Files that a packed extension names and does not have: `the file: the one that names it`."""
    manifest = contents[extension_files.MANIFEST].decode()
    named = [(name, extension_files.MANIFEST) for name in re.findall(r'"(extension/[^"]+)"', manifest)]
    for path, content in contents.items():
        pattern = {".js": IMPORTED, ".html": IN_HTML}.get(posixpath.splitext(path)[1])
        if pattern:
            found = pattern.findall(content.decode())
            named += [(posixpath.normpath(posixpath.join(posixpath.dirname(path), one)), path) for one in found]
    yield from (f"{name} (by {by})" for name, by in named if name not in contents)


def check_server(files: Files) -> str:
    """The registry's entry names the published package and version. `scripts/bundle` has checked it against the schema."""
    entry = json.loads(files.server.read_text())
    (package,) = entry["packages"]
    if {entry["version"], package["version"]} != {files.version} or package["identifier"] != "tabwire":
        raise CheckFailed(
            f"{files.server.name} is that of {package['identifier']} {package['version']}", "run scripts/bundle again"
        )
    return f"{entry['name']} {entry['version']} from PyPI"


def check_skill(files: Files) -> str:
    """The skill has the fields of the open standard, within their limits."""
    package = zipfile.ZipFile(files.skill)
    fields = dict(SKILL_FIELD.findall(package.read(SKILL_FILE).decode().split("---")[1]))
    folder = posixpath.dirname(SKILL_FILE)
    if package.namelist() != [SKILL_FILE] or fields.get("name") != folder:
        raise CheckFailed(
            f"{files.skill.name} is not one folder with the name of its skill, {fields.get('name')}", "see install/skill"
        )
    if long := [name for name, limit in SKILL_LIMITS.items() if not 0 < len(fields.get(name, "")) <= limit]:
        raise CheckFailed(f"the skill's {' and '.join(long)} is missing or longer than {SKILL_LIMITS}", "correct SKILL.md")
    return "one folder, name and description within the standard's limits"
