"""The one command that sets everything up and mends it: no message, page or document advises another one for that."""

import re

import pytest

from source_tree import ROOT
from tabwire import INSTALL_COMMAND

EXPERTS = {f"bridge/tabwire/cli/{name}.py" for name in ("pair_command", "extension_command", "setup_options")} | {
    "docs/command-line.md"
}
"""The commands for experts, which may name themselves, and the page made of their help."""
OTHERS = re.compile(r"tabwire (?:extension install|pair(?! --(?:allow|list|revoke|rotate)))")


def said() -> dict[str, str]:
    """All that people can come to read, by path."""
    files = [
        *(ROOT / "bridge").rglob("*.py"),
        *(path for ending in ("js", "html") for path in (ROOT / "extension").rglob(f"*.{ending}")),
        *(ROOT / name for name in ("README.md", "SECURITY.md")),
        *(ROOT / "docs").rglob("*.md"),
    ]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_no_other_command_is_advised_for_setting_up() -> None:
    assert [path for path, text in said().items() if path not in EXPERTS and OTHERS.search(text)] == []


@pytest.mark.parametrize("wrong", ["Run `tabwire pair`.", "`tabwire extension install` first", "tabwire pair --extension x"])
def test_another_one_would_be_found(wrong: str) -> None:
    assert OTHERS.search(wrong)
    assert not OTHERS.search(f"{INSTALL_COMMAND}; for keys `tabwire pair --list`")
