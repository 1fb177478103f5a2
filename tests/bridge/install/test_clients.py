"""Clients as data: where each platform keeps their configuration, what is put in, and that nothing else of a file changes."""

import json
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tabwire.errors import UnsupportedOperation
from tabwire.install.clients import CLIENTS, Client, Machine, config_file, json_text
from tabwire.install.clients.changes import addition, apply, removal
from tabwire.install.clients.entry import entry, is_ours
from tabwire.surfaces.tool import load_toolset

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no permission bits")
NOW = datetime(2026, 11, 21, 4, 30, 5)
COMMAND = ["/opt/bin/tabwire"]
BY_ID = {client.id: client for client in CLIENTS}
CURSOR, VSCODE, DESKTOP, CODE = (BY_ID[name] for name in ("cursor", "vscode", "claude-desktop", "claude-code"))

SUPPORT = "Library/Application Support"
USUAL = {
    "win32": {
        "claude-desktop": "AppData/Roaming/Claude/claude_desktop_config.json",
        "claude-code": ".claude.json",
        "cursor": ".cursor/mcp.json",
        "vscode": "AppData/Roaming/Code/User/mcp.json",
        "vscode-insiders": "AppData/Roaming/Code - Insiders/User/mcp.json",
    },
    "darwin": {
        "claude-desktop": f"{SUPPORT}/Claude/claude_desktop_config.json",
        "claude-code": ".claude.json",
        "cursor": ".cursor/mcp.json",
        "vscode": f"{SUPPORT}/Code/User/mcp.json",
        "vscode-insiders": f"{SUPPORT}/Code - Insiders/User/mcp.json",
    },
    "linux": {
        "claude-desktop": ".config/Claude/claude_desktop_config.json",
        "claude-code": ".claude.json",
        "cursor": ".cursor/mcp.json",
        "vscode": ".config/Code/User/mcp.json",
        "vscode-insiders": ".config/Code - Insiders/User/mcp.json",
    },
}
PACKAGE = "AppData/Local/Packages/Claude_pzs8sxrjxfjjc"
PACKAGED = f"{PACKAGE}/LocalCache/Roaming/Claude/claude_desktop_config.json"


def machine(platform: str, home: Path, **env: str) -> Machine:
    return Machine(platform, env, home)


# Where.


@pytest.mark.parametrize("platform", USUAL)
def test_each_client_has_its_usual_file_on_each_platform(platform: str, tmp_path: Path) -> None:
    user = machine(platform, tmp_path)
    assert {client.id: client.usual(user).relative_to(tmp_path).as_posix() for client in CLIENTS} == USUAL[platform]


@pytest.mark.parametrize("platform", USUAL)
@pytest.mark.parametrize("name", [name for name in BY_ID if name != "claude-code"])
def test_a_client_is_found_by_its_folder_and_only_then(platform: str, name: str, tmp_path: Path) -> None:
    client, user = BY_ID[name], machine(platform, tmp_path)
    assert client.installed(user) == []
    file = tmp_path / USUAL[platform][name]
    sign = file.parent.parent if name.startswith("vscode") else file.parent
    sign.mkdir(parents=True)
    assert client.installed(user) == [file]
    assert client.present(user) == []


@pytest.mark.parametrize(
    ("platform", "variable", "name", "inside"),
    [
        ("win32", "APPDATA", "claude-desktop", "Claude/claude_desktop_config.json"),
        ("win32", "APPDATA", "vscode", "Code/User/mcp.json"),
        ("linux", "XDG_CONFIG_HOME", "claude-desktop", "Claude/claude_desktop_config.json"),
        ("linux", "XDG_CONFIG_HOME", "vscode", "Code/User/mcp.json"),
        ("freebsd14", "XDG_CONFIG_HOME", "vscode", "Code/User/mcp.json"),
        ("darwin", "CLAUDE_CONFIG_DIR", "claude-code", ".claude.json"),
    ],
)
def test_variables_move_the_folders(platform: str, variable: str, name: str, inside: str, tmp_path: Path) -> None:
    user = machine(platform, tmp_path / "home", **{variable: str(tmp_path / "moved")})
    assert BY_ID[name].usual(user) == tmp_path / "moved" / inside


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_a_variable_that_is_no_absolute_path_does_not_count(value: str, tmp_path: Path) -> None:
    user = machine("linux", tmp_path, XDG_CONFIG_HOME=value)
    assert VSCODE.usual(user) == tmp_path / ".config/Code/User/mcp.json"


