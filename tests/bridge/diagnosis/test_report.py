"""What a diagnosis makes of what was seen."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tabwire.diagnosis import installed, neighbours
from tabwire.diagnosis.probe import Answer, Who
from tabwire.diagnosis.report import Hop, fault, first_fault, is_proven, remark, seen
from tabwire.wire.keys import KeyStore, write_pairing
from tabwire.wire.ports import Holder

VERSION = "1.2.3"
HOLDER = Holder(port=17890, pid=41, client="Editor", started="", version=VERSION)


def test_all_is_well_only_when_a_worker_was_seen_to_answer() -> None:
    assert not is_proven([seen("server"), seen("extension")])
    assert is_proven([seen("server"), seen("worker"), remark("page", "restricted")])
    assert not is_proven([seen("worker"), fault("page", "frozen", "close it")])


def test_the_first_fault_on_the_way_is_the_one_named() -> None:
    far, near = fault("page", "", ""), fault("server", "", "")
    assert first_fault([remark("server", ""), near, seen("worker"), far]) is near
    assert first_fault([seen("worker")]) is None


def test_what_was_not_tried_is_told_as_null_and_never_left_out() -> None:
    assert Hop("page", None, kind="restricted").to_data() == {"hop": "page", "ok": None, "kind": "restricted"}


@pytest.mark.parametrize(
    ("who", "is_noted", "is_alive", "ok", "says"),
    [
        ("bridge", True, True, True, "Editor (process 41) answers"),
        ("silence", True, True, False, "stopped or hangs"),
        ("nobody", True, True, None, "left there"),
        ("nobody", True, False, None, "left there"),
        ("stranger", True, False, None, "other than tabwire"),
        ("bridge", False, False, None, "another user or home"),
        ("silence", False, False, None, "other than tabwire"),
    ],
)
def test_who_holds_a_port_is_judged_by_note_and_answer(
    who: Who, is_noted: bool, is_alive: bool, ok: bool | None, says: str
) -> None:
    (hop,) = neighbours.judge({17890: Answer(who, 1.0)}, {17890: (HOLDER, is_alive)} if is_noted else {})
    assert hop.ok is ok
    assert says in hop.detail
    assert hop.ok is not False or "41" in hop.fix


def test_a_free_port_is_not_worth_a_line() -> None:
    assert neighbours.judge({17890: Answer("nobody", 0.1)}, {}) == ()


def test_ports_that_bridges_hold_name_one_to_close(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    noted = {"port": 17890, "pid": os.getpid(), "client": "Editor", "started": "", "version": VERSION}
    (run / "17890.json").write_text(json.dumps(noted))
    hop = neighbours.taken((17890, 17891), run)
    assert f"Editor (process {os.getpid()})" in hop.fix
    assert "all 2 ports" in hop.detail
    assert "other than tabwire" in neighbours.taken((17890,), tmp_path).detail


def folder_of(home: Path, version: str = VERSION) -> Path:
    """A paired copy of an extension."""
    folder = home / "copy"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(json.dumps({"version": version}))
    write_pairing(folder, KeyStore(home / "keys.json").create(label=str(folder)))
    return folder


def hop_of(home: Path, folder: Path) -> Hop:
    return next(hop for hop in installed.examine(home, VERSION).folders if hop.detail.startswith(str(folder)))


def test_a_paired_folder_of_this_version_is_in_order(tmp_path: Path) -> None:
    assert hop_of(tmp_path, folder_of(tmp_path)).ok is True


@pytest.mark.parametrize("broken", ["manifest.json", "pairing.json"])
@pytest.mark.parametrize("text", ["", "[]", "null", '"x"', "{}"])
def test_a_file_that_is_none_is_a_fault_and_no_crash(tmp_path: Path, broken: str, text: str) -> None:
    folder = folder_of(tmp_path)
    (folder / broken).write_text(text)
    hop = hop_of(tmp_path, folder)
    assert hop.ok is False
    assert broken in hop.detail


def test_another_version_is_a_fault_and_a_folder_that_is_gone_is_none(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "1.2.2")
    assert hop_of(tmp_path, folder).ok is False
    (folder / "manifest.json").unlink()
    assert hop_of(tmp_path, folder).ok is None
