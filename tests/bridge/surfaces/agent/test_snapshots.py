"""Snapshots and acts as tools give them: cursors and changes, over a browser made of plain values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import pytest
from pydantic import ValidationError

from bridge.fake_engine import FakeEngine, Surface
from tabwire.surfaces.tool import load_toolset

AGENT = load_toolset("agent")
HEAD = "Page: A (https://a.example/)\nViewport: 800x600\n\n"


class Browser(FakeEngine):
    """Two tabs; a click adds a line to the page of its tab."""

    def __init__(self) -> None:
        super().__init__()
        self.tab = 1
        self.pages = {1: [f'- button "{number}" [ref=@e{number}]' for number in range(40)], 2: ["- text: other"]}

    async def send(self, method: str, params: dict[str, Any], **rest: Any) -> dict[str, Any]:
        self.sent.append((method, params))
        assert not {"diff", "max_chars", "cursor"} & set(params), "the extension knows nothing of these"
        self.tab = params.get("tabId", self.tab)
        if method == "snapshot.capture":
            return {"snapshot": HEAD + "\n".join(self.pages[self.tab]), "tabId": self.tab}
        self.pages[self.tab].append(f"- text: after {method}")
        return {"ref": "@e1", "tabId": self.tab, "effects": {}}


def client(browser: Browser) -> Callable[..., dict[str, Any]]:
    surface = Surface("agent", browser)
    return lambda name, **arguments: anyio.run(partial(surface.run, name, **arguments))


def test_a_cut_snapshot_continues_to_its_end_without_asking_the_browser() -> None:
    browser = Browser()
    call = client(browser)
    result = call("snapshot", max_chars=1_000)
    seen = result["snapshot"].count("[ref=")
    while "cursor" in result:
        result = call("snapshot", max_chars=1_000, cursor=result["cursor"])
        seen += result["snapshot"].count("[ref=")
    assert seen == 40
    assert browser.methods == ["snapshot.capture"]


def test_a_snapshot_with_diff_tells_only_what_changed() -> None:
    browser = Browser()
    call = client(browser)
    call("snapshot")
    browser.pages[1].append("- text: new")
    assert call("snapshot", diff=True)["snapshot"].splitlines()[1:] == ["+ - text: new"]
    assert call("snapshot", diff=True)["snapshot"].startswith("No changes")


def test_a_diff_without_a_snapshot_to_compare_with_is_the_whole_page_and_says_so() -> None:
    browser = Browser()
    call = client(browser)
    said, _, whole = call("snapshot", diff=True)["snapshot"].partition("\n")
    assert "no earlier snapshot" in said
    assert whole == client(browser)("snapshot")["snapshot"]
    with pytest.raises(ValidationError, match="whole page"):
        call("snapshot", diff=True, mode="interactive")
    browser.pages[1].append("- text: new")
    assert call("snapshot", diff=True)["snapshot"].splitlines()[1:] == ["+ - text: new"]


def test_an_act_with_diff_tells_what_changed_since_the_last_snapshot() -> None:
    browser = Browser()
    call = client(browser)
    call("snapshot")
    call("click", selector="@e1")
    diff = call("click", selector="@e1", diff=True)["diff"]
    assert diff.count("+ - text: after input.click") == 2
    assert "is_brief" not in call("click", selector="@e1") and call("click", selector="@e1", diff=False)["is_brief"]


def test_an_act_with_diff_in_an_unseen_tab_is_compared_with_what_was_there_before() -> None:
    browser = Browser()
    call = client(browser)
    call("snapshot")
    result = call("click", selector="@e1", tabId=2, diff=True)
    assert "after input.click" in result["diff"]
    assert browser.methods[1:] == ["snapshot.capture", "input.click", "snapshot.capture"]


def test_references_are_written_short_where_the_call_or_the_server_says_so() -> None:
    browser = Browser()
    browser.pages[1][0] = '- button "Write to me@e7 @e8" [ref=@e1]: @e9'
    surface = Surface("agent", browser)
    surface.context = replace(surface.context, short_refs=True)
    lines = anyio.run(partial(surface.run, "snapshot"))["snapshot"].splitlines()
    assert lines[3:5] == ['- button "Write to me@ e7 @ e8" @e1: @ e9', '- button "1" @e1']
    assert "[ref=@e1]" in anyio.run(partial(surface.run, "snapshot", refs="full"))["snapshot"]
    assert anyio.run(partial(surface.run, "find", text="write to"))["snapshot"].splitlines()[1:] == [lines[3]]
    assert "+ - text: after input.click" in anyio.run(partial(surface.run, "click", selector="@e1", diff=True))["diff"]
    call = client(browser)
    assert lines[4] in call("snapshot", refs="short")["snapshot"]
    assert "[ref=" in call("snapshot")["snapshot"]


def test_a_cut_snapshot_continues_with_short_references() -> None:
    call = client(Browser())
    result = call("snapshot", max_chars=1_000, refs="short")
    parts = [result["snapshot"]]
    while "cursor" in result:
        result = call("snapshot", max_chars=1_000, cursor=result["cursor"])
        parts.append(result["snapshot"])
    assert sum(part.count('" @e') for part in parts) == 40
    assert "[ref=" not in "".join(parts)


def test_acts_without_diff_cost_nothing_more() -> None:
    browser = Browser()
    client(browser)("click", selector="@e1")
    assert browser.methods == ["input.click"]


class Keeping(Browser):
    """A browser that names the text that it sends, and leaves out one that the bridge says to have."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = 0

    async def send(self, method: str, params: dict[str, Any], **rest: Any) -> dict[str, Any]:
        result = await super().send(method, params, **rest)
        if "known" not in params:
            return result
        version = f"{self.tab}: {len(self.pages[self.tab])} lines"
        is_known = params["known"] == version
        self.left_out += is_known
        return result | {"version": version} | ({"snapshot": "", "is_known": True} if is_known else {})


def test_a_text_that_the_browser_has_sent_is_not_sent_again() -> None:
    browser = Keeping()
    call = client(browser)
    first = call("snapshot")
    assert not {"version", "is_known"} & first.keys()
    assert call("snapshot") == first
    assert call("snapshot", diff=True)["snapshot"].startswith("No changes")
    assert "after input.click" in call("click", selector="@e1", diff=True)["diff"]
    assert browser.left_out == 2
    call("snapshot", mode="interactive")
    assert browser.left_out == 2


def test_the_text_of_one_tab_is_not_taken_for_that_of_another() -> None:
    browser = Keeping()
    call = client(browser)
    texts = [call("snapshot", tabId=tab)["snapshot"] for tab in (1, 2)]
    assert [call("snapshot", tabId=tab)["snapshot"] for tab in (1, 2)] == texts
    assert browser.left_out == 2
    # The browser has gone on to a tab that the call does not name.
    browser.tab = 1
    assert call("snapshot")["snapshot"] == texts[0]
