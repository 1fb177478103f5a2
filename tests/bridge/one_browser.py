"""What an engine says of its browsers while there is one: the part that fakes of engines share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import anyio
from pydantic import TypeAdapter

from tabwire.commands import WIRE
from tabwire.wire.messages import Browser

WORK = Browser("b1", "Work")

_EMPTY: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "array": [], "object": {}}


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    return {command.method: TypeAdapter(command.result).json_schema() for command in WIRE if command.in_browser}


def fitting(method: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the method's model has it: without fields of other methods, and with all that have to be there."""
    schema = _schemas()[method]
    known = {name: value for name, value in answer.items() if name in schema["properties"]}
    whole: dict[str, Any] = _completed(schema, known, schema.get("$defs", {}))
    return whole


def _completed(schema: dict[str, Any], value: Any, definitions: dict[str, Any]) -> Any:
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
    if isinstance(value, list) and "items" in schema:
        return [_completed(schema["items"], item, definitions) for item in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    fields = schema["properties"]
    empty = {name: _EMPTY[fields[name].get("type", "object")] for name in schema.get("required", ()) if name not in value}
    return {**empty, **{name: _completed(fields.get(name, {}), one, definitions) for name, one in value.items()}}


class OneBrowser:
    """Inherit it and add `send`."""

    has_several = False

    async def find(self, wanted: str | None = None) -> Browser:
        return WORK

    async def several_changed(self, told: bool) -> bool:
        await anyio.sleep_forever()
        raise AssertionError("it sleeps forever")

    def label(self, browser: Browser) -> str:
        return browser.name
