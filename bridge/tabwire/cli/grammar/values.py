"""Words of a command line as JSON values, by the schema of their field."""

import json
import re
from collections.abc import Sequence
from typing import Any

from tabwire.commands.line_spelling import Field

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_POINT = re.compile(r"\s*([^,]+),([^,]+)")
_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_NO_JSON = (ValueError, RecursionError)
_OPENING = {"array": "[", "object": "{"}


def is_number(word: str) -> bool:
    """Whether a word is a number, and no flag."""
    return _NUMBER.fullmatch(word) is not None


def value_of(field: Field, words: Sequence[str]) -> Any:
    """The value that words give a field: several where the flag was repeated.

    Raises:
        ValueError: they are none of its type.
    """
    alternatives: list[dict[str, Any]] = field.schema.get("oneOf", [field.schema])
    lists = [one for one in alternatives if one.get("type") == "array"]
    if lists and (len(words) > 1 or len(lists) == len(alternatives)):
        return _list(lists[0], words)
    is_text = any(one.get("type") == "string" for one in alternatives)
    if lists and words[0].startswith("[") and (isinstance(_any(words[0]), list) or not is_text):
        return _list(lists[0], words)
    if len(words) > 1:
        if alternatives[0].get("type") == "object":
            return _object(alternatives[0], words)
        raise ValueError(f"was given {len(words)} times")
    return _single(alternatives, words[0])


def _single(alternatives: Sequence[dict[str, Any]], word: str) -> Any:
    """A word as the first of the types that it fits; as text last, which every word fits."""
    kinds = [one for one in alternatives if one.get("type") != "array"]
    problem = ValueError(f"cannot be {word!r}")
    for schema in sorted(kinds, key=lambda one: one.get("type", "string") == "string"):
        try:
            return _READERS[schema.get("type", "string")](schema, word)
        except ValueError as error:
            problem = error
    raise problem


def _text(schema: dict[str, Any], word: str) -> str:
    choices = schema.get("enum")
    if choices and word not in choices:
        raise ValueError(f"is one of {', '.join(map(str, choices))}, not {word!r}")
    return word


def _number(schema: dict[str, Any], word: str) -> int | float:
    if not is_number(word):
        raise ValueError(f"is a number, not {word!r}")
    number = float(word)
    return int(number) if number.is_integer() and not re.search(r"[.eE]", word) else number


def _boolean(schema: dict[str, Any], word: str) -> bool:
    if word.lower() not in (*_TRUE, *_FALSE):
        raise ValueError(f"is true or false, not {word!r}")
    return word.lower() in _TRUE


def _object(schema: dict[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """JSON, or name=value (repeated), or x,y where these two are its fields."""
    properties: dict[str, Any] = schema.get("properties", {})
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        found: dict[str, Any] = _json(words[0])
        return found
    point = _POINT.fullmatch(words[0])
    if list(properties) == ["x", "y"] and point:
        return {"x": _number({}, point[1].strip()), "y": _number({}, point[2].strip())}
    parts = [word.partition("=") for word in words]
    if not all(equals for _, equals, _ in parts):
        shape = " or x,y" if list(properties) == ["x", "y"] else ""
        raise ValueError(f"is name=value (repeatable), a JSON object{shape}, not {words[0]!r}")
    given: dict[str, list[str]] = {}
    for name, _, value in parts:
        given.setdefault(name, []).append(value)
    return {name: _member(name, properties.get(name, {"type": "string"}), values) for name, values in given.items()}


def _member(name: str, schema: dict[str, Any], words: Sequence[str]) -> Any:
    if schema.get("type") == "array":
        return _list(schema, words)
    if len(words) > 1:
        raise ValueError(f"was given {len(words)} times for {name}")
    return _single([schema], words[0])


def _list(schema: dict[str, Any], words: Sequence[str]) -> list[Any]:
    """A JSON list, or its items one by one."""
    if len(words) == 1 and words[0].lstrip().startswith("["):
        found: list[Any] = _json(words[0])
        return found
    items: dict[str, Any] = schema.get("items", {})
    return [_item(items, word) for word in words]


def _item(schema: dict[str, Any], word: str) -> Any:
    alternatives: list[dict[str, Any]] = schema.get("oneOf", [schema])
    for one in alternatives:
        if (opening := _OPENING.get(one.get("type", ""))) and word.lstrip().startswith(opening):
            return _json(word)
    return _single(alternatives, word) if schema else _any(word)


def _any(word: str) -> Any:
    """A value of any type: JSON where the word is some, else the text."""
    try:
        return json.loads(word)
    except _NO_JSON:
        return word


def _json(word: str) -> Any:
    try:
        return json.loads(word)
    except _NO_JSON as error:
        raise ValueError(f"is no JSON: {error}") from None


_READERS: dict[str, Any] = {
    "string": _text,
    "number": _number,
    "boolean": _boolean,
    "object": lambda schema, word: _object(schema, [word]),
}
