"""Replies that are too large: a read fails, an act is done and says so. On each surface."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.errors import Timeout
from tabwire.surfaces.reply_size import MAX_RESULT_BYTES, shortened, size_of
from tabwire.surfaces.tool import Image, ToolResult
from tabwire.text.provenance import PageText, Words, parts_of

pytestmark = pytest.mark.anyio
EFFECTS: dict[str, Any] = {"none": True}
LARGE = "x" * 2_000_000
VALUE = {"tabId": 1, "type": "string", "value": LARGE, "effects": EFFECTS}


async def test_an_act_is_done_however_large_its_reply() -> None:
    engine = FakeEngine({"script.evaluate": VALUE})
    result = await Surface("agent", engine).call("evaluate", expression="pay()")
    assert not result.is_error and size_of(result) <= MAX_RESULT_BYTES
    assert result.text.startswith("Done; its reply was too large (4,000,032 bytes)") and "xxxx" in result.text
    assert result.structured is not None and result.structured["success"] is True
    assert result.structured["note"].startswith("Done;") and result.structured["data"].endswith("…")


async def test_the_beginning_of_a_large_reply_stays_the_words_of_the_page() -> None:
    result = shortened(ToolResult(Words("Said: ", PageText(LARGE))), 10_000)
    assert size_of(result) <= 10_000
    assert [type(part) for part in parts_of(result.text)] == [str, str, PageText]


async def test_a_read_fails_and_says_how_to_ask_for_less() -> None:
    stored = FakeEngine(
        {"storage.items": {"tabId": 1, "value": {"origin": "o", "type": "local", "key": "a", "value": LARGE}, "effects": EFFECTS}}
    )
    read = await Surface("agent", stored).call("storage", action="get", key="a")
    assert read.is_error and "result_too_large" in read.text and "ask for less" in read.text
    fits = FakeEngine(
        {"storage.items": {"tabId": 1, "value": {"origin": "o", "type": "local", "key": "a", "value": "b"}, "effects": EFFECTS}}
    )
    assert not (await Surface("agent", fits).call("storage", action="get", key="a")).is_error


async def test_a_small_reply_is_told_whole() -> None:
    engine = FakeEngine({"script.evaluate": {**VALUE, "value": "paid"}})
    result = await Surface("agent", engine).call("evaluate", expression="pay()")
    assert '>"paid"<' in result.text and result.structured == {"success": True, "data": "paid"}


def test_what_is_kept_has_the_shape_of_the_whole() -> None:
    structured = {"success": True, "rows": [{"text": "y" * 400} for _ in range(100)], "data": {"id": 7, "text": '"' * 90_000}}
    result = shortened(ToolResult("text", structured=structured, images=(Image("A" * 4_000, "image/png"),)), 20_000)
    kept = result.structured
    assert kept is not None and len(json.dumps(kept)) <= 20_000 and not result.images and "1 pictures" in result.text
    assert kept["success"] is True and kept["data"]["id"] == 7 and 0 < len(kept["rows"]) < 100
    assert all(row == {"text": "y" * 400} for row in kept["rows"])


async def test_an_act_after_which_the_page_cannot_be_read_is_done() -> None:
    clicked = {"tabId": 1, "ref": "@e1", "input": "dom", "effects": EFFECTS}
    seen = {"tabId": 1, "snapshot": "- button"}
    engine = FakeEngine({"input.click": clicked, "snapshot.capture": [seen, Timeout("the page is too large")]})
    result = await Surface("agent", engine).call("click", selector="@e1", diff=True, tabId=1)
    assert not result.is_error and "could not be read: the page is too large" in result.text
