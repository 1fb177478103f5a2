"""Parameter types shared by the commands.

JSON knows one number type and the specification says `number` throughout, so identifiers are declared as `number` and checked to
be whole here.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

MAX_TIMEOUT_MS = 600_000


MAX_WHOLE = 2**31 - 1
"""Chrome's interfaces take whole numbers of 32 bits, and answer others with an error of their own."""
MAX_NUMBER = 1e12


def _finite(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be a number")
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise ValueError(f"must be a number between {-MAX_NUMBER:.0e} and {MAX_NUMBER:.0e}")
    return value


def _pixels(value: Any) -> Any:
    if not -MAX_WHOLE <= _finite(value) <= MAX_WHOLE:
        raise ValueError(f"must be a number between -{MAX_WHOLE:,} and {MAX_WHOLE:,}")
    return value


def _whole(value: Any) -> Any:
    if int(_finite(value)) != value:
        raise ValueError("must be a whole number")
    if abs(value) > MAX_WHOLE:
        raise ValueError(f"must be a whole number between -{MAX_WHOLE:,} and {MAX_WHOLE:,}")
    return int(value)


def _id(value: Any) -> Any:
    if value is not None and _whole(value) < 0:
        raise ValueError("must be an id, which is never negative")
    return None if value is None else int(value)


_NUMBER = WithJsonSchema({"type": "number"})


class Addition:
    """Marks a parameter that no specification names; it comes after those that one does."""


Number = Annotated[float, BeforeValidator(_finite), _NUMBER]
Pixels = Annotated[float, BeforeValidator(_pixels), _NUMBER]
Whole = Annotated[int, BeforeValidator(_whole), _NUMBER]
Natural = Annotated[int, BeforeValidator(_whole), Field(ge=0), _NUMBER]
Count = Annotated[int, BeforeValidator(_whole), Field(ge=1, le=1000), _NUMBER]
Milliseconds = Annotated[float, BeforeValidator(_finite), Field(ge=0, le=MAX_TIMEOUT_MS), _NUMBER]
Positive = Annotated[float, BeforeValidator(_pixels), Field(gt=0), _NUMBER]

Id = Annotated[int, BeforeValidator(_id), _NUMBER]
CallTimeout = Annotated[Milliseconds, Field(exclude=True, description="Time limit, ms")]
"""Time limit of commands to which the specification gives none: the bridge reads it."""
TabId = Annotated[int | None, BeforeValidator(_id), _NUMBER]
FrameId = TabId
WindowId = TabId

Leaving = Annotated[bool, Field(description="Leave pages that ask to stay")]
"""Whether a page is left that asks about unsaved changes (`beforeunload`); a launched browser's page always is."""
Overwrite = Annotated[bool, Field(exclude=True, description="Replace files Tabwire has not written")]

Modifier = Literal["Alt", "Control", "Meta", "Shift"]
LoadState = Literal["load", "domcontentloaded", "networkidle"]


class Parameters(BaseModel):
    """Base of the parameters of commands and tools, and of the objects in them: nothing is coerced, nothing is unknown."""

    model_config = ConfigDict(extra="forbid", strict=True, validate_by_name=True, validate_by_alias=True, defer_build=True)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        self.check()
        return self

    def check(self) -> None:
        """Check that the values, each of which is right by itself, go together. Bases that check are asked by `super()`.

        Raises:
            ValueError: they do not.
        """

    def need_one(self, *names: str, what: str = "needs") -> None:
        """Check that exactly one of these fields is given; `what` is the beginning of the message.

        Raises:
            ValueError: none or several are given.
        """
        if sum(getattr(self, name) is not None for name in names) != 1:
            raise ValueError(f"{what} exactly one of {', '.join(names)}")


class Point(Parameters):
    """A point in CSS pixels of the tab's viewport."""

    x: Pixels | None = None
    y: Pixels | None = None
