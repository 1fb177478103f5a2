"""Several calls in one: each as if it had come alone, and no further than the first that fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bridge.fake_engine import FakeEngine, Surface
from tabwire.errors import NoSuchElement
from tabwire.eventlog import reader
from tabwire.eventlog.writer import EventLog
from tabwire.surfaces.agent import batch
from tabwire.surfaces.shared.observe_only import observing
from tabwire.surfaces.tool import load_toolset
from tabwire.surfaces.tool_groups import with_groups

pytestmark = pytest.mark.anyio
CLICKED = {"tabId": 1, "ref": "@e1", "input": "dom", "effects": {"none": True}}


def click(ref: str) -> dict[str, Any]:
    return {"tool": "click", "arguments": {"selector": ref}}


def events(folder: Path) -> list[dict[str, Any]]:
    found = [entry.event for path in reader.files(folder) for entry in reader.entries(path)]
    return [event for event in found if event["event"] == "call"]


async def test_calls_are_made_in_order_and_logged_each_on_its_own(tmp_path: Path) -> None:
    engine = FakeEngine({"input.click": CLICKED})
    surface = Surface("agent", engine, log=EventLog(tmp_path, {}))
    result = await surface.call("batch", calls=[click("@e1"), {"tool": "title"}, click("@e2")], reason="to buy it")
    assert [event.get("reason") for event in events(tmp_path)] == ["to buy it", None, "to buy it"]
    assert [params.get("selector") for _, params in engine.sent] == ["@e1", None, "@e2"]
    assert [event["tool"] for event in events(tmp_path)] == ["click", "title", "click"]
    assert [event["batch"] for event in events(tmp_path)] == ["1 of 3", "2 of 3", "3 of 3"]
    assert not result.is_error and [line[:8] for line in result.text.splitlines() if line[1:2] == "."] == [
        "1. click",
        "2. title",
        "3. click",
    ]
    assert result.facts is not None and [one["success"] for one in result.facts["data"]["results"]] == [True] * 3


async def test_calls_and_arguments_as_strings_of_json_are_read() -> None:
    engine = FakeEngine({"input.click": CLICKED})
    calls = [{"tool": "click", "arguments": {"selector": "@e1", "force": "true"}}, click("@e2")]
    result = await Surface("agent", engine).call("batch", calls=json.dumps(calls))
    assert not result.is_error, result.text
    assert [(params["selector"], params["force"]) for _, params in engine.sent] == [("@e1", True), ("@e2", False)]


async def test_the_browser_of_a_batch_is_that_of_each_call() -> None:
    engine = FakeEngine({"input.click": CLICKED})
    result = await Surface("agent", engine).call("batch", browser="Work", calls=[click("@e1"), click("@e2")])
    assert not result.is_error and len(engine.sent) == 2, result.text


async def test_a_tool_that_is_not_enabled_is_not_called_in_a_batch_either() -> None:
    engine = FakeEngine({"input.click": CLICKED})
    surface = Surface("agent", engine)
    surface.toolset = with_groups(surface.toolset.only(["core"]), surface.toolset)
    result = await surface.call("batch", calls=[click("@e1"), {"tool": "cookies", "arguments": {"action": "get_all"}}])
    assert result.is_error and "cookies is not enabled" in result.text and engine.sent == []


async def test_the_first_failure_ends_it() -> None:
    engine = FakeEngine({"input.click": [CLICKED, NoSuchElement("nothing matches"), CLICKED]})
    result = await Surface("agent", engine).call("batch", calls=[click("@e1"), click("@e2"), click("@e3")])
    assert (len(engine.sent), result.is_error) == (2, True)
    assert "2. click: no_such_element" in result.text and "not called: click" in result.text


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"tool": "clack"}, "no tool 'clack'"),
        ({"tool": "click", "arguments": {"selektor": "@e1"}}, "unknown argument 'selektor'"),
        ({"tool": "batch", "arguments": {"calls": [click("@e1")]}}, "takes no batch"),
        ({"tool": "click", "argumente": {}}, "argumente"),
    ],
)
async def test_a_wrong_call_is_known_before_anything_is_done(wrong: dict[str, Any], says: str, tmp_path: Path) -> None:
    engine = FakeEngine()
    result = await Surface("agent", engine, log=EventLog(tmp_path, {})).call("batch", calls=[click("@e1"), wrong])
    assert engine.sent == [] and result.text.startswith("invalid_argument: batch") and says in result.text
    assert [(event["tool"], event["decision"]) for event in events(tmp_path)] == [("batch", "refused")]


async def test_what_a_call_may_not_do_alone_it_may_not_in_a_batch() -> None:
    engine = FakeEngine()
    toolset = observing(load_toolset("agent"), "client")
    result = await Surface(toolset, engine).call("batch", calls=[{"tool": "title"}, click("@e1")])
    assert [method for method, _ in engine.sent] == ["navigation.title"]
    assert result.is_error and "2. click: permission_denied" in result.text
    core = load_toolset("agent").only(["core", "session"])
    assert "no tool 'pdf'" in (await Surface(core, engine).call("batch", calls=[{"tool": "pdf"}])).text


async def test_replies_that_do_not_fit_together_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "MAX_BYTES", 500)
    engine = FakeEngine({"input.click": CLICKED, "snapshot.capture": {"tabId": 1, "snapshot": "x" * 900}})
    result = await Surface("agent", engine).call("batch", calls=[click("@e1"), {"tool": "snapshot"}, click("@e2")])
    assert result.is_error and "2. snapshot: result_too_large" in result.text and len(engine.sent) == 2


async def test_a_call_to_another_tab_than_the_one_before_says_which() -> None:
    other = {**CLICKED, "tabId": 2}
    surface = Surface("agent", FakeEngine({"input.click": [CLICKED, other, other, CLICKED]}))
    calls = [{"tool": "click", "arguments": {"selector": "@e1", "tabId": tab}} for tab in (1, 2, 2, 1)]
    told = (await surface.call("batch", calls=calls)).text.splitlines()
    assert [line for line in told if line.startswith(("Tab: ", "2.", "4."))] == [told[2], "Tab: 2", told[7], "Tab: 1"]


async def test_arguments_that_exclude_each_other_are_refused_before_a_batch_begins() -> None:
    engine = FakeEngine({"input.click": CLICKED})
    refused = await Surface("agent", engine).call(
        "batch", calls=[click("@e1"), {"tool": "snapshot", "arguments": {"diff": True, "selector": "#a"}}]
    )
    assert refused.is_error and "call 2 of 2" in refused.text and "Nothing was done" in refused.text
    assert engine.sent == []
