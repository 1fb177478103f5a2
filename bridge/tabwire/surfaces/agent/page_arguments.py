"""The arguments of a page's own tool, held against the schema that the page gives for it."""

import json
from typing import Any

from jsonschema import Draft202012Validator, SchemaError, ValidationError
from referencing import Registry

from tabwire.commands.page_tools import PageTool
from tabwire.errors import InvalidArgument
from tabwire.text.provenance import PageText, Words

_PLAIN = (
    "type", "enum", "const", "required", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minItems", "maxItems", "minProperties", "maxProperties",
)  # fmt: skip
"""Keywords that are cheap to check. References would be fetched, and patterns can take minutes."""
_MAX_DEPTH = 12


def check(tool: PageTool, arguments: dict[str, Any]) -> None:
    """Hold arguments against the schema of a page's tool, as far as that is harmless; the page checks the rest.

    Raises:
        InvalidArgument: they do not fit.
    """
    schema = tool.get("input_schema")
    if not isinstance(schema, dict):
        return
    rules = _harmless(schema, _MAX_DEPTH)
    try:
        Draft202012Validator.check_schema(rules)
        Draft202012Validator(rules, registry=Registry()).validate(arguments)
    except ValidationError as error:
        where = ".".join(map(str, error.absolute_path))
        raise InvalidArgument(
            Words(
                f"the arguments do not fit the schema of the page's tool{f' at {where}' if where else ''}: ",
                PageText(error.message[:300]),
                "; its schema: ",
                PageText(json.dumps(schema, ensure_ascii=False)[:1_000]),
            )
        ) from None
    except SchemaError:
        return


def _harmless(schema: Any, depth: int) -> Any:
    """A schema without what is not checked here; it allows whatever the whole one allows."""
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict) or depth == 0:
        return True
    rules = {name: schema[name] for name in _PLAIN if name in schema}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        rules["properties"] = {name: _harmless(inner, depth - 1) for name, inner in properties.items()}
    for name, beside in (("items", "prefixItems"), ("additionalProperties", "patternProperties")):
        # It is about what the one beside it leaves over, which is not checked.
        if name in schema and beside not in schema:
            rules[name] = _harmless(schema[name], depth - 1)
    for name in ("anyOf", "oneOf", "allOf"):
        if isinstance(schema.get(name), list):
            choices = [_harmless(inner, depth - 1) for inner in schema[name]]
            # Without their patterns several of oneOf may fit.
            rules.setdefault("allOf", []).extend(choices if name == "allOf" else [{"anyOf": choices}])
    return rules
