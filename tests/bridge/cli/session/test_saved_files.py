"""The names under which a session keeps the files that its commands save."""

import re
from itertools import count
from types import SimpleNamespace
from typing import cast

from tabwire.cli.grammar.parsing import parse
from tabwire.cli.session.host.session import Session


def test_files_of_one_name_in_two_folders_are_two_files() -> None:
    session = cast(Session, SimpleNamespace(name="work", _numbers=count(1)))
    lines = ("screenshot -o a/x.jpg", "screenshot -o b/x.jpg", "screenshot", "requests stop -o x.har", "title")
    saved = [Session._saved_to(session, parse(line.split(), "/")) for line in lines]
    first, second = (one["save_path"] for one in saved[:2])
    assert first != second and re.fullmatch(r"shell/x-\d{8}-\d{6}-work-1\.jpg", first)
    assert re.fullmatch(r"shell/screenshot-\d{8}-\d{6}-work-3", saved[2]["save_path"])
    long, nameless = (Session._saved_to(session, parse(["screenshot", "-o", path], "/")) for path in (f"{'a' * 240}.png", "out/"))
    assert len(long["save_path"]) < 160 and long["save_path"].endswith(".png")
    assert nameless["save_path"].startswith("shell/screenshot-")
    assert saved[3]["har_path"].endswith("-work-4.har") and saved[4] == {}
