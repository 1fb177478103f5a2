#!/usr/bin/env python3
"""Files published beside the wheel, made from pyproject.toml, manifest.json and the tools; none of them is committed.

generate_bundle.py --wheel FILE --bundle DIR --server FILE --uv PROGRAM

DIR becomes the content of an .mcpb bundle (a uv project around the wheel, with its lock), FILE the entry of the MCP registry.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import jsonschema
from PIL import Image, ImageDraw

from tabwire.install import extension_files
from tabwire.install.clients import CLIENTS
from tabwire.surfaces.tool import load_toolset

ROOT = Path(__file__).resolve().parents[1]
SCHEMA_URL = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
FETCH_S = 10
INDEX_URL = "https://pypi.org/simple"
RUN_LOCK = ROOT / "requirements/run.txt"
PIN = re.compile(
    r"^(?P<name>[\w.-]+)==(?P<version>[^\s;]+)(?: ; (?P<marker>[^\\\n]+?))?(?P<hashes>(?: \\\n +--hash=sha256:[0-9a-f]{64})+)$",
    re.M,
)
ENTRY_POINT = "main.py"
ICON_PX = 512
SMOOTHING = 2
BLUE = (24, 90, 157)
CORNER = 26.0
WIRE = ((31.0, 90.0), (62.0, 90.0), (66.0, 38.0), (97.0, 38.0))
"""Ends of the wire and the points it is bent to, in a square of 128."""
STROKES = 600

# What the registry checks first, for when its schema cannot be fetched.
REGISTRY_RULES: dict[str, Any] = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "$schema": {"const": SCHEMA_URL},
        "name": {"type": "string", "minLength": 3, "maxLength": 200, "pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+\S*$", "maxLength": 255},
        "packages": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "version", "transport"],
                "properties": {
                    "registryType": {"const": "pypi"},
                    "transport": {"type": "object", "required": ["type"], "properties": {"type": {"const": "stdio"}}},
                },
            },
        },
    },
}


def project() -> dict[str, Any]:
    """pyproject.toml, with the version of manifest.json in [project]."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return {**told, "project": {**told["project"], "version": extension_files.version()}}


def server_json(told: dict[str, Any]) -> dict[str, Any]:
    """The entry of the MCP registry."""
    about = told["project"]
    package = {
        "registryType": "pypi",
        "identifier": about["name"],
        "version": about["version"],
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": "serve"}],
        "environmentVariables": [
            {"name": f"TABWIRE_{name.upper()}", "description": option["description"], "format": _FORMATS[option["type"]]}
            for name, option in user_options().items()
        ],
    }
    return {
        "$schema": SCHEMA_URL,
        "name": told["tool"]["tabwire"]["mcp-name"],
        "title": extension_files.manifest()["name"],
        "description": about["description"],
        "version": about["version"],
        "packages": [package],
    }


_FORMATS = {"boolean": "boolean", "string": "string"}


def user_options() -> dict[str, dict[str, Any]]:
    """Settings a client may ask its user for: name in the configuration → form."""
    return {
        "launch": {
            "type": "boolean",
            "title": "A browser of its own",
            "description": "Start a Chromium with the extension loaded, instead of using your own Chrome.",
            "default": False,
        },
        "tools": {
            "type": "string",
            "title": "Tools",
            "description": "core, everyday, all, or groups of tools separated by commas.",
            # Bundles are installed in Claude Desktop.
            "default": next(client.tools for client in CLIENTS if client.id == "claude-desktop"),
        },
    }


