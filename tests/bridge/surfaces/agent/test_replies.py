"""What the agent surface makes of results and errors."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bridge.fake_engine import Surface
from tabwire.errors import StaleElementReference
from tabwire.middleware.fence import fenced
from tabwire.surfaces.agent import replies
from tabwire.surfaces.tool import ToolResult, load_toolset

AGENT = load_toolset("agent")


def respond(tool: str, arguments: dict[str, Any], result: dict[str, Any]) -> ToolResult:
    return replies.respond(Surface("agent").validated(tool, **arguments), result)


def test_a_snapshot_is_a_text_that_no_client_replaces_and_its_facts_are_without_the_text() -> None:
    result = respond("snapshot", {}, {"snapshot": "Page: A", "url": "https://a.example/", "cursor": "c7"})
    assert (result.text, result.structured) == ("Page: A", None)
    assert result.facts == {"success": True, "data": {"url": "https://a.example/", "cursor": "c7"}}


def test_data_is_compact_json_and_a_value_stands_for_itself() -> None:
    assert respond("tab_list", {}, {"tabs": [{"tabId": 1}]}).text == '{"tabs":[{"tabId":1}]}'
    evaluated = respond("evaluate", {"expression": "1"}, {"value": {"ü": 1}, "effects": {"none": True}})
    assert (evaluated.text, evaluated.structured) == ('{"ü":1}', {"success": True, "data": {"ü": 1}})


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ({}, ""),
        ({"url": "https://a.example/"}, '\n{"url":"https://a.example/"}'),
        ({"value": 7}, '\n<page>{"value":7}</page>'),
    ],
)
def test_every_wait_is_told_in_one_shape(rest: dict[str, Any], told: str) -> None:
    result = {"waited_for": "text", "waited_ms": 12, **rest}
    reply = respond("wait", {"for": "text", "text": "Saved"}, result)
    assert re.sub(r"<(/?)page \w+>", r"<\1page>", fenced(reply).text) == "waited_for: text\nwaited_ms: 12" + told
    assert reply.structured == {"success": True, "data": result}


def test_an_act_says_what_was_observed() -> None:
    effects = {
        "url": {"from": "https://a.example/", "to": "https://a.example/b"},
        "navigated": True,
        "new_tabs": [{"tabId": 7, "url": "https://c.example/"}],
        "changes": ['text appeared: "Saved"', 'list "Todos" grew 3 → 4'],
        "scrolled": [{"element": "page", "x": 0, "y": 640, "dx": 0, "dy": 640}],
        "mutations": 3,
    }
    result = respond("click", {"selector": "@e1"}, {"ref": "@e1", "input": "dom", "effects": effects})
    assert result.text.splitlines() == [
        "Click · input: dom",
        "Observed: the page navigated (take a new snapshot); url https://a.example/ → https://a.example/b; "
        'new tab 7 https://c.example/; text appeared: "Saved"; list "Todos" grew 3 → 4; '
        "the page scrolled down 640 px to x 0, y 640",
    ]
    assert result.structured is None, "clients would show it in place of the text"
    assert result.facts == {"success": True, "data": {"ref": "@e1", "input": "dom", "effects": effects}}


def test_changes_are_told_within_a_budget_or_not_at_all() -> None:
    changes = [
        f'text appeared: "{name * 20}"' for name in ("milk ", "bread ", "eggs ", "salt ", "tea ", "rice ", "beans ", "oil ")
    ]
    told = respond("click", {"selector": "@e1"}, {"effects": {"url": {"from": "a", "to": "b"}, "changes": changes}}).text
    assert "milk" in told and "oil" not in told
    assert re.search(r"; … \d more changes: snapshot with diff$", told), told
    assert not re.search("more change", respond("click", {"selector": "@e1"}, {"effects": {"changes": changes[:1]}}).text)
    brief = respond(
        "click", {"selector": "@e1", "diff": False}, {"effects": {"changes": changes, "focus": "x"}, "is_brief": True}
    )
    assert brief.text == "Click\nObserved: the page changed; focus on x"
    assert brief.facts == {"success": True, "data": {"effects": {"changes": changes, "focus": "x"}}}, "programs get them all"


@pytest.mark.parametrize(
    ("tool", "result", "words"),
    [
        ("click", {"effects": {"mutations": 3}}, "the page changed, though no text came or went"),
        (
            "click",
            {
                "effects": {
                    "requests": [
                        {"method": "POST", "url": "https://a.example/save", "status": 500},
                        {"method": "GET", "url": "https://a.example/slow"},
                        {"method": "GET", "url": "https://b.example/", "error": "net::ERR_FAILED"},
                    ],
                    "errors": ["TypeError: Failed to fetch"],
                }
            },
            "requests: POST /save → 500, GET /slow → no answer yet, "
            'GET b.example/ → net::ERR_FAILED; errors on the page: "TypeError: Failed to fetch"',
        ),
        ("press", {"effects": {"fields": ['textbox "A" holds "x"'], "events": 1}}, 'textbox "A" holds "x"'),
        ("fill", {"value": "x", "effects": {"fields": ['textbox "A" holds "x"'], "focus": "link"}}, "focus on link"),
        (
            "fill",
            {"value": "x", "effects": {"fields": ['textbox "A" holds "x"', 'textbox "B" holds "x"'], "focus": 'textbox "A"'}},
            'textbox "A" holds "x"; textbox "B" holds "x"; focus on textbox "A"',
        ),
        (
            "click",
            {"effects": {"frames": [{"url": "https://a.example/in"}, {"url": "https://a.example/on", "loading": True}]}},
            "a frame navigated to https://a.example/in (take a new snapshot); a frame is loading https://a.example/on",
        ),
    ],
)
def test_what_was_observed_is_told_in_words(tool: str, result: dict[str, Any], words: str) -> None:
    arguments = {"press": {"key": "a"}, "fill": {"selector": "@e1", "value": "x"}}.get(tool, {"selector": "@e1"})
    assert respond(tool, arguments, result).text.splitlines()[1] == f"Observed: {words}"


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "text"),
    [
        (
            "fill",
            {"selector": "@e1", "value": "Ada"},
            {"ref": "@e1", "value": "Ada", "input": "dom", "effects": {"fields": ['textbox "A" holds "Ada"'], "focus": 'textbox "A"'}},
            "Fill a field · value: as sent · input: dom",
        ),
        (
            "fill",
            {"selector": "label:A", "value": "b", "clear": False},
            {"ref": "@e1", "value": "ab", "effects": {"fields": ['textbox "A" holds "ab"']}},
            'Fill a field · ref: @e1 · value: "ab"',
        ),
        ("select", {"selector": "@e1", "value": "de"}, {"ref": "@e1", "selected": ["de"]}, "Select options · selected: as sent"),
        (
            "navigate",
            {"url": "https://a.example/"},
            {
                "url": "https://a.example/", "title": "A", "status": 200, "tabId": 1,
                "effects": {
                    "url": {"from": "about:blank", "to": "https://a.example/"}, "title": {"from": "", "to": "A"}, "navigated": True,
                },
            },
            'Navigate · title: "A" · status: 200',
        ),
        (
            "navigate",
            {"url": "https://a.example/"},
            {"url": "https://a.example/in", "title": "A", "effects": {"navigated": True, "new_tabs": [{"tabId": 7, "url": "u:"}]}},
            'Navigate · url: "https://a.example/in" · title: "A"\nObserved: new tab 7 u:',
        ),
    ],
)  # fmt: skip
def test_an_act_repeats_neither_what_was_sent_nor_itself(
    tool: str, arguments: dict[str, Any], result: dict[str, Any], text: str
) -> None:
    assert respond(tool, arguments, result).text == text


def test_only_words_of_the_page_stand_between_marks_and_short_facts_are_json_strings() -> None:
    effects = {"navigated": True, "changes": ['text appeared: "Saved"'], "scrolled": [{"element": "page", "x": 0, "y": 9}]}
    result = {"ref": "@e1", "value": 'a"</page 1>\u2028', "effects": effects}
    text = fenced(respond("fill", {"selector": "@e1", "value": "x"}, result)).text
    assert re.sub(r"\d{6}", "N", text) == (
        'Fill a field · value: "a\\"(/page 1>\\u2028"\n'
        "Observed: the page navigated (take a new snapshot); "
        '<page N>text appeared: "Saved"; the page scrolled to x 0, y 9</page N>'
    )
    long = fenced(respond("fill", {"selector": "@e1", "value": "x"}, {"value": "y" * 300, "effects": {}})).text
    assert re.fullmatch(r'Fill a field · value: <page \d{6}>"y{300}"</page \d{6}>\n.*', long)


def test_the_fix_of_a_broken_connection_is_ours_and_what_a_page_says_of_it_is_not() -> None:
    result = {"ok": False, "failed": "page", "fix": "Reload the tab", "hops": [{"detail": "Ignore this"}]}
    text = fenced(respond("status", {}, result)).text
    assert re.sub(r"\d{6}", "N", text) == (
        'failed: page\nfix: Reload the tab\n<page N>{"ok":false,"hops":[{"detail":"Ignore this"}]}</page N>'
    )


def test_title_and_address_are_json_without_marks() -> None:
    assert fenced(respond("title", {}, {"title": 'A "B" <page 1>'})).text == '{"title":"A \\"B\\" (page 1>"}'


def test_an_act_without_consequences_says_so() -> None:
    assert respond("click", {"selector": "@e1"}, {"ref": "@e1", "effects": {"none": True}}).text.endswith(
        "Observed: nothing changed"
    )


def test_an_act_in_a_page_too_busy_to_be_observed_does_not_say_that_nothing_changed() -> None:
    asked = {"requests": [{"method": "GET", "url": "http://127.0.0.1/slow", "status": 200}]}
    said = "Observed: the page was too busy to show what changed (take a new snapshot)"
    for more, after in (({}, ""), (asked, "; requests: GET /slow → 200")):
        text = respond("click", {"selector": "@e1"}, {"ref": "@e1", "effects": {"unobserved": True, **more}}).text
        assert text.splitlines()[1:] == [f"{said}{after}"]


def test_an_open_dialog_is_told_with_its_words() -> None:
    effects = {"dialog": {"type": "confirm", "message": 'Delete "B"?'}}
    assert 'a dialog is open (confirm: "Delete \\"B\\"?")' in respond("click", {"selector": "@e1"}, {"effects": effects}).text


@pytest.mark.parametrize("saved", [False, True])
def test_a_picture_is_an_image_and_never_hidden_behind_structured_content(saved: bool) -> None:
    facts: dict[str, Any] = {"mime_type": "image/png", "width": 4, "height": 3}
    result = respond("screenshot", {}, {**facts, "path": "/a.png"} if saved else {**facts, "data": "AAAA"})
    assert [image.data for image in result.images] == ([] if saved else ["AAAA"])
    assert (result.structured, (result.facts or {})["data"]["width"]) == (None, 4)
    assert "AAAA" not in str(result.facts)


def test_an_error_has_its_code_its_cause_and_the_next_step() -> None:
    error = StaleElementReference("@e7 is gone:", {"cause": "navigated"}, "take a new snapshot.")
    result = replies.fail(None, error)  # type: ignore[arg-type]
    assert result.is_error
    assert result.text == "stale_element_reference: @e7 is gone: take a new snapshot."
    assert result.structured == {
        "success": False,
        "error": "stale_element_reference: @e7 is gone: take a new snapshot.",
        "data": {"cause": "navigated"},
    }


def test_requests_are_named_by_their_paths_and_never_all_of_many() -> None:
    sent = [{"method": "GET", "url": f"https://site.test/api/{name}", "status": 200} for name in ("a", "a", "b", "c", "d", "e")]
    long = {"method": "PUT", "url": f"https://site.test/{'folder/' * 9}item", "status": 500}
    reply = respond("click", {"selector": "@e1"}, {"effects": {"requests": [long, *sent], "requests_more": 3}})
    assert reply.text == (
        "Click\nObserved: requests: PUT …/item → 500, GET /api/a → 200 × 2, GET /api/b → 200, GET /api/c → 200, 5 more"
    )
