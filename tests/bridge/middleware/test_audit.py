"""What the event log says of calls on every surface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolRequest, CallToolRequestParams, CallToolResult

from bridge.fake_engine import FakeEngine, Surface, fitting
from bridge.surfaces.reader.reading import GUIDE, Pages
from tabwire.eventlog import reader
from tabwire.eventlog.writer import EventLog
from tabwire.middleware.audit import audit, refusals
from tabwire.settings.reader import ReaderSettings
from tabwire.surfaces.agent.former.tools import with_aliases
from tabwire.surfaces.reader.reading import Reader
from tabwire.surfaces.shared.observe_only import observing
from tabwire.surfaces.tool import ToolResult, Toolset, load_toolset

pytestmark = pytest.mark.anyio
SECRET = "hunter2"
AT = "https://shop.example/cart"


class Engine(FakeEngine):
    """Says what each command was about, and that it is done."""

    async def send(self, method: str, params: dict[str, Any], *, told: Any, **more: Any) -> dict[str, Any]:
        target = {"role": "textbox", "name": "Password", "css": ["#p"], "secret": True}
        told({"tabId": 7, "url": f"{AT}?token={SECRET}", **({"target": target} if method.startswith(("input", "forms")) else {})})
        value = {"value": []} if method.startswith("script") else {}
        return fitting(method, {"tabId": 7, "ref": "@e1", "effects": {"mutations": 1}, **value})


class Logged(Surface):
    """A surface whose calls go into a log."""

    def __init__(self, toolset: Toolset | str, folder: Path, surface: Any = None) -> None:
        self.folder = folder
        self.log = EventLog(folder, {})
        super().__init__(toolset, Engine(), files=folder / "files", log=self.log, surface=surface)

    async def logged(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What is logged of a call."""
        await self.call(tool, **arguments)
        return self.events()[-1]

    def events(self) -> list[dict[str, Any]]:
        return [entry.event for path in reader.files(self.folder) for entry in reader.entries(path)][1:]


@pytest.mark.parametrize(
    ("surface", "tool", "arguments"),
    [
        ("agent", "fill", {"selector": "#p", "value": SECRET}),
        ("agent", "evaluate", {"expression": f"login('{SECRET}')"}),
        ("aliases", "chrome_fill_or_select", {"selector": "#p", "value": SECRET}),
        ("browseagent", "browser_type", {"ref": "s1e2", "element": "Password", "text": SECRET, "submit": False}),
        ("browseagent", "browser_navigate", {"url": f"{AT}?token={SECRET}"}),
    ],
)
async def test_every_surface_logs_who_did_what_where_without_secrets(
    surface: str, tool: str, arguments: dict[str, Any], tmp_path: Path
) -> None:
    toolset = with_aliases(load_toolset("agent")) if surface == "aliases" else load_toolset(surface)
    logged = Logged(toolset, tmp_path)
    event = await logged.logged(tool, **arguments)
    assert (event["client"], event["surface"], event["tool"]) == ("Tester", toolset.name, tool)
    assert (event["effect"], event["decision"], event["browser"]) == ("act", "allowed", "Work")
    assert event["url"].startswith(AT)
    assert event["outcome"] == "done", event
    assert [one["event"] for one in logged.events()] == ["act_started", "call"]
    assert SECRET not in "".join(path.read_text() for path in reader.files(tmp_path))


async def test_what_a_page_reader_has_opened_is_logged_with_its_address(tmp_path: Path) -> None:
    logged = Logged(load_toolset("reader"), tmp_path, Reader(ReaderSettings(), Pages(), None))
    event = await logged.logged("open_url", url=GUIDE.url)
    assert (event["surface"], event["effect"], event["outcome"], event["url"]) == ("reader", "read", "done", GUIDE.url)
    missing = await logged.logged("open_url", url="https://nowhere.example/")
    assert (missing["decision"], missing["outcome"]) == ("allowed", "fetch_failed")


