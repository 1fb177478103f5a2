"""The plugin for Claude Code: what it says stands elsewhere too, and may not differ."""

import json
import tomllib
from typing import Any

from programs import ROOT
from tabwire.install import skill
from tabwire.install.clients import CLIENTS
from tabwire.install.clients.entry import TOOLS
from tabwire.install.clients.table import SERVER_NAME


def read(name: str) -> Any:
    return json.loads((ROOT / ".claude-plugin" / name).read_text(encoding="utf-8"))


def test_the_plugin_starts_the_server_as_install_does_and_has_the_skill() -> None:
    plugin = read("plugin.json")
    (code,) = [client for client in CLIENTS if client.id == "claude-code"]
    assert plugin["mcpServers"] == {SERVER_NAME: {"command": "tabwire", "args": ["serve", TOOLS, code.tools]}}
    assert [(ROOT / folder / "SKILL.md").read_text(encoding="utf-8") for folder in plugin["skills"]] == [skill.text()]


def test_the_plugin_has_the_version_and_the_words_of_the_package() -> None:
    plugin, marketplace = read("plugin.json"), read("marketplace.json")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert plugin["version"] == json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))["version"]
    assert [plugin[name] for name in ("name", "description", "license", "keywords")] == [
        project[name] for name in ("name", "description", "license", "keywords")
    ]
    assert [(one["name"], one["source"], one["description"]) for one in marketplace["plugins"]] == [
        (plugin["name"], "./", plugin["description"])
    ]
