"""The arguments of a page's own tool, held against the schema that the page gives for it."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator, SchemaError, ValidationError, validators
from referencing.exceptions import Unresolvable

from tabwire.commands.page_tools import PageTool
from tabwire.errors import InvalidArgument
from tabwire.wire.text_provenance import PageText, Words


def _unchecked(*_: Any) -> None:
    """Accepts everything: the page checks it itself."""


_Validator = validators.extend(
    Draft202012Validator,
    dict.fromkeys(("$ref", "$dynamicRef", "pattern", "patternProperties", "propertyNames"), _unchecked),
)
"""JSON Schema without what a page could make us read, repeat for good, or match for minutes: references and patterns."""


def check(tool: PageTool, arguments: dict[str, Any]) -> None:
    """Hold arguments against the schema of a page's tool; a schema that is none says nothing.

    Raises:
        InvalidArgument: they do not fit.
    """
    schema = tool.get("input_schema")
    if not isinstance(schema, dict):
        return
    try:
        _Validator.check_schema(schema)
        _Validator(schema).validate(arguments)
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
    except (SchemaError, Unresolvable, RecursionError):
        return
