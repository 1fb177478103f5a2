"""Every tool that works in a tab is tried where the site may never be seen, where it may only be read, and where all is allowed."""

import json
from collections.abc import Iterator

import pytest

from e2e.rules.ruling import BANK, SECRET, Ruled, user_tab
from e2e.rules.tab_calls import ARGUMENTS, ARRANGING, CALLS, FAILS_ANYWAY, PAGE, READING, TAB_TOOLS, UNRULED
from e2e.site import Site
from tabwire.surfaces.tool import load_toolset

DENIED = "permission_denied"


@pytest.fixture(scope="module")
def browser_with_rules(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ruled]:
    groups = ",".join(["all", *sorted(load_toolset("agent").on_request)])
    with Ruled.started(tmp_path_factory.mktemp("rules"), "--tools", groups) as ruled:
        ruled.site = running_site
        yield ruled


@pytest.fixture
def ruled(browser_with_rules: Ruled) -> Iterator[Ruled]:
    with browser_with_rules.for_a_test():
        yield browser_with_rules
        browser_with_rules.clear()


def test_each_tool_of_a_tab_has_its_call_and_no_other_has(ruled: Ruled) -> None:
    assert CALLS.keys() == TAB_TOOLS.keys() == TAB_TOOLS.keys() & set(ruled.bert.tools())
    assert {*ARGUMENTS, *ARRANGING, *READING, *UNRULED, *FAILS_ANYWAY} <= CALLS.keys()
    needed = {tool: set(declared.input_schema.get("required", ())) - set(CALLS[tool]) for tool, declared in TAB_TOOLS.items()}
    assert {tool: names for tool, names in needed.items() if names} == {}, "ARGUMENTS lacks what these tools require"


def answers(ruled: Ruled, level: str) -> dict[str, str]:
    """The code of each tool's answer, with the reason of a refusal; empty for one that succeeds."""
    ruled.rule(BANK, level)
    _, tab = user_tab(ruled, ruled.page(BANK, PAGE, title=SECRET))
    _, closed = user_tab(ruled, ruled.page(BANK, PAGE, title=SECRET))
    found = {}
    for tool, arguments in CALLS.items():
        reply = ruled.bert.call(tool, tabId=closed if tool == "tab_close" else tab, **arguments)
        found[tool] = f"{reply.code}: {reply.data['reason']}" if reply.code == DENIED else reply.code or ""
        assert level != "never" or SECRET not in json.dumps(reply.structured) + reply.text, tool
    return found


def unlike(found: dict[str, str], expected: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {tool: (code, expected[tool]) for tool, code in found.items() if code != expected[tool]}


def test_no_tool_works_in_a_tab_whose_site_is_never_to_be_seen(ruled: Ruled) -> None:
    expected = {tool: "" if tool in UNRULED else f"{DENIED}: site_barred" for tool in CALLS}
    assert unlike(answers(ruled, "never"), expected) == {}


def test_only_tools_that_read_work_in_a_tab_whose_site_may_be_read(ruled: Ruled) -> None:
    acts = {tool for tool, declared in TAB_TOOLS.items() if declared.effect == "act"} - ARRANGING - READING
    expected = {tool: f"{DENIED}: site_read_only" if tool in acts else FAILS_ANYWAY.get(tool, "") for tool in CALLS}
    assert unlike(answers(ruled, "read"), expected) == {}


def test_every_tool_works_in_a_tab_whose_site_is_allowed(ruled: Ruled) -> None:
    assert unlike(answers(ruled, "act"), {tool: FAILS_ANYWAY.get(tool, "") for tool in CALLS}) == {}
