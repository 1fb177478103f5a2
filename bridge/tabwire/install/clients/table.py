"""The clients, as data. Paths follow from the platform, the environment and the home given, so that each is tested anywhere."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SERVER_NAME: Final = "tabwire"
"""Name of the server in a configuration. Clients join it with tool names, which may have 64 characters in all."""

LIST_FOR_ANY_CLIENT: Final = "everyday"
"""The list of tools for a client that may never look at the list again."""

_BASES: Mapping[str, tuple[str | None, str]] = {
    "home": (None, ""),
    "roaming": ("APPDATA", "AppData/Roaming"),
    "local": ("LOCALAPPDATA", "AppData/Local"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "support": (None, "Library/Application Support"),
    "claude": ("CLAUDE_CONFIG_DIR", ""),
}
"""Base folder → the variable that names it, and where it is below the home folder otherwise."""

_PLATFORMS = ("win32", "darwin", "linux")


@dataclass(frozen=True, slots=True)
class Machine:
    """A user on a computer.

    Args:
        platform: `sys.platform`; what is neither "win32" nor "darwin" has Linux's paths.
        env: Environment variables.
        home: The user's home folder.
    """

    platform: str
    env: Mapping[str, str]
    home: Path

    @classmethod
    def this(cls) -> Machine:
        """The one this program runs on."""
        return cls(sys.platform, os.environ, Path.home())

    @property
    def family(self) -> str:
        """The platform whose paths count."""
        return self.platform if self.platform in _PLATFORMS else "linux"

    def base(self, name: str) -> Path:
        """A folder of `_BASES`; a variable that is not an absolute path does not count."""
        variable, default = _BASES[name]
        named = Path(self.env.get(variable, "")) if variable else Path()
        return named if named.is_absolute() else self.home / default


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a client's configuration.

    Args:
        base: A folder of `_BASES`.
        sign: The folder below it that is there when the client is; may be a glob pattern.
        file: The configuration file below that.
    """

    base: str
    sign: str
    file: str

    def found(self, machine: Machine) -> list[Path]:
        """The files, there or not, of the clients that are there."""
        root = machine.base(self.base)
        # What the user's own folders are called is no pattern.
        signs = glob.glob(self.sign, root_dir=root) if self.sign else [""]
        return [root / sign / self.file for sign in sorted(signs) if (root / sign).is_dir()]

    def named(self, machine: Machine) -> Path:
        """The file of a client that need not be there."""
        return machine.base(self.base) / self.sign / self.file


@dataclass(frozen=True, slots=True)
class Client:
    """An MCP client.

    Args:
        id: What `--client` takes.
        title: Its name for people.
        places: Platform → where its configuration may be: all that are there count, the last is the usual one.
        project: Its file in a project's folder, if it reads one.
        key: The member of the configuration that holds the servers.
        shape: Members of an entry besides `command` and `args`.
        program: The program that changes this configuration itself; the file is then only read.
        says: Names by which it calls itself in `initialize`.
        lists_added: Whether it was seen to offer its model tools that are added to the list while it is connected.
    """

    id: str
    title: str
    places: Mapping[str, tuple[Place, ...]]
    project: str | None = None
    key: str = "mcpServers"
    shape: Mapping[str, str] = field(default_factory=dict)
    program: str | None = None
    says: tuple[str, ...] = ()
    lists_added: bool = False

    @property
    def tools(self) -> str:
        """The list of tools that costs its conversations little and leaves nothing out of reach."""
        return "core" if self.lists_added else LIST_FOR_ANY_CLIENT

    def installed(self, machine: Machine) -> list[Path]:
        """The configuration files to write: those of each form of the client that is there."""
        return [path for place in self.places[machine.family] for path in place.found(machine)]

    def usual(self, machine: Machine) -> Path:
        """The configuration file of a client that is not there yet."""
        return self.places[machine.family][-1].named(machine)

    def present(self, machine: Machine) -> list[Path]:
        """Every configuration file there is, of former installations too."""
        return [path for place in self.places[machine.family] for path in place.found(machine) if path.is_file()]


def _everywhere(place: Place) -> Mapping[str, tuple[Place, ...]]:
    return dict.fromkeys(_PLATFORMS, (place,))


def _per_user(folder: str, file: str) -> dict[str, tuple[Place, ...]]:
    bases = {"win32": "roaming", "darwin": "support", "linux": "config"}
    return {platform: (Place(base, folder, file),) for platform, base in bases.items()}


_DESKTOP = _per_user("Claude", "claude_desktop_config.json")
# The packaged app, which the installer has put in since February 2026, sees its own copy of the roaming folder only. An earlier
# app may be there as well, and which one the user starts is not known.
_PACKAGED = Place("local", "Packages/Claude_*", "LocalCache/Roaming/Claude/claude_desktop_config.json")

_STDIO = {"type": "stdio"}

CLIENTS: tuple[Client, ...] = (
    # It asks for the changed list and drops what is new in it (seen in August 2026); of Cursor both is reported.
    Client("claude-desktop", "Claude Desktop", {**_DESKTOP, "win32": (_PACKAGED, *_DESKTOP["win32"])}, says=("claude-ai",)),
    Client(
        "claude-code",
        "Claude Code",
        _everywhere(Place("claude", "", ".claude.json")),
        project=".mcp.json",
        shape=_STDIO,
        program="claude",
        says=("claude-code",),
        # Its change log of version 2.1.0.
        lists_added=True,
    ),
    Client(
        "cursor",
        "Cursor",
        _everywhere(Place("home", ".cursor", "mcp.json")),
        project=".cursor/mcp.json",
        says=("cursor-vscode",),
    ),
    Client(
        "vscode",
        "VS Code",
        _per_user("Code", "User/mcp.json"),
        project=".vscode/mcp.json",
        key="servers",
        shape=_STDIO,
        says=("Visual Studio Code",),
        lists_added=True,
    ),
    Client(
        "vscode-insiders",
        "VS Code Insiders",
        _per_user("Code - Insiders", "User/mcp.json"),
        key="servers",
        shape=_STDIO,
        says=("Visual Studio Code - Insiders",),
        lists_added=True,
    ),
)

PRODUCTS: Mapping[str, str] = {
    **{name: client.title for client in CLIENTS for name in client.says},
    "codex-mcp-client": "Codex",
    "gemini-cli-mcp-client": "Gemini CLI",
    "windsurf-client": "Windsurf",
}
"""Name by which a client calls itself → the name by which people know it; also of clients that are configured by hand."""
