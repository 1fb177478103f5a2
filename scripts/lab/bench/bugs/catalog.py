"""The planted bugs as data (`bugs.toml`), and the places of the answers in the sources of the apps."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
APPS = FOLDER / "apps"


@dataclass(frozen=True)
class Bug:
    """A planted bug.

    Attributes:
        seen: Symptom, as a user would tell it.
        answer: Result that the rule of the kind must give: `file:line`, `METHOD path status`, a path, an id or a constructor.
        press: Name of the button that shows the bug.
        looked_at: Text or selector of the element in question.
        property: CSS property in question.
    """

    id: str
    kind: str
    app: str
    page: str
    seen: str
    answer: str
    press: str = ""
    looked_at: str = ""
    property: str = ""


def all_bugs() -> list[Bug]:
    """The bugs in the order of their file."""
    return [_bug(entry) for entry in tomllib.loads((FOLDER / "bugs.toml").read_text())["bug"]]


def _bug(entry: dict[str, str]) -> Bug:
    rest = {name: value for name, value in entry.items() if name not in ("file", "code")}
    place = {"answer": _place(entry["app"], entry["file"], entry["code"])} if "file" in entry else {}
    return Bug(**rest, **place)


def _place(app: str, file: str, code: str) -> str:
    """`file:line` of the only line with this code.

    Raises:
        ValueError: There is none, or there are several.
    """
    lines = (APPS / app / file).read_text().splitlines()
    found = [number for number, line in enumerate(lines, 1) if code in line]
    if len(found) != 1:
        raise ValueError(f"{app}/{file} has {len(found)} lines with {code!r}; name one line")
    return f"{file}:{found[0]}"
