"""Parameter types shared by the commands.

JSON knows one number type and the specification says `number` throughout, so identifiers are declared as `number` and checked to
be whole here.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

MAX_TIMEOUT_MS = 600_000


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    return value


def _whole(value: Any) -> Any:
    if int(_number(value)) != value:
        raise ValueError("must be a whole number")
    return int(value)


_NUMBER = WithJsonSchema({"type": "number"})

Number = Annotated[float, BeforeValidator(_number), _NUMBER]
Whole = Annotated[int, BeforeValidator(_whole), _NUMBER]
Natural = Annotated[int, BeforeValidator(_whole), Field(ge=0), _NUMBER]
Count = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1000), _NUMBER]
Milliseconds = Annotated[float, BeforeValidator(_number), Field(ge=0, le=MAX_TIMEOUT_MS), _NUMBER]
Positive = Annotated[float, BeforeValidator(_number), Field(gt=0), _NUMBER]

TabId = Annotated[int | None, BeforeValidator(lambda v: None if v is None else _whole(v)), _NUMBER]
FrameId = TabId
WindowId = TabId

Modifier = Literal["Alt", "Control", "Meta", "Shift"]
LoadState = Literal["load", "domcontentloaded", "networkidle"]


class Parameters(BaseModel):
    """Base of nested parameter objects."""

    model_config = ConfigDict(extra="forbid", strict=True, validate_by_name=True, validate_by_alias=True, defer_build=True)


class Point(Parameters):
    """A point in CSS pixels of the tab's viewport."""

    x: Number | None = None
    y: Number | None = None
