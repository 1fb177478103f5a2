"""The floor: an MCP server on the same SDK whose tools are one or a few DevTools commands each, without waits, checks or rules.

floor_server.py CHROMIUM PROFILE         (it finds elements by CSS selectors; its snapshot is the walk of ``floor.js``)
"""

import asyncio
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from websockets.asyncio.client import ClientConnection, connect

SNAPSHOT = f"({(Path(__file__).parents[1] / 'floor.js').read_text().strip()})()"
READS = {"snapshot": SNAPSHOT, "title": "document.title", "url": "location.href"}
MIDDLE = "(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(%s.getBoundingClientRect())"
FLAGS = ("--headless=new", "--no-sandbox", "--no-first-run", "--disable-gpu", "--remote-debugging-port=0", "about:blank")
PRESS = ("mousePressed", "mouseReleased")
POLL_S = 0.02


class Cdp:
    """A page of a browser behind its DevTools socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.loaded = asyncio.Event()
        self.session: str | None = None
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            if "id" in message:
                self._answers.pop(message["id"]).set_result(message)
            elif message["method"] == "Page.loadEventFired":
                self.loaded.set()

    async def call(self, method: str, **params: Any) -> Any:
        number = next(self._ids)
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        session = {"sessionId": self.session} if self.session else {}
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params, **session}))
        if "error" in (message := await answer):
            raise RuntimeError(message["error"]["message"])
        return message["result"]

    async def evaluate(self, expression: str) -> Any:
        reply = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(str(reply["exceptionDetails"]))
        return reply["result"].get("value")

    async def click(self, selector: str) -> str:
        at = await self.evaluate(MIDDLE % f"document.querySelector({json.dumps(selector)})")
        button = {**at, "button": "left", "clickCount": 1}
        await asyncio.gather(*(self.call("Input.dispatchMouseEvent", type=act, **button) for act in PRESS))
        return "clicked"

    async def fill(self, selector: str, text: str) -> str:
        await self.evaluate(f"((field) => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(selector)}))")
        await self.call("Input.insertText", text=text)
        return "filled"

    async def navigate(self, url: str) -> str:
        self.loaded.clear()
        await self.call("Page.navigate", url=url)
        await self.loaded.wait()
        return "loaded"

    async def run(self, tool: str, arguments: dict[str, Any]) -> Any:
        match tool:
            case "snapshot" | "title" | "url":
                return await self.evaluate(READS[tool])
            case "screenshot":
                shot = await self.call("Page.captureScreenshot")
                return types.ImageContent(type="image", mime_type="image/png", data=shot["data"])
            case _:
                return await getattr(self, tool)(**arguments)


async def attached(chromium: str, profile: Path) -> tuple[asyncio.subprocess.Process, Cdp]:
    """Start the browser and attach to its first tab; nothing tells when either is there."""
    command = [chromium, *FLAGS, f"--user-data-dir={profile}"]
    browser = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, stdout=2, stderr=2)
    file = profile / "DevToolsActivePort"
    while not file.exists() or len(words := file.read_text().split()) < 2:  # noqa: ASYNC110
        await asyncio.sleep(POLL_S)
    cdp = Cdp(await connect(f"ws://127.0.0.1:{words[0]}{words[1]}", max_size=None, proxy=None, compression=None))
    while not (pages := [one for one in (await cdp.call("Target.getTargets"))["targetInfos"] if one["type"] == "page"]):  # noqa: ASYNC110
        await asyncio.sleep(POLL_S)
    cdp.session = (await cdp.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True))["sessionId"]
    await cdp.call("Page.enable")
    return browser, cdp


async def main(chromium: str, profile: Path) -> None:
    starting = asyncio.create_task(attached(chromium, profile))

    async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        _, cdp = await starting
        found = await cdp.run(params.name, params.arguments or {})
        content = found if isinstance(found, types.ImageContent) else types.TextContent(type="text", text=str(found))
        return types.CallToolResult(content=[content])

    async def list_tools(ctx: Any, params: Any) -> types.ListToolsResult:
        """No tool: what it offers is known to its only client."""
        return types.ListToolsResult(tools=[])

    server: Server[Any] = Server("floor", on_call_tool=call_tool, on_list_tools=list_tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
    (await starting)[0].kill()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
