"""The commands of a command line, and the fields that words without a flag give."""

from collections.abc import Iterator, Mapping, Sequence

from tabwire.commands.line_spelling import SHORT_NAMES, TEXT, Field, command_of, positions_of
from tabwire.commands.wait import CONDITION_FIELDS
from tabwire.surfaces.tool import Tool, load_toolset


def tools() -> dict[str, Tool]:
    """The tools of the agent surface by name."""
    return load_toolset("agent").by_name


def commands() -> dict[str, Tool]:
    """All commands for a browser, the short ones first, with their tools."""
    known = tools()
    return {
        **{short: known[name] for short, name in SHORT_NAMES.items()},
        **{command_of(name): tool for name, tool in known.items()},
    }


def tool_of(command: str, served: Mapping[str, Tool] | None = None) -> Tool | None:
    """The tool of a command: its own name, with dashes or not, or a short one."""
    return (served or tools()).get(SHORT_NAMES.get(command, command.replace("-", "_")))


def placed(tool: Tool, words: list[str], said: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """Words without a flag, by field. Required fields come first: one word of `type` is its text, of two the first is where.

    Args:
        said: what flags give, by field.

    Raises:
        ValueError: there are more than the tool takes.
    """
    names = [name for name in positions_of(tool) if name not in said]
    required = set(tool.input_schema.get("required", ()))
    optional = max(0, len(words) - sum(name in required for name in names))
    left = list(words)
    last = ""
    for name in positions_of(tool):
        if not left:
            return
        if name in said:
            last = said[name][-1]
            continue
        if name not in required:
            if not optional:
                continue
            optional -= 1
        if name == "~":
            name = CONDITION_FIELDS.get(last, last)
        is_list = "array" in Field(name, tool.input_schema["properties"].get(name, TEXT)).kinds
        taken = left if is_list and name == names[-1] else left[:1]
        left = left[len(taken) :]
        last = taken[0]
        yield name, taken
    if left:
        raise ValueError(f"does not take {left[0]!r}")
