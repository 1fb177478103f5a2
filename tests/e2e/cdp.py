"""A look at the browser that does not pass through Tabwire: a raw DevTools protocol client, one command at a time."""

import contextlib
import itertools
import json
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from polling import until

NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class CdpError(Exception):
    """The browser refused a command, or the evaluated script threw."""


class DocumentLeft(CdpError):
    """The document was left while the command ran."""


class Browser:
    """The browser behind one DevTools port."""

    def __init__(self, port: int) -> None:
        self.port = port
        with NO_PROXY.open(f"http://127.0.0.1:{port}/json/version", timeout=5) as answer:
            url = json.load(answer)["webSocketDebuggerUrl"]
        self._stack = contextlib.ExitStack()
        connecting = connect(url, max_size=None, proxy=None, compression=None, open_timeout=5, ping_interval=None)
        self._socket: ClientConnection = self._stack.enter_context(connecting)
        self._ids = itertools.count(1)
        self.events: list[dict[str, Any]] = []
        self.passed_over: str | None = None
        """URL of a page of the browser's own that is no page of a test, although it may be in front."""

    @classmethod
    def of_profile(cls, profile: Path, timeout: float = 20) -> "Browser":
        """Connects to the browser that runs on ``profile`` with ``--remote-debugging-port=0``."""
        file = profile / "DevToolsActivePort"
        not_yet = (OSError, ValueError, IndexError)
        try:
            return until(lambda: cls(int(file.read_text().splitlines()[0])), within=timeout, ignoring=not_yet, says=str(file))
        except AssertionError as error:
            raise TimeoutError(str(error)) from None

    def close(self) -> None:
        self._stack.close()

    def call(self, method: str, params: dict[str, Any] | None = None, session: str | None = None, timeout: float = 10) -> Any:
        """Sends one command and returns its result; ``events`` then holds what was told meanwhile."""
        self.events.clear()
        number = self.send(method, params, session)
        end = time.monotonic() + timeout
        while True:
            reply = json.loads(self._socket.recv(timeout=max(0.0, end - time.monotonic())))
            if reply.get("id") == number:
                break
            if "method" in reply:
                self.events.append(reply)
        if "error" in reply:
            said = str(reply["error"].get("message"))
            raise (DocumentLeft if "navigated or closed" in said else CdpError)(f"{method}: {said}")
        return reply["result"]

    def send(self, method: str, params: dict[str, Any] | None = None, session: str | None = None) -> int:
        """Sends one command and returns its number at once. Commands take effect in their order."""
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._socket.send(json.dumps(message))
        return number

    def targets(self, kind: str | None = None) -> list[dict[str, Any]]:
        """The targets (pages, iframes of another process, service workers) as the browser lists them."""
        found: list[dict[str, Any]] = self.call("Target.getTargets", {"filter": [{}]})["targetInfos"]
        return [target for target in found if kind in (None, target["type"])]

    def pages(self) -> list["Page"]:
        """The open tabs, the one shown last first."""
        with NO_PROXY.open(f"http://127.0.0.1:{self.port}/json/list", timeout=5) as answer:
            return [Page(self, target["id"]) for target in json.load(answer) if target["type"] == "page"]

    def at(self, url: str, timeout: float = 5) -> "Page":
        """The tab at a URL, as soon as it is there: a window is known before its first document."""

        def by_url() -> dict[str, str]:
            return {target["url"]: target["targetId"] for target in reversed(self.targets("page"))}

        return Page(self, until(by_url, lambda found: url in found, within=timeout, says=f"a tab is at {url}")[url])

    def shown(self) -> "Page":
        """The tab in front; of others than the page passed over, the one that was in front last."""
        pages = self.pages()
        if self.passed_over:
            urls = {target["targetId"]: target["url"] for target in self.targets("page")}
            pages = [page for page in pages if urls.get(page.target_id) != self.passed_over] or pages
        if len(pages) == 1:
            return pages[0]
        for page in pages:
            with contextlib.suppress(CdpError, TimeoutError):
                if page.evaluate("document.visibilityState", timeout=2) == "visible":
                    return page
        return pages[0]

    def open(self, url: str, timeout: float = 10) -> "Page":
        """A new tab in front, once its document is loaded: until the first one comes a tab holds a complete about:blank."""
        page = Page(self, self.call("Target.createTarget", {"url": url})["targetId"])
        if url != "about:blank":
            # The command may fall into the change of documents.
            page.wait_for("location.href !== 'about:blank' && document.readyState === 'complete'", timeout, ignoring=CdpError)
        return page

    def in_worker(self, expression: str) -> Any:
        """The value of an expression in the extension's service worker: what `chrome.*` says."""
        workers = [target for target in self.targets("service_worker") if target["url"].startswith("chrome-extension:")]
        return Page(self, workers[0]["targetId"]).evaluate(expression)

    def stop_workers(self) -> int:
        """Kills every extension service worker, as the browser may at any moment; says how many there were."""
        workers = [target for target in self.targets("service_worker") if target["url"].startswith("chrome-extension:")]
        for worker in workers:
            self.call("Target.closeTarget", {"targetId": worker["targetId"]})
        return len(workers)


