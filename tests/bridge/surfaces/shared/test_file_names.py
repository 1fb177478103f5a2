"""Names that no file can have are refused before the system is asked, which may take a device for them."""

import sys

import pytest

from tabwire.errors import InvalidArgument
from tabwire.surfaces.shared.file_names import checked_path


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules for names of Windows; paths stay those of this system."""
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NUL", "a device"),
        ("nul.png", "a device"),
        ("con.txt", "a device"),
        ("pictures/COM1.png", "a device"),
        ("LPT9", "a device"),
        ("a?b.png", "does not allow"),
        ("a*.png", "does not allow"),
        ('say "yes".txt', "does not allow"),
        ("a<b>.txt", "does not allow"),
        ("a|b.txt", "does not allow"),
        ("folder?/a.png", "does not allow"),
        ("report.", "drops"),
        ("report ", "drops"),
        ("folder./a.png", "drops"),
        ("notes.txt:hidden", "a colon"),
        ("folder:stream/a.png", "a colon"),
    ],
)
def test_windows_refuses(name: str, why: str, windows: None) -> None:
    with pytest.raises(InvalidArgument, match=why):
        checked_path(name)


@pytest.mark.parametrize(
    "name",
    ["a.png", "../a.png", "./a.png", r"C:\pictures\a.png", r"pictures\console.png", "nulls.png", "a.b.c.png", "Zoë 日本.png"],
)
def test_windows_takes(name: str, windows: None) -> None:
    assert str(checked_path(name)) == name.removeprefix("./")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses these")
@pytest.mark.parametrize("name", ["NUL", "con.txt", "a?b.png", "report."])
def test_other_systems_take(name: str) -> None:
    assert str(checked_path(name)) == name
