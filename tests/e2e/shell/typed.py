"""What a person types in a shell beside their browser."""

import json
import os
import re
import subprocess
import sys
from typing import Any

from e2e.cdp import Page
from e2e.plain import PlainChromium
from programs import command, environment, ran_here


class Shell:
    """A person's shell beside their browser.

    Args:
        chromium: the browser; its home is that of the sessions.
    """

    def __init__(self, chromium: PlainChromium) -> None:
        self.chromium = chromium
        self.work = chromium.work / "typed"
        self.work.mkdir()
        programs = chromium.work / "bin"
        programs.mkdir()
        (programs / "tabwire").write_text(f'#!/bin/sh\nexec {sys.executable} -m tabwire "$@"\n')
        (programs / "tabwire").chmod(0o755)
        self.env = environment(chromium.home, PATH=f"{programs}:{os.environ['PATH']}")

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Type a line."""
        return subprocess.run(["bash", "-c", line], cwd=self.work, env=self.env, capture_output=True, text=True, timeout=60)

    def ok(self, line: str) -> str:
        """Type a line that must succeed."""
        done = self.run(line)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        return done.stdout

    def done(self, *words: str) -> None:
        """What was typed before: a command without a process, whose output nobody reads."""
        done = ran_here(*words, env=self.env, cwd=self.work)
        assert done.returncode == 0, (words, done.stdout, done.stderr)

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command(*words), cwd=self.work, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def session(self, name: str = "default") -> int:
        """The process of a session."""
        said = ran_here("sessions", env=self.env, cwd=self.work).stdout
        return int(re.findall(rf"^{name}: process (\d+)", said, re.MULTILINE)[0])

    def tab(self) -> dict[str, Any]:
        """The tab in which the session works, as it is listed: in front, or behind that of the person."""
        listed = json.loads(self.ok("tabwire tabs --json"))
        (tab,) = [tab for tab in listed["data"]["tabs"] if tab["current"]]
        return dict(tab)

    def current(self) -> Page:
        """The page in the session's tab."""
        return self.chromium.browser.at(self.tab()["url"])

    def shown(self) -> Page:
        """The page in front."""
        return self.chromium.browser.shown()
