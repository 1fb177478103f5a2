"""Changing one member of a JSON text. Order, layout, numbers and escapes of everything else stay as they are, byte for byte."""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class NotPlainJson(ValueError):
    """The text is not one JSON object in the strict sense: it has comments, trailing commas or the like."""


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """Positions in the text: of `{`, of `}`, and of the members."""

    start: int
    end: int
    members: tuple[_Member, ...]

    def find(self, key: str) -> _Member | None:
        return next((member for member in self.members if member.key == key), None)


def parse(text: str) -> dict[str, Any]:
    """The object the text stands for; an empty text is an empty object.

    Raises:
        NotPlainJson: With the reason and where it is.
    """
    if not text.strip():
        return {}
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotPlainJson(f"line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise NotPlainJson("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise NotPlainJson("it is not an object")
    return value


def with_member(text: str, section: str, name: str, value: Any) -> str:
    """The text with `{section: {name: value}}` in it.

    Raises:
        NotPlainJson: Nothing can be put in safely.
    """
    before = parse(text)
    expected = {**before, section: {**_section(before, section), name: value}}
    if not text.strip():
        return rendered(expected) + "\n"
    return _proved(_put(text, section, name, value), expected)


def without_member(text: str, section: str, name: str) -> str:
    """The text without `name` in `section`; the same text if it is not there.

    Raises:
        NotPlainJson: Nothing can be taken out safely.
    """
    before = parse(text)
    inside = _section(before, section)
    if name not in inside:
        return text
    expected = {**before, section: {key: value for key, value in inside.items() if key != name}}
    outer = _scan(text, _skip(text, 0)).find(section)
    assert outer is not None
    return _proved(_cut(text, _scan(text, outer.value), name), expected)


def rendered(value: Any, indent: str = "  ") -> str:
    """A value over several lines."""
    return json.dumps(value, indent=indent, ensure_ascii=False)


def _section(root: dict[str, Any], section: str) -> dict[str, Any]:
    inside = root.get(section, {})
    if not isinstance(inside, dict):
        raise NotPlainJson(f'"{section}" is not an object')
    return inside


def _proved(text: str, expected: dict[str, Any]) -> str:
    """The text, which is somebody's configuration, only if it says what it should."""
    if parse(text) != expected:
        raise NotPlainJson("its layout is not understood")
    return text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotPlainJson("a name is there twice")
    return found


def _no_constant(word: str) -> NoReturn:
    raise NotPlainJson(f"{word} is not JSON")


# Positions.


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _scan(text: str, start: int) -> _Object:
    """The members of the object that begins here; the text is known to be JSON."""
    members = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, end) + 1)
        _, end = _DECODER.raw_decode(text, value)
        members.append(_Member(key, at, value, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Object(start, at, tuple(members))


# Changes.


def _put(text: str, section: str, name: str, value: Any) -> str:
    root = _scan(text, _skip(text, 0))
    unit = _unit(text, root)
    outer = root.find(section)
    if outer is None:
        return _insert(text, root, section, {name: value}, unit)
    inside = _scan(text, outer.value)
    member = inside.find(name)
    if member is None:
        return _insert(text, inside, name, value, unit)
    written = _written(text, value, unit, _lead(text, inside, inside.members.index(member)))
    return text[: member.value] + written + text[member.end :]


def _insert(text: str, into: _Object, key: str, value: Any, unit: str) -> str:
    name = json.dumps(key, ensure_ascii=False)
    if into.members:
        last = into.members[-1]
        lead = _lead(text, into, len(into.members) - 1)
        return f"{text[: last.end]},{lead or ' '}{name}: {_written(text, value, unit, lead)}{text[last.end :]}"
    newline, outer = _newline(text), _indent_of_line(text, into.start)
    lead = newline + outer + unit
    member = f"{lead}{name}: {_written(text, value, unit, lead)}{newline}{outer}"
    return text[: into.start + 1] + member + text[into.end :]


def _cut(text: str, out_of: _Object, key: str) -> str:
    members = out_of.members
    index = next(index for index, member in enumerate(members) if member.key == key)
    if len(members) == 1:
        return text[: out_of.start + 1] + text[out_of.end :]
    if index == len(members) - 1:
        return text[: members[index - 1].end] + text[members[index].end :]
    return text[: members[index].start] + text[members[index + 1].start :]


def _lead(text: str, of: _Object, index: int) -> str:
    """The white space before a member."""
    at = of.members[index].start
    return text[len(text[:at].rstrip(" \t\r\n")) : at]


def _written(text: str, value: Any, unit: str, lead: str) -> str:
    """A value as it stands after `lead`: over several lines if its neighbours are."""
    if "\n" not in lead:
        return json.dumps(value, ensure_ascii=False)
    indent = lead[lead.rindex("\n") + 1 :]
    return (_newline(text) + indent).join(rendered(value, unit).splitlines())


def _unit(text: str, root: _Object) -> str:
    lead = _lead(text, root, 0) if root.members else ""
    return (lead[lead.rindex("\n") + 1 :] if "\n" in lead else "") or "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of_line(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]
