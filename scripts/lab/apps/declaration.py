"""The declaration of a task, and what a program has to offer for tasks to be done in it."""

import os
import signal
import subprocess
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polling import until

if TYPE_CHECKING:
    from model import Model

START_LIMIT_S = 90
NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Application(ABC):
    """A program that runs on this machine while tasks are done in it."""

    name: str

    @staticmethod
    @abstractmethod
    def fetch() -> None:
        """Fetches what is missing of the program."""

    @abstractmethod
    def __init__(self, work: Path) -> None: ...

    @property
    @abstractmethod
    def url(self) -> str:
        """The page where each task begins."""

    @abstractmethod
    def reset(self) -> None:
        """Takes the program back to where each task begins."""

    @abstractmethod
    def close(self) -> None: ...


@dataclass(frozen=True)
class Task:
    """A task: the name is its wording, ``do`` its steps, and ``judge`` asks the program and fails if the task is not done."""

    name: str
    do: Callable[["Model", Any], None]
    judge: Callable[[Any], object]


def fetched(url: str, body: bytes | None = None, method: str | None = None, **headers: str) -> bytes:
    """The body of an answer of a program."""
    request = urllib.request.Request(url, body, {name.replace("_", "-"): value for name, value in headers.items()}, method=method)
    with NO_PROXY.open(request, timeout=20) as answer:
        return bytes(answer.read())


class Process:
    """A program in a process group of its own, ready as soon as its URL answers."""

    def __init__(self, command: list[str], work: Path, url: str, **env: str) -> None:
        work.mkdir(parents=True, exist_ok=True)
        self.log = work / "program.log"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=work,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            until(lambda: self._answers(url), within=START_LIMIT_S, says=self._tail, every=0.2)
        except BaseException:
            self.close()
            raise

    def _answers(self, url: str) -> bool:
        if self._process.poll() is not None:
            raise RuntimeError(f"the program ended:\n{self._tail()}")
        try:
            fetched(url)
        except urllib.error.HTTPError as error:
            return error.code < 500
        except OSError:
            return False
        return True

    def _tail(self) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def close(self) -> None:
        """Ends the program with all its processes."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
                self._process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