def test_variables_of_another_platform_do_not_count(tmp_path: Path) -> None:
    user = machine("darwin", tmp_path, XDG_CONFIG_HOME="/x", APPDATA="/y")
    assert VSCODE.usual(user) == tmp_path / USUAL["darwin"]["vscode"]


def test_the_packaged_claude_desktop_is_written_and_not_a_file_it_cannot_see(tmp_path: Path) -> None:
    (tmp_path / PACKAGE).mkdir(parents=True)
    assert DESKTOP.installed(machine("win32", tmp_path)) == [tmp_path / PACKAGED]


def test_both_forms_of_claude_desktop_are_written_where_both_are(tmp_path: Path) -> None:
    (tmp_path / PACKAGE).mkdir(parents=True)
    (tmp_path / "AppData/Roaming/Claude").mkdir(parents=True)
    files = [tmp_path / PACKAGED, tmp_path / USUAL["win32"]["claude-desktop"]]
    assert DESKTOP.installed(machine("win32", tmp_path)) == files


def test_a_file_of_the_former_claude_desktop_is_cleaned_too(tmp_path: Path) -> None:
    files = [tmp_path / PACKAGED, tmp_path / USUAL["win32"]["claude-desktop"]]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("{}")
    assert DESKTOP.present(machine("win32", tmp_path)) == files


def test_the_package_is_found_below_a_moved_folder_of_a_strange_name(tmp_path: Path) -> None:
    local = tmp_path / "a [b] *c"
    (local / "Packages/Claude_abc").mkdir(parents=True)
    (local / "Packages/ClaudeHelper").mkdir(parents=True)
    found = DESKTOP.installed(machine("win32", tmp_path, LOCALAPPDATA=str(local)))
    assert found == [local / "Packages/Claude_abc/LocalCache/Roaming/Claude/claude_desktop_config.json"]


def test_there_is_no_package_elsewhere_than_on_windows(tmp_path: Path) -> None:
    (tmp_path / PACKAGE).mkdir(parents=True)
    assert DESKTOP.installed(machine("linux", tmp_path)) == []


# What.


def test_an_entry_has_the_form_of_its_client() -> None:
    plain = {"command": "/opt/bin/tabwire", "args": ["serve", "--tools", "everyday"]}
    assert entry(CURSOR, COMMAND, []) == entry(DESKTOP, COMMAND, []) == plain
    assert entry(VSCODE, COMMAND, []) == {"type": "stdio", **plain, "args": ["serve", "--tools", "core"]}
    assert list(entry(VSCODE, COMMAND, [])) == ["type", "command", "args"]
    assert {client.id: client.key for client in CLIENTS if client.key != "mcpServers"} == {
        "vscode": "servers",
        "vscode-insiders": "servers",
    }


@pytest.mark.parametrize("client", CLIENTS, ids=[client.id for client in CLIENTS])
def test_the_list_that_a_client_gets_leaves_no_tool_out_of_its_reach(client: Client) -> None:
    """A short list counts on clients that offer their model what is added to it; the others can make the calls in a batch."""
    listed = load_toolset("agent").only([client.tools]).by_name
    assert "batch" in listed
    assert client.lists_added or {"back", "query", "drag", "console"} <= listed.keys()


