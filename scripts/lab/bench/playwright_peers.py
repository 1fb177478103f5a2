"""Playwright's library and Playwright MCP as peers, each with a browser of its own."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from mcp.types import CallToolResult
from pages.page_state import AT_REST
from pages.real_pages import FOLDER, fetched
from servers.stdio_client import StdioClient

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


def playwright_command(viewport: str = "1280,720") -> list[str]:
    """The command that starts Playwright MCP, with a browser of its own."""
    fetched()
    args = [str(MODULES / "@playwright/mcp/cli.js"), "--headless", "--isolated", "--no-sandbox", "--executable-path", chromium()]
    return ["node", *args, "--viewport-size", viewport, "--output-dir", str(FOLDER / "playwright-output")]


class PlaywrightMcp:
    """Playwright MCP over stdio."""

    def __init__(self, viewport: str = "1280,720") -> None:
        self._client = StdioClient(playwright_command(viewport), dict(os.environ), FOLDER, FOLDER / "playwright.log")
        self._client.initialize()

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
        called = self._client.call("browser_snapshot", {})
        if FENCE not in called.text:
            raise RuntimeError(f"browser_snapshot gave no snapshot: {called.text[:500]}")
        return called.elapsed_ms

    def result(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        """The result of a call, failed or not."""
        return CallToolResult.model_validate(self._client.call(tool, arguments).result)

    def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        return self._client.call(tool, arguments).text

    def close(self) -> None:
        self._client.close()
