"""`tabwire install` and `tabwire uninstall`, as commands of a user with a home folder of their own."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridge.command import User
from programs import command
from tabwire.install import extension_files
from tabwire.wire.keys import KeyStore

pytestmark = pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="the home folder is set as on POSIX")

DESKTOP = {"linux": ".config/Claude/claude_desktop_config.json"}.get(
    sys.platform, "Library/Application Support/Claude/claude_desktop_config.json"
)
CURSOR = ".cursor/mcp.json"
OTHER = '{"mcpServers":{"other":{"command":"x","env":{"TOKEN":"s3cret"}}},"n":1.50}'

# What `claude mcp add|remove` do to the file, as seen of version 2.1.197.
CLAUDE = """
import json, os, sys
path = os.path.join(os.environ["HOME"], ".claude.json")
with open(os.path.join(os.environ["HOME"], "claude-calls"), "a") as calls: calls.write(json.dumps(sys.argv[1:]) + "\\n")
config = json.load(open(path)) if os.path.exists(path) else {}
servers = config.setdefault("mcpServers", {})
mcp, act, name, *rest = sys.argv[1:]
assert (mcp, rest[:2]) == ("mcp", ["--scope", "user"]), sys.argv
if act == "add":
    if name in servers: sys.exit(f"MCP server {name} already exists in user config")
    options, (command, *args) = rest[2:rest.index("--")], rest[rest.index("--") + 1:]
    env = dict(value.split("=", 1) for flag, value in zip(options[::2], options[1::2]) if flag == "--env")
    servers[name] = {"type": "stdio", "command": command, "args": args, "env": env}
