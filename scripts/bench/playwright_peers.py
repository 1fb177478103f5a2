"""Playwright's library and Playwright MCP as peers, each with a browser of its own."""

import contextlib
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from pages.page_state import AT_REST
from pages.real_pages import FOLDER, fetched

MODULES = FOLDER / "node_modules"
FENCE = "```yaml\n"


def chromium() -> str:
    """Path of the Chromium that the peers are given."""
    found = os.environ.get("TABWIRE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None
    )
    if not found:
        raise RuntimeError("no Chromium found; name one in TABWIRE_CHROMIUM")
    return found


class AriaSnapshot:
    """A node process that times ``locator.ariaSnapshot({mode: "ai"})``."""

    def __init__(self) -> None:
        fetched()
        script = Path(__file__).with_name("aria_snapshot.mjs")
        self._process = subprocess.Popen(
            ["node", str(script), str(MODULES / "playwright-core"), chromium()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def open(self, url: str, at_rest: str) -> float:
        """Milliseconds of the first snapshot of a page that has come to rest."""
        return self._ask({"open": url, "atRest": at_rest})

    def again(self, change: str | None) -> float:
        """Milliseconds of another snapshot, after a change made by this script."""
        return self._ask({"change": change})

    def _ask(self, question: dict[str, Any]) -> float:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("Playwright ended early")
        return float(json.loads(line)["ms"])

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.stdout.close()


class PlaywrightMcp:
    """Playwright MCP over stdio."""

    def __init__(self, viewport: str = "1280,720") -> None:
        fetched()
        self._stack = contextlib.ExitStack()
        self._portal = self._stack.enter_context(start_blocking_portal())
        args = [
            str(MODULES / "@playwright/mcp/cli.js"),
            "--headless",
            "--isolated",
            "--no-sandbox",
            "--executable-path",
            chromium(),
        ]
        args += ["--viewport-size", viewport, "--output-dir", str(FOLDER / "playwright-output")]
        server = StdioServerParameters(command="node", args=args, env=dict(os.environ), cwd=FOLDER)
        client = Client(stdio_client(server))
        self._client = self._stack.enter_context(self._portal.wrap_async_context_manager(client))

    def snapshot(self, url: str) -> str:
        """The text of `browser_snapshot` after a navigation, without the frame around the tree."""
        self.open(url)
        text = self._call("browser_snapshot", {})
        return text.split(FENCE, 1)[1].rsplit("```", 1)[0] if FENCE in text else text

    def open(self, url: str) -> None:
        """Navigates and waits until the page is at rest."""
        self._call("browser_navigate", {"url": url})
        self._run("await page.waitForLoadState('networkidle', { timeout: 10000 }).catch(() => {})")
        self.evaluate(AT_REST)

    def evaluate(self, script: str) -> None:
        """Runs a script in the page."""
        self._run(f"await page.evaluate({json.dumps(script)})")

    def _run(self, code: str) -> None:
        self._call("browser_run_code_unsafe", {"code": f"async (page) => {{ {code}; }}"})

    def timed(self) -> float:
        """Milliseconds of one `browser_snapshot`."""
        started = time.perf_counter()
        text = self._call("browser_snapshot", {})
        elapsed = (time.perf_counter() - started) * 1000
        if FENCE not in text:
            raise RuntimeError(f"browser_snapshot gave no snapshot: {text[:500]}")
        return elapsed

    def result(self, tool: str, arguments: dict[str, Any]) -> Any:
        """The result of a call, failed or not."""
        return self._portal.start_task_soon(self._client.call_tool, tool, arguments).result(120)

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        return "\n".join(part.text for part in self.result(tool, arguments).content if part.type == "text")

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._stack.close()