def test_what_the_user_has_added_to_our_entry_stays() -> None:
    previous = {
        "command": "old",
        "args": ["serve", "--tools", "core", "--launch", "--home", "/x", "--home=/y", "--headless"],
        "env": {"TABWIRE_PORT": "17900"},
        "disabled": True,
    }
    assert entry(CURSOR, ["/uvx", "tabwire"], ["--home", "/z"], previous) == {
        "command": "/uvx",
        "args": ["tabwire", "serve", "--tools", "everyday", "--home", "/z", "--headless"],
        "env": {"TABWIRE_PORT": "17900"},
        "disabled": True,
    }


@pytest.mark.parametrize(
    "value",
    [
        {"command": "tabwire"},
        {"command": "/home/me/.local/bin/tabwire", "args": ["serve", "--launch"]},
        {"command": r"C:\Users\me\.local\bin\Tabwire.EXE", "args": []},
        {"command": "/usr/bin/uvx", "args": ["tabwire", "serve"]},
        {"command": "uvx", "args": ["--from", "git+https://host/x", "tabwire@0.1.0"]},
        {"command": "uvx", "args": ["tabwire==0.1.0"]},
        {"command": "uv", "args": ["tool", "run", "tabwire"]},
        {"command": "/venv/bin/python3.11", "args": ["-m", "tabwire", "serve"]},
        {"command": r"C:\Python\pythonw.exe", "args": ["-m", "tabwire"]},
    ],
)
def test_an_entry_that_starts_us_is_ours(value: Any) -> None:
    assert is_ours(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        7,
        {},
        {"url": "http://127.0.0.1/mcp"},
        {"command": ["tabwire"]},
        {"command": "npx", "args": ["tabwire"]},
        {"command": "/opt/tabwire/other"},
        {"command": "/usr/bin/python3", "args": ["/home/tabwire/server.py"]},
        {"command": "uvx", "args": ["tabwire-like"]},
        {"command": "uvx", "args": "tabwire"},
    ],
)
def test_an_entry_that_starts_something_else_is_not_ours(value: Any) -> None:
    assert not is_ours(value)


# JSON as text.

ODD = '{\r\n\t"z" : 1.50,\r\n\t"mcpServers":{\r\n\t\t"other": {"command":"x", "env": {"K": "\\u00e9é"}, "n": 1E5}\r\n\t},\r\n\t"a": [ ]\r\n}\r\n'
LAYOUTS = {
    "odd": ODD,
    "one line": '{"b":1,"mcpServers":{"other":{"command":"x"}},"a":-0.0}',
    "two servers": '{\n    "mcpServers": {\n        "a": {},\n        "b": {\n            "args": ["}", "{"]\n        }\n    }\n}\n',
    "braces in text": '{"x": "}{\\"", "mcpServers": {"o\\"}": {"command": "{"}}}',
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_putting_in_and_taking_out_again_restores_every_byte(text: str) -> None:
    value = {"command": "/opt/bin/tabwire", "args": ["serve"]}
    written = json_text.with_member(text, "mcpServers", "tabwire", value)
    before = json.loads(text)
    assert json.loads(written) == {**before, "mcpServers": {**before["mcpServers"], "tabwire": value}}
    assert list(json.loads(written)) == list(before)
    assert json_text.without_member(written, "mcpServers", "tabwire") == text


def test_the_layout_of_the_file_is_followed() -> None:
    assert json_text.with_member(ODD, "mcpServers", "tabwire", {"a": [1]}) == ODD.replace(
        "1E5}\r\n\t}", '1E5},\r\n\t\t"tabwire": {\r\n\t\t\t"a": [\r\n\t\t\t\t1\r\n\t\t\t]\r\n\t\t}\r\n\t}'
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", '{\n  "servers": {\n    "t": 1\n  }\n}\n'),
        (" \n", '{\n  "servers": {\n    "t": 1\n  }\n}\n'),
        ("{}", '{\n  "servers": {\n    "t": 1\n  }\n}'),
        ('{"servers": {}}', '{"servers": {\n  "t": 1\n}}'),
        ('{\n    "servers": {}\n}', '{\n    "servers": {\n        "t": 1\n    }\n}'),
        ('{\n "x": 1\n}\n', '{\n "x": 1,\n "servers": {\n  "t": 1\n }\n}\n'),
        ('{"servers": {"t": {"old": true}, "u": 2}}', '{"servers": {"t": 1, "u": 2}}'),
    ],
)
def test_a_section_is_made_or_filled(text: str, written: str) -> None:
    assert json_text.with_member(text, "servers", "t", 1) == written


