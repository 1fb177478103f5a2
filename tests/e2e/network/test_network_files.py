"""Files that tools write and read for requests and captures: a file that may not be used costs no capture and sends nothing."""

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.site import Site


def entries(data: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(data["path"]).read_text(encoding="utf-8"))["log"]["entries"]
    return found


def test_a_har_file_that_cannot_be_written_ends_no_capture(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    tabwire.open(site.page("<p>Here</p>"))
    theirs = tmp_path / "theirs.har"
    theirs.write_text("theirs")
    (tmp_path / "script.har").symlink_to(tmp_path / ".bashrc")
    (tmp_path / ".bashrc").write_text("theirs")
    os.mkfifo(tmp_path / "pipe.har")
    tabwire.ok("capture", action="start")
    for name, code, words in (
        ("/etc/x.har", "permission_denied", "--files"),
        (f"{tempfile.gettempdir()}/tabwire-x.har", "permission_denied", "--files"),
        ("../keys.json", "invalid_argument", "end in .har"),
        ("../keys.har", "permission_denied", "belongs to tabwire"),
        (str(tmp_path / ".bashrc.sh"), "invalid_argument", "end in .har"),
        (str(tmp_path / "script.har"), "invalid_argument", "is a link to"),
        (str(tmp_path / "pipe.har"), "invalid_argument", "regular files"),
        (str(theirs), "invalid_argument", "overwrite: true"),
        (str(theirs / "x.har"), "invalid_argument", "no folder"),
        ("x" * 300, "invalid_argument", "too long"),
        ("a\0b", "invalid_argument", "control characters"),
    ):
        reply = tabwire.fails("capture", action="stop", har_path=name)
        assert (reply.code, re.search(words, reply.text) is not None) == (code, True), (name, reply)
    assert tabwire.ok("capture", action="status").data["capturing"] is True, "the file is checked before anything ends"
    assert (theirs.read_text(), (tmp_path / ".bashrc").read_text()) == ("theirs", "theirs")
    data = tabwire.ok("capture", action="stop", har_path=str(theirs), overwrite=True).data
    assert entries(data) == [] and data["path"] == str(theirs)
    tabwire.ok("capture", action="start")
    assert entries(tabwire.ok("capture", action="stop", har_path=str(theirs)).data) == [], "by now it is one of ours"


def test_files_that_no_tool_may_read_are_not_sent(tabwire: Tabwire, site: Site, launched: Launched, tmp_path: Path) -> None:
    tabwire.open(site.page("<p>Here</p>"))
    os.mkfifo(tmp_path / "pipe")
    home = launched.home
    for name, code in (
        (str(home / "http-token"), "permission_denied"),
        (str(home.parent / "profile" / "Default" / "Cookies"), "permission_denied"),
        ("../keys.json", "permission_denied"),
        ("/etc/passwd", "permission_denied"),
        (str(tmp_path / "pipe"), "invalid_argument"),
        ("/dev/zero", "permission_denied"),
        ("a\0b", "invalid_argument"),
    ):
        assert tabwire.fails("request", url="/post", method="POST", form_data={"f": {"path": name}}).code == code, name
    assert site.hit_count("/post") == 0
