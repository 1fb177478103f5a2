"""What is published beside the wheel: one version, one description, and what the validators demand. `scripts/bundle` runs them."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from packaging.requirements import Requirement
from PIL import Image, ImageChops, ImageStat

ROOT = Path(__file__).resolve().parents[1]
RUN = (ROOT / "requirements/run.txt").read_text()
VERSION = json.loads((ROOT / "manifest.json").read_text())["version"]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_bundle", ROOT / "scripts/generate_bundle.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def server(generator: ModuleType) -> dict[str, Any]:
    told: dict[str, Any] = generator.server_json(generator.project())
    return told


def test_the_registry_entry_follows_its_main_rules(generator: ModuleType, server: dict[str, Any]) -> None:
    jsonschema.validate(server, generator.REGISTRY_RULES)


@pytest.mark.parametrize(
    "change",
    [{"description": "x" * 101}, {"name": "tabwire"}, {"name": "a/b/c"}, {"version": "latest"}, {"packages": []}, {"title": ""}],
)
def test_the_rules_refuse_what_the_registry_refuses(
    generator: ModuleType, server: dict[str, Any], change: dict[str, Any]
) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**server, **change}, generator.REGISTRY_RULES)


def test_there_is_one_version_everywhere(generator: ModuleType, server: dict[str, Any], tmp_path: Path) -> None:
    wheel = tmp_path / f"tabwire-{VERSION}-py3-none-any.whl"
    wheel.touch()
    generator.write_bundle(tmp_path / "bundle", generator.project(), wheel)
    bundle = json.loads((tmp_path / "bundle/manifest.json").read_text())
    project = tomllib.loads((tmp_path / "bundle/pyproject.toml").read_text())
    package = server["packages"][0]
    assert {server["version"], package["version"], bundle["version"], project["project"]["version"]} == {VERSION}
    assert project["tool"]["uv"]["sources"] == {"tabwire": {"path": wheel.name}}
    assert bundle["description"] == server["description"]
    files = {bundle["icon"], bundle["server"]["entry_point"], wheel.name, "manifest.json", "pyproject.toml", "LICENSE"}
    assert {path.name for path in (tmp_path / "bundle").iterdir()} == files


def test_the_bundle_is_held_to_the_versions_of_the_lock(generator: ModuleType) -> None:
    project = tomllib.loads(generator.bundle_project(generator.project(), "x.whl"))
    held = [Requirement(one) for one in project["tool"]["uv"]["constraint-dependencies"]]
    # Read in another way than the generator's.
    lines = [Requirement(line.removesuffix("\\")) for line in RUN.splitlines() if re.match(r"[a-z]", line)]
    assert [str(one) for one in held] == [str(one) for one in lines] and len(held) > 20
    assert "--frozen" in generator.bundle_manifest(generator.project())["server"]["mcp_config"]["args"]


OWN = {"x.whl": "0" * 64}


def lock(generator: ModuleType) -> str:
    """A lock of uv with all packages and hashes of requirements/run.txt, and our wheel."""
    text = 'version = 1\n[[package]]\nname = "tabwire-bundle"\nversion = "1"\nsource = { virtual = "." }\n'
    text += '[[package]]\nname = "tabwire"\nversion = "1"\nsource = { path = "x.whl" }\ndependencies = [{ name = "mcp" }]\n'
    text += f'wheels = [{{ filename = "x.whl", hash = "sha256:{OWN["x.whl"]}" }}]\n'
    for block in re.split(r"\n(?=[a-z])", RUN)[1:]:
        ((name, version),) = re.findall(r"\A(\S+)==(\S+)", block)
        files = [f'{{ url = "https://x/{digest}", hash = "{digest}" }}' for digest in re.findall(r"sha256:[0-9a-f]{64}", block)]
        text += f'[[package]]\nname = "{name}"\nversion = "{version}"\nsource = {{ registry = "{generator.INDEX_URL}" }}\n'
        text += f"sdist = {files[0]}\nwheels = [{', '.join(files[1:])}]\n"
    return text


def test_a_lock_of_the_files_of_the_requirements_passes(generator: ModuleType) -> None:
    assert generator.lock_problems(lock(generator), RUN, OWN) == []
    # uv leaves files for old versions of Python out.
    fewer = re.sub(r"(?m)^(wheels = \[\{ url[^}]+\}).*$", r"\g<1>]", lock(generator))
    assert len(fewer) < len(lock(generator)) and generator.lock_problems(fewer, RUN, OWN) == []


DIFFERENT = {
    "another version": (r'(name = "mcp"\nversion = ")[^"]+', r"\g<1>0.0.1", "mcp: 0.0.1, but"),
    "another hash of an archive": (
        r'(name = "mcp"\n(?:.*\n){2}sdist = .*sha256:).',
        r"\g<1>g",
        "mcp: its files have other hashes",
    ),
    "another hash of a wheel": (
        r'(name = "mcp"\n(?:.*\n){3}wheels = .*hash = "sha256:).',
        r"\g<1>g",
        "mcp: its files have other hashes",
    ),
    "a file without a hash": (
        r'(name = "mcp"\n(?:.*\n){2}sdist = .*), hash = "[^"]+"',
        r"\g<1>",
        "mcp: its files have other hashes",
    ),
    "no files": (r'(name = "mcp"\n(?:.*\n){2})sdist.*\nwheels.*', r"\g<1>", "mcp: its files have other hashes"),
    "another index": (r'(name = "mcp"\n.*\nsource = \{ registry = ")', r"\g<1>https://mirror.example/", "mcp: comes from"),
    "a repository": (r'(name = "mcp"\n.*\nsource = ).*', r'\g<1>{ git = "https://x/mcp" }', "mcp: comes from"),
    "a package more": (r'name = "mcp"\nversion', 'name = "mcp-more"\nversion', "mcp-more: not in requirements/run.txt"),
    "a package less": (r'name = "mcp"\n', 'name = "anyio"\n', "tabwire: needs mcp, which is not locked"),
    "another wheel of ours": (r"sha256:0{64}", "sha256:" + "1" * 64, "tabwire: x.whl is not the wheel that was built"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_lock_that_differs_from_the_requirements_fails(generator: ModuleType, name: str) -> None:
    pattern, replacement, problem = DIFFERENT[name]
    changed, count = re.subn(pattern, replacement, lock(generator))
    assert count == 1
    assert any(problem in one for one in generator.lock_problems(changed, RUN, OWN))


def test_a_bundle_that_cannot_be_locked_is_refused(generator: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "x.whl"
    wheel.touch()
    with pytest.raises(SystemExit, match="was not locked and must not be published"):
        generator.lock_bundle(tmp_path, wheel, str(tmp_path / "no-uv"))


def test_the_icon_is_that_of_the_extension_at_the_size_clients_ask_for(generator: ModuleType) -> None:
    assert generator.icon(generator.ICON_PX).size == (512, 512)
    drawn, shown = generator.icon(128), Image.open(ROOT / "extension/icons/128.png")
    assert max(ImageStat.Stat(ImageChops.difference(drawn, shown)).mean) < 8


def test_each_setting_of_the_bundle_is_one_of_the_server(generator: ModuleType) -> None:
    from tabwire.config import load

    env = generator.bundle_manifest(generator.project())["server"]["mcp_config"]["env"]
    options = generator.user_options()
    assert env == {f"TABWIRE_{name.upper()}": f"${{user_config.{name}}}" for name in options}
    # As a client fills them in.
    filled = {f"TABWIRE_{name.upper()}": str(option["default"]).lower() for name, option in options.items()}
    config = load({}, {**filled, "TABWIRE_HOME": "/nowhere"})
    assert {name: getattr(config, name) for name in options} == {"launch": False, "tools": ["everyday"]}


def test_every_tool_is_listed_with_one_sentence(generator: ModuleType) -> None:
    from tabwire.surfaces.tool import load_toolset

    listed = generator.bundle_manifest(generator.project())["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in load_toolset("agent").tools]
    assert all(tool["description"] for tool in listed)


def test_a_readme_that_does_not_name_the_registry_entry_is_refused(generator: ModuleType) -> None:
    assert generator.readme_problem("text <!-- mcp-name: io.github.x/y -->", "io.github.x/y") is None
    assert "mcp-name: io.github.x/y" in generator.readme_problem("text", "io.github.x/y")


PACKAGED_CLAUDE = (
    r"C:\Users\firstname.lastname\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\Claude Extensions"
)
MAX_PATH = 259
"""Characters of a path on Windows, where long ones are not allowed."""


def test_paths_of_the_bundle_are_short_enough_for_the_packaged_claude_desktop(generator: ModuleType) -> None:
    about = generator.bundle_manifest(generator.project())
    maker = about["author"]["name"].lower().replace(" ", "-")
    folder = rf"{PACKAGED_CLAUDE}\local.mcpb.{maker}.{about['name']}\.venv\Lib\site-packages"
    sources = [path for path in (ROOT / "bridge").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    ours = [str(path.relative_to(ROOT / "bridge")) for path in sources]
    ours += [
        str(path.relative_to(ROOT / "bridge").parent / f"__pycache__/{path.stem}.cpython-313.pyc")
        for path in sources
        if path.suffix == ".py"
    ]
    ours += [f"tabwire/_extension/{path.relative_to(ROOT)}" for path in (ROOT / "extension").rglob("*") if path.is_file()]
    too_long = [path for path in ours if len(folder) + 1 + len(path) > MAX_PATH]
    assert too_long == []