@pytest.mark.parametrize("position", [0, 1, 2])
def test_a_member_is_taken_out_wherever_it_is(position: int) -> None:
    names = ["a", "b"]
    names.insert(position, "t")
    text = json.dumps({"servers": {name: {"n": name} for name in names}}, indent=2)
    assert json_text.without_member(text, "servers", "t") == json.dumps(
        {"servers": {name: {"n": name} for name in ("a", "b")}}, indent=2
    )


NOT_PLAIN = {
    "line comment": '{\n  // mine\n  "servers": {}\n}',
    "block comment": '{"servers": {} /* mine */}',
    "trailing comma": '{"servers": {},}',
    "cut off": '{"servers": {',
    "array": "[]",
    "text": '"servers"',
    "twice": '{"servers": {}, "servers": {}}',
    "twice inside": '{"servers": {"a": 1, "a": 2}}',
    "constant": '{"x": NaN}',
    "other section": '{"servers": []}',
    "null section": '{"servers": null}',
    "too deep": '{"x":' + "[" * 100_000,
}


@pytest.mark.parametrize("text", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_what_is_not_plain_json_is_not_touched(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    change = addition(VSCODE, file, COMMAND, [])
    assert (change.action, change.is_needed) == ("unclear", False)
    assert change.reason
    assert change.entry["command"] == "/opt/bin/tabwire"
    assert file.read_text() == text


# Files.


def done(change: Any) -> Path | None:
    return apply(change, NOW)


def test_a_new_file_and_its_folder_are_made(tmp_path: Path) -> None:
    file = tmp_path / "a/b/mcp.json"
    change = addition(CURSOR, file, COMMAND, ["--launch"])
    assert change.action == "add"
    assert done(change) is None
    assert json.loads(file.read_text()) == {
        "mcpServers": {"tabwire": {"command": COMMAND[0], "args": ["serve", "--tools", "everyday", "--launch"]}}
    }
    assert [path.name for path in file.parent.iterdir()] == ["mcp.json"]


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_the_backup_is_the_old_file_and_both_keep_its_mode(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(ODD)
    file.chmod(mode)
    backup = done(addition(CURSOR, file, COMMAND, []))
    assert backup == tmp_path / "mcp.json.tabwire-backup-20261121-043005"
    assert backup.read_bytes() == ODD.encode()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, backup)] == [mode, mode]


def test_a_second_backup_of_the_same_second_overwrites_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")
    first, second = done(addition(CURSOR, file, COMMAND, [])), done(removal(CURSOR, file))
    assert first and second and first != second
    assert first.read_text() == "{}"
    assert "tabwire" in second.read_text()


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_bytes(b"\xef\xbb\xbf" + ODD.encode())
    done(addition(CURSOR, file, COMMAND, []))
    assert file.read_bytes().startswith(b"\xef\xbb\xbf{\r\n")
    done(removal(CURSOR, file))
    assert file.read_bytes() == b"\xef\xbb\xbf" + ODD.encode()


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles/mcp.json"
    target.parent.mkdir()
    target.write_text("{}")
    link = tmp_path / "mcp.json"
    link.symlink_to(target)
    backup = done(addition(CURSOR, link, COMMAND, []))
    assert link.is_symlink()
    assert "tabwire" in target.read_text()
    assert backup and backup.parent == target.parent


def test_the_second_time_there_is_nothing_to_do(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    done(addition(VSCODE, file, COMMAND, []))
    again = addition(VSCODE, file, COMMAND, [])
    assert (again.action, again.is_needed) == ("keep", False)


def test_an_entry_of_another_version_is_changed_and_another_programs_is_not(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"tabwire": {"command": "/old/tabwire", "args": ["serve"]}}}')
    assert addition(CURSOR, file, COMMAND, []).action == "update"
    assert removal(CURSOR, file).action == "remove"
    file.write_text('{"mcpServers": {"tabwire": {"command": "/bin/other"}}}')
    assert addition(CURSOR, file, COMMAND, []).action == "foreign"
    assert removal(CURSOR, file).action == "foreign"


def test_a_file_that_is_not_understood_concerns_an_uninstallation_only_if_it_names_us(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"servers": {}, // none\n}')
    assert removal(VSCODE, file).action == "absent"
    file.write_text('{"servers": {"tabwire": {"command": "tabwire"}}, // mine\n}')
    assert removal(VSCODE, file).action == "unclear"


@pytest.mark.parametrize("content", [b"\xff\xfe{\x00}\x00", b'{"a": "\xe9"}'])
def test_a_file_that_is_not_utf8_is_not_touched(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_bytes(content)
    change = addition(CURSOR, file, COMMAND, [])
    assert (change.action, change.reason) == ("unclear", "it is not UTF-8 text")


def test_a_folder_in_the_place_of_the_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").mkdir()
    change = addition(CURSOR, tmp_path / "mcp.json", COMMAND, [])
    assert change.action == "unclear"
    assert "cannot be read" in change.reason


def test_a_file_the_client_has_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")
    change = addition(CURSOR, file, COMMAND, [])
    file.write_text('{"theme": "dark"}')
    with pytest.raises(UnsupportedOperation, match="just changed it"):
        done(change)
    assert file.read_text() == '{"theme": "dark"}'
    assert [path.name for path in tmp_path.iterdir()] == ["mcp.json"]


@pytest.mark.parametrize("broken", ["replace", "fsync"])
def test_a_write_that_fails_leaves_the_file_and_nothing_else(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    owner: Any = Path if broken == "replace" else os
    monkeypatch.setattr(owner, broken, fail)
    with pytest.raises(UnsupportedOperation, match="No space left"):
        done(addition(CURSOR, file, COMMAND, []))
    assert file.read_text() == "{}"
    assert [path.name for path in tmp_path.iterdir()] == ["mcp.json"]


@contextmanager
def as_nobody() -> Iterator[None]:
    """Root may write everything."""
    me = os.geteuid()
    if me == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(me)


@posix
@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o666), (0o777, 0o444)])
def test_a_file_that_may_not_be_written_is_told_and_not_changed(folder_mode: int, file_mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "mcp.json"
        file.write_text("{}")
        file.chmod(file_mode)
        folder.chmod(folder_mode)
        with as_nobody(), pytest.raises(UnsupportedOperation, match="Permission denied.*nothing in it was changed"):
            done(addition(CURSOR, file, COMMAND, []))
        folder.chmod(0o700)
        assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("mcp.json", "{}")]


def test_reading_follows_no_endless_link(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").symlink_to(tmp_path / "mcp.json")
    with pytest.raises(UnsupportedOperation, match="cannot be read"):
        config_file.read(tmp_path / "mcp.json")


def test_ids_and_titles_are_told_apart() -> None:
    assert len({client.id for client in CLIENTS}) == len({client.title for client in CLIENTS}) == len(CLIENTS)
    assert all(isinstance(client, Client) and set(client.places) == {"win32", "darwin", "linux"} for client in CLIENTS)
    assert CODE.program == "claude"
