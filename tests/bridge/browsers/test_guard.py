"""What a guard was told of ends when it is let go, and what it would not know of does not begin."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import anyio
import pytest

from polling import until, until_async
from tabwire.browsers import reaper
from tabwire.browsers.guard import Guard
from tabwire.browsers.process import spawn

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")]

LEAVES_A_CHILD = ["/bin/sh", "-c", "sleep 600 & echo $! >child; exec sleep 600"]


def noted(file: Path) -> str:
    """The whole line of a file; empty before it is there."""
    with suppress(FileNotFoundError):
        return file.read_text(encoding="utf-8").partition("\n")[0] if file.read_text(encoding="utf-8").endswith("\n") else ""
    return ""


def is_gone(pid: str) -> bool:
    """Whether a process has ended, noted by its parent or not."""
    try:
        return Path("/proc", pid, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


async def test_a_program_is_asked_to_end_and_its_folder_deleted_without_delay(tmp_path: Path) -> None:
    guard, folder = Guard(), tmp_path / "folder"
    guard.folder(folder)
    folder.mkdir()
    program = spawn(["sleep", "600"], guard)
    assert not guard.is_finished
    began = time.monotonic()
    guard.release()
    with anyio.fail_after(30):
        await guard.finished()
    # A child that has ended and that nobody took note of would be waited for, and asked again.
    assert time.monotonic() - began < reaper.ASKED_SECONDS + reaper.CHILDREN_SECONDS
    assert guard.is_finished
    assert program.poll() is not None
    assert not folder.exists()


async def test_the_children_of_a_program_end_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    guard = Guard()
    program = spawn(LEAVES_A_CHILD, guard)
    with anyio.fail_after(30):
        child = await until_async(lambda: noted(tmp_path / "child"), within=30)
        guard.release()
        await guard.finished()
    assert program.poll() is not None
    assert is_gone(child)


def test_a_program_whose_owner_dies_before_the_guard_knows_of_it_never_runs(tmp_path: Path) -> None:
    owner = """
import os, sys
from tabwire.browsers import process
class Deaf:
    def child(self, started):
        print(started.pid, flush=True)
        os.kill(os.getpid(), 9)
process.spawn(["touch", sys.argv[1]], Deaf())
"""
    mark = tmp_path / "it ran"
    done = subprocess.run(
        [sys.executable, "-c", owner, str(mark)],
        env={"PYTHONPATH": str(Path(reaper.__file__).parents[2])},
        stdout=subprocess.PIPE,
    )
    assert done.returncode == -9
    until(lambda: is_gone(done.stdout.decode().strip()), within=30)
    assert not mark.exists()


def test_what_waits_beside_each_browser_has_loaded_little() -> None:
    script = f"import sys; sys.path[:0] = [{str(Path(reaper.__file__).parent)!r}]; import reaper; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-I", "-S", "-c", script], text=True).split()
    assert not {"http", "re", "shutil", "ssl", "tabwire", "typing", "urllib"} & set(loaded)
