"""The event log: a chain that shows each change, and keeps no secrets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from programs import environment
from tabwire.cli.log_command import parameters
from tabwire.cli.program import main
from tabwire.commands import WIRE
from tabwire.commands.kept_text import kept_url, masked
from tabwire.commands.privacy import Fact, Kept, fields_of
from tabwire.commands.secret_shapes import MASK
from tabwire.commands.types import Parameters
from tabwire.eventlog import reader
from tabwire.eventlog.call_line import line
from tabwire.eventlog.redaction import kept_arguments
from tabwire.eventlog.scripts import kept_script
from tabwire.eventlog.writer import HEAD, EventLog
from tabwire.surfaces.tool import load_toolset


def written(folder: Path, count: int = 5) -> Path:
    log = EventLog(folder, {"version": "1"})
    for number in range(count):
        log.append({"event": "call", "tool": "click", "number": number, "text": "späte Größe ✓ \ud800"})
    log.close()
    assert log.path is not None
    return log.path


def test_each_event_is_a_line_in_a_private_file(tmp_path: Path) -> None:
    path = written(tmp_path / "events")
    events = [entry.event for entry in reader.entries(path)]
    assert [event["event"] for event in events] == ["log_opened", *["call"] * 5]
    assert events[0]["version"] == "1"
    assert [event["number"] for event in events[1:]] == list(range(5))
    assert all(event["time"].endswith("+00:00") for event in events)
    verdict = reader.verify(path)
    assert (verdict.lines, verdict.faults, verdict.notes) == (6, (), ())
    if sys.platform != "win32":
        assert [file.stat().st_mode & 0o777 for file in (path, path.with_suffix(HEAD), path.parent)] == [0o600, 0o600, 0o700]


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def changed(lines: list[str]) -> list[str]:
    return [*lines[:2], lines[2].replace("click", "hover"), *lines[3:]]


def removed(lines: list[str]) -> list[str]:
    return [*lines[:2], *lines[3:]]


def moved(lines: list[str]) -> list[str]:
    return [*lines[:2], lines[3], lines[2], *lines[4:]]


def repeated(lines: list[str]) -> list[str]:
    return [*lines[:3], *lines[2:]]


def garbled(lines: list[str]) -> list[str]:
    return [*lines[:2], "garbage\n", *lines[3:]]


@pytest.mark.parametrize("tamper", [changed, removed, moved, repeated, garbled])
def test_the_first_line_that_is_not_as_it_was_written_is_found(tamper: Callable[[list[str]], list[str]], tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text("".join(tamper(lines_of(path))))
    verdict = reader.verify(path)
    assert verdict.lines == (3 if tamper is repeated else 2)
    assert len(verdict.faults) == 1
    assert verdict.faults[0].startswith(f"line {verdict.lines + 1} ")


@pytest.mark.parametrize("left", range(6))
def test_a_file_that_was_cut_off_is_found(left: int, tmp_path: Path) -> None:
    path = written(tmp_path)
    path.write_text("".join(lines_of(path)[:left]))
    assert reader.verify(path).faults == (f"it has {left} lines and had 6: the last ones were cut off",)


def test_a_file_whose_head_is_gone_is_not_believed(tmp_path: Path) -> None:
    path = written(tmp_path)
    path.with_suffix(HEAD).unlink()
    assert "head is missing" in reader.verify(path).faults[0]


def test_one_line_more_than_the_head_says_is_what_a_kill_leaves(tmp_path: Path) -> None:
    path = written(tmp_path)
    lines = lines_of(path)
    head = path.with_suffix(HEAD)
    for count, faults in ((5, 0), (4, 1)):
        head.write_text(f"{count:020d} {json.loads(lines[count - 1])['hash']}")
        assert len(reader.verify(path).faults) == faults


def test_a_file_that_was_removed_is_missed_by_the_next(tmp_path: Path) -> None:
    paths = [written(tmp_path) for _ in range(3)]
    assert reader.files(tmp_path) == paths
    assert [verdict.faults for verdict in reader.verify_all(paths)] == [(), (), ()]
    assert "is not there" in reader.verify_all([paths[0], paths[2]])[1].faults[0]


def test_a_file_that_was_removed_and_left_its_head_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "events"
    paths = [written(folder) for _ in range(2)]
    assert reader.deleted(folder) == []
    assert main(["log", "--home", str(tmp_path), "verify"]) == 0
    for path in paths:
        # The oldest one, then the whole log.
        path.unlink()
        assert "the file is gone" in reader.deleted(folder)[-1].faults[0] and "6 lines" in reader.deleted(folder)[-1].faults[0]
        assert main(["log", "--home", str(tmp_path), "verify"]) == 1
        assert path.name in capsys.readouterr().out


def test_a_large_file_is_followed_by_another(tmp_path: Path) -> None:
    log = EventLog(tmp_path, {}, max_bytes=400)
    for number in range(6):
        log.append({"event": "call", "number": number})
    log.close()
    paths = reader.files(tmp_path)
    assert len(paths) > 1
    assert [verdict.faults for verdict in reader.verify_all(paths)] == [()] * len(paths)
    numbers = [entry.event["number"] for path in paths for entry in reader.entries(path) if "number" in entry.event]
    assert numbers == list(range(6))


class Killed(BaseException):
    """Nothing runs after it."""


class Mortal:
    """Stands in for `os`: the process is killed at one of its calls, or in the middle of one that writes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, call: int, share: float) -> None:
        self.left = call
        self.share = share
        self.done: list[str] = []
        for name in ("open", "write"):
            monkeypatch.setattr(os, name, partial(self._call, name, getattr(os, name)))

    def _call(self, name: str, real: Any, *args: Any) -> Any:
        if name == "open" and not args[1] & os.O_CREAT:
            return real(*args)
        if self.left < 0:
            raise Killed
        self.left -= 1
        if self.left < 0:
            if name == "write":
                # A head lies within a page, which the kernel writes as a whole, and so do the counts.
                share = self.share if args[1].endswith(b"\n") else round(self.share)
                real(args[0], args[1][: round(len(args[1]) * share)])
            raise Killed
        self.done.append(name)
        return real(*args)


