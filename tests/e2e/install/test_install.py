"""What `tabwire install` puts into a folder: Chromium loads it and connects; an update keeps it paired; a revoked key ends it.

The tests of its browser come in the order of its life.
"""

import json
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge.command import User
from e2e.client import Reply, Tabwire
from e2e.install.terminal import Terminal
from e2e.plain import PlainChromium
from e2e.site import Site
from polling import until
from tabwire.install import extension_files

JOIN_S = 15
DROP_S = 5


class Installed(PlainChromium):
    """A Chromium with the copy of the extension that the command has made."""

    def __init__(self, user: User, url: str) -> None:
        self.user = user
        self.folder = user.home / "chrome"
        super().__init__(user.home, url, home=user.home / ".tabwire", extension=self.folder)


def installed(folder: Path, site: Site) -> Installed:
    user = User(folder, is_process=False)
    user.ok("install", "--dir", str(user.home / "chrome"))
    return Installed(user, site.url("/blank.html"))


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Installed]:
    chromium = installed(tmp_path_factory.mktemp("installed"), running_site)
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def bridge(chromium: Installed) -> Tabwire:
    return chromium.join("--log-level", "info")


def losses(bridge: Tabwire) -> int:
    return bridge.log.read_text().count("disconnected")


def key_of(chromium: Installed) -> str:
    return str(json.loads((chromium.folder / "pairing.json").read_text())["key_id"])


def test_chromium_loads_the_installed_copy_and_it_stays_paired_through_an_update(
    chromium: Installed, bridge: Tabwire, site: Site
) -> None:
    bridge.ok("tab_new", url=site.page("<h1>Hello</h1>", "Installed"))
    assert "Installed" in bridge.ok("title").text
    assert "last used" in chromium.user.ok("pair", "--list")
    # An older version is loaded; the command brings this one.
    manifest = chromium.folder / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"{extension_files.version()}"', '"0.0.1"', 1))
    out = chromium.user.ok("install", "--dir", str(chromium.folder))
    assert "its key stays" in out and "Next: press the reload button" in out
    chromium.browser.stop_workers()
    bridge.until_joined(JOIN_S)
    assert "Installed" in bridge.ok("title").text


def test_a_new_key_is_taken_up_by_the_browser(chromium: Installed, bridge: Tabwire) -> None:
    old, before = key_of(chromium), losses(bridge)
    chromium.user.ok("pair", "--rotate", "--extension", str(chromium.folder))
    assert key_of(chromium) != old
    bridge.until_joined(JOIN_S)
    assert losses(bridge) - before == 1, "it went on with the old key"


@dataclass
class Ended:
    """What became of connections whose key was taken back, or whose extension was uninstalled: calls that were begun."""

    uninstalled: Installed
    calls: dict[str, Future[Reply]]


@pytest.fixture(scope="module")
def ended(chromium: Installed, bridge: Tabwire, tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ended]:
    """Calls wait for seconds for a browser that was there: the next test goes on beside them."""
    before = losses(bridge)
    other = installed(tmp_path_factory.mktemp("other"), running_site)
    try:
        uninstalled = other.join("--log-level", "info")
        chromium.user.ok("pair", "--revoke", key_of(chromium))
        other.user.ok("uninstall", "--dir", str(other.folder))
        calls = {"under way": bridge.start("tab_list"), "uninstalled": uninstalled.start("tab_list")}
        until(lambda: losses(bridge) > before, within=DROP_S, says="the browser is disconnected")
        calls["revoked"] = bridge.start("tab_list")
        yield Ended(other, calls)
    finally:
        other.close()


def test_installing_waits_until_the_browser_is_connected_and_says_so(ended: Ended, tmp_path: Path, site: Site) -> None:
    user = User(tmp_path, is_process=False)
    user.write(".cursor/mcp.json", "{}")
    terminal = Terminal(user, "install", "--wait")
    chromium = None
    try:
        told = terminal.until("Waiting for Chrome")
        assert "chrome://extensions" in told and str(user.extension) in told and "tabwire pair" not in told
        # Another browser's key is not taken for it.
        stranger = PlainChromium(tmp_path / "stranger", site.url("/blank.html"))
        try:
            assert "refused" in terminal.until("was refused")
        finally:
            stranger.close()
        chromium = PlainChromium(user.home, site.url("/blank.html"), home=user.home / ".tabwire", extension=user.extension)
        assert "connected ✓" in terminal.until("✓")
        code, rest = terminal.ended()
        assert code == 0, rest
        assert "Everything that was tried works" in rest
        assert rest.endswith("Restart Cursor, then ask it: “Open example.com in my browser and tell me what it says.”\n")
        # Once it has been loaded nothing is left to do, and nobody waits without a terminal.
        assert "Next:" not in user.ok("install")
        assert "Load unpacked" not in user.ok("install", "--wait")
    finally:
        terminal.close()
        if chromium:
            chromium.close()


def test_a_revoked_key_and_uninstalling_each_end_the_open_connection(ended: Ended) -> None:
    assert not ended.uninstalled.folder.exists()
    # The browser tried again and was told no.
    replies = {name: call.result(20) for name, call in ended.calls.items()}
    assert {name: reply.is_error for name, reply in replies.items()} == dict.fromkeys(ended.calls, True), replies
    assert replies["revoked"].code == "not_connected"
    assert "tabwire install" in replies["revoked"].text
