"""A short list of tools, and the tool that adds groups to it (`--tools core`, `--tools everyday`)."""

from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from tabwire.commands.json_schema import input_schema
from tabwire.commands.privacy import Fact
from tabwire.commands.session import Batch
from tabwire.commands.types import Parameters
from tabwire.surfaces.offered_tools import OfferedTools
from tabwire.surfaces.tool import Answer, Tool, ToolCall, ToolResult, Toolset

ENABLE = "enable_tools"


def with_groups(toolset: Toolset, whole: Toolset) -> Toolset:
    """The toolset with a tool that adds groups of the whole one, once there is something to add.

    Args:
        toolset: what is offered from the start.
        whole: the surface it was taken from.
    """
    more = tuple(tool for tool in whole.tools if tool.name not in toolset.by_name)
    if not more:
        return toolset
    offered = OfferedTools([*toolset.by_name, ENABLE])
    tools = (*toolset.tools, _enabling(more, whole, offered), *more)
    return replace(toolset, tools=tools, offered=offered, replies=toolset.replies.passing_results())


def group_of(tool: Tool) -> str:
    """The arguments that enable a tool."""
    return f'{ENABLE} {{"groups": ["{tool.group}"]}}'


def _signature(tool: Tool) -> str:
    """The call of a tool in one line: `cookies(action: get_all|set, name?, domain?)`."""
    schema = tool.input_schema
    required = schema.get("required", [])

    def argument(name: str, value: dict[str, Any]) -> str:
        choices = value.get("enum") or value.get("items", {}).get("enum") or []
        said = f": {'|'.join(map(str, choices))}" if choices else ""
        return f"{name}{'' if name in required else '?'}{said}"

    return f"{tool.name}({', '.join(argument(name, value) for name, value in schema.get('properties', {}).items())})"


def _enabling(more: tuple[Tool, ...], whole: Toolset, offered: OfferedTools) -> Tool:
    members = {group: [tool.name for tool in more if tool.group == group] for group in dict.fromkeys(tool.group for tool in more)}

    def known(group: str) -> str:
        if group not in members:
            raise ValueError(f"there is no group {group}; groups: {', '.join(members)}")
        return group

    class EnableTools(Parameters):
        """Groups to add."""

        groups: Annotated[list[Annotated[Fact, AfterValidator(known)]], Field(min_length=1)]

    async def run(call: ToolCall) -> ToolResult:
        asked: list[str] = call.parameters.groups
        names = [name for group in dict.fromkeys(asked) for name in members[group]]
        offered.add(names)
        data: Answer = {"tools": names}
        added = "".join(f"\n{_signature(tool)}" for tool in more if tool.name in names)
        return ToolResult(
            f"Added: {', '.join(names)}.{added}\nIf your client does not show them, make their calls in {Batch.tool}.",
            facts={"success": True, "data": data},
        )

    told = "; ".join(f"{group}: {whole.purposes.get(group) or ', '.join(names)}" for group, names in members.items())
    return Tool(
        name=ENABLE,
        title="Enable tools",
        description=f"Add tools to this list, by group. {told}.",
        model=EnableTools,
        input_schema=input_schema(EnableTools),
        run=run,
        effect="read",
        idempotent=True,
        destructive=False,
        open_world=False,
    )
