"""`tabwire serve --launch`: the browser begins and ends with the server, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import time
from pathlib import Path

import pytest

from e2e.client import Tabwire
from e2e.processes import processes_of, until_ended, until_gone
from e2e.site import Site
from programs import environment, ran_here


def start(tmp_path: Path, temp: Path, *args: str) -> Tabwire:
    env = {"TABWIRE_HOME": str(tmp_path / "home"), "TMPDIR": str(temp), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    tabwire = Tabwire(["--launch", "--headless", *args], env, tmp_path / "work")
    tabwire.ok("tab_list")
    assert processes_of(temp)
    return tabwire


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_the_browser_ends_with_the_server_and_no_folder_is_left(end: signal.Signals, tmp_path: Path, temp: Path) -> None:
    """SIGINT and the end of stdin end the servers of the tests below."""
    tabwire = start(tmp_path, temp)
    try:
        os.kill(tabwire.pid, end)
        until_ended(lambda: not tabwire.is_running(), says="the server ended")
        until_gone(temp)
    finally:
        tabwire.close()


def test_a_named_profile_is_kept_and_all_that_is_saved_is_for_its_owner_only(tmp_path: Path, temp: Path) -> None:
    home = tmp_path / "home"
    # As an earlier version made it.
    home.mkdir(mode=0o755)
    tabwire = start(tmp_path, temp, "--profile", "work")
    for suffix in ("png", "jpeg"):
        tabwire.ok("screenshot", save_path=f"pictures/{suffix}/page.{suffix}")
    picture = home / "artifacts" / "pictures" / "png" / "page.png"
    picture.chmod(0o644)
    tabwire.ok("screenshot", save_path=str(picture))
    os.kill(tabwire.pid, signal.SIGINT)
    until_ended(lambda: not tabwire.is_running(), says="the server ended")
    tabwire.close()
    until_gone(temp)
    profile = home / "profiles" / "work"
    until_ended(lambda: processes_of(profile), equals=[])
    assert (profile / "Default").is_dir() and (profile / "Crash Reports").is_dir()
    assert not (tmp_path / "config").exists(), "something of the browser's is in the user's home"
    # What is in the profile's folder is the browser's, and its folder is closed.
    made = [home, *(path for path in home.rglob("*") if profile not in path.parents)]
    assert (home / "artifacts" / "pictures" / "jpeg" / "page.jpeg") in made and list((home / "events").glob("*.head"))
    modes = {path: stat.S_IMODE(path.lstat().st_mode) for path in made}
    assert modes == {path: 0o700 if path.is_dir() else 0o600 for path in modes}


def kill_browser(temp: Path) -> None:
    # All are looked at before one ends: the others follow it.
    commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in processes_of(temp)}
    for pid, command in commands.items():
        if b"--type=" not in command and b"reaper" not in command:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_a_browser_that_is_killed_is_replaced_for_the_next_call_and_the_client_is_told(
    tmp_path: Path, temp: Path, site: Site
) -> None:
    url = site.page("<button onclick=\"fetch('/post', {method: 'POST', body: 'pressed=1'})\">Press</button>")
    # A profile that another browser used a moment ago is the harder case.
    tabwire = start(tmp_path, temp, "--profile", str(tmp_path / "profile"))
    try:
        tabwire.ok("navigate", url=url)
        ref = tabwire.ref("button", "Press")
        tab = tabwire.tabs()[0]["tabId"]
        had = len(site.posts)
        kill_browser(temp)
        began = time.monotonic()
        told = tabwire.fails("click", selector=ref)
        if "The next call starts a new browser" in told.text:
            assert told.code in ("not_connected", "outcome_unknown")
        else:
            assert told.code == "not_connected"
            assert "has been started in its place. This call did nothing" in told.text
        tabs = tabwire.tabs()
        assert time.monotonic() - began < 5, "the new browser took too long"
        assert [each["url"] for each in tabs] == ["about:blank"]
        assert tabwire.fails("click", selector="body", tabId=tab).code == "no_such_tab"
        tabwire.ok("navigate", url=url)
        assert tabwire.fails("click", selector=ref).code == "no_such_element"
        tabwire.ok("click", selector=tabwire.ref("button", "Press"))
        site.wait_for(lambda site: len(site.posts) > had)
        assert len(site.posts) == had + 1
    finally:
        # The server sees the end of its stdin.
        tabwire.close()
    until_ended(lambda: not tabwire.is_running(), says="the server ended")
    until_gone(temp)


def test_a_chromium_that_is_not_there_is_named(tmp_path: Path) -> None:
    tabwire = Tabwire(["--launch", "--chromium", "/nowhere/chrome"], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work")
    try:
        reply = tabwire.fails("tab_list")
        assert reply.code == "not_connected"
        assert "/nowhere/chrome" in reply.text
        assert "TABWIRE_CHROMIUM" in reply.text
    finally:
        tabwire.close()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--toolset", "nothing"], "toolset"),
        (["serve", "--port", "80"], "port"),
        (["serve", "--nonsense"], "--nonsense"),
    ],
)
def test_a_bad_command_line_is_refused_with_the_reason(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = ran_here(*arguments, env=environment(tmp_path), cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""
