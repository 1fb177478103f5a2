"""`serve --launch` on Windows: it starts a browser, and nothing of it is left when the server is killed."""

import io
import os
import shutil
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pip
import pytest

from e2e.client import Tabwire
from e2e.ports import own_window
from e2e.site import Site
from polling import until
from windows import wine

pytestmark = [pytest.mark.skipif(not wine.IS_SET_UP, reason=wine.WITHOUT), pytest.mark.timeout(600)]

HERE = Path(__file__).parent
LAUNCHER = Path(pip.__file__).parent / "_vendor/distlib/t64.exe"
"""A program for Windows that starts the one named in it with a script that is appended to it."""
HOME = "C:\\users\\Zoë launches 日本"


def chromium_program() -> Path:
    """`chromium.exe`, which starts the Chromium of this system."""
    script = (HERE / "chromium_program.py").read_text(encoding="utf-8")
    named = f"import sys; sys.argv.insert(1, {wine.there(HERE / 'chromium_here.sh')!r})\n"
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("__main__.py", f"{named}{script}")
    program = wine.here(f"{HOME}\\chromium.exe")
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_bytes(LAUNCHER.read_bytes() + f"#!{wine.there(wine.PYTHON)}\n".encode() + archive.getvalue())
    return program


def processes(*marks: str) -> list[int]:
    """Processes of this system with all of these words in their command lines."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if entry.name.isdigit() and all(mark.encode() in line for mark in marks) and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def test_a_launched_browser_ends_with_a_server_that_is_killed(site: Site, tmp_path: Path) -> None:
    wine.start_services()
    shutil.rmtree(wine.here(HOME), ignore_errors=True)
    chromium_program()
    variables = {
        "TABWIRE_HOME": f"{HOME}\\.tabwire",
        "TABWIRE_CHROMIUM": f"{HOME}\\chromium.exe",
        "TABWIRE_FIRST_PORT": str(own_window()),
        **dict.fromkeys(("TEMP", "TMP"), f"{HOME}\\temp"),
    }
    wine.here(f"{HOME}\\temp").mkdir(exist_ok=True)
    words = wine.command([wine.there(wine.PYTHON), "-m", "tabwire", "serve", "--launch", "--headless"], variables)
    server = Tabwire([], wine.environment(), tmp_path, command=[*wine.PIPED, *words], from_checkout=False)
    try:
        server.until_joined(90)
        url = site.page("<button onclick=\"fetch('/post', {method: 'POST', body: 'pressed'})\">Press</button>")
        server.ok("navigate", url=url)
        server.ok("click", selector=server.ref("button", "Press"))
        site.wait_for_post("/post")
        profile = str(wine.here(HOME))
        assert processes("chromium", profile)
        for number in processes("python.exe", "tabwire", "serve", "--launch"):
            os.kill(number, signal.SIGKILL)
        until(lambda: not processes("chromium", profile) and not processes("python.exe", "reaper.py"), within=60)
        until(lambda: list(wine.here(f"{HOME}\\temp").iterdir()) == [], within=30)
    finally:
        server.close()
