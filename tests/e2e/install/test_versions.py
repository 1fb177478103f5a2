"""Extension and bridge of different versions: what works does so once, and one sentence says what to reload."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from e2e.client import ROOT, Reply, Tabwire
from e2e.plain import PlainChromium, copy_extension, pair
from e2e.site import Site
from polling import until
from tabwire.install import extension_files

OWN = extension_files.version()
OLD, NEW = "0.0.9", "99.0.0"
PAGE = """<script>globalThis.bought = 0; globalThis.heard = 0</script>
<button onpointerdown='heard += 1' onclick='bought += 1'>Buy</button>"""

Browsers = Callable[..., tuple[PlainChromium, Tabwire, Reply]]


def rewrite(file: Path, before: str, after: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert before in text, f"{file} has no {before!r}"
    file.write_text(text.replace(before, after), encoding="utf-8")


def as_version(folder: Path, version: str) -> None:
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "version": version}))


def as_old(folder: Path) -> None:
    """An extension of former times: its worker knows no `query`, the console by another name, its page half marks titles."""
    as_version(folder, OLD)
    protocol = folder / "extension/background/base/protocol.js"
    protocol.write_text(re.sub(r'  "snapshot\.query": .*\n', "", protocol.read_text()))
    rewrite(protocol, '"console.messages"', '"debug.messages"')
    rewrite(folder / "extension/injected/page.js", "title: printable(", 'title: "Old " + printable(')


def as_new(folder: Path) -> None:
    """An extension of later times, whose answers say more."""
    as_version(folder, NEW)
    rewrite(
        folder / "extension/background/calls/router.js",
        "result: result ?? {} });",
        'result: { ...result, later: "said later" } });',
    )


@pytest.fixture
def browsers(tmp_path: Path, site: Site) -> Iterator[Browsers]:
    """Starts a browser with a changed copy of the extension, and a bridge that has joined it and works in its page."""
    started: list[PlainChromium] = []

    def start(change: Callable[[Path], None]) -> tuple[PlainChromium, Tabwire, Reply]:
        folder, home = copy_extension(tmp_path / "unpacked"), tmp_path / "home"
        # Pairing brings the files up to date.
        pair(home, folder)
        change(folder)
        chromium = PlainChromium(tmp_path, site.url("/blank.html"), home=home, extension=folder)
        started.append(chromium)
        bridge = chromium.serve()
        return chromium, bridge, bridge.ok("tab_new", url=site.page(PAGE))

    yield start
    for chromium in started:
        chromium.close()


def counts(chromium: PlainChromium) -> list[int]:
    found: list[int] = chromium.browser.shown().evaluate("[heard, bought]")
    return found


@pytest.mark.parametrize(
    ("change", "version", "step"),
    [
        (as_old, OLD, "run `tabwire install`, then press the reload button on Tabwire's card in chrome://extensions"),
        (as_new, NEW, "then restart the MCP client"),
    ],
    ids=["older", "newer"],
)
def test_another_version_works_and_is_said_once(
    browsers: Browsers, change: Callable[[Path], None], version: str, step: str
) -> None:
    chromium, bridge, opening = browsers(change)
    said = f"Chrome runs version {version} of Tabwire's extension, this is Tabwire {OWN}"
    replies = [opening, *(bridge.ok("click", selector="role:button") for _ in range(2))]
    assert counts(chromium) == [2, 2]
    assert [reply.text.count(said) for reply in replies] == [1, 0, 0] and step in opening.text
    assert not any("later" in reply.text for reply in replies)
    assert said in bridge.ok("status").text


def test_a_call_that_the_old_extension_does_not_know_names_the_way_out(browsers: Browsers) -> None:
    chromium, bridge, _ = browsers(as_old)
    for tool, arguments in (("query", {"by": "role", "value": "button"}), ("console_messages", {})) * 2:
        refused = bridge.fails(tool, **arguments)
        assert refused.code == "unknown_command" and f"Chrome runs version {OLD}" in refused.text
        assert "run `tabwire install`, then press the reload button" in refused.text
    assert 'button "Buy"' in bridge.snapshot() and counts(chromium) == [0, 0]


def test_the_same_version_says_nothing(browsers: Browsers) -> None:
    chromium, bridge, _ = browsers(lambda folder: None)
    assert bridge.ok("query", by="role", value="button").data
    assert "Chrome runs version" not in bridge.ok("click", selector="role:button").text and counts(chromium) == [1, 1]


def test_a_page_in_use_is_used_on_after_the_update(browsers: Browsers) -> None:
    chromium, bridge, opening = browsers(as_old)
    assert "Old Test page" in bridge.snapshot()
    bridge.ok("click", selector="role:button")
    assert counts(chromium) == [1, 1]
    shutil.copy(ROOT / "manifest.json", chromium.extension)
    shutil.copytree(ROOT / "extension", chromium.extension / "extension", dirs_exist_ok=True)
    # Chrome does not know yet that there are new files: the old worker puts the new page half into a page that is loaded now.
    bridge.ok("reload")
    assert "Page: Test page" in bridge.snapshot()
    bridge.ok("click", selector="role:button")
    assert counts(chromium) == [1, 1]
    chromium.browser.in_worker("setTimeout(() => chrome.runtime.reload())")
    until(lambda: bridge.ok("status").text.count(f"version {OWN} is connected"), equals=1, within=20)
    # The references and tabs of a client end with the extension that knew them.
    assert bridge.fails("click", selector="role:button").code == "no_such_tab" and counts(chromium) == [1, 1]
    after = bridge.ok("click", selector="role:button", tabId=opening.data["tabId"])
    assert counts(chromium) == [2, 2] and "Chrome runs version" not in after.text
    assert "Page: Test page" in bridge.snapshot()
