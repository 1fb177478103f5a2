"""What is published beside the wheel: one version, one description, and what the validators demand. `scripts/bundle` runs them."""

import importlib.util
import json
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from PIL import Image, ImageChops, ImageStat

ROOT = Path(__file__).resolve().parents[1]
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
    assert {name: getattr(config, name) for name in options} == {"launch": False, "tools": ["all"]}


def test_every_tool_is_listed_with_one_sentence(generator: ModuleType) -> None:
    from tabwire.surfaces.tool import load_toolset

    listed = generator.bundle_manifest(generator.project())["tools"]
    assert [tool["name"] for tool in listed] == [tool.name for tool in load_toolset("agent").tools]
    assert all(tool["description"] for tool in listed)


def test_a_readme_that_does_not_name_the_registry_entry_is_refused(generator: ModuleType) -> None:
    assert generator.readme_problem("text <!-- mcp-name: io.github.x/y -->", "io.github.x/y") is None
    assert "mcp-name: io.github.x/y" in generator.readme_problem("text", "io.github.x/y")
