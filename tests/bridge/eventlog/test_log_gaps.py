"""What the event log says of lines that it could not take, and of files of it that are gone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from programs import environment, ran_here
from tabwire.eventlog import reader
from tabwire.eventlog.log_count import LogCount
from tabwire.eventlog.writer import GAP, HEAD, EventLog
from tabwire.settings import TOOLSETS
from tabwire.surfaces.tool import ToolResult, load_toolset

ACT = {"event": "act_started", "tool": "click"}

FULL_DISK = """
import json, resource, sys
from pathlib import Path
from tabwire.eventlog.writer import EventLog

folder, began = Path(sys.argv[1]), sys.argv[2] == "begun"
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
log = EventLog(folder, {})
acts = 5 if began else 0
for number in range(acts):
    log.append({"event": "act_started", "number": number})
assert log.problem is None
# What a full disk is to a file: it takes no byte more. The small file of the counts keeps its size.
taken = log.path.stat().st_size if began else 100
resource.setrlimit(resource.RLIMIT_FSIZE, (taken + 40, unlimited[1]))
for number in range(50):
    log.append({"event": "act_started", "number": acts + number})
    log.append({"event": "call", "number": acts + number})
print(json.dumps([log.problem, log.loss, len(list(folder.iterdir()))]))
resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
if sys.argv[3] == "goes on":
    log.append({"event": "act_started", "number": acts + 50})
    assert log.problem is None
"""


def verified(folder: Path) -> tuple[int, str]:
    """Exit code and words of `tabwire log verify` for the log in a home."""
    done = ran_here("log", "verify", env=environment(folder.parent), cwd=folder.parent)
    return done.returncode, done.stdout


def filled(folder: Path, *words: str) -> tuple[str, str, int]:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(folder), *words], env=environment(), capture_output=True, text=True, check=True
    )
    problem, loss, count = json.loads(done.stdout)
    return problem, loss, count


@pytest.mark.parametrize("state", ["begun", "not begun"])
def test_lines_that_a_full_disk_did_not_take_are_counted_in_the_next_one(tmp_path: Path, state: str) -> None:
    folder = tmp_path / "events"
    problem, loss, count = filled(folder, state, "goes on")
    assert "cannot be written: the disk took only a part of a line" in problem and str(folder) in problem
    assert "100 lines of this program, 50 of them the beginning of an act, are lost" in loss
    assert count <= 2, "a file for each failure"
    (path,) = reader.files(folder)
    events = [entry.event for entry in reader.entries(path)]
    assert [event["lines"] for event in events if event["event"] == GAP] == [100]
    assert events[-1]["number"] == (55 if state == "begun" else 50)
    code, said = verified(folder)
    assert (
        code == 1
        and "100 lines could not be written, 50 of them the beginning of an act (the disk took only a part of a line)" in said
    )


def test_lines_that_no_file_tells_of_yet_are_known_to_the_next_process(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    filled(folder, "begun", "ends")
    code, said = verified(folder)
    assert code == 1 and "100 lines could not be written, 50 of them the beginning of an act, and no file tells" in said
    log = EventLog(folder, {})
    log.append(ACT)
    log.close()
    code, said = verified(folder)
    assert code == 1 and "no file tells" not in said and "before line 2, 100 lines could not be written" in said


def test_a_log_without_a_gap_is_sound(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    for _ in range(2):
        log = EventLog(folder, {})
        log.append(ACT)
        log.close()
    code, said = verified(folder)
    assert code == 0 and said.count("as it was written") == 2


def test_a_folder_that_is_removed_is_begun_again_and_what_was_in_it_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    log = EventLog(folder, {})
    for _ in range(3):
        log.append(ACT)
    shutil.rmtree(folder)
    log.append({**ACT, "number": 4})
    assert log.problem is None
    log.close()
    (path,) = reader.files(folder)
    assert [entry.event for entry in reader.entries(path)][-1]["number"] == 4
    code, said = verified(folder)
    assert code == 1 and "4 lines could not be written, 3 of them the beginning of an act (their file was removed)" in said


def test_a_file_that_was_only_moved_has_lost_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    log = EventLog(folder, {})
    log.append(ACT)
    assert log.path
    log.path.rename(tmp_path / log.path.name)
    log.append(ACT)
    assert log.loss is None and log.path.is_file()
    log.close()


@pytest.mark.parametrize("is_last", [True, False])
def test_a_file_that_was_deleted_with_its_head_was_there(tmp_path: Path, is_last: bool) -> None:
    folder = tmp_path / "events"
    for _ in range(2):
        log = EventLog(folder, {})
        log.append(ACT)
        log.close()
    gone = reader.files(folder)[-1 if is_last else 0]
    for path in (gone, gone.with_suffix(HEAD)):
        path.unlink()
    code, said = verified(folder)
    if is_last:
        assert code == 1 and "2 files of this log were begun, and the last one is gone" in said
        assert str(LogCount(folder).path) in said
    else:
        # Old files are deleted to make room: the next one says that it follows one.
        assert code == 0


def test_all_files_deleted_are_missed(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    log = EventLog(folder, {})
    log.append(ACT)
    log.close()
    shutil.rmtree(folder)
    code, said = verified(folder)
    assert code == 1 and "1 file of this log was begun, and it is gone" in said


def test_counts_of_processes_at_work_together_add_up(tmp_path: Path) -> None:
    count = LogCount(tmp_path / "events")
    program = (
        "import sys; from pathlib import Path; from tabwire.eventlog.log_count import LogCount\n"
        "for _ in range(200):\n with LogCount(Path(sys.argv[1])).changing() as counts: counts.lost_lines += 1"
    )
    started = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "events")], env=environment()) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0] * 4
    assert count.read().lost_lines == 800


@pytest.mark.parametrize("name", TOOLSETS)
def test_every_surface_adds_a_note_to_its_replies(name: str) -> None:
    note = load_toolset(name).replies.note
    known: dict[str, Any] = {"facade": {"success": True, "data": {"note": "a"}}, "reader": {"render": "text"}}.get(
        name, {"note": "a"}
    )
    result = note(ToolResult(text=json.dumps(known), structured=known), "the log is full")
    assert "the log is full" in result.text
    assert "the log is full" in json.dumps(result.structured)
