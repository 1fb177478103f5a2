"""Playwright MCP as the client's other server: each call of ours becomes the call of its own that does the same.

The steps of a task stay as they are: the model looks for roles and names in the peer's snapshots, and acts on its refs. Where
the peer has no tool (keys typed into what has the focus, a press at a point), one call of its ``browser_run_code_unsafe`` stands
for it, which is its cheapest way.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from model import Model, Name, fits
from playwright_peers import PlaywrightMcp

from e2e.client import Reply

Step = tuple[str, dict[str, Any]]
Arguments = dict[str, Any]

PEER_REF = re.compile(r"\[ref=(?:f(\d+))?e(\d+)\]")
OUR_REF = re.compile(r"^@e(\d+)$")
QUOTED = re.compile(r"^(\s*)- '((?:[^']|'')*)'(.*)$")
FRAME_STEP = 1_000_000
"""The refs of its frames, ``f1e2``, as numbers."""
EDITABLE = "[contenteditable=true]"
"""An editing host, which its snapshots do not tell from a box."""
PATTERN = re.compile(r"^/(.+)/(\w*)$")


def _numbered(found: re.Match[str]) -> str:
    return f"[ref=@e{int(found[1] or 0) * FRAME_STEP + int(found[2])}]"


def _readable(text: str) -> str:
    """A snapshot of the peer as lines of ours: YAML quotes off, refs as numbers."""
    rows = [QUOTED.sub(lambda row: f"{row[1]}- {row[2].replace(chr(39) * 2, chr(39))}{row[3]}", row) for row in text.splitlines()]
    return PEER_REF.sub(_numbered, "\n".join(rows))


def _target(selector: str) -> str:
    if not (found := OUR_REF.match(selector)):
        return selector.removeprefix("css=")
    frame, number = divmod(int(found[1]), FRAME_STEP)
    return f"f{frame}e{number}" if frame else f"e{number}"


def _code(statements: str) -> Step:
    return "browser_run_code_unsafe", {"code": f"async (page) => {{ {statements} }}"}


def _located(selector: str) -> str:
    target = _target(selector)
    return json.dumps(f"aria-ref={target}" if selector.startswith("@") else target)


def _click(arguments: Arguments) -> Step:
    if at := arguments.get("coordinates"):
        return _code(f"await page.mouse.click({at['x']}, {at['y']})")
    chosen = {name: arguments[name] for name in ("button", "modifiers") if name in arguments}
    return "browser_click", {"target": _target(arguments["selector"]), **chosen}


def _drag(arguments: Arguments) -> Step:
    if "target" in arguments and "source" in arguments:
        return "browser_drag", {"startTarget": _target(arguments["source"]), "endTarget": _target(arguments["target"])}
    ends = []
    for end in ("source", "target"):
        if f"{end}_coordinates" in arguments:
            ends.append(json.dumps(arguments[f"{end}_coordinates"]))
        else:
            ends.append(
                f"await page.locator({_located(arguments[end])}).boundingBox()"
                ".then((b) => ({ x: b.x + b.width / 2, y: b.y + b.height / 2 }))"
            )
    return _code(
        f"const from = {ends[0]}, to = {ends[1]}; await page.mouse.move(from.x, from.y); await page.mouse.down();"
        f"await page.mouse.move(to.x, to.y, {{ steps: {arguments.get('steps', 10)} }}); await page.mouse.up()"
    )


def _wait(arguments: Arguments) -> Step:
    if "text" in arguments:
        # Its own wait looks into the top frame only, and for 5 s.
        wanted = arguments["text"] if PATTERN.match(arguments["text"]) else json.dumps(arguments["text"])
        seen = f"frame.getByText({wanted}).first().waitFor({{ timeout: {arguments['timeout']} }})"
        return _code(f"await Promise.any(page.frames().map((frame) => {seen}))")
    return "browser_wait_for", {"time": arguments["duration"] / 1000}


def _dialog(arguments: Arguments) -> Step:
    answer: Arguments = {"accept": arguments["action"] == "accept"}
    return "browser_handle_dialog", answer | ({"promptText": arguments["prompt_text"]} if "prompt_text" in arguments else {})


def _select(arguments: Arguments) -> Step:
    return "browser_select_option", {"target": _target(arguments["selector"]), "values": [arguments["label"]]}


def _fill(arguments: Arguments) -> Step:
    return "browser_type", {"target": _target(arguments["selector"]), "text": arguments["value"]}


TOOLS: dict[str, Callable[[Arguments], Step]] = {
    "tab_new": lambda arguments: ("browser_navigate", {"url": arguments["url"]}),
    "snapshot": lambda arguments: ("browser_snapshot", {"boxes": True} if arguments.get("include_bounds") else {}),
    "click": _click,
    "dblclick": lambda arguments: ("browser_click", {"target": _target(arguments["selector"]), "doubleClick": True}),
    "check": _click,
    "fill": _fill,
    "select": _select,
    "type": lambda arguments: _code(f"await page.keyboard.type({json.dumps(arguments['text'])})"),
    "press": lambda arguments: ("browser_press_key", {"key": arguments["key"]}),
    "drag": _drag,
    "wait": _wait,
    "dialog": _dialog,
}


class Peer:
    """The peer where the client's model expects Tabwire."""

    def __init__(self) -> None:
        self._server = PlaywrightMcp(viewport="1400,900")
        self._open_page()

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Does a call by the tool that does the same."""
        result = self._server.result(*TOOLS[tool](arguments))
        reply = Reply.of(result)
        reply.text = _readable(reply.text)
        return reply

    def renew_page(self) -> None:
        """The next task begins in a fresh page of a browser that runs."""
        self._server.result("browser_close", {})
        self._open_page()

    def _open_page(self) -> None:
        self._server.result("browser_navigate", {"url": "about:blank"})

    def close(self) -> None:
        self._server.close()


class PeerModel(Model):
    """The model before the peer's snapshots."""

    def ref(self, role: str, name: Name = None, nth: int = 0, having: str = "") -> str:
        return EDITABLE if having == "[editable]" else super().ref(role, name, nth, having)

    def _found(self, role: str, name: Name, having: str = "") -> list[str]:
        """The peer gives no refs to what lies under something else, and takes selectors as well."""
        lines = [line for line in self._lines if line.role == role and having in line.text and fits(name, line.name)]
        return [line.ref or f"role={role}[name={json.dumps(line.name)}] >> nth={at}" for at, line in enumerate(lines)]
