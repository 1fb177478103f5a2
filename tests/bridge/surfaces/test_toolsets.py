"""Which tools a process lists."""

from typing import Any

import pytest
from mcp.server.subscriptions import InMemorySubscriptionBus

from bridge.fake_engine import FakeEngine
from tabwire.commands import COMMANDS, ON_REQUEST
from tabwire.commands.json_schema import short_schema
from tabwire.errors import InvalidArgument
from tabwire.server.client_sessions import ClientSessions
from tabwire.server.mcp import ToolList
from tabwire.surfaces.agent import replies
from tabwire.surfaces.tool import Replies, Toolset, load_toolset
from tabwire.surfaces.tool_groups import with_groups

AGENT = load_toolset("agent")


def names(*wanted: str) -> list[str]:
    return list(AGENT.only(wanted).by_name)


def test_all_is_the_whole_list_but_for_groups_on_request() -> None:
    whole = [tool.name for tool in AGENT.tools]
    assert names("all") == names("forms", "all") == [tool.name for tool in AGENT.tools if tool.group not in ON_REQUEST]
    assert names("all", *ON_REQUEST) == whole


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


def test_the_everyday_list_is_the_core_and_more() -> None:
    assert AGENT.core < set(names("everyday")) == AGENT.everyday < set(names("all"))


def test_an_unknown_group_is_refused_with_the_list() -> None:
    with pytest.raises(
        InvalidArgument, match="no group clicking in the agent toolset; groups: core, everyday, all, snapshot, navigation, input"
    ):
        AGENT.only(["core", "clicking"])


def test_the_lists_stay_within_what_a_conversation_can_bear() -> None:
    """Characters stand for the tokens that scripts/lab/bench counts: 14,700 are 3,500 of the short list, 46,200 are 11,300 of the whole."""

    def sent(toolset: Toolset) -> list[str]:
        engine: Any = FakeEngine()
        listed = ToolList(toolset, engine, InMemorySubscriptionBus(), ClientSessions()).listed()
        return [tool.model_dump_json(by_alias=True, exclude_none=True) for tool in listed.tools]

    short = sent(with_groups(AGENT.only(["core"]), AGENT))
    assert len(short) <= 25
    assert len("".join(short)) < 14_700
    assert len("".join(sent(AGENT.only(["all"])))) < 46_200


def test_the_core_is_declared_with_parameters_that_exist() -> None:
    for command in COMMANDS:
        schema = short_schema(command, command.core or ())
        assert set(schema.get("properties", ())) >= set(command.core or ()), command.tool


def test_every_group_says_its_purpose() -> None:
    assert {tool.group for tool in AGENT.tools} == set(AGENT.purposes)


def test_the_core_of_a_small_surface_is_all_of_it() -> None:
    reader = load_toolset("reader")
    assert reader.only(["core"]) is reader


def test_a_name_given_twice_is_refused() -> None:
    tool = AGENT.tools[0]
    with pytest.raises(ValueError, match="duplicate tools snapshot"):
        Toolset(name="two", instructions="", tools=(tool, tool), replies=Replies(replies.respond, replies.fail))
