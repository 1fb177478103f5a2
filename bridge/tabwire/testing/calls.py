"""The log of calls: what a test did with its browser, for whoever reads about its failure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MAX_SHOWN = 120
HIDDEN = "[hidden]"

_SECRET = re.compile(
    r"pass(word|wd|phrase|code)|\bpwd\b|secret|token|authorization|\bcookie|\bpin\b|\botp\b|\bcv[cv]\b", re.IGNORECASE
)
_NAMES_WHAT_IS_WRITTEN = ("selector", "name", "key")
_WRITTEN = ("value", "text", "fill_value", "prompt_text")


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a test, as it is shown."""

    at: float
    """Seconds since the test got its browser."""
    tool: str
    arguments: str
    """Arguments as they are written in Python, cut; what looks like a secret is hidden."""
    elapsed_ms: float
    outcome: str
    """The first line of the reply or of the error."""
    error: str | None = None
    """Code of the error; None when the call succeeded."""

    def __str__(self) -> str:
        mark = "!" if self.error else " "
        return f"{self.at:8.2f} s {self.elapsed_ms:7.0f} ms {mark} {self.tool}({self.arguments}) → {self.outcome}"


def first_line(text: str) -> str:
    """The first line, cut."""
    return _cut(text.split("\n", 1)[0])


def tells_secrets(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the reply is nothing for a report: it has what a site keeps in the browser, or the test asked for it as it is."""
    return tool in ("cookies", "storage") or arguments.get("sanitize") is False


def shown(tool: str, arguments: Mapping[str, Any], data: Any = None) -> str:
    """Arguments as one line.

    Args:
        tool: its name.
        arguments: as the test gave them.
        data: the reply's, if there is one: a field that does not show what was filled in keeps a secret.
    """
    beside = " ".join(str(arguments.get(name, "")) for name in _NAMES_WHAT_IS_WRITTEN)
    keeps_it = tool == "fill" and isinstance(data, dict) and "value" not in data
    if tool == "batch":
        hidden: tuple[str, ...] = ("calls",)
    elif tool == "fill_form":
        hidden = ("fields",) if _has_secret_field(arguments, data) else ()
    else:
        hidden = _WRITTEN if tool == "cookies" or keeps_it or _SECRET.search(beside) else ()
    return ", ".join(f"{name}={HIDDEN if name in hidden else _value(value)}" for name, value in arguments.items())


def _has_secret_field(arguments: Mapping[str, Any], data: Any) -> bool:
    """Whether a field of a form is for a secret, or is not known to be for none."""
    told = data.get("fields") if isinstance(data, dict) else None
    shows = ("value", "checked", "selected", "files")
    asked = arguments.get("fields", ())
    is_told = isinstance(told, list) and len(told) == len(asked) and all(any(name in field for name in shows) for field in told)
    return not is_told or bool(_SECRET.search(str(asked)))


def _value(value: Any) -> str:
    return _cut(repr(_without_secrets(value)))


def _without_secrets(value: Any) -> Any:
    """Objects inside, such as headers, with the values hidden that their names say are secret."""
    if isinstance(value, Mapping):
        return {name: HIDDEN if _SECRET.search(str(name)) else _without_secrets(inner) for name, inner in value.items()}
    return [_without_secrets(inner) for inner in value] if isinstance(value, list | tuple) else value


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