def bundle_manifest(told: dict[str, Any]) -> dict[str, Any]:
    """manifest.json of the .mcpb bundle."""
    about = told["project"]
    variables = {f"TABWIRE_{name.upper()}": f"${{user_config.{name}}}" for name in user_options()}
    # Frozen: the versions and hashes of uv.lock, whatever is newest on the day of the installation.
    args = ["run", "--frozen", "--directory", "${__dirname}", ENTRY_POINT]
    return {
        "manifest_version": "0.4",
        "name": about["name"],
        "display_name": extension_files.manifest()["name"],
        "version": about["version"],
        "description": about["description"],
        "author": {"name": f"The {extension_files.manifest()['name']} authors"},
        "license": about["license"],
        "keywords": about["keywords"],
        "icon": "icon.png",
        "server": {"type": "uv", "entry_point": ENTRY_POINT, "mcp_config": {"command": "uv", "args": args, "env": variables}},
        "tools": [{"name": tool.name, "description": _first_sentence(tool.description)} for tool in load_toolset("agent").tools],
        "compatibility": {
            # Earlier ones know no manifest of version 0.4, and no servers of type uv.
            "claude_desktop": ">=1.0.0",
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": about["requires-python"]},
        },
        "user_config": user_options(),
    }


def bundle_project(told: dict[str, Any], wheel: str) -> str:
    """pyproject.toml of the bundle: an environment that holds our wheel, with the versions of requirements/run.txt."""
    about = told["project"]
    constraints = json.dumps(version_constraints(RUN_LOCK.read_text()), indent=2)
    return (
        f'[project]\nname = "{about["name"]}-bundle"\nversion = "{about["version"]}"\n'
        f'requires-python = "{about["requires-python"]}"\ndependencies = ["{about["name"]}"]\n\n'
        f"[tool.uv]\npackage = false\nconstraint-dependencies = {constraints}\n\n"
        f'[tool.uv.sources]\n{about["name"]} = {{ path = "{wheel}" }}\n'
    )


