"""pydantic models → the exact JSON Schema the specifications print.

No titles, no null unions, references inlined, `oneOf` for alternatives, nothing said twice.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel

from tabwire.commands.types import Addition

Schema = dict[str, Any]
_DROPPED = ("title", "$defs")
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "minItems")


@dataclass(frozen=True)
class _Style:
    """The style in which one specification prints its schemas."""

    definitions: Schema
    closed: bool
    dropped: tuple[str, ...]


def short_schema(model: type[BaseModel], names: Collection[str]) -> Schema:
    """The input schema with these parameters only, and with the required ones."""
    schema = input_schema(model)
    told = {*names, *schema.get("required", ())}
    return schema | {"properties": {name: field for name, field in schema.get("properties", {}).items() if name in told}}


def input_schema(model: type[BaseModel], *, closed: bool = False, bounds: bool = False) -> Schema:
    """The input schema of a parameter model.

    Args:
        model: the command or parameter model.
        closed: whether objects say `additionalProperties: false` (reader spec does, the others do not).
        bounds: whether numbers and lists say their limits (agent spec does not).
    """
    raw = model.model_json_schema(by_alias=True)
    style = _Style(raw.get("$defs", {}), closed, _DROPPED if bounds else (*_DROPPED, *_BOUNDS))
    schema = cast(Schema, _clean(raw, style))
    schema.pop("description", None)
    if "properties" in schema:
        schema["properties"] = _ours_last(model, schema["properties"])
    return schema


def _ours_last(model: type[BaseModel], properties: Schema) -> Schema:
    """Our additions come after the fields that the specification names."""
    ours = {
        field.alias or name
        for name, field in model.model_fields.items()
        # What only the bridge reads is one.
        if field.exclude or any(isinstance(mark, Addition) for mark in field.metadata)
    }
    return dict(sorted(properties.items(), key=lambda item: item[0] in ours))


def _clean(node: Any, style: _Style) -> Any:
    if isinstance(node, list):
        return [_clean(item, style) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = style.definitions[node["$ref"].rsplit("/", 1)[1]]
        merged = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
        if "description" not in node:
            merged.pop("description", None)
        return _clean(merged, style)
    node = _without_null(node)
    if "$ref" in node:
        return _clean(node, style)
    return _object({k: _value(k, v, style) for k, v in node.items() if k not in style.dropped}, style.closed)


def _value(key: str, value: Any, style: _Style) -> Any:
    """`properties` maps names to schemas: its keys are names, never keywords."""
    if key == "properties":
        return {name: _clean(schema, style) for name, schema in value.items()}
    if key in ("default", "enum", "const"):
        return value
    return _clean(value, style)


def _without_null(node: Schema) -> Schema:
    """`X | None = None` is an optional X to a JSON client, not a nullable one."""
    node = dict(node)
    if "default" in node and node["default"] is None:
        del node["default"]
    alternatives = node.pop("anyOf", None)
    if alternatives is None:
        return node
    kept = [a for a in alternatives if a.get("type") != "null"]
    if len(kept) == 1:
        return {**kept[0], **node}
    return {**node, "oneOf": kept}


def _object(node: Schema, closed: bool) -> Schema:
    if not closed or node.get("additionalProperties") is True:
        node.pop("additionalProperties", None)
    if node.get("items") == {}:
        del node["items"]
    if node.get("type") == "object" and node.get("properties") == {}:
        del node["properties"]
    return node
