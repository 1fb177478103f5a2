r"""A user of Windows from the installation to its end, with a space in their name and letters that are in no code page.

What a step did is read from files, from the page and from the replies. Chromium is the one of this system.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.ports import own_window
from e2e.site import Site
from windows import wine

pytestmark = pytest.mark.skipif(not wine.IS_SET_UP, reason=wine.WITHOUT)

USER = "C:\\users\\Zoë Ünal 日本"
OTHER = {"mcpServers": {"other": {"command": "C:\\x.exe", "args": [], "env": {"TOKEN": "s3cret"}}}, "theme": "dark"}
PACKAGED = "AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude"
CONFIGURATION = "claude_desktop_config.json"
FORM = """<meta charset=utf-8><title>Bücher</title><h1>Bücher</h1>
<form onsubmit="event.preventDefault(); document.title = 'Ordered for ' + who.value + ' ' + terms.checked">
<label>Name <input id=who></label><label><input type=checkbox id=terms> Agree</label><button>Order</button></form>"""


class WindowsUser:
    """A user of a fresh home, and what `tabwire` does for them."""

    def __init__(self, temp: Path) -> None:
        self.temp = temp
        self.home = wine.here(USER)
        roaming, local = f"{USER}\\AppData\\Roaming", f"{USER}\\AppData\\Local"
        self.variables = {
            **{"USERPROFILE": USER, "HOMEDRIVE": "C:", "HOMEPATH": USER[2:], "APPDATA": roaming, "LOCALAPPDATA": local},
            **dict.fromkeys(("TEMP", "TMP"), f"{local}\\Temp"),
            "TABWIRE_FIRST_PORT": str(own_window()),
        }
        wine.here(f"{local}\\Temp").mkdir(parents=True)

    def run(self, *words: str, code: int = 0) -> str:
        """What a command says; it ends with this code and never with a traceback."""
        done = wine.run([wine.there(wine.PYTHON), "-m", "tabwire", *words], self.variables)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout

    def path(self, below: str) -> Path:
        """A file below the home."""
        return wine.here(f"{USER}\\{below}")

    def configurations(self) -> list[Path]:
        """The files in which Claude Desktop looks for servers: of its usual form, and of that from the Microsoft Store."""
        return [self.path(f"AppData\\Roaming\\Claude\\{CONFIGURATION}"), self.path(f"{PACKAGED}\\{CONFIGURATION}")]

    def entry(self) -> Any:
        """How Claude Desktop starts the server."""
        return json.loads(self.configurations()[0].read_text(encoding="utf-8"))["mcpServers"]["tabwire"]

    def serve(self) -> Tabwire:
        """The server as Claude Desktop starts it."""
        entry = self.entry()
        words = wine.command([entry["command"], *entry["args"]], {**self.variables, **entry.get("env", {})})
        return Tabwire([], wine.environment(), self.temp / "client", command=[*wine.PIPED, *words], from_checkout=False)


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WindowsUser]:
    wine.start_services()
    shutil.rmtree(wine.here(USER), ignore_errors=True)
    user = WindowsUser(tmp_path_factory.mktemp("windows"))
    for file in user.configurations():
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(OTHER, indent=2).replace("\n", "\r\n"), encoding="utf-8", newline="")
    yield user
    shutil.rmtree(wine.here(USER), ignore_errors=True)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.mark.timeout(600)
def test_a_set_up_an_hour_and_the_end(user: WindowsUser, site: Site) -> None:
    installed(user)
    joined(user, site)
    removed(user)


def installed(user: WindowsUser) -> None:
    said = user.run("install", "--client", "claude-desktop", "--no-wait")
    assert "Tabwire-extension" in said and "日本" in said
    for file in user.configurations():
        written = json.loads(file.read_text(encoding="utf-8"))
        assert written["mcpServers"]["other"] == OTHER["mcpServers"]["other"]  # type: ignore[index]
        assert written["mcpServers"]["tabwire"] == user.entry()
        (backup,) = file.parent.glob(f"{CONFIGURATION}.tabwire-backup-*")
        assert json.loads(backup.read_text(encoding="utf-8")) == OTHER
    assert (user.path("Tabwire-extension") / "manifest.json").is_file()
    assert "already has" in user.run("install", "--client", "claude-desktop", "--no-wait")


def joined(user: WindowsUser, site: Site) -> None:
    # Allowed here, because no client asks for consent in this run.
    user.run("pair", "--extension", f"{USER}\\Tabwire-extension", "--allow", "all")
    chromium = PlainChromium(user.temp / "chromium", "about:blank", extension=user.path("Tabwire-extension"))
    server = user.serve()
    try:
        server.until_joined(60)
        acts(server, chromium, site)
        reports(user)
        acts_in_a_shell(user, chromium, site)
    finally:
        server.close()
        chromium.close()
    assert list(user.path(".tabwire\\run").glob("*.json")) == []


def acts(server: Tabwire, chromium: PlainChromium, site: Site) -> None:
    url = site.page(FORM)
    server.ok("navigate", url=url, new_tab=True)
    page = chromium.browser.at(url)
    server.ok("fill", selector=server.ref("textbox", "Name"), value="Zoë 🙂 日本")
    server.ok("click", selector=server.ref("checkbox", "Agree"))
    server.ok("click", selector=server.ref("button", "Order"))
    assert page.evaluate("document.title") == "Ordered for Zoë 🙂 日本 true"
    assert server.ok("evaluate", expression="6 * 7").data == 42
    assert server.ok("screenshot").images
    assert any(tab["title"] == "Ordered for Zoë 🙂 日本 true" for tab in server.tabs())
    assert "Order" in server.snapshot()


def reports(user: WindowsUser) -> None:
    keys, *others = user.run("doctor").splitlines()
    assert keys.startswith("ok") and "Zoë Ünal 日本" in keys
    assert any(line.startswith("ok") and "mcp" in line and "answers" in line for line in others)
    assert "Everything that was tried works." in others
    assert 'mcp: fill textbox "Name" "Zoë 🙂 日本" at ' in user.run("log", "show")
    assert user.run("log", "verify").rstrip().endswith("as it was written")


def acts_in_a_shell(user: WindowsUser, chromium: PlainChromium, site: Site) -> None:
    """Each command is a process: a server beside them keeps the session."""
    url = site.page(FORM)
    user.run("open", url)
    page = chromium.browser.at(url)
    user.run("fill", "#who", "Ünal 日本")
    user.run("click", "button")
    assert page.evaluate("document.title") == "Ordered for Ünal 日本 false"
    assert "Ordered" in user.run("tabs")
    assert user.run("sessions").startswith("default:")
    user.run("close")
    assert user.run("sessions") == ""


def removed(user: WindowsUser) -> None:
    user.run("uninstall", "--client", "claude-desktop")
    for file in user.configurations():
        assert json.loads(file.read_text(encoding="utf-8")) == OTHER
    assert not user.path("Tabwire-extension").exists()
    assert not user.path(".tabwire\\keys.json").exists()
