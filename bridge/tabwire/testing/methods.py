"""A tool as a Python method: positional arguments, signature and documentation come from its declaration.

Positional arguments are the required ones in their order; where none is required, the first: `fill("label:Name", "Ann")`,
`press("Enter")`, `click("text:Save")`. A name that Python keeps for itself takes an underscore: `wait(for_="text", text="Done")`.
"""

import inspect
import keyword
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from tabwire.errors import InvalidArgument
from tabwire.surfaces.tool import Tool, Toolset, load_toolset

DEFAULTS: Mapping[str, Mapping[str, Any]] = {"snapshot": {"max_chars": 400_000}}
"""Tool → defaults that differ from its own: a test has no window of tokens, and must not fail because a page is long."""


@cache
def toolset() -> Toolset:
    """The tools that tests have."""
    return load_toolset("agent")


def positional(tool: Tool) -> tuple[str, ...]:
    """Names of the arguments that may be given without their name, in order."""
    required = tuple(tool.input_schema.get("required", ()))
    return required or tuple(tool.input_schema.get("properties", ()))[:1]


def python_name(name: str) -> str:
    """The name of an argument as Python can write it."""
    return f"{name}_" if keyword.iskeyword(name) else name


def method(tool: Tool, call: Callable[..., Any]) -> Callable[..., Any]:
    """A function that calls the tool.

    Args:
        tool: the tool.
        call: takes its name and its arguments by name.
    """

    def run(*values: Any, **named: Any) -> Any:
        __tracebackhide__ = True
        return call(tool.name, **by_name(tool, values, named))

    run.__name__ = run.__qualname__ = tool.name
    run.__doc__ = tool.description
    run.__signature__ = _signature(tool)  # type: ignore[attr-defined]  # what inspect looks for
    return run


def by_name(tool: Tool, values: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments by name.

    Raises:
        InvalidArgument: too many positional ones, or one given twice.
    """
    names = positional(tool)
    if len(values) > len(names):
        raise InvalidArgument(
            f"{tool.name} takes {len(names)} positional argument{'s' * (len(names) != 1)} ({', '.join(names)}), "
            f"not {len(values)}; give the others by name"
        )
    given = dict(zip(names, values, strict=False))
    twice = [name for name in given if python_name(name) in named or name in named]
    if twice:
        raise InvalidArgument(f"{tool.name}: {', '.join(twice)} given twice, by position and by name; give each once")
    return {**given, **named}


def wire_arguments(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as the tool takes them: `for_` is `for`, a tuple is a list, a file is named relative to where the test runs."""
    known = tool.input_schema.get("properties", {})
    plain = {python_name(name): name for name in known if keyword.iskeyword(name)}
    named = {**DEFAULTS.get(tool.name, {}), **{plain.get(name, name): value for name, value in given.items()}}
    return {name: _argument(name, value) for name, value in named.items()}


def default_of(tool: Tool, name: str) -> Any:
    """The default of an argument; None where it has none."""
    return DEFAULTS.get(tool.name, {}).get(name, tool.input_schema["properties"][name].get("default"))


def _argument(name: str, value: Any) -> Any:
    if name == "form_data" and isinstance(value, Mapping):
        return {field: _plain(one, names_file=False, has_files=True) for field, one in value.items()}
    return _plain(value, names_file=name.endswith(("_path", "files")), has_files=name == "files")


def _plain(value: Any, *, names_file: bool, has_files: bool) -> Any:
    """A value for JSON.

    Args:
        value: what the test gave.
        names_file: whether a text is the path of a file.
        has_files: whether the `path` of an object is one.
    """
    if isinstance(value, os.PathLike) or (names_file and isinstance(value, str)):
        return os.path.abspath(os.path.expanduser(value))
    if isinstance(value, Mapping):
        return {name: _plain(one, names_file=has_files and name == "path", has_files=has_files) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one, names_file=names_file, has_files=has_files) for one in value]
    return value


def _signature(tool: Tool) -> inspect.Signature:
    names = positional(tool)
    properties = tool.input_schema.get("properties", {})
    required = set(tool.input_schema.get("required", ()))
    ordered = [*names, *(name for name in properties if name not in names)]
    return inspect.Signature(
        [
            inspect.Parameter(
                python_name(name),
                inspect.Parameter.POSITIONAL_OR_KEYWORD if name in names else inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if name in required else default_of(tool, name),
            )
            for name in ordered
        ]
    )
