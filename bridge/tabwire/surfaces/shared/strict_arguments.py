"""Arguments of surfaces whose specifications print null as a type of its own."""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator

from tabwire.commands.types import MAX_WHOLE

Schema = dict[str, Any]


def _whole(value: Any) -> Any:
    """JSON knows one number type, Chrome's interfaces whole numbers of 32 bits."""
    if isinstance(value, int | float) and not -MAX_WHOLE <= value <= MAX_WHOLE:
        raise ValueError(f"is between -{MAX_WHOLE:,} and {MAX_WHOLE:,}")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def not_blank(problem: str = "is empty") -> AfterValidator:
    """A text that says something, as it stands."""

    def checked(text: str) -> str:
        if not text.strip():
            raise ValueError(problem)
        return text

    return AfterValidator(checked)


Whole = Annotated[int, BeforeValidator(_whole)]


def schema_of(model: type[BaseModel]) -> Schema:
    """The input schema as the specifications print it: null is a type of its own, and there are no titles."""
    raw: Schema = model.model_json_schema()
    schema: Schema = _without_titles(raw)
    schema.pop("description", None)
    schema.pop("additionalProperties", None)
    return schema


def _without_titles(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_titles(item) for item in node]
    if not isinstance(node, dict):
        return node
    rules: dict[str, Callable[[Any], Any]] = {
        "properties": lambda fields: {name: _without_titles(schema) for name, schema in fields.items()},
        "default": lambda value: value,
    }
    cleaned = {key: rules.get(key, _without_titles)(value) for key, value in node.items() if key != "title"}
    if cleaned.get("items") == {}:
        del cleaned["items"]
    return cleaned