async def test_reasons_and_refusals_are_logged(tmp_path: Path) -> None:
    logged = Logged(observing(load_toolset("agent"), "client"), tmp_path)
    refused = await logged.logged("click", selector="#a")
    assert (refused["decision"], refused["outcome"]) == ("refused", "permission_denied")
    assert "acts" not in refused
    said = await logged.logged("click", selector="@e1", reason="to buy it")
    assert said["reason"] == "to buy it"
    assert (await logged.logged("evaluate", expression="1", reason="x" * 501))["outcome"] == "invalid_argument"
    blank = await logged.logged("escalate", reason=" ")
    assert (blank["decision"], blank["outcome"]) == ("refused", "invalid_argument")
    escalated = await logged.logged("escalate", reason="to pay", origin="https://shop.example")
    assert (escalated["decision"], escalated["reason"], escalated["arguments"]["origin"]) == (
        "allowed",
        "to pay",
        "https://shop.example",
    )
    assert (await logged.logged("click", selector="#a"))["outcome"] == "done"


@pytest.mark.filterwarnings("ignore:Pydantic serializer")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_a_call_that_reaches_no_tool_is_logged_as_refused(mode: Any, tmp_path: Path) -> None:
    logged = Logged(load_toolset("agent"), tmp_path)
    told = refusals(logged.log, "agent")
    async with Client(logged.server(on_refused=told), mode=mode) as client:
        with pytest.raises(MCPError):
            await client.call_tool("steal", {"value": SECRET, "token": "4111 1111 1111 1111"})
        with pytest.raises(MCPError):
            params = CallToolRequestParams.model_construct(name="click", arguments="#a")
            await client.session.send_request(CallToolRequest.model_construct(method="tools/call", params=params), CallToolResult)
        await client.call_tool("click", {"nonsense": SECRET})
    unknown, malformed, bad = logged.events()[0], logged.events()[1], logged.events()[-1]
    assert (unknown["tool"], unknown["decision"], unknown["outcome"]) == ("steal", "refused", "unknown_command")
    assert (malformed["tool"], malformed["decision"], malformed["outcome"]) == ("click", "refused", "invalid_argument")
    assert (bad["tool"], bad["decision"], bad["outcome"]) == ("click", "refused", "invalid_argument")
    assert SECRET not in "".join(path.read_text() for path in reader.files(tmp_path))


async def test_a_hundred_calls_at_once_keep_the_order_of_each_session(tmp_path: Path) -> None:
    """They are begun in an order and end in another one; the log has both orders, and all of them."""
    surface = Surface("instrument")
    rule = audit(EventLog(tmp_path, {}))
    ended: list[int] = []
    gates = [anyio.Event() for _ in range(100)]

    async def act(number: int) -> None:
        async def run() -> ToolResult:
            await gates[number].wait()
            ended.append(number)
            return ToolResult("done")

        await rule(surface.asked("browser_act_click", session=f"s{number % 5}", timeout=number), run)

    async with anyio.create_task_group() as tasks:
        for number in range(100):
            tasks.start_soon(act, number)
        await anyio.wait_all_tasks_blocked()
        for number in range(100):
            gates[number * 37 % 100].set()
    assert ended != sorted(ended)
    events = [entry.event for path in reader.files(tmp_path) for entry in reader.entries(path)][1:]
    assert len(events) == 200
    for session in range(5):
        own = [event for event in events if event["session"] == f"s{session}"]
        numbers = {
            kind: [event["arguments"]["timeout"] for event in own if event["event"] == kind] for kind in ("act_started", "call")
        }
        assert numbers["act_started"] == list(range(session, 100, 5))
        assert numbers["call"] == [number for number in ended if number % 5 == session]
    assert [verdict.faults for verdict in reader.verify_all(reader.files(tmp_path))] == [()]


async def test_without_a_log_nothing_is_kept_of_what_was_sent() -> None:
    surface = Surface("agent", Engine())
    async with surface.client("auto") as client:
        await client.call_tool("click", {"selector": "#a"})
    assert surface.context.sent == []
