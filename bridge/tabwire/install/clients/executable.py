"""The words that start this program again, from any folder and without the shell's PATH."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tabwire import INSTALL_COMMAND
from tabwire.errors import UnsupportedOperation

_UV_CACHE = re.compile(r"(archive|builds|environments)-v\d+")


@dataclass(frozen=True, slots=True)
class Running:
    """The way in which this program was started.

    Args:
        platform: `sys.platform`.
        argv0: `sys.argv[0]`.
        executable: `sys.executable`.
        prefix: `sys.prefix`.
        env: Environment variables.
        origin: What `uvx --from` needs to find this distribution again; None for the package index.
        which: Finds a program on PATH.
    """

    platform: str
    argv0: str
    executable: str
    prefix: str
    env: Mapping[str, str]
    origin: str | None = None
    which: Callable[[str], str | None] = shutil.which

    @classmethod
    def this(cls) -> Running:
        """Describe this process."""
        return cls(sys.platform, sys.argv[0], sys.executable, sys.prefix, os.environ, _origin())

    @property
    def suffix(self) -> str:
        """File name suffix of programs."""
        return ".exe" if self.platform == "win32" else ""


def start_words(running: Running) -> list[str]:
    """Program and arguments.

    Raises:
        UnsupportedOperation: This program runs from a place that will not stay, and nothing else starts it.
    """
    parts = re.split(r"[\\/]", running.prefix)
    if any(_UV_CACHE.fullmatch(part) for part in parts):
        return _uvx(running)
    if "pipx" in parts and "venvs" not in parts:
        raise UnsupportedOperation(
            "This tabwire runs from a temporary environment (`pipx run`), which no client could start later.",
            next_step=f"Run `pipx install tabwire`, then `{INSTALL_COMMAND}`.",
        )
    script = _script(running)
    return [str(script)] if script else [running.executable, "-m", "tabwire"]


def _uvx(running: Running) -> list[str]:
    """uv's cache is cleaned at times: uvx itself has to be asked each time."""
    uv = running.env.get("UV") or running.which("uv")
    beside = Path(uv).with_name(f"uvx{running.suffix}") if uv else None
    found = str(beside) if beside and beside.is_file() else running.which("uvx")
    if not (found or uv):
        raise UnsupportedOperation(
            "This tabwire runs from uv's cache, which is cleaned at times, and uvx is not to be found.",
            next_step=f"Run `uv tool install tabwire`, then `{INSTALL_COMMAND}`.",
        )
    words = [str(Path(found).absolute())] if found else [str(Path(str(uv)).absolute()), "tool", "run"]
    return [*words, *(["--from", running.origin] if running.origin else []), "tabwire"]


def _script(running: Running) -> Path | None:
    """The installed program; a link to it stays a link, as its target may have its version in its name."""
    called = Path(running.argv0)
    beside = Path(running.executable).with_name("tabwire")
    for path in (called, beside):
        if path.name.removesuffix(".exe") == "tabwire":
            file = path.absolute() if path.suffix == ".exe" else Path(f"{path.absolute()}{running.suffix}")
            if file.is_file():
                return file
    return None


def _origin() -> str | None:
    """Source that this distribution was installed from; None for an index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        told = json.loads(distribution("tabwire").read_text("direct_url.json") or "null")
    except (PackageNotFoundError, ValueError):
        return None
    if not isinstance(told, dict) or not isinstance(told.get("url"), str):
        return None
    kind = told.get("vcs_info", {}).get("vcs")
    return f"{kind}+{told['url']}" if kind else str(told["url"])
