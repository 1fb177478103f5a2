"""Launched programs end with their owner on Windows, however that ends, with all they have started."""

import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from polling import until

if sys.platform != "win32":
    pytest.skip("job objects are of Windows; scripts/windows runs these", allow_module_level=True)

from tabwire.browsers.guard import Guard
from tabwire.browsers.process import spawn
from tabwire.windows import jobs, processes

STARTS_A_CHILD = (
    "import subprocess, sys, time; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
    "print(child.pid, flush=True); time.sleep(600)"
)
OWNS_A_BROWSER = f"""
import sys, time
from tabwire.browsers.guard import Guard
from tabwire.browsers.process import spawn
guard = Guard()
guard.folder(__import__("pathlib").Path(sys.argv[2]))
started = spawn([sys.executable, "-c", {STARTS_A_CHILD!r}], guard, output=open(sys.argv[1], "wb"))
print(started.pid, flush=True)
time.sleep(600)
"""


def number_in(file: Path) -> int:
    """The process id that a program has written; 0 before that."""
    text = file.read_text(encoding="ascii") if file.exists() else ""
    return int(text) if text.endswith("\n") else 0


@pytest.mark.anyio
async def test_a_program_and_its_children_end_when_the_guard_is_released(tmp_path: Path) -> None:
    guard, out = Guard(), tmp_path / "out"
    with out.open("wb") as words:
        program = spawn([sys.executable, "-c", STARTS_A_CHILD], guard, output=words)
    child = until(lambda: number_in(out), within=60)
    assert processes.is_alive(child)
    guard.release()
    with anyio.fail_after(60):
        await guard.finished()
    assert program.poll() is not None
    assert not processes.is_alive(child)


def test_they_end_and_the_profile_goes_when_the_owner_is_killed(tmp_path: Path) -> None:
    # Letters that no code page of Windows has at once.
    out, profile = tmp_path / "out", tmp_path / "Zoë Ünal 日本"
    profile.mkdir()
    owner = subprocess.Popen([sys.executable, "-c", OWNS_A_BROWSER, str(out), str(profile)], stdout=subprocess.PIPE)
    assert owner.stdout
    with owner.stdout as said:
        first = int(said.readline())
    child = until(lambda: number_in(out), within=60)
    owner.kill()
    owner.wait()
    until(lambda: not processes.is_alive(first) and not processes.is_alive(child) and not profile.exists(), within=60)


def test_a_program_runs_only_once_it_is_in_the_job() -> None:
    job = jobs.create()
    program = subprocess.Popen([sys.executable, "-c", "pass"], creationflags=jobs.CREATE_SUSPENDED)
    with pytest.raises(subprocess.TimeoutExpired):
        program.wait(1)
    jobs.take(job, program.pid)
    assert program.wait(60) == 0
    jobs.close(job)


def test_a_process_that_may_not_be_taken_is_an_error() -> None:
    job = jobs.create()
    with pytest.raises(OSError):
        jobs.take(job, 0)
    jobs.close(job)


def test_the_end_of_a_job_without_windows_does_not_wait_to_be_asked() -> None:
    job = jobs.create()
    program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], creationflags=jobs.CREATE_SUSPENDED)
    jobs.take(job, program.pid)
    began = time.monotonic()
    jobs.end(job, program.pid, asked_s=300, gone_s=60)
    assert (program.wait(60), jobs.active(job)) == (1, 0)
    assert time.monotonic() - began < 300
    jobs.close(job)
