"""Arguments for tools: what a client that knows the page would send, and what nobody should.

Three ways, so that at least half of the calls pass validation: known values throughout, one bad value among them, and whatever the
schema allows. Waits are short in all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any

from hypothesis import strategies as st
from pydantic import ValidationError

from tabwire.surfaces.tool import Tool

Known = Mapping[str, Sequence[Any]]
"""Name of an argument → values that mean something now."""

TRIES = 30
LONG_TEXT = "x" * 5000
MAX_TYPED = 30
BAD: list[Any] = [
    None, True, "", " ", "\0", "a\0b", "🙂", "\u202e", LONG_TEXT, "/" + "d" * 300, "~nobody/x", "../../etc/passwd", "[", "((", "@e0", "@e999999",
    "xpath=//[", "role:", "://", "javascript:1", "file:///etc/passwd", "chrome://version", "data:text/html,x", "about:blank", -1, 0, 0.5,
    2**31 - 1, 2**31, 2**53, -(2**31), 1e15, 1e308, float("inf"), [], {}, [None], {"": ""}, [[[]]], {"x": 1e308, "y": -1e308},
]  # fmt: skip
WAITS = frozenset({"timeout", "duration", "delay", "polling", "max_duration", "max_capture_time", "time"})
COUNTS = frozenset({"repeat", "click_count", "steps"})
LONGEST_WAIT = 600_000
OTHER = st.one_of(st.sampled_from(BAD), st.text(max_size=20), st.integers(), st.floats(allow_nan=False))


ANY_JSON = st.recursive(OTHER | st.booleans() | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=5)


def allowed(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema of a tool allows. (hypothesis-jsonschema 0.23 does not work with today's Hypothesis.)"""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return st.one_of([allowed(alternative) for alternative in alternatives])
    kinds = schema.get("type")
    return st.one_of([_of_type(kind, schema) for kind in (kinds if isinstance(kinds, list) else [kinds])])


def _of_type(kind: str | None, schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    low, high = schema.get("minimum"), schema.get("maximum")
    simple: dict[str | None, st.SearchStrategy[Any]] = {
        "string": st.text(max_size=20),
        "boolean": st.booleans(),
        "null": st.none(),
        "integer": st.integers(None if low is None else ceil(low), None if high is None else floor(high)),
        "number": st.floats(low, high, allow_nan=False) if low is not None else st.integers() | st.floats(allow_nan=False),
        None: ANY_JSON,
    }
    if kind == "array":
        return st.lists(allowed(schema.get("items", {})), min_size=schema.get("minItems", 0), max_size=4)
    if kind != "object":
        return simple[kind]
    fields = {name: allowed(field) for name, field in schema.get("properties", {}).items()}
    if not fields:
        return st.dictionaries(st.text(max_size=8), ANY_JSON, max_size=3)
    required = schema.get("required", ())
    optional = {name: field for name, field in fields.items() if name not in required}
    return st.fixed_dictionaries({name: fields[name] for name in required}, optional=optional)


class Arguments:
    """Strategies for the arguments of the tools of one surface.

    Args:
        wait: a wait that a tool may really take, in the surface's unit.
    """

    def __init__(self, tools: Sequence[Tool], wait: float) -> None:
        self.tools = tools
        self._wait = wait
        self._allowed = {tool.name: allowed(tool.input_schema) for tool in tools}

    def draw(self, data: Any, tool: Tool, known: Known) -> dict[str, Any]:
        """Arguments for one call."""
        way = data.draw(st.sampled_from(["known"] * 14 + ["bad"] * 4 + ["schema"] * 2))
        if way == "schema":
            return self._tame(tool, data.draw(self._allowed[tool.name]))
        arguments: dict[str, Any] = {}
        for _ in range(TRIES):
            arguments = {name: data.draw(self._value(name, schema, known)) for name, schema in self._chosen(data, tool)}
            if _is_valid(tool, arguments):
                break
        if way == "bad":
            names = [*tool.input_schema.get("properties", {}), "no_such_argument"]
            arguments[data.draw(st.sampled_from(names))] = data.draw(OTHER)
        return self._tame(tool, arguments)

    def _chosen(self, data: Any, tool: Tool) -> list[tuple[str, Any]]:
        required = tool.input_schema.get("required", ())
        few = data.draw(st.sampled_from([0, 1, 1, 2, 3]))
        optional = [name for name in tool.input_schema.get("properties", {}) if name not in required]
        picked = data.draw(st.lists(st.sampled_from(optional), max_size=few, unique=True)) if optional and few else []
        return [(name, tool.input_schema["properties"][name]) for name in (*required, *picked)]

    def _value(self, name: str, schema: dict[str, Any], known: Known) -> st.SearchStrategy[Any]:
        choices: list[st.SearchStrategy[Any]] = []
        if values := known.get(name):
            choices += [st.sampled_from(list(values))] * 4
        if "enum" in schema or schema.get("type") in ("boolean", "object", "array") or not choices:
            choices.append(allowed(schema))
        return st.one_of(choices)

    def _tame(self, tool: Tool, arguments: dict[str, Any]) -> dict[str, Any]:
        """The same arguments, with waits and repetitions that a test can afford."""
        tamed = dict(arguments)
        if "timeout" in tool.input_schema.get("properties", {}) and "timeout" not in tamed:
            hurried = {**tamed, "timeout": self._wait}
            # Some actions of a tool take none.
            tamed = hurried if _is_valid(tool, hurried) or not _is_valid(tool, tamed) else tamed
        for name, value in tamed.items():
            if name == "text" and isinstance(value, str):
                # Typed key by key.
                tamed[name] = value[:MAX_TYPED]
            if isinstance(value, bool) or not isinstance(value, int | float):
                continue
            if name in WAITS and self._wait < value <= LONGEST_WAIT:
                tamed[name] = self._wait
            if name in COUNTS and 3 < value <= 1000:
                tamed[name] = 3
        return tamed


def _is_valid(tool: Tool, arguments: dict[str, Any]) -> bool:
    try:
        tool.model.model_validate(arguments)
    except ValidationError:
        return False
    return True
