"""Which tools a process lists."""

import json

import pytest

from tabwire.errors import InvalidArgument
from tabwire.surfaces.agent import replies
from tabwire.surfaces.tool import Replies, Tool, Toolset, load_toolset

AGENT = load_toolset("agent")


def names(*wanted: str) -> list[str]:
    return list(AGENT.only(wanted).by_name)


def test_all_is_the_whole_list() -> None:
    assert names("all") == names("forms", "all") == [tool.name for tool in AGENT.tools]


def test_every_tool_is_in_one_group() -> None:
    groups = {tool.group for tool in AGENT.tools}
    assert "" not in groups
    assert sorted(name for group in groups for name in names(group)) == sorted(AGENT.by_name)


def test_groups_and_core_add_up_in_the_order_of_the_list() -> None:
    chosen = names("core", "emulation", "navigation")
    assert set(chosen) == AGENT.core & set(AGENT.by_name) | set(names("emulation")) | set(names("navigation"))
    assert chosen == [name for name in AGENT.by_name if name in chosen]


def test_the_core_names_tools_that_exist() -> None:
    assert set(AGENT.by_name) >= AGENT.core


def test_an_unknown_group_is_refused_with_the_list() -> None:
    with pytest.raises(
        InvalidArgument, match="no group clicking in the agent toolset; groups: core, all, snapshot, navigation, input"
    ):
        AGENT.only(["core", "clicking"])


def test_the_lists_stay_within_what_a_conversation_can_bear() -> None:
    """A proxy for the tokens that scripts/bench counts: these lists have 4.2 characters a token or more."""

    def characters(tools: tuple[Tool, ...]) -> int:
        return sum(len(json.dumps([tool.name, tool.description, tool.input_schema], separators=(",", ":"))) for tool in tools)

    assert characters(AGENT.tools) < 9_000 * 4.2
    assert characters(AGENT.only(["core"]).tools) < 3_500 * 4.2


def test_a_name_given_twice_is_refused() -> None:
    tool = AGENT.tools[0]
    with pytest.raises(ValueError, match="duplicate tools snapshot"):
        Toolset(name="two", instructions="", tools=(tool, tool), replies=Replies(replies.respond, replies.fail))
