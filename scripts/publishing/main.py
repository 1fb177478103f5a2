"""`scripts/release`: build, check by installing, list licences, and say what is uploaded where."""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import licences
import packages
import preflight
import uploads
from environments import Environment
from failures import CheckFailed

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "build/tools/release/bin"
EXTRAS = "testing,yaml,shell,reader"
"""Extras that users may install."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/release", description="Build and check a release. Nothing is ever uploaded.")
    parser.add_argument("--dry-run", action="store_true", help="build and check everything in dist/")
    parser.add_argument(
        "--allow-dirty", action="store_true", help="go on with changes that are in no commit, or in no version of CHANGELOG.md"
    )
    options = parser.parse_args()
    if not options.dry_run:
        parser.error(
            "it only builds and checks, and uploads nothing. Run scripts/release --dry-run; it ends with the steps of a release, "
            "of which the first, pushing the tag, starts the workflow that publishes"
        )
    try:
        release(allow_dirty=options.allow_dirty)
    except CheckFailed as error:
        raise SystemExit(f"scripts/release: {error}") from None


def release(*, allow_dirty: bool) -> None:
    """Do all of it.

    Raises:
        CheckFailed: a check does not hold; nothing after it was looked at.
    """
    version = preflight.check(ROOT, allow_dirty=allow_dirty)
    files = packages.Files(ROOT / "dist", version)
    tree = "the tree was not looked at" if allow_dirty else "a clean tree"
    _say("version", f"{version}; {tree}; tags, pyproject.toml and CHANGELOG.md agree")
    _timed("workflows", _check_workflows)
    _timed("build", lambda: _build(files))
    with tempfile.TemporaryDirectory(prefix="tabwire-release.") as folder:
        wheel, source, extras = (Environment.new(Path(folder, name)) for name in ("wheel", "sdist", "extras"))
        _timed("wheel", lambda: packages.check_wheel(files, wheel))
        _timed("sdist", lambda: packages.check_sdist(files, source, wheel))
        _timed("PyPI page", lambda: _check_pypi_page(files))
        _timed("store package", lambda: packages.check_store_package(files))
        _timed("server.json", lambda: packages.check_server(files))
        _timed("skill", lambda: packages.check_skill(files))
        _timed("licences", lambda: _list_licences(files, wheel, extras))
    _write_sums(files)
    files.notes.write_text(preflight.sections((ROOT / "CHANGELOG.md").read_text())[version][1].strip() + "\n")
    print(uploads.instructions(files, allow_dirty=allow_dirty))


def _say(what: str, seen: str) -> None:
    print(f"ok  {what:14} {seen}", flush=True)


def _timed(what: str, check: Callable[[], str]) -> None:
    start = time.monotonic()
    seen = check().strip().replace("\n", "; ")
    _say(what, f"{seen} ({time.monotonic() - start:.1f} s)")


def _command(*words: str) -> str:
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        raise CheckFailed(
            f"`{' '.join(words)}` ended with code {run.returncode}:\n{run.stdout}{run.stderr}", "mend what it names"
        )
    return run.stdout or "done"


def _build(files: packages.Files) -> str:
    files.sdist.unlink(missing_ok=True)
    # It starts the bundle from an empty home, too.
    _command("scripts/bundle")
    _command(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(files.folder))
    packages.write_skill(files.skill)
    built = [files.wheel, files.sdist, files.store, files.bundle, files.server, files.skill]
    if missing := [path.name for path in built if not path.is_file()]:
        raise CheckFailed(f"dist/ lacks {missing} after the build", "see what scripts/bundle prints")
    return ", ".join(path.name for path in built) + "; the bundle starts from an empty home"


def _check_workflows() -> str:
    _command(str(TOOLS / "zizmor"), "--offline", "--quiet", ".github/workflows")
    return "zizmor finds nothing to mend"


def _check_pypi_page(files: packages.Files) -> str:
    _command(str(TOOLS / "twine"), "check", "--strict", str(files.wheel), str(files.sdist))
    return "twine takes the description in wheel and sdist"


def _list_licences(files: packages.Files, wheel: Environment, extras: Environment) -> str:
    extras.install(f"{files.wheel}[{EXTRAS}]")
    _sbom(files.version, wheel.python, files.sbom)
    needed = licences.of_sbom(json.loads(files.sbom.read_text()))
    optional = [package for package in _packages_of(files.version, extras.python) if package not in needed]
    development = [
        package for package in _packages_of(files.version, Path(sys.executable)) if package not in [*needed, *optional]
    ]
    node = licences.of_package_lock(json.loads((ROOT / "package-lock.json").read_text()))
    vendored = licences.of_vendored(json.loads((ROOT / "scripts/vendored.json").read_text()))
    if problems := list(licences.problems([*vendored, *needed, *optional, *development, *node])):
        raise CheckFailed(
            "\n".join(problems), "read the package's licence, then add it in scripts/publishing/licences.py or do without"
        )
    groups = {
        "Libraries in the extension, with their texts in extension/vendor/LICENSE.txt": vendored,
        "Packages of an installation": needed,
        f"Packages of its extras ({EXTRAS.replace(',', ', ')})": optional,
        "Tools of development, Python": development,
        "Tools of development, Node.js": node,
    }
    files.licences.write_text(licences.page(files.version, groups))
    counts = ", ".join(f"{len(group)}" for group in groups.values())
    where = "extension, installation, extras, Python tools, Node.js tools"
    return f"of {counts} packages ({where}) known and accepted; {files.sbom.name} written"


def _packages_of(version: str, python: Path) -> list[licences.Package]:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        _sbom(version, python, Path(file.name))
        return licences.of_sbom(json.loads(Path(file.name).read_text(encoding="utf-8")))


def _sbom(version: str, python: Path, out: Path) -> None:
    project = licences.with_version((ROOT / "pyproject.toml").read_text(), version)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pyproject.toml")
        path.write_text(project, encoding="utf-8")
        tool = [str(TOOLS / "cyclonedx-py"), "environment", "--output-reproducible", "--mc-type", "application"]
        _command(*tool, "--pyproject", str(path), "--output-file", str(out), str(python))
    if json.loads(out.read_text(encoding="utf-8"))["metadata"]["component"].get("version") != version:
        raise CheckFailed(
            f"{out.name} does not say that it is about version {version}", "see what pyproject.toml says of the version"
        )


def _write_sums(files: packages.Files) -> None:
    published = [files.wheel, files.sdist, files.bundle, files.store, files.skill, files.server, files.sbom, files.licences]
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in published]
    files.sums.write_text("".join(lines))
    _say("checksums", f"of {len(lines)} files in {files.sums.name}")


if __name__ == "__main__":
    main()
