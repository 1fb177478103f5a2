"""Arguments: strict, and the error says what is valid."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from bridge.fake_engine import Surface
from tabwire.errors import InvalidArgument
from tabwire.middleware.arguments import arguments
from tabwire.surfaces.tool import ToolCall, ToolResult, Toolset, load_toolset

AGENT = load_toolset("agent")


def validated(tool: str, given: dict[str, Any], toolset: Toolset = AGENT) -> ToolCall:
    call = Surface(toolset).asked(tool, **given)

    async def nothing() -> ToolResult:
        return ToolResult("")

    async def run() -> None:
        await arguments(call, nothing)

    anyio.run(run)
    return call


def validate(tool: str, given: dict[str, Any]) -> Any:
    return validated(tool, given).parameters


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        (
            "click",
            {"selctor": "@e1"},
            ["unknown argument 'selctor'", "did you mean 'selector'", "Valid arguments: selector, coordinates"],
        ),
        ("fill", {"selector": "@e1"}, ["required argument 'value' is missing", "value (required)"]),
        ("click", {"selector": 7}, ["'selector'", "string", "7"]),
        ("click", {"selector": "@e1", "timeout": "5000 ms"}, ["'timeout'", "must be a number", "'5000 ms'"]),
        ("click", {"selector": "@e1", "timeout": "NaN"}, ["'timeout'", "must be a number", "'NaN'"]),
        ("click", {"selector": "@e1", "force": "yes"}, ["'force'", "boolean"]),
        ("fill_form", {"fields": '[{"selector": 7, "value": "x"}]'}, ["'fields'", "list"]),
        ("fill_form", {"fields": "[" * 100_000}, ["'fields'", "list"]),
        ("click", {"selector": "@e1", "button": "centre"}, ["'button'", "'left', 'right' or 'middle'"]),
        ("click", {}, ["exactly one of selector or coordinates"]),
        ("click", {"selector": "@e1", "coordinates": {"x": 1, "y": 2}}, ["exactly one of selector or coordinates"]),
        ("click", {"coordinates": {"x": 1}}, ["both x and y"]),
        ("click", {"selector": "@e1", "click_count": 0}, ["'click_count'", "greater than or equal to 1"]),
        ("title", {"tabId": 1.5}, ["'tabId'", "whole number"]),
        ("title", {"tabId": True}, ["'tabId'", "must be a number"]),
        ("navigate", {}, ["needs a url"]),
        ("navigate", {"url": "https://a.example", "action": "back"}, ["takes no url"]),
        ("wait", {"for": "text"}, ['for "text" needs the argument text']),
        ("wait", {"for": "text", "text": "x", "timeout": -1}, ["'timeout'", "greater than or equal to 0"]),
        ("query", {"by": "role", "value": "link", "return": "attribute"}, ["needs the argument attribute"]),
        ("query", {"by": "role", "value": "link", "options": {"exat": True}}, ["unknown argument 'options.exat'"]),
        ("tab_close", {}, ["exactly one of tabId, url"]),
        ("select", {"selector": "@e1", "value": "a", "label": "b"}, ["exactly one of value, label, index"]),
        ("screenshot", {"full_page": True, "selector": "@e1"}, ["selector and full_page exclude each other"]),
        ("locator", {"chain": []}, ["'chain'", "at least 1 item"]),
        ("upload", {"selector": "@e1", "files": [{"name": "a"}]}, ["exactly one of path, url, base64"]),
    ],
)
def test_a_bad_call_is_refused_with_the_reason(tool: str, given: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(InvalidArgument) as error:
        validate(tool, given)
    assert str(error.value).startswith(f"{tool}: ")
    for word in words:
        assert word in str(error.value)


def test_a_whole_number_may_be_written_as_a_float() -> None:
    assert validate("title", {"tabId": 7.0}).params() == {"tabId": 7}


def test_defaults_go_on_the_wire_and_absent_fields_do_not() -> None:
    assert validate("wait", {"for": "text", "text": "Done"}).params() == {
        "for": "text", "text": "Done", "state": "visible", "polling": 100, "timeout": 30_000,
    }  # fmt: skip


def test_an_own_timeout_ends_before_the_call() -> None:
    assert validate("click", {"selector": "@e1", "timeout": 700}).deadline_ms() == 1_700


def test_the_reason_that_a_call_gives_goes_to_the_browser_with_it() -> None:
    given = {"session": "s", "selector": "#buy", "reason": "the user asked for it"}
    assert validated("browser_act_click", given, load_toolset("instrument")).context.reason == given["reason"]
    assert validated("click", {"selector": "#buy"}).context.reason is None


@pytest.mark.parametrize(
    ("tool", "given", "meant"),
    [
        ("click", {"selector": "5", "timeout": "3000", "force": "true"}, {"selector": "5", "timeout": 3000, "force": True}),
        ("click", {"coordinates": '{"x":5,"y":"6"}'}, {"coordinates": {"x": 5, "y": 6}}),
        ("fill_form", {"fields": '[{"selector":"#a","value":"true"}]'}, {"fields": [{"selector": "#a", "value": "true"}]}),
        ("fill_form", {"fields": ['{"selector":"#a","value":"5"}']}, {"fields": [{"selector": "#a", "value": "5"}]}),
        ("snapshot", {"diff": "false"}, {"diff": False}),
        ("fill", {"selector": "#a", "value": "[1]"}, {"value": "[1]"}),
    ],
)
def test_strings_of_json_are_read_where_no_string_is_taken(tool: str, given: dict[str, Any], meant: dict[str, Any]) -> None:
    assert validated(tool, given).arguments == given | meant


def test_strings_of_json_are_read_on_these_surfaces_only() -> None:
    names = ("agent", "facade", "instrument", "reader", "browseagent")
    assert [name for name in names if load_toolset(name).decodes_arguments] == ["agent", "facade", "instrument"]
    with pytest.raises(InvalidArgument):
        validated("open_url", {"url": "https://a.example", "num_lines": "20"}, load_toolset("reader"))
