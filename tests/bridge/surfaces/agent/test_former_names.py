"""Old tool names: what each call of one means now, as plain values, and how they are listed and run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.commands import COMMANDS
from tabwire.config import load
from tabwire.errors import ElementNotEditable, InvalidArgument, InvalidElementState
from tabwire.install import extension_files
from tabwire.surfaces.agent.former import ENDS_IN
from tabwire.surfaces.agent.former.names import ACTIONS, OLD_NAMES
from tabwire.surfaces.agent.former.tools import translate, with_aliases
from tabwire.surfaces.tool import ToolResult, load_toolset

ROOT = Path(__file__).resolve().parents[4]
SERVED = load_toolset("agent")
ALIASED = with_aliases(SERVED)

POINT = {"x": 10, "y": 20}
TEXT = "document.body.innerText"

CASES: list[tuple[str, dict[str, Any], list[tuple[str, dict[str, Any]]]]] = [
    ("get_windows_and_tabs", {}, [("tab_list", {})]),
    # The three examples of the migration guide.
    (
        "chrome_navigate",
        {"url": "https://example.com", "newWindow": True, "width": 1280, "height": 720},
        [("navigate", {"url": "https://example.com", "new_window": True, "window_size": {"width": 1280, "height": 720}})],
    ),
    (
        "chrome_computer",
        {"action": "left_click", "ref": "ref_5", "modifiers": {"ctrlKey": True}},
        [("click", {"selector": "@e5", "modifiers": ["Control"]})],
    ),
    (
        "chrome_read_page",
        {"filter": "interactive", "depth": 3, "refId": "ref_12"},
        [("snapshot", {"mode": "interactive", "depth": 3, "selector": "@e12"})],
    ),
    ("chrome_navigate", {"url": "https://a.b", "width": 800}, [("navigate", {"url": "https://a.b", "new_window": True, "window_size": {"width": 800}})]),
    ("chrome_navigate", {"url": "back", "tabId": 3}, [("navigate", {"action": "back", "tabId": 3})]),
    ("chrome_navigate", {"refresh": True, "url": "https://a.b"}, [("navigate", {"action": "reload"})]),
    ("chrome_navigate", {"url": "https://a.b", "background": True, "windowId": 4}, [("navigate", {"url": "https://a.b", "background": True, "windowId": 4})]),
    ("chrome_navigate", {"url": "https://a.b", "waitUntil": "load"}, [("navigate", {"url": "https://a.b", "wait_until": "load"})]),
    ("chrome_screenshot", {"fullPage": True, "tabId": 2}, [("screenshot", {"full_page": True, "tabId": 2})]),
    ("chrome_screenshot", {"name": "shot", "selector": "#a"}, [("screenshot", {"selector": "#a", "save_path": "shot.png"})]),
    ("chrome_screenshot", {"name": "shot", "storeBase64": True, "savePng": False}, [("screenshot", {})]),
    ("chrome_close_tabs", {"tabIds": [1, 2]}, [("tab_close", {"tabId": [1, 2]})]),
    ("chrome_close_tabs", {"url": "https://a.b/*"}, [("tab_close", {"url": "https://a.b/*"})]),
    ("chrome_switch_tab", {"tabId": 7, "windowId": 1}, [("tab_switch", {"tabId": 7})]),
    ("chrome_read_page", {"filter": "", "tabId": 1}, [("snapshot", {"tabId": 1})]),
    ("chrome_computer", {"action": "left_click", "coordinates": POINT}, [("click", {"coordinates": POINT})]),
    ("chrome_computer", {"action": "right_click", "ref": "ref_5"}, [("click", {"selector": "@e5", "button": "right"})]),
    ("chrome_computer", {"action": "double_click", "ref": "ref_5"}, [("dblclick", {"selector": "@e5"})]),
    ("chrome_computer", {"action": "triple_click", "ref": "@e5"}, [("click", {"selector": "@e5", "click_count": 3})]),
    (
        "chrome_computer",
        {"action": "left_click_drag", "startRef": "ref_1", "ref": "ref_2"},
        [("drag", {"source": "@e1", "target": "@e2"})],
    ),
    (
        "chrome_computer",
        {"action": "left_click_drag", "startCoordinates": POINT, "coordinates": {"x": 1, "y": 2}},
        [("drag", {"source_coordinates": POINT, "target_coordinates": {"x": 1, "y": 2}})],
    ),
    (
        "chrome_computer",
        {"action": "scroll", "ref": "ref_3", "scrollDirection": "up", "scrollAmount": 5},
        [("scroll", {"selector": "@e3", "direction": "up", "amount": 500})],
    ),
    ("chrome_computer", {"action": "scroll"}, [("scroll", {"direction": "down", "amount": 300})]),
    ("chrome_computer", {"action": "scroll_to", "ref": "ref_3"}, [("scroll", {"selector": "@e3", "into_view": True})]),
    ("chrome_computer", {"action": "type", "text": "hi", "ref": "ref_3"}, [("type", {"selector": "@e3", "text": "hi"})]),
    (
        "chrome_computer",
        {"action": "key", "text": "cmd+a Backspace", "repeat": 2},
        [("press", {"key": key}) for key in ("Meta+a", "Backspace", "Meta+a", "Backspace")],
    ),
    ("chrome_computer", {"action": "fill", "ref": "ref_3", "value": 5}, [("fill", {"selector": "@e3", "value": "5"})]),
    ("chrome_computer", {"action": "fill", "selector": "#box", "value": False}, [("uncheck", {"selector": "#box"})]),
    (
        "chrome_computer",
        {"action": "fill_form", "elements": [{"ref": "ref_1", "value": "a"}, {"ref": "ref_2", "value": True}]},
        [("fill", {"selector": "@e1", "value": "a"}), ("check", {"selector": "@e2"})],
    ),
    ("chrome_computer", {"action": "hover", "ref": "ref_3"}, [("hover", {"selector": "@e3"})]),
    ("chrome_computer", {"action": "wait", "duration": 2}, [("wait", {"for": "timeout", "duration": 2000})]),
    (
        "chrome_computer",
        {"action": "wait", "text": "Saved", "appear": False, "timeout": 500},
        [("wait", {"for": "text_hidden", "text": "Saved", "timeout": 500})],
    ),
    ("chrome_computer", {"action": "resize_page", "width": 400, "height": 300}, [("viewport", {"width": 400, "height": 300})]),
    (
        "chrome_computer",
        {"action": "zoom", "region": {"x0": 10, "y0": 20, "x1": 110, "y1": 70}},
        [("screenshot", {"clip": {"x": 10, "y": 20, "width": 100, "height": 50}})],
    ),
    ("chrome_computer", {"action": "screenshot", "tabId": 1, "background": True}, [("screenshot", {"tabId": 1})]),
    (
        "chrome_click_element",
        {"selector": "//a[1]", "selectorType": "xpath", "button": "middle", "timeout": 100, "frameId": 3},
        [("click", {"selector": "xpath=//a[1]", "button": "middle", "timeout": 100, "frameId": 3})],
    ),
    ("chrome_click_element", {"ref": "ref_2", "selector": "#b", "double": True}, [("dblclick", {"selector": "@e2"})]),
    ("chrome_click_element", {"coordinates": POINT, "waitForNavigation": False}, [("click", {"coordinates": POINT, "no_wait_after": True})]),
    ("chrome_fill_or_select", {"selector": "#a", "value": "x"}, [("fill", {"selector": "#a", "value": "x"})]),
    ("chrome_fill_or_select", {"ref": "ref_2", "value": True}, [("check", {"selector": "@e2"})]),
    ("chrome_keyboard", {"keys": "Ctrl+C"}, [("press", {"key": "Control+C"})]),
    ("chrome_keyboard", {"keys": "Enter", "selector": "#a", "delay": 5}, [("press", {"selector": "#a", "key": "Enter", "delay": 5})]),
    ("chrome_keyboard", {"keys": "shift+Tab"}, [("press", {"key": "Shift+Tab"})]),
    ("chrome_keyboard", {"keys": "Hello World"}, [("type", {"text": "Hello World"})]),
    ("chrome_keyboard", {"keys": "1+1=2"}, [("type", {"text": "1+1=2"})]),
    (
        "chrome_javascript",
        {"code": "return 1", "timeoutMs": 100, "maxOutputBytes": 50},
        [("evaluate", {"expression": "return 1", "timeout": 100, "max_output_size": 50})],
    ),
    (
        "chrome_console",
        {"includeExceptions": False, "maxMessages": 5, "pattern": "/x/i", "onlyErrors": True},
        [("console", {"level": ["error"], "include_exceptions": False, "max_messages": 5, "pattern": "/x/i"})],
    ),
    (
        "chrome_console",
        {"url": "https://a.b", "mode": "buffer", "clearAfterRead": True, "limit": 9},
        [
            ("navigate", {"url": "https://a.b"}),
            ("console", {"action": "start_buffer"}),
            ("console", {"clear_after_read": True, "max_messages": 9}),
        ],
    ),
    (
        "chrome_network_capture",
        {"action": "start", "needResponseBody": True, "maxCaptureTime": 5, "url": "https://a.b", "includeStatic": True},
        [("capture", {"action": "start", "include_bodies": True, "max_capture_time": 5}), ("navigate", {"url": "https://a.b"})],
    ),
    ("chrome_network_capture", {"action": "stop", "needResponseBody": True}, [("capture", {"action": "stop"})]),
    (
        "chrome_network_request",
        {"url": "/a", "method": "post", "body": "x", "headers": {"A": "b"}},
        [("request", {"url": "/a", "method": "POST", "body": "x", "headers": {"A": "b"}})],
    ),
    (
        "chrome_network_request",
        {"url": "/a", "method": "POST", "formData": {"fields": {"a": "1"}, "files": [{"name": "f", "filePath": "/x", "contentType": "text/plain"}]}},
        [("request", {"url": "/a", "method": "POST", "form_data": {"a": "1", "f": {"path": "/x", "mime_type": "text/plain"}}})],
    ),
    (
        "chrome_history",
        {"text": "news", "startTime": "1 day ago", "endTime": "now", "maxResults": 5, "excludeCurrentTabs": True},
        [("history", {"query": "news", "start_time": "1 day ago", "end_time": "now", "max_results": 5, "exclude_current_tabs": True})],
    ),
    (
        "chrome_bookmark_search",
        {"query": "a", "maxResults": 5, "folderPath": "Work"},
        [("bookmarks", {"action": "search", "query": "a", "max_results": 5, "folder": "Work"})],
    ),
    (
        "chrome_bookmark_add",
        {"url": "https://a.b", "title": "A", "parentId": "Work", "createFolder": True},
        [("bookmarks", {"action": "add", "url": "https://a.b", "title": "A", "parent_folder": "Work", "create_folder": True})],
    ),
    ("chrome_bookmark_delete", {"bookmarkId": "12"}, [("bookmarks", {"action": "delete", "bookmark_id": "12"})]),
    ("chrome_upload_file", {"selector": "#f", "filePath": "/a.txt", "multiple": True}, [("upload", {"selector": "#f", "files": ["/a.txt"]})]),
    (
        "chrome_upload_file",
        {"selector": "#f", "base64Data": "eA==", "fileName": "x.txt"},
        [("upload", {"selector": "#f", "files": [{"base64": "eA==", "name": "x.txt"}]})],
    ),
    ("chrome_handle_dialog", {"action": "accept", "promptText": "x"}, [("dialog", {"action": "accept", "prompt_text": "x"})]),
    (
        "chrome_handle_download",
        {"filenameContains": "invoice", "timeoutMs": 100},
        [("wait", {"for": "url", "download": True, "url": "invoice", "timeout": 100})],
    ),
    (
        "chrome_gif_recorder",
        {"action": "start", "fps": 4, "durationMs": 1000, "maxFrames": 9},
        [("record", {"action": "start", "mode": "fixed_fps", "fps": 4, "max_duration": 1000, "max_frames": 9})],
    ),
    (
        "chrome_gif_recorder",
        {"action": "auto_start", "enhancedRendering": {"clickIndicators": False, "labels": True}},
        [("record", {"action": "start", "mode": "auto_capture", "overlays": {"click_indicators": False, "action_labels": True}})],
    ),
    ("chrome_gif_recorder", {"action": "capture", "annotation": "A"}, [("record", {"action": "capture_frame", "annotation": "A"})]),
    ("chrome_gif_recorder", {"action": "stop", "filename": "demo"}, [("record", {"action": "stop", "save_path": "demo.gif"})]),
    ("chrome_get_web_content", {}, [("evaluate", {"expression": TEXT})]),
    (
        "chrome_get_web_content",
        {"url": "https://a.b", "htmlContent": True, "tabId": 1},
        [("navigate", {"url": "https://a.b", "tabId": 1}), ("evaluate", {"expression": "document.documentElement.outerHTML", "tabId": 1})],
    ),
    (
        "chrome_get_interactive_elements",
        {"selector": "main", "includeCoordinates": True},
        [("snapshot", {"mode": "interactive", "selector": "main", "include_bounds": True})],
    ),
    (
        "chrome_request_element_selection",
        {"requests": [{"name": "Login", "description": "top right"}, {"name": "Search"}], "timeoutMs": 500},
        [
            ("query", {"by": "text", "value": "Login: top right", "pick": True, "timeout": 500}),
            ("query", {"by": "text", "value": "Search", "pick": True, "timeout": 500}),
        ],
    ),
    (
        "performance_start_trace",
        {"reload": True, "autoStop": True, "durationMs": 900},
        [("capture", {"action": "start", "trace": True, "max_capture_time": 900}), ("reload", {})],
    ),
    ("performance_stop_trace", {"saveToDownloads": True}, [("capture", {"action": "stop"})]),
    ("performance_analyze_insight", {"insightName": "LCP"}, [("capture", {"action": "status"})]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "calls"), CASES, ids=[f"{name}-{index}" for index, (name, *_) in enumerate(CASES)])
def test_an_old_call_means_these_new_ones(name: str, arguments: dict[str, Any], calls: list[tuple[str, dict[str, Any]]]) -> None:
    steps = translate(name, arguments).steps
    assert [(step.tool, step.arguments) for step in steps] == calls
    for step in steps:
        ALIASED.by_name[step.tool].model.model_validate(step.arguments)


def test_every_row_of_the_migration_guide_has_a_case() -> None:
    assert {name for name, *_ in CASES} == set(OLD_NAMES)
    assert {arguments["action"] for name, arguments, _ in CASES if name == "chrome_computer"} == set(ACTIONS)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("chrome_navigate", {"ulr": "https://a.b"}, ["'ulr'", "did you mean 'url'", "newWindow", "new_window"]),
        ("chrome_computer", {"action": "dance"}, ["'dance'", "left_click", "screenshot"]),
        ("chrome_computer", {"action": "left_click", "reff": "ref_1"}, ["'reff'", "ref"]),
        ("chrome_computer", {"action": "key"}, ["needs text"]),
        ("chrome_computer", {"action": "scroll", "scrollAmount": "much"}, ["scrollAmount must be a number"]),
        ("chrome_click_element", {"ref": "ref_1", "modifiers": {"ctrl": True}}, ["'ctrl'", "ctrlKey"]),
        ("chrome_upload_file", {"selector": "#f"}, ["filePath"]),
        ("chrome_bookmark_delete", {}, ["bookmarkId"]),
        ("chrome_gif_recorder", {"action": "export"}, ["'export'", "capture"]),
        ("chrome_request_element_selection", {"requests": []}, ["requests"]),
    ],
)
def test_what_is_wrong_with_an_old_call_is_said(name: str, arguments: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(InvalidArgument) as error:
        translate(name, arguments)
    assert all(part in str(error.value) for part in said), error.value


def browser_with(**answers: Any) -> FakeEngine:
    return FakeEngine(answers, otherwise={"effects": {"none": True}, "tabId": 1})


def run(browser: FakeEngine, name: str, /, **arguments: Any) -> ToolResult:
    return anyio.run(partial(Surface(ALIASED, browser).call, name, **arguments))


def test_an_old_name_runs_the_new_tool_and_says_what_was_left_out() -> None:
    browser = browser_with()
    reply = run(browser, "chrome_click_element", ref="ref_4")
    assert browser.sent[0][0] == "input.click" and browser.sent[0][1]["selector"] == "@e4"
    assert not reply.is_error and reply.facts and reply.facts["success"]
    noted = run(browser, "chrome_computer", action="scroll", coordinates=POINT)
    assert "left out, without a counterpart: coordinates" in noted.text


def test_a_list_is_selected_from_and_a_box_is_checked() -> None:
    listed = browser_with(**{"forms.fill": ElementNotEditable("takes no text")})
    assert not run(listed, "chrome_fill_or_select", selector="#s", value="b").is_error
    assert listed.methods == ["forms.fill", "forms.select"]
    boxed = browser_with(
        **{"forms.fill": ElementNotEditable("no text"), "forms.select": InvalidElementState("is not a select element")}
    )
    assert not run(boxed, "chrome_fill_or_select", selector="#c", value="off").is_error
    assert boxed.methods == ["forms.fill", "forms.select", "forms.uncheck"]


def test_a_window_means_its_active_tab() -> None:
    tabs = [{"tabId": 5, "active": False}, {"tabId": 6, "active": True, "current": True}]
    browser = browser_with(**{"tabs.list": {"tabs": tabs}})
    run(browser, "chrome_click_element", ref="ref_1", windowId=9)
    assert browser.sent[0] == ("tabs.list", {"windowId": 9})
    assert browser.sent[1][1]["tabId"] == 6
    run(browser, "chrome_close_tabs")
    assert browser.sent[-1] == ("tabs.close", {"tabId": 6, "force": False})
    elsewhere = browser_with(**{"tabs.list": {"tabs": [{"tabId": 5, "active": True, "current": False}]}})
    run(elsewhere, "chrome_close_tabs", windowId=9)
    assert elsewhere.sent == [("tabs.list", {"windowId": 9}), ("tabs.close", {"tabId": 5, "force": False})]


OF_NO_WINDOW = {"chrome_bookmark_add", "chrome_bookmark_search", "chrome_history"}
"""What they do is the same in every window."""


@pytest.mark.parametrize("window", [-1, "nine", 1.5])
@pytest.mark.parametrize("name", sorted(OLD_NAMES))
def test_a_window_that_is_none_is_a_bad_argument(name: str, window: object) -> None:
    """Some take no window, and say that of the others; none sends anything."""
    browser = browser_with()
    reply = run(browser, name, windowId=window)
    assert "unknown_error" not in reply.text and not any("windowId" in asked for _, asked in browser.sent)
    if browser.sent == []:
        assert reply.is_error and "invalid_argument" in reply.text
    else:
        assert name in OF_NO_WINDOW


def test_a_bookmark_is_deleted_by_its_address() -> None:
    marks = [{"id": "1", "url": "https://a.b/", "title": "A"}, {"id": "2", "url": "https://a.b/c", "title": "C"}]
    browser = browser_with(**{"history.bookmarks": {"bookmarks": marks}})
    run(browser, "chrome_bookmark_delete", url="https://a.b")
    assert browser.sent[-1][1]["bookmark_id"] == "1"
    missing = run(browser, "chrome_bookmark_delete", url="https://x.y")
    assert missing.is_error and "0 bookmarks" in missing.text


def test_several_calls_answer_as_one() -> None:
    reply = run(browser_with(), "chrome_computer", action="key", text="Tab Enter")
    assert reply.text.count("Press a key") == 2


def test_old_names_are_listed_after_the_new_tools_and_only_for_served_ones() -> None:
    names = [tool.name for tool in ALIASED.tools]
    assert names[: len(SERVED.tools)] == [tool.name for tool in SERVED.tools]
    assert set(names[len(SERVED.tools) :]) == set(OLD_NAMES)
    navigate = ALIASED.by_name["chrome_navigate"]
    assert navigate.description == "Old name of navigate."
    assert {"newWindow", "new_window", "url"} <= set(navigate.input_schema["properties"])
    assert navigate.input_schema["additionalProperties"] is True
    core = with_aliases(SERVED.only(["tabs"]))
    assert {tool.name for tool in core.tools if tool.group == "aliases"} == {
        "get_windows_and_tabs",
        "chrome_close_tabs",
        "chrome_switch_tab",
    }


def test_without_the_option_they_are_unknown_but_named() -> None:
    assert not set(OLD_NAMES) & set(SERVED.by_name)
    assert SERVED.old_names["chrome_navigate"] == "navigate"
    assert load({}, {}).aliases is False
    assert load({}, {"TABWIRE_ALIASES": "true"}).aliases is True


def test_what_an_old_name_becomes_exists() -> None:
    commands = {command.tool for command in COMMANDS}
    assert {tool for meant in OLD_NAMES.values() for tool in meant.now} <= commands


def test_the_names_end_with_the_version_that_is_announced() -> None:
    """A release of that version has to take `former/` and `--aliases` out."""
    now, end = (tuple(map(int, version.split("."))) for version in (extension_files.version(), ENDS_IN))
    assert now < end
    pages = [
        (ROOT / page).read_text()
        for page in ("docs/tools.md", "docs/surfaces/agent.md", "docs/configuration.md", "docs/command-line.md")
    ]
    assert [page.count(ENDS_IN) > 0 for page in pages] == [True] * len(pages)