def write_bundle(folder: Path, told: dict[str, Any], wheel: Path) -> None:
    """The folder that is packed as a bundle."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps(bundle_manifest(told), indent=2) + "\n")
    (folder / "pyproject.toml").write_text(bundle_project(told, wheel.name))
    (folder / ENTRY_POINT).write_text("from tabwire.cli.bundled import main\n\nraise SystemExit(main())\n")
    shutil.copy(wheel, folder)
    shutil.copy(ROOT / "LICENSE", folder)
    icon(ICON_PX).save(folder / "icon.png", optimize=True)


def version_constraints(requirements: str) -> list[str]:
    """The versions in a requirements file with hashes, as constraints for uv, with their markers."""
    pins = ((pin["name"], pin["version"], pin["marker"]) for pin in PIN.finditer(requirements))
    return [f"{name}=={version}" + (f" ; {marker}" if marker else "") for name, version, marker in pins]


def lock_bundle(folder: Path, wheel: Path, uv: str) -> int:
    """Write uv.lock of a bundle, which must name the files of requirements/run.txt.

    Returns: the number of locked packages.
    Raises: SystemExit if uv cannot lock, or the lock differs.
    """
    # The builder's own settings, such as a private index, do not belong in the lock.
    env = {name: value for name, value in os.environ.items() if not name.startswith("UV_") or name == "UV_CACHE_DIR"}
    command = [
        uv,
        "lock",
        "--quiet",
        "--no-config",
        "--default-index",
        INDEX_URL,
        "--python",
        sys.executable,
        "--directory",
        folder,
    ]
    try:
        subprocess.run(command, env=env, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"The bundle was not locked and must not be published: {error}. uv has to reach {INDEX_URL}") from error
    lock = (folder / "uv.lock").read_text()
    problems = lock_problems(lock, RUN_LOCK.read_text(), {wheel.name: hashlib.sha256(wheel.read_bytes()).hexdigest()})
    if problems:
        raise SystemExit("uv.lock of the bundle differs from requirements/run.txt; run scripts/lock:\n" + "\n".join(problems))
    return len(tomllib.loads(lock)["package"])


def lock_problems(lock: str, requirements: str, own: dict[str, str]) -> list[str]:
    """Differences between a bundle's uv.lock and a requirements file with hashes; empty if each file of the lock is one of those.

    uv leaves out of its lock the files for versions of Python that are not supported: the lock may have fewer hashes per package.

    Args:
        lock: text of uv.lock
        requirements: text of requirements/run.txt
        own: name of our wheel → its SHA-256, in hexadecimal
    """
    pins = {re.sub(r"[-_.]+", "-", pin["name"]).lower(): pin for pin in PIN.finditer(requirements)}
    packages = tomllib.loads(lock)["package"]
    names = {package["name"] for package in packages}
    found = []
    for package in packages:
        name, source = package["name"], package["source"]
        missing = {needed["name"] for needed in package.get("dependencies", [])} - names
        found += [f"{name}: needs {other}, which is not locked" for other in sorted(missing)]
        if "virtual" in source:
            continue
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        hashes = {file.get("hash", "no hash").removeprefix("sha256:") for file in files}
        if "path" in source:
            if hashes != {own.get(source["path"])}:
                found.append(f"{name}: {source['path']} is not the wheel that was built")
        elif source != {"registry": INDEX_URL}:
            found.append(f"{name}: comes from {source}, not from {INDEX_URL}")
        elif name not in pins:
            found.append(f"{name}: not in requirements/run.txt")
        elif package["version"] != pins[name]["version"]:
            found.append(f"{name}: {package['version']}, but {pins[name]['version']} in requirements/run.txt")
        elif not hashes or hashes - set(re.findall(r"[0-9a-f]{64}", pins[name]["hashes"])):
            found.append(f"{name}: its files have other hashes than in requirements/run.txt")
    return found


def icon(size: int) -> Image.Image:
    """The extension's icon at any size. The picture in the repository ends at 128 px, and clients show bundles at 512."""
    whole = size * SMOOTHING
    picture = Image.new("RGBA", (whole, whole))
    draw = ImageDraw.Draw(picture)
    scale = whole / 128

    def dot(x: float, y: float, radius: float) -> None:
        draw.ellipse([(x - radius) * scale, (y - radius) * scale, (x + radius) * scale, (y + radius) * scale], fill="white")

    draw.rounded_rectangle([0, 0, whole - 1, whole - 1], radius=CORNER * scale, fill=BLUE)
    for x, y in (WIRE[0], WIRE[-1]):
        dot(x, y, 15)
    for step in range(STROKES + 1):
        dot(*_on_curve(step / STROKES), 8.5)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def _on_curve(part: float) -> tuple[float, float]:
    """A point of the wire, a cubic Bézier curve."""
    weights = [(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3]
    x, y = (sum(weight * point[axis] for weight, point in zip(weights, WIRE, strict=True)) for axis in (0, 1))
    return x, y


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", text.strip(), maxsplit=1)[0]


def readme_problem(readme: str, name: str) -> str | None:
    """Reason why the registry would not believe that the package is ours."""
    return None if f"mcp-name: {name}" in readme else f"README.md must contain `mcp-name: {name}`"


def official_schema() -> dict[str, Any] | None:
    """The registry's schema; None when it cannot be fetched."""
    try:
        with urllib.request.urlopen(SCHEMA_URL, timeout=FETCH_S) as answer:
            schema: dict[str, Any] = json.load(answer)
            return schema
    except (OSError, ValueError):
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description="Write what an .mcpb bundle and the MCP registry need.")
    parser.add_argument("--wheel", type=Path, required=True)
    parser.add_argument("--bundle", type=Path, required=True)
    parser.add_argument("--server", type=Path, required=True)
    parser.add_argument("--uv", required=True)
    options = parser.parse_args()
    told = project()
    write_bundle(options.bundle, told, options.wheel)
    count = lock_bundle(options.bundle, options.wheel, options.uv)
    print(f"{options.bundle}/uv.lock: {count} packages, with versions and hashes of requirements/run.txt")
    server = server_json(told)
    schema = official_schema()
    jsonschema.validate(server, REGISTRY_RULES)
    jsonschema.validate(server, schema or {})
    problem = readme_problem((ROOT / "README.md").read_text(), server["name"])
    if problem:
        raise SystemExit(problem)
    options.server.write_text(json.dumps(server, indent=2) + "\n")
    by = "the registry's schema" if schema else "our copy of the registry's main rules (its schema could not be fetched)"
    print(f"{options.server}: valid by {by}")


if __name__ == "__main__":
    main()
