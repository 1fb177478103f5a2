"""A server that runs, with a browser: work is done through its tools, and what came of it is read in the page."""

import contextlib
import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pages.page_state import AT_REST, LIMIT_MS

from e2e.cdp import Browser
from polling import until
from servers.measured_pages import MeasuredPage
from servers.processes import processes
from servers.stdio_client import Called, StdioClient
from servers.tools import Step, Tools

END_LIMIT_S = 10

TOLD = "`<<${encodeURIComponent(JSON.stringify((await (%s)) ?? null))}>>`"
"""An expression that gives the JSON of a value between marks, so that it can be found in any reply."""
MARKED = re.compile(r"<<(.*?)>>", re.DOTALL)


class NotOffered(Exception):
    """The server has no tool for this."""


class Unverified(Exception):
    """The call failed, or the page does not show that it was done."""


class Server:
    """See the module docstring.

    Args:
        mark: Name of its processes (`servers.processes.MARK`).
        browser: A look into its browser that does not pass through the server. Without one, pages are read by the server's own
            tool for scripts: with Tabwire in the user's browser that would attach the debugger and change how it acts.
        others: Gives processes of its browser that it has not started itself.
    """

    def __init__(
        self, mark: str, client: StdioClient, tools: Tools, browser: Browser | None = None, others: Callable[[], list[int]] = list
    ) -> None:
        self.mark = mark
        self.client = client
        self.tools = tools
        self._browser = browser
        self._others = others

    def call(self, step: Step | None) -> Called:
        """Does a step.

        Raises:
            NotOffered: The server has no tool for it.
            Unverified: The call failed.
        """
        if step is None:
            raise NotOffered
        called = self.client.call(*step)
        if called.is_error:
            raise Unverified(f"{step[0]}: {called.text[:200]}")
        return called

    def look(self, expression: str) -> Any:
        """The value of an expression in the page."""
        if self._browser:
            return self._browser.shown().evaluate(expression, timeout=2 * LIMIT_MS / 1000)
        text = self.call(self.tools.evaluate(f"(async () => {TOLD % expression})()")).text
        found = MARKED.search(text)
        if not found:
            raise Unverified(f"the page gave no value: {text[:200]}")
        return json.loads(unquote(found[1]))

    def open(self, page: MeasuredPage) -> None:
        """Navigates and waits until the page is at rest."""
        self.call(self.tools.navigate(page.url))
        self.look(AT_REST)
        if (shown := self.look("location.href")) != page.url:
            raise Unverified(f"the page in front is {shown}")

    def snapshot(self, page: MeasuredPage) -> Called:
        """A snapshot that has all words of the page."""
        called = self.call(self.tools.snapshot)
        if missing := [word for word in page.words if word not in called.text]:
            raise Unverified(f"the snapshot lacks {missing[0]!r}: {called.text[:100]!r}, {len(called.text)} characters")
        return called

    def targets(self, page: MeasuredPage, role: str, *names: str) -> list[str]:
        """The elements as arguments of the tools, found in a fresh snapshot if the server takes refs."""
        if self.tools.found:
            return [self.tools.found.format(name=name) for name in names]
        text = self.snapshot(page).text
        return [self._target(text, role, name) for name in names]

    def _target(self, text: str, role: str, name: str) -> str:
        found = re.search(self.tools.target.format(role=role, name=re.escape(name)), text)
        if not found:
            raise Unverified(f'the snapshot gives no ref for {role} "{name}": {text[:300]}')
        return self.tools.prefix + found[1]

    @property
    def log(self) -> Path:
        return self.client.log

    def processes(self) -> set[int]:
        """Processes of the server and of its browser."""
        return processes(self.mark, {self.client.pid, *self._others()})

    def close(self) -> None:
        """Ends the server, and with it the browser that it has started."""
        if self._browser:
            self._browser.close()
        with contextlib.suppress(RuntimeError, TimeoutError, OSError):
            if self.tools.close:
                self.client.call(*self.tools.close)
        self.client.close()
        with contextlib.suppress(AssertionError):
            until(lambda: not processes(self.mark, set()), within=END_LIMIT_S)
        for pid in processes(self.mark, set()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
