"""The browseagent surface over a browser made of plain values: what it asks the browser, and how it words answers and failures."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from bridge.fake_engine import FakeEngine, Surface
from fences import unfenced
from tabwire.errors import (
    AmbiguousSelector,
    DialogPending,
    InvalidSelector,
    NavigationFailed,
    NoSuchElement,
    NoSuchTab,
    NotConnected,
    OutcomeUnknown,
    RestrictedPage,
    StaleElementReference,
    TabLeased,
    TabwireError,
)
from tabwire.surfaces.browseagent.replies import MAX_CHARS

pytestmark = pytest.mark.anyio

OUTLINE = {"outline": "<html>\n</html>", "title": "A -- B", "url": "https://a.example/", "left_out": "", "tabId": 7}
BUTTON = {"element": "Save button", "ref": "button#save"}


def engine_of(**answers: Any) -> FakeEngine:
    """A browser that answers by method, the dots written as underscores."""
    named = {name.replace("_", ".", 1): answer for name, answer in answers.items()}
    return FakeEngine({"outline.resolve": {"ref": "@e5"}, **named}, otherwise={"tabId": 7, "url": "https://a.example/"})


async def text(engine: FakeEngine, tool: str, **arguments: Any) -> str:
    async with Surface("browseagent", engine).client() as client:
        result = await client.call_tool(tool, arguments)
    assert not result.is_error
    assert result.structured_content is None
    return unfenced(result.content[-1].text)  # type: ignore[union-attr]


async def failure(engine: FakeEngine, tool: str, **arguments: Any) -> Any:
    async with Surface("browseagent", engine).client() as client:
        with pytest.raises(MCPError) as error:
            await client.call_tool(tool, arguments)
    return error.value.error


# ---- the server ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mode", "spoken"), [("legacy", "2024-11-05"), ("auto", "2026-07-28")])
async def test_the_server_calls_itself_what_the_document_says_in_both_eras(mode: str, spoken: str) -> None:
    async with Surface("browseagent", engine_of()).client(mode) as client:
        assert (client.server_info.name, client.server_info.version) == ("browseagent-mcp", "1.0.0")
        assert client.server_info.description
        told = client.server_capabilities.model_dump(exclude_none=True)
        assert set(told) == {"tools"}
        assert client.protocol_version == spoken
        assert (await client.list_tools()).tools[0].name == "browser_navigate"
        assert not (await client.call_tool("browser_wait", {"time": 0.1})).is_error


async def test_the_agent_surface_goes_on_speaking_what_the_client_speaks() -> None:
    async with Client(Surface("agent").server("0.3"), mode="legacy") as client:
        assert client.protocol_version > "2024-11-05"
        assert (client.server_info.name, client.server_info.version) == ("tabwire", "0.3")
        assert client.server_capabilities.resources is not None


# ---- failures -----------------------------------------------------------------------------------------------------------

STALE = StaleElementReference("@e5 was button A and is button B now; take a new snapshot", {"cause": "renamed"})


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (NotConnected("none"), -32603, "Tool browser_click requires Chrome extension, but extension is not connected"),
        (NoSuchElement('nothing matches "button#save"'), -32603, "Element not found: button#save"),
        (STALE, -32603, f"Element not found: button#save. The page has changed since the snapshot: {STALE}"),
        (InvalidSelector("a[ is none"), -32602, "a[ is none"),
        (AmbiguousSelector("two"), -32603, "two"),
        (OutcomeUnknown("who knows"), -32603, "who knows"),
        (NoSuchTab("closed; call tab_list"), -32603, "The tab is closed: open a page with browser_navigate"),
        (
            TabLeased("leased; call tab_new", {"holder": "Anna"}),
            -32603,
            "Another client is working in the tab (Anna); browser_navigate without tabId opens one of your own",
        ),
        (
            RestrictedPage("no; call navigate", {"url": "chrome://x"}),
            -32603,
            "Chrome lets no extension into this page (chrome://x); browser_navigate opens another one",
        ),
        (
            DialogPending("call dialog", {"dialog": {"type": "confirm", "message": "Sure?"}}),
            -32603,
            "A dialog (confirm: 'Sure?') holds the page until somebody at the browser answers it, "
            "or browser_navigate leaves the page",
        ),
        (
            DialogPending("silent", {"unanswered": True}),
            -32603,
            "A dialog holds the page until somebody at the browser answers it, or browser_navigate leaves the page",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, TabwireError) else "",
)
@pytest.mark.parametrize("where", ["outline_resolve", "input_click"])
async def test_a_failure_is_a_json_rpc_error_with_the_whole_story_as_its_data(
    error: TabwireError, code: int, message: str, where: str
) -> None:
    told = await failure(engine_of(**{where: error}), "browser_click", **BUTTON)
    assert (told.code, told.message) == (code, message)
    assert (told.data["code"], told.data["detail"]) == (error.code, str(error))


async def test_the_session_goes_on_after_failures_of_both_kinds() -> None:
    async with Surface("browseagent", engine_of(outline_resolve=NoSuchElement("nothing"))).client() as client:
        for arguments in ({"element": "a", "ref": "li.a"}, {}):
            with pytest.raises(MCPError):
                await client.call_tool("browser_click", arguments)
        assert not (await client.call_tool("browser_wait", {"time": 0.1})).is_error


async def test_of_two_elements_the_one_that_is_missing_is_named() -> None:
    engine = engine_of(outline_resolve=[{"ref": "@e1"}, NoSuchElement("nothing")])
    drag = {"sourceElement": "a", "sourceRef": "li.a", "targetElement": "b", "targetRef": "li.b"}
    assert (await failure(engine, "browser_drag_drop", **drag)).message == "Element not found: li.b"
    assert engine.methods == ["outline.resolve", "outline.resolve"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (NavigationFailed("x", {"error": "net::ERR_NAME_NOT_RESOLVED"}), "Navigation failed: net::ERR_NAME_NOT_RESOLVED"),
        (NavigationFailed("nowhere to go"), "Navigation failed: nowhere to go"),
        (NoSuchTab("there is no tab 9; call tab_list"), "Tab not found: 9"),
    ],
)
async def test_a_navigation_fails_with_the_error_of_the_network(error: TabwireError, message: str) -> None:
    told = await failure(engine_of(navigation_navigate=error), "browser_navigate", url="https://x.example", tabId=9)
    assert (told.code, told.message) == (-32603, message)


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("browser_navigate", {}, "Missing required argument: url"),
        ("browser_click", {"ref": "b"}, "Missing required argument: element"),
        ("browser_type", {"element": "x"}, "Missing required argument: ref, text"),
        ("browser_navigate", {"uri": "x"}, "Missing required argument: url (unknown: uri)"),
        ("browser_wait", {}, "Missing required argument: time"),
        ("browser_wait", {"time": 0.05}, "browser_wait: 'time': Input should be greater than or equal to 0.1, got 0.05"),
        ("browser_wait", {"time": 31}, "browser_wait: 'time': Input should be less than or equal to 30, got 31"),
        ("browser_navigate", {"url": " "}, "browser_navigate: 'url': is empty, got ' '"),
        ("browser_click", {**BUTTON, "tabId": "7"}, "browser_click: 'tabId': must be a number, got '7'"),
        ("browser_screenshot", {"ref": "h1", "fullPage": True}, "browser_screenshot: fullPage and ref exclude each other"),
        (
            "browser_screenshot",
            {"element": "The head"},
            "browser_screenshot: element only describes; its ref says which one it is, so pass that too",
        ),
        (
            "browser_snapshot",
            {"tabID": 7},
            "browser_snapshot: unknown argument 'tabID' (did you mean 'tabId'?). Valid arguments: tabId",
        ),
    ],
)
async def test_bad_arguments_are_invalid_params_and_no_browser_is_asked(
    tool: str, arguments: dict[str, Any], message: str
) -> None:
    engine = engine_of()
    told = await failure(engine, tool, **arguments)
    assert (told.code, told.message, told.data["code"]) == (-32602, message, "invalid_argument")
    assert engine.sent == []


# ---- what the browser is asked --------------------------------------------------------------------------------------------


async def test_the_description_goes_with_the_act() -> None:
    engine = engine_of()
    await text(engine, "browser_click", **BUTTON)
    assert engine.params("outline.resolve")["ref"] == "button#save"
    assert (engine.params("input.click")["selector"], engine.beside.described) == ("@e5", "Save button")
    await text(engine, "browser_drag_drop", sourceElement="A", sourceRef="a", targetElement="B", targetRef="b")
    assert engine.beside.described == "A → B"


@pytest.mark.parametrize(
    ("tool", "arguments", "method"),
    [
        ("browser_go_back", {}, "navigation.back"),
        ("browser_go_forward", {}, "navigation.forward"),
        ("browser_click", BUTTON, "input.click"),
        ("browser_type", {**BUTTON, "text": "a"}, "input.type"),
        ("browser_hover", BUTTON, "input.hover"),
        ("browser_snapshot", {}, "outline.capture"),
        ("browser_screenshot", {"ref": "h1"}, "media.screenshot"),
        ("browser_get_console_logs", {}, "script.console"),
        ("browser_press_key", {"key": "Enter"}, "input.press"),
    ],
)
async def test_every_tool_works_in_the_tab_that_is_named(tool: str, arguments: dict[str, Any], method: str) -> None:
    picture = {"data": "AAAA", "mime_type": "image/png", "width": 1, "height": 1}
    engine = engine_of(outline_capture=OUTLINE, media_screenshot=picture, script_console={"messages": []})
    await text(engine, tool, **arguments, tabId=9)
    assert engine.sent[-1][0] == method
    assert {params["tabId"] for _, params in engine.sent} == {9}
    await text(engine, tool, **arguments)
    assert all("tabId" not in params for _, params in engine.sent[len(engine.sent) // 2 :])


async def test_a_page_opens_in_a_tab_of_its_own_and_the_next_one_there() -> None:
    engine = engine_of()
    async with Surface("browseagent", engine).client() as client:
        for _ in range(2):
            await client.call_tool("browser_navigate", {"url": "https://a.example/"})
        await client.call_tool("browser_navigate", {"url": "https://a.example/", "tabId": 9})
    assert [(params["new_tab"], params.get("tabId")) for _, params in engine.sent] == [(True, None), (False, 7), (False, 9)]


async def test_a_tab_that_its_user_has_closed_is_replaced_by_a_new_one() -> None:
    there = {"tabId": 7, "url": "https://a.example/"}
    engine = engine_of(navigation_navigate=[there, NoSuchTab("closed"), NoSuchTab("it was closed"), {**there, "tabId": 8}])
    async with Surface("browseagent", engine).client() as client:
        for _ in range(2):
            result = await client.call_tool("browser_navigate", {"url": "https://a.example/"})
    assert result.content[0].text == "Successfully navigated to https://a.example/ in tab 8"  # type: ignore[union-attr]
    assert [params.get("tabId") for _, params in engine.sent] == [None, 7, None, None]


async def test_enter_goes_to_the_field_and_where_the_focus_is_if_that_looks_different_by_now() -> None:
    engine = engine_of(input_press=[{"tabId": 7}, STALE, {"tabId": 7}])
    await text(engine, "browser_type", element="Search", ref="input", text="tea", submit=True)
    assert (engine.params("input.press")["selector"], engine.params("input.press")["key"]) == ("@e5", "Enter")
    await text(engine, "browser_type", element="Search", ref="input", text="tea", submit=True)
    assert "selector" not in engine.params("input.press")
    assert engine.params("input.type")["delay"] == 0


async def test_waiting_asks_no_browser() -> None:
    engine = engine_of()
    before = anyio.current_time()
    assert await text(engine, "browser_wait", time=0.2) == "Waited 0.2 s"
    assert anyio.current_time() - before >= 0.2
    assert engine.sent == []


# ---- what is said ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"url": "https://a.example/"}, "Successfully navigated to https://a.example in tab 7"),
        (
            {"url": "https://b.example/?from=https://a.example"},
            "Successfully navigated to https://a.example in tab 7, which led to https://b.example/?from=https://a.example",
        ),
        ({"url": "https://a.example/", "status": 404}, "Successfully navigated to https://a.example in tab 7 (HTTP 404)"),
        (
            {"url": "https://a.example/", "note": "it is a download", "effects": {"new_tabs": [{"tabId": 7}], "navigated": True}},
            "Successfully navigated to https://a.example in tab 7\nNote: it is a download",
        ),
    ],
)
async def test_a_navigation_says_where_it_ended(result: dict[str, Any], words: str) -> None:
    engine = engine_of(navigation_navigate={"tabId": 7, **result})
    assert await text(engine, "browser_navigate", url="https://a.example") == words


async def test_an_act_says_what_was_observed() -> None:
    effects = {"title": {"from": "A", "to": "B"}, "changes": ['text appeared: "Saved"'], "mutations": 2}
    engine = engine_of(input_click=[{"effects": effects}, {"effects": {}, "note": "as told"}, {"effects": {}}])
    assert await text(engine, "browser_click", **BUTTON) == 'Clicked Save button\nObserved: title A → B; text appeared: "Saved"'
    assert await text(engine, "browser_click", **BUTTON) == "Clicked Save button\nNote: as told"
    assert await text(engine, "browser_click", **BUTTON) == "Clicked Save button\nObserved: nothing changed"


async def test_what_was_typed_is_not_repeated() -> None:
    assert "secret" not in await text(engine_of(), "browser_type", element="Password", ref="input", text="secret")


async def test_a_picture_comes_before_its_text() -> None:
    picture = {"data": "AAAA", "mime_type": "image/png", "width": 640, "height": 480, "note": "scaled from 1280x960"}
    async with Surface("browseagent", engine_of(media_screenshot=picture)).client() as client:
        image, said = (await client.call_tool("browser_screenshot", {"fullPage": True})).content
    assert (image.type, image.data, image.mime_type) == ("image", "AAAA", "image/png")  # type: ignore[union-attr]
    assert said.text == "Screenshot captured successfully (640x480); scaled from 1280x960"  # type: ignore[union-attr]


async def test_console_logs_are_lines_with_their_level() -> None:
    messages = [
        {"level": "info", "text": "Page loaded"},
        {"level": "log", "text": "said", "source": "a.js:1", "repeated": 3},
        {"level": "error", "text": "Failed to load resource: net::ERR_BLOCKED_BY_CLIENT", "source": "https://a.example/x.js"},
        {"level": "warn", "text": "Deprecated"},
        {"level": "debug", "text": "Tracked"},
        {"level": "error", "kind": "exception", "text": "Uncaught Error: boom", "stack": ["at f (a.js:1:2)", "at g (a.js:3:4)"]},
    ]
    engine = engine_of(script_console=[{"messages": messages, "left_out": 4, "note": "…"}, {"messages": []}])
    assert (await text(engine, "browser_get_console_logs")).splitlines() == [
        "Console logs:",
        "",
        "(4 older messages left out)",
        "[INFO] Page loaded",
        "[INFO] said (x3)",
        "[ERROR] Failed to load resource: net::ERR_BLOCKED_BY_CLIENT",
        "    at https://a.example/x.js",
        "[WARNING] Deprecated",
        "[DEBUG] Tracked",
        "[ERROR] Uncaught Error: boom",
        "    at f (a.js:1:2)",
        "    at g (a.js:3:4)",
    ]
    assert await text(engine, "browser_get_console_logs") == "Console logs:\n\n(none)"


async def test_a_snapshot_is_the_outline_and_what_is_not_shown() -> None:
    engine = engine_of(outline_capture={**OUTLINE, "left_out": "Not shown: 1 hidden element"})
    assert await text(engine, "browser_snapshot") == (
        "Page accessibility snapshot:\n\n<html>\n</html>\n\n<!-- A - - B (https://a.example/) -->\nNot shown: 1 hidden element"
    )


async def test_a_snapshot_that_is_too_long_keeps_what_can_be_acted_on_and_says_what_went() -> None:
    lines = [f'<p>{"word " * 60}</p>\n<button ref="b{number}">B</button>' for number in range(1500)]
    engine = engine_of(outline_capture={**OUTLINE, "outline": "\n".join(lines)})
    said = await text(engine, "browser_snapshot")
    assert len(said) < MAX_CHARS + 300
    assert said.count(" ref=") == 1500
    assert "1500 long texts shortened" in said
    assert "texts left out" in said


async def test_several_browsers_are_told_apart() -> None:
    engine = engine_of()
    engine.has_several = True
    async with Surface("browseagent", engine).client() as client:
        (tool, *_) = (await client.list_tools()).tools
        assert "browser" in tool.input_schema["properties"]
        result = await client.call_tool("browser_navigate", {"url": "https://a.example/", "browser": "Work"})
    assert result.content[0].text.endswith("in tab 7\nBrowser: Work")  # type: ignore[union-attr]
