"""Runs `tabwire` commands for a user who has nothing but a temporary home folder."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from programs import ROOT, ran, ran_here

_FORGOTTEN = ("APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR")


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    code: int
    out: str
    err: str


class User:
    """A home folder, and a PATH on which only the tests put programs.

    Args:
        is_process: Whether each command is a process of its own.
    """

    def __init__(self, folder: Path, *, is_process: bool = True) -> None:
        self._run = ran if is_process else ran_here
        self.home = folder / "home"
        self.bin = folder / "bin"
        self.work = folder / "work"
        for path in (self.home, self.bin, self.work):
            path.mkdir()
        self.extension = self.home / "Tabwire-extension"

    def environment(self) -> dict[str, str]:
        """Nothing of the real user's."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TABWIRE_") and name not in _FORGOTTEN}
        if first_port := os.environ.get("TABWIRE_FIRST_PORT"):
            kept["TABWIRE_FIRST_PORT"] = first_port
        return {
            **kept,
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "PATH": str(self.bin),
            "PYTHONPATH": str(ROOT / "bridge"),
        }

    def run(self, *words: str, **env: str) -> Done:
        """Run `tabwire` with these words."""
        done = self._run(*words, env={**self.environment(), **env}, cwd=self.work)
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def ok(self, *words: str, **env: str) -> str:
        """Run it; it must succeed."""
        done = self.run(*words, **env)
        assert done.code == 0, f"{done.out}\n{done.err}"
        return done.out

    def write(self, name: str, text: str) -> Path:
        """A file in the home folder."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def json(self, name: str) -> Any:
        """What a file in the home folder says."""
        return json.loads((self.home / name).read_text())

    def files(self) -> dict[str, bytes]:
        """Everything in the home and the working folder."""
        found = [path for folder in (self.home, self.work) for path in folder.rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in found}

    def program(self, name: str, script: str) -> None:
        """Put a Python script on PATH."""
        path = self.bin / name
        path.write_text(f"#!{sys.executable}\n{script}")
        path.chmod(0o755)