elif name not in servers: sys.exit(f"No MCP server named {name} in user scope")
else: del servers[name]
json.dump(config, open(path, "w"), indent=2)
"""


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, is_process=False)


def calls(user: User) -> list[list[str]]:
    path = user.home / "claude-calls"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def entry_of(user: User, name: str, key: str = "mcpServers") -> Any:
    return user.json(name)[key].get("tabwire")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Install.


def test_it_configures_the_clients_that_are_there_and_puts_the_extension_in_place(user: User) -> None:
    user.write(CURSOR, OTHER)
    (user.home / DESKTOP).parent.mkdir(parents=True)
    out = user.ok("install")
    for name in (CURSOR, DESKTOP):
        entry = entry_of(user, name)
        assert entry["args"][-3:] == ["serve", "--tools", "everyday"]
        assert os.path.isabs(entry["command"])
    assert user.json(CURSOR)["mcpServers"]["other"]["env"] == {"TOKEN": "s3cret"}
    assert '"n":1.50' in (user.home / CURSOR).read_text()
    assert (user.extension / "manifest.json").is_file()
    assert mode(user.extension / "pairing.json") == 0o600
    assert f"choose {user.extension}" in out
    assert "Claude Code" not in out and "VS Code" not in out


def test_the_written_command_starts_this_program(user: User) -> None:
    import subprocess

    user.write(CURSOR, "{}")
    user.ok("install")
    entry = entry_of(user, CURSOR)
    done = subprocess.run(
        [entry["command"], *entry["args"][:-3], "--version"],
        env=user.environment(),
        cwd="/",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"tabwire {extension_files.version()}\n", done.stderr


def test_print_changes_nothing_and_shows_no_secret(user: User) -> None:
    user.write(CURSOR, OTHER)
    user.write(DESKTOP, "{ // mine\n}")
    user.program("claude", CLAUDE)
    before = user.files()
    done = user.run("install", "--print")
    assert user.files() == before
    assert not (user.home / ".tabwire").exists()
    assert "s3cret" not in done.out + done.err
    for words in ("Would copy the extension", '"tabwire": {', "claude mcp add tabwire --scope user -- ", "not plain JSON"):
        assert words in done.out
    assert done.code == 1, "a client cannot be configured"


def test_print_says_what_is_then_written(user: User) -> None:
    user.write(CURSOR, OTHER)
    said = user.ok("install", "--print", "--launch")
    user.ok("install", "--launch")
    lines = json.dumps(entry_of(user, CURSOR), indent=2).splitlines()
    assert all(line in said for line in lines)


def test_the_second_time_it_says_already_and_writes_nothing(user: User) -> None:
    user.write(CURSOR, OTHER)
    user.ok("install")
    before = user.files()
    out = user.ok("install")
    assert user.files() == before
    assert out.count("already") == 3  # the extension, Cursor, and "If it is loaded already"


def test_a_backup_lies_beside_what_was_changed(user: User) -> None:
    path = user.write(CURSOR, OTHER)
    path.chmod(0o600)
    user.ok("install")
    (backup,) = path.parent.glob("mcp.json.tabwire-backup-*")
    assert backup.read_text() == OTHER
    assert (mode(path), mode(backup)) == (0o600, 0o600)


def test_a_file_with_comments_is_left_and_the_snippet_shown(user: User) -> None:
    path = user.write(CURSOR, '{ // mine\n  "mcpServers": {}, }')
    done = user.run("install")
    assert done.code == 1
    assert path.read_text() == '{ // mine\n  "mcpServers": {}, }'
    assert "not plain JSON (line 1" in done.out and 'in "mcpServers"' in done.out and '"command":' in done.out


def test_a_name_that_is_taken_by_another_program_is_left(user: User) -> None:
    taken = '{"mcpServers": {"tabwire": {"command": "/bin/other"}}}'
    path = user.write(CURSOR, taken)
    done = user.run("install")
    assert (done.code, path.read_text()) == (1, taken)
    assert "another program" in done.out


def test_a_named_client_that_is_not_there_gets_its_file(user: User) -> None:
    user.ok("install", "--client", "vscode", "--client", "cursor")
    vscode = {"linux": ".config"}.get(sys.platform, "Library/Application Support") + "/Code/User/mcp.json"
    assert entry_of(user, vscode, "servers")["type"] == "stdio"
    assert "type" not in entry_of(user, CURSOR)


def test_an_unknown_client_is_refused_with_those_there_are(user: User) -> None:
    done = user.run("install", "--client", "emacs")
    assert done.code == 2
    assert "'emacs'" in done.err and "claude-desktop (Claude Desktop), claude-code" in done.err and "vscode (VS Code)" in done.err
    assert "--client takes claude-desktop (Claude Desktop)" in user.ok("install", "--client", "?")
    assert user.files() == {}


def test_a_client_is_known_by_its_name_for_people_in_any_case(user: User) -> None:
    user.ok("install", "--client", "Cursor", "--client", "vs code", "--client", "CURSOR")
    assert entry_of(user, CURSOR)["args"][-3:] == ["serve", "--tools", "everyday"]
    assert "2 of 2 done." in user.ok("install", "--client", "cursor", "--client", "VS-Code")
    user.ok("uninstall", "--client", "Cursor")
    assert entry_of(user, CURSOR) is None


def test_what_is_not_installed_does_not_make_it_fail(user: User) -> None:
    user.write(CURSOR, "{}")
    user.write(".claude.json", "{}")
    assert "1 of 2 done. Claude Code: not installed on this computer." in user.ok("install")
    done = user.run("install", "--client", "claude-code")
    assert done.code == 1, "it was asked for"


def test_other_ports_are_told_to_the_copy_that_is_there(user: User) -> None:
    user.ok("install", TABWIRE_FIRST_PORT="18000")
    before = user.json("Tabwire-extension/pairing.json")
    assert "ports of your configuration" in user.ok("install", TABWIRE_FIRST_PORT="20000")
    after = user.json("Tabwire-extension/pairing.json")
    assert after["ports"][0] == 20000
    assert {**after, "ports": None} == {**before, "ports": None}


def test_without_a_client_it_says_what_to_start(user: User) -> None:
    out = user.ok("install")
    assert "No MCP client was found" in out and " serve" in out


def test_a_home_of_its_own_is_told_to_the_client(user: User) -> None:
    user.write(CURSOR, "{}")
    user.ok("install", TABWIRE_HOME=str(user.home / "elsewhere"))
    assert entry_of(user, CURSOR)["args"][-5:] == ["serve", "--tools", "everyday", "--home", str(user.home / "elsewhere")]
    assert (user.home / "elsewhere/extension/pairing.json").is_file()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["serve"], ["serve", "--tools", "everyday"]),
        (["serve", "--tools", "core", "--input", "dom"], ["serve", "--tools", "everyday", "--input", "dom"]),
        (["serve", "--tools", "everyday", "--launch"], ["serve", "--tools", "everyday"]),
        (["serve", "--tools", "core,media"], ["serve", "--tools", "core,media"]),
        (["serve", "--tools"], ["serve", "--tools"]),
        (["serve", "--tools", "all"], ["serve", "--tools", "all"]),
        (["serve", "--toolset=facade"], ["serve", "--toolset=facade"]),
    ],
)
def test_the_short_list_of_tools_is_written_unless_the_user_has_chosen(user: User, before: list[str], after: list[str]) -> None:
    user.write(CURSOR, json.dumps({"mcpServers": {"tabwire": {"command": "tabwire", "args": before}}}))
    user.ok("install")
    args = entry_of(user, CURSOR)["args"]
    assert args[args.index("serve") :] == after


def test_a_launched_browser_needs_no_copy_of_the_extension(user: User) -> None:
    user.write(CURSOR, "{}")
    user.ok("install", "--launch")
    assert entry_of(user, CURSOR)["args"][-4:] == ["serve", "--tools", "everyday", "--launch"]
    assert not user.extension.exists()


def test_the_file_of_a_project_is_written_and_no_other(user: User) -> None:
    user.write(CURSOR, "{}")
    user.ok("install", "--project", "--client", "claude-code", "--client", "vscode")
    assert json.loads((user.work / ".mcp.json").read_text())["mcpServers"]["tabwire"]["type"] == "stdio"
    assert "tabwire" in json.loads((user.work / ".vscode/mcp.json").read_text())["servers"]
    assert (user.home / CURSOR).read_text() == "{}"
    user.ok("uninstall", "--project", "--client", "vscode")
    assert json.loads((user.work / ".vscode/mcp.json").read_text()) == {"servers": {}}
    assert user.extension.exists()


@pytest.mark.parametrize(("words", "said"), [(["--client", "claude-desktop"], "Claude Desktop"), ([], "--client")])
def test_a_client_without_a_file_in_projects_is_refused(user: User, words: list[str], said: str) -> None:
    done = user.run("install", "--project", *words)
    assert done.code == 2 and said in done.err
    assert user.files() == {}


# Claude Code.


def test_claude_code_is_asked_to_change_its_own_file(user: User) -> None:
    user.program("claude", CLAUDE)
    user.write(".claude.json", '{"numStartups": 7}')
    assert "Claude Code: added" in user.ok("install")
    assert user.json(".claude.json")["numStartups"] == 7
    assert entry_of(user, ".claude.json")["args"][-3:] == ["serve", "--tools", "core"]
    assert "Claude Code: already" in user.ok("install")
    assert len(calls(user)) == 1
    assert "Claude Code: took" in user.ok("uninstall")
    assert user.json(".claude.json")["mcpServers"] == {}
    assert not list(user.home.glob("*backup*"))


def test_an_older_entry_of_claude_code_keeps_its_environment_unseen(user: User) -> None:
    user.program("claude", CLAUDE)
    old = {"type": "stdio", "command": "/old/tabwire", "args": ["serve", "--tools", "core"], "env": {"SECRET": "hunter2"}}
    user.write(".claude.json", json.dumps({"mcpServers": {"tabwire": old}}))
    said = user.ok("install", "--print") + user.ok("install")
    entry = entry_of(user, ".claude.json")
    assert entry["env"] == {"SECRET": "hunter2"}
    assert entry["args"][-2:] == ["--tools", "core"] and entry["command"] != "/old/tabwire"
    assert [call[1] for call in calls(user)] == ["remove", "add"]
    assert "hunter2" not in said


def test_without_its_program_the_command_is_printed_and_the_file_left(user: User) -> None:
    before = user.write(".claude.json", '{"numStartups": 7}').read_text()
    assert "claude mcp add tabwire --scope user -- " in user.ok("install")
    assert (user.home / ".claude.json").read_text() == before


@pytest.mark.parametrize(
    ("script", "said"),
    [("import sys; sys.exit('config is locked')", "config is locked"), ("pass", "does not show it")],
)
def test_a_program_that_did_not_do_it_is_told(user: User, script: str, said: str) -> None:
    user.program("claude", script)
    done = user.run("install")
    assert done.code == 1
    assert said in done.err
    assert "Claude Code: added" not in done.out


def test_words_of_a_program_that_the_code_page_lacks_are_shown(tmp_path: Path) -> None:
    user = User(tmp_path)
    user.program("claude", "import sys; sys.stderr.buffer.write('Ágnes has locked it \\x81'.encode()); sys.exit(1)")
    done = user.run("install", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="utf-8")
    assert "Ágnes has locked it" in done.err


def test_a_reader_that_has_gone_stops_no_step(user: User) -> None:
    user.write(DESKTOP, "{}")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        env = {**user.environment(), "PYTHONUNBUFFERED": "1"}
        subprocess.run(
            command("install"), env=env, cwd=user.work, stdin=subprocess.DEVNULL, stdout=closed, check=False, timeout=60
        )
    assert entry_of(user, DESKTOP)["args"][0] == "serve"
    assert (user.extension / "manifest.json").exists()


# Uninstall.


def test_it_takes_out_what_install_put_in_and_nothing_else(user: User) -> None:
    user.write(CURSOR, OTHER)
    user.ok("install")
    login = user.write(".tabwire/auth/shop.json", "{}")
    note = user.write(".tabwire/run/17890.json", '{"port": 17890, "pid": 999999999, "client": "", "started": "", "version": ""}')
    out = user.ok("uninstall")
    assert (user.home / CURSOR).read_text() == OTHER
    assert not user.extension.exists() and not note.exists()
    assert login.read_text() == "{}"
    assert "chrome://extensions" in out and "Left in" in out and "auth" in out
    assert KeyStore(user.home / ".tabwire/keys.json").all() == ()


def test_after_it_nothing_is_left_of_a_fresh_installation(user: User) -> None:
    user.ok("install")
    user.ok("uninstall")
    assert not (user.home / ".tabwire").exists()


def test_keep_data_leaves_the_extension_paired(user: User) -> None:
    user.write(CURSOR, OTHER)
    user.ok("install")
    user.ok("uninstall", "--keep-data")
    assert (user.home / CURSOR).read_text() == OTHER
    assert "already" in user.ok("extension", "install")


def test_all_data_deletes_only_what_tabwire_puts_there(user: User) -> None:
    user.ok("install")
    for ours in ("auth/shop.json", "events/day.jsonl", "profiles/work/Preferences", "listen.pem", "http-token"):
        user.write(f".tabwire/{ours}", "{}")
    mine = user.write(".tabwire/notes.txt", "mine")
    out = user.ok("uninstall", "--all-data")
    assert mine.read_text() == "mine"
    assert [path.name for path in (user.home / ".tabwire").iterdir()] == ["notes.txt"]
    assert "notes.txt" in out


def test_print_of_uninstall_changes_nothing(user: User) -> None:
    user.write(CURSOR, OTHER)
    user.ok("install")
    before = user.files()
    out = user.ok("uninstall", "--print", "--all-data")
    assert user.files() == before
    assert "would take" in out and "Would delete" in out


def test_an_entry_that_is_not_ours_is_left_and_said(user: User) -> None:
    taken = '{"mcpServers": {"tabwire": {"command": "/bin/other"}}}'
    path = user.write(CURSOR, taken)
    done = user.run("uninstall")
    assert (done.code, path.read_text()) == (1, taken)
    assert "another program" in done.out


def test_keys_of_other_copies_stay_and_are_named(user: User) -> None:
    user.ok("install")
    user.ok("extension", "install", "--dir", str(user.home / "second"))
    out = user.ok("uninstall")
    (key,) = KeyStore(user.home / ".tabwire/keys.json").all()
    assert key.label == str(user.home / "second")
    assert f"pair --revoke {key.id}" in out


# Pack.


def test_pack_writes_where_it_is_told(user: User) -> None:
    user.ok("extension", "pack")
    user.ok("extension", "pack", "--out", str(user.home / "with-key.zip"), "--keep-key")
    import zipfile

    plain = zipfile.ZipFile(user.work / f"tabwire-extension-{extension_files.version()}.zip")
    keyed = zipfile.ZipFile(user.home / "with-key.zip")
    assert "key" not in json.loads(plain.read("manifest.json"))
    assert json.loads(keyed.read("manifest.json"))["key"] == extension_files.manifest()["key"]
    assert [name for name in plain.namelist() if name.endswith("pairing.json")] == []


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: os.mkfifo(path), "it is not a plain file"),
        (lambda path: os.symlink("/dev/zero", path), "it is not a plain file"),
        (os.mkdir, "it is a folder"),
    ],
    ids=["pipe", "device", "folder"],
)
def test_a_configuration_that_is_no_plain_file_is_left_as_it_is(make: Callable[[Path], None], reason: str, user: User) -> None:
    path = user.home / CURSOR
    path.parent.mkdir(parents=True)
    make(path)
    before = (path.lstat().st_ino, path.lstat().st_mtime_ns)
    for action in ("install", "uninstall"):
        done = user.run(action, "--client", "cursor")
        assert done.code == 1
        assert reason in done.out + done.err and "left as it is" in done.out + done.err
    assert (path.lstat().st_ino, path.lstat().st_mtime_ns) == before
    assert list(path.parent.iterdir()) == [path]