def _value(reply: dict[str, Any]) -> Any:
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        raise CdpError(details.get("exception", {}).get("description") or details["text"])
    return reply["result"].get("value")


class Page:
    """One tab, or one frame that runs in a process of its own."""

    def __init__(self, browser: Browser, target_id: str) -> None:
        self.browser = browser
        self.target_id = target_id

    def call(self, method: str, params: dict[str, Any] | None = None, timeout: float = 10) -> Any:
        """Runs one command in a session that is gone afterwards, so that nothing stays attached to the page."""
        attached = self.browser.call("Target.attachToTarget", {"targetId": self.target_id, "flatten": True})
        try:
            return self.browser.call(method, params, attached["sessionId"], timeout)
        finally:
            self.browser.send("Target.detachFromTarget", {"sessionId": attached["sessionId"]})

    def evaluate(self, expression: str, timeout: float = 10) -> Any:
        """The value of a JavaScript expression in the page (a promise is awaited)."""
        params = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        return _value(self.call("Runtime.evaluate", params, timeout))

    def evaluate_in_extension(self, expression: str, timeout: float = 60) -> Any:
        """The value of an expression in the isolated world of the extension's content scripts."""
        session = self.browser.call("Target.attachToTarget", {"targetId": self.target_id, "flatten": True})["sessionId"]
        try:
            self.browser.call("Runtime.enable", session=session)
            contexts = [event["params"]["context"] for event in self.browser.events if event["method"].endswith("ContextCreated")]
            context = next(c for c in reversed(contexts) if c["origin"].startswith("chrome-extension:"))
            params = {"expression": expression, "awaitPromise": True, "returnByValue": True, "contextId": context["id"]}
            return _value(self.browser.call("Runtime.evaluate", params, session, timeout))
        finally:
            self.browser.call("Target.detachFromTarget", {"sessionId": session})

    def wait_for(self, expression: str, timeout: float = 5, **options: Any) -> Any:
        """Evaluates until the value is true and returns it. A page that is left meanwhile is asked anew."""
        return until(
            lambda: self.evaluate(expression, timeout), within=timeout, says=expression, **{"ignoring": DocumentLeft, **options}
        )

    def frame(self, url_part: str, timeout: float = 5) -> "Page":
        """A frame of another process whose URL contains ``url_part``."""

        def ids() -> list[str]:
            return [target["targetId"] for target in self.browser.targets("iframe") if url_part in target["url"]]

        return Page(self.browser, until(ids, within=timeout, says=f"a frame of its own process has {url_part!r} in its URL")[0])

    @property
    def url(self) -> str:
        return str(self.evaluate("location.href"))

    def close(self, timeout: float = 5) -> None:
        """Closes the tab and waits until it is gone."""
        with contextlib.suppress(CdpError, TimeoutError):
            self.browser.call("Target.closeTarget", {"targetId": self.target_id})
        with contextlib.suppress(AssertionError):
            until(
                lambda: self.target_id not in [target["targetId"] for target in self.browser.targets()],
                within=timeout,
                every=0.005,
            )