@pytest.mark.parametrize("share", [0, 0.5, 1])
@pytest.mark.parametrize("call", range(14))
def test_a_process_that_is_killed_at_any_point_leaves_a_log_that_the_next_goes_on_with(
    call: int, share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    with monkeypatch.context() as patch:
        mortal = Mortal(patch, call, share)
        log = EventLog(tmp_path, {})
        with pytest.raises(Killed):
            for number in range(20):
                log.append({"event": "call", "number": number})
    # Each event is a line and its head; three files are opened before: that of the counts, which are written once, is the first.
    begun = ["open", "open", "open", "write", "write", "write", "write", "write"]
    assert mortal.done[:8] == begun[: len(mortal.done)]
    last = written(tmp_path)
    verdicts = reader.verify_all(reader.files(tmp_path))
    assert len(verdicts) == (2 if call <= 1 else 3)
    assert [verdict.faults for verdict in verdicts] == [()] * len(verdicts)
    torn = next((verdict for verdict in verdicts if verdict.path not in (reader.files(tmp_path)[0], last)), None)
    is_in_a_line = torn is not None and call in (3, 5, 8, 10, 12) and 0 < share < 1
    assert is_in_a_line == any("is incomplete" in note for verdict in verdicts for note in verdict.notes)


KILLER = """
import os, random, signal, sys, time
from pathlib import Path
from tabwire.eventlog.writer import EventLog
# Lines of many pages: the kernel leaves off in the middle of one.
text = "x" * 1_000_000
for number in range(40):
    child = os.fork()
    if not child:
        log = EventLog(Path(sys.argv[1]), {})
        while True:
            log.append({"event": "call", "text": text})
    time.sleep(random.random() * 0.03)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_processes_that_are_really_killed_leave_sound_logs(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLER, str(tmp_path)], env=environment(), check=True, timeout=120)
    verdicts = reader.verify_all(reader.files(tmp_path))
    assert [verdict.faults for verdict in verdicts] == [()] * len(verdicts)
    # On a busy machine some are killed before they have begun.
    assert any(verdict.lines > 1 for verdict in verdicts)


def test_where_a_disk_takes_half_a_line_the_log_goes_on_behind_the_last_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = EventLog(tmp_path, {})
    log.append({"event": "call", "number": 1})
    with monkeypatch.context() as patch:
        real = os.write
        patch.setattr(os, "write", lambda descriptor, content: real(descriptor, content[: len(content) // 2]))
        log.append({"event": "call", "number": 2})
    assert "took only a part" in (log.problem or "")
    log.append({"event": "call", "number": 3})
    assert log.problem is None
    log.close()
    (verdict,) = reader.verify_all(reader.files(tmp_path))
    assert (verdict.faults, verdict.notes) == ((), ())
    assert len(verdict.gaps) == 1 and "before line 3, 1 line could not be written" in verdict.gaps[0]
    events = [entry.event for entry in reader.entries(verdict.path)]
    assert [event.get("number") for event in events] == [None, 1, None, 3] and events[2]["lines"] == 1


def test_a_log_that_cannot_be_written_says_so_and_fails_no_call(tmp_path: Path) -> None:
    (tmp_path / "events").write_text("a file in its place")
    log = EventLog(tmp_path / "events", {})
    log.append({"event": "call"})
    assert "cannot be written" in (log.problem or "")
    (tmp_path / "events").unlink()
    log.append({"event": "call"})
    assert log.problem is None
    log.close()


# ---- what is kept ---------------------------------------------------------------------------------------------------------

TOOLS = {tool.name: tool for surface in ("agent", "facade", "instrument") for tool in load_toolset(surface).tools}


def _fields(tool: str) -> Mapping[str, Kept]:
    return TOOLS[tool].kept if tool in TOOLS else {}


@pytest.mark.parametrize(
    ("tool", "effect", "arguments", "kept"),
    [
        ("click", "act", {"selector": "@e3", "timeout": 500, "force": True}, {"selector": "@e3", "timeout": 500, "force": True}),
        ("fill", "act", {"selector": "#p", "value": "hunter2"}, {"selector": "#p", "value": "[7 characters]"}),
        ("press", "act", {"key": "Control+a"}, {"key": "Control+a"}),
        ("press", "act", {"key": "x"}, {"key": "[1 characters]"}),
        ("query", "read", {"by": "role", "value": "button"}, {"by": "role", "value": "button"}),
        ("cookies", "act", {"name": "sid", "value": "abc"}, {"name": "sid", "value": "[3 characters]"}),
        ("request", "act", {"headers": {"X-Key": "abc"}, "body": "abc"}, {"headers": "[withheld]", "body": "[3 characters]"}),
        ("unheard_of", "act", {"anything": "abc", "list": ["abc"]}, {"anything": "[3 characters]", "list": ["[3 characters]"]}),
        ("evaluate", "act", {"expression": "document.cookie = 'a=b'"}, {"expression": 'document.cookie = "[3 characters]"'}),
    ],
)
def test_text_for_a_page_is_withheld_and_where_it_went_is_kept(
    tool: str, effect: Any, arguments: dict[str, Any], kept: dict[str, Any]
) -> None:
    assert kept_arguments(_fields(tool), effect, arguments) == kept


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("document.title", "document.title"),
        ("login('ada', \"hunter2\", `x\n$5`)", 'login("[3 characters]", "[7 characters]", "[4 characters]")'),
        ("a('it\\'s') // don't\nb()", 'a("[5 characters]")  \nb()'),
        ("/* don't */ a(495867); b[12]; c1234", 'a("[6 digits]"); b[12]; c1234'),
        ("a(49.5867, .4958, 0x1234, 495n, 12e9)", 'a("[7 digits]", "[5 digits]", "[6 digits]", "[4 digits]", "[4 digits]")'),
        ("a.b12.$c1 ? d[1] : .5", "a.b12.$c1 ? d[1] : .5"),
        ("", ""),
    ],
)
def test_a_script_is_kept_without_the_texts_in_it(source: str, kept: str) -> None:
    takes = {"evaluate": "expression", "wait": "function", "browser_act_execute": "script", "browser_execute": "code"}
    for tool, name in takes.items():
        assert kept_arguments(_fields(tool), "act", {name: source}) == {name: kept}


@pytest.mark.parametrize(
    "source",
    [
        "a = b / c; d = 'hunter2'",
        "/'/.test(a) || b('hunter2')",
        "`${`hunter2`}`",
        "a('hunter2",
        "a <!-- ' \n b('hunter2')",
        "f('hunter2'); " + "a;" * 4000,
    ],
)
def test_of_a_script_that_cannot_be_taken_apart_only_the_length_is_kept(source: str) -> None:
    assert kept_script(source) == f"[{len(source)} characters]"


class Part(Parameters):
    marked: Fact
    free: str
    json_: Annotated[Any, Field(alias="json")]
    choice: Literal["a", "b"]
    number: int


class Whole(Part):
    parts: list[Part | str]


def test_of_an_act_no_text_is_kept_whose_field_has_no_marker() -> None:
    given = {"marked": "#a", "free": "secret", "json": {"a": [1234]}, "choice": "a", "number": 1}
    kept = {**given, "free": "[6 characters]", "json": "[withheld]"}
    arguments = {**given, "choice": "secret", "parts": [given, "secret"], "undeclared": {"marked": "secret"}}
    assert kept_arguments(fields_of(Whole), "act", arguments, is_plain=True) == {
        **kept,
        "choice": "[6 characters]",
        "parts": [kept, "[6 characters]"],
        "undeclared": {"marked": "[6 characters]"},
    }


def test_text_for_an_element_that_is_known_to_hold_no_secret_is_kept() -> None:
    given = {"selector": "#q", "value": "rubber duck", "headers": {"X": "y"}}
    fields = {**_fields("request"), **_fields("fill")}
    assert kept_arguments(fields, "act", given, is_plain=True) == {**given, "headers": "[withheld]"}


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.com/a?q=duck&page=2#top", "https://example.com/a?q=duck&page=2#top"),
        ("https://me:secret@example.com/a", "https://example.com/a"),
        ("https://example.com/cb?code=abc&q=1", f"https://example.com/cb?code={MASK}&q=1"),
        ("https://example.com/#access_token=abc", f"https://example.com/#{MASK}"),
        ("https://example.com/?api_key=abc", f"https://example.com/?api_key={MASK}"),
    ],
)
def test_of_an_address_the_secrets_are_left_out(url: str, kept: str) -> None:
    assert kept_url(url) == kept


@pytest.mark.parametrize(
    "secret",
    [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc",
        "Bearer abcdefghijklmnopqrstuvwx",
        "sk-live-abcdefghijklmnop",
        "4111 1111 1111 1111",
    ],
)
def test_what_has_the_shape_of_a_secret_is_masked_anywhere(secret: str) -> None:
    assert secret.split()[-1] not in masked(f"it is {secret}, so")
    assert MASK in masked(secret)


@pytest.mark.parametrize(
    "harmless", ["order 1234 5678 9012 3456", "the bearer of news", "2026-11-20T08:30:00", "0000 0000 0000 0000"]
)
def test_what_only_looks_a_little_like_one_is_kept(harmless: str) -> None:
    assert masked(harmless) == harmless


def test_each_command_shows_arguments_that_it_has() -> None:
    for command in WIRE:
        names = {field.alias or name for name, field in command.model_fields.items()}
        assert set(command.shows) <= names, command.method


BERLIN = {"event": "call", "client": "C", "surface": "agent", "outcome": "done", "time": "2026-07-01T12:00:00.000+00:00"}


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (
            {
                "tool": "navigate",
                "url": "about:blank",
                "acts": [
                    {
                        "method": "navigation.navigate",
                        "params": {"action": "goto", "url": "http://a.test/x", "wait_until": "load"},
                        "observed": {"url": {"from": "about:blank", "to": "http://a.test/y"}, "navigated": True},
                    }
                ],
            },
            "C: navigate http://a.test/x at about:blank → now at http://a.test/y, navigated",
        ),
        (
            {
                "tool": "press",
                "acts": [{"method": "input.press", "params": {"key": "Enter"}, "target": {"role": "textbox", "name": "City"}}],
            },
            'C: press textbox "City" Enter → done',
        ),
        (
            {
                "tool": "browser_click",
                "acts": [
                    {
                        "method": "input.click",
                        "params": {},
                        "observed": {"downloads": ["http://a.test/1", "http://a.test/2"], "dialog": "alert"},
                    }
                ],
            },
            "C: browser_click → download of http://a.test/1 and 1 more, alert dialog opened",
        ),
        (
            {
                "tool": "request",
                "arguments": {"url": "https://bank.test/", "method": "POST"},
                "decision": "refused",
                "outcome": "permission_denied",
            },
            "C: request POST https://bank.test/ → refused: permission_denied",
        ),
        ({"tool": "query", "arguments": {"by": "text", "value": "Two words"}}, 'C: query text "Two words" → done'),
        ({"tool": "no_such_tool", "arguments": {"url": "x"}, "surface": "gone"}, "C: no_such_tool → done"),
        ({"tool": "evaluate", "arguments": {"expression": "x" * 500}}, f"C: evaluate {'x' * 120}… → done"),
    ],
)
def test_a_line_tells_what_was_asked_for_and_what_came_of_it(
    event: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert line({**BERLIN, **event}, parameters) == f"2026-07-01 14:00:00 {told}"
    finally:
        monkeypatch.undo()
        time.tzset()
