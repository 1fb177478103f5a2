"""The first run as a person does it who has a wheel, a browser and Claude Desktop: each step by hand is counted.

`scripts/first_run` prints the steps. What is done by hand is done by the test in its place: Claude Desktop's part by an MCP client that
unpacks the bundle and starts what its manifest says, the browser's by the switch that loads an extension.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from e2e.client import JOIN_LIMIT_S, Tabwire
from e2e.install.store import SHOWN, STATE_S, Shop, code_told, press, welcome
from e2e.plain import PlainChromium
from e2e.site import Site
from source_tree import ROOT
from tabwire.cli.first_run import TRY

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
WITH_INDEX = "TABWIRE_TEST_INDEX"

BY_HAND = (
    "In Claude Desktop open `tabwire-VERSION.mcpb` and press *Install*.",
    "In Chrome go to `chrome://extensions` and switch on *Developer mode*.",
    "Press *Load unpacked* and choose `Tabwire-extension` in your home folder.",
)
MAX_BY_HAND = 5

FROM_A_STORE = (
    "In the store press *Add to Chrome*. A page opens: “Tabwire is in your browser”.",
    "In Claude Desktop open `tabwire-VERSION.mcpb` and press *Install*.",
    "Ask Claude the same. The page asks: “Allow tabwire on this computer?” Press *Allow* if Claude's answer shows the same code.",
)
MAX_FROM_A_STORE = 3

ASKING = f"ask Claude: “{TRY}”"
"""Use of the program, and no step of setting it up: it is counted in neither list."""


class Steps:
    """The steps of a list, each of which is done once and in its order."""

    def __init__(self, *steps: str) -> None:
        self._steps = steps
        self._done = 0

    def take(self) -> None:
        self._done += 1
        sys.stdout.write(f"\n{self._done}. {self._steps[self._done - 1]}")

    def end(self, how: str, limit: int) -> None:
        assert self._done == len(self._steps) <= limit
        sys.stdout.write(f"\n{self._done} steps by hand {how}; not counted as one, in both lists: {ASKING}\n")


def run(*words: str | Path, **environment: str) -> None:
    done = subprocess.run(
        [str(word) for word in words], env={**os.environ, **environment}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory, uv: str) -> Path:
    """The bundle, as it is published."""
    work = tmp_path_factory.mktemp("bundle")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", work, ROOT)
    (wheel,) = work.glob("tabwire-*.whl")
    folder = work / "folder"
    outputs = ("--wheel", wheel, "--bundle", folder, "--server", work / "server.json", "--uv", uv)
    run(sys.executable, ROOT / "scripts/generate_bundle.py", *outputs, PYTHONPATH=str(ROOT / "bridge"))
    return Path(shutil.make_archive(str(work / "tabwire"), "zip", folder))


@pytest.fixture(scope="module")
def uv(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Claude Desktop brings its own."""
    if found := shutil.which("uv"):
        return found
    folder = tmp_path_factory.mktemp("uv")
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder, "uv")
    return str(folder / "bin/uv")


def started(bundle: Path, uv: str, work: Path, home: Path) -> Tabwire:
    """The server as Claude Desktop starts it: unpacked, with the command and the variables of the manifest."""
    folder = work / "unpacked"
    zipfile.ZipFile(bundle).extractall(folder)
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    start, chosen = manifest["server"]["mcp_config"], manifest["user_config"]
    assert start["command"] == "uv"

    def filled(text: str) -> str:
        for name, option in chosen.items():
            text = text.replace(f"${{user_config.{name}}}", str(option["default"]).lower())
        return text.replace("${__dirname}", str(folder))

    environment = {
        **{name: filled(value) for name, value in start["env"].items()},
        **{"HOME": str(home), "UV_CACHE_DIR": str(work / "cache"), "UV_LINK_MODE": "copy", "PYTHONPATH": "", "VIRTUAL_ENV": ""},
    }
    command = [uv, *(filled(word) for word in start["args"])]
    return Tabwire([], environment, work / "server", command=command, from_checkout=False, name="claude-ai")


@pytest.mark.skipif(not os.environ.get(WITH_INDEX), reason="uv loads the dependencies from the index: scripts/first_run does it")
def test_the_first_run_takes_few_steps_by_hand_and_ends_with_an_act(
    bundle: Path, uv: str, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.delenv("TABWIRE_HOME", raising=False)
    steps = Steps(*BY_HAND)
    steps.take()
    claude = started(bundle, uv, tmp_path, home)
    chromium = None
    try:
        extension = home / "Tabwire-extension"
        assert (extension / "manifest.json").is_file() and (extension / "pairing.json").stat().st_mode & 0o077 == 0
        # Who asks too early is told these very steps.
        told = claude.fails("tab_list").text
        assert all(words in told for words in ("chrome://extensions", "Developer mode", f"choose {extension}"))
        steps.take()
        steps.take()
        chromium = PlainChromium(tmp_path / "chrome", site.url("/blank.html"), home=home / ".tabwire", extension=extension)
        claude.until_joined(JOIN_LIMIT_S)
        url = site.page("<h1>Hello</h1><button onclick='document.title = 1'>Press</button>", "First")
        claude.ok("tab_new", url=url)
        claude.ok("click", selector="text:Press")
        chromium.browser.at(url).wait_for("document.title === '1'")
    finally:
        claude.close()
        if chromium:
            chromium.close()
    steps.end("without a store", MAX_BY_HAND)


@pytest.mark.skipif(not os.environ.get(WITH_INDEX), reason="uv loads the dependencies from the index: scripts/first_run does it")
def test_with_the_extension_from_a_store_three_steps_by_hand_lead_to_an_act(
    bundle: Path, uv: str, tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store's part is a copy of the extension without a key, which the browser loads."""
    shop = Shop(tmp_path, site)
    monkeypatch.delenv("TABWIRE_HOME", raising=False)
    steps = Steps(*FROM_A_STORE)
    with shop.stack:
        steps.take()
        browser = shop.start()
        page = welcome(browser)
        steps.take()
        claude = started(bundle, uv, tmp_path / "claude", shop.user.home)
        shop.stack.callback(claude.close)
        url = site.page("<button onclick='document.title = 1'>Press</button>", "First")
        code = code_told(claude, "tab_new", url=url)
        page.wait_for(f"{SHOWN} === {json.dumps(code)}", STATE_S)
        steps.take()
        waiting = claude.start("tab_new", url=url)
        press(page, "allowPairing")
        assert not waiting.result(STATE_S).is_error
        claude.ok("click", selector="text:Press")
        browser.browser.at(url).wait_for("document.title === '1'")
    steps.end("with a store", MAX_FROM_A_STORE)


def test_the_first_page_and_that_on_setting_up_have_the_same_steps() -> None:
    readme, page = (" ".join((ROOT / name).read_text().split()) for name in ("README.md", "docs/set-up.md"))
    for text, steps in ((readme, BY_HAND), (page, BY_HAND), (page, FROM_A_STORE)):
        assert [step for number, step in enumerate(steps, start=1) if f"{number}. {step}" not in text] == []
    assert f"Then {ASKING}" in page
