"""A WebDriver server, asked past Selenium: with short deadlines, and while a command of the driver's user runs."""

import base64
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import unquote, urlsplit

from tabwire.errors import InvalidArgument

ASK_SECONDS = 5.0


class Endpoint:
    """Address of a WebDriver server.

    Args:
        url: its URL; may hold a user and a password, which nothing of here shows.

    Raises:
        InvalidArgument: it is no URL.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidArgument(f"{url!r} is no URL of a WebDriver server; give one such as http://192.0.2.7:4444.")
        host = parts.netloc.rpartition("@")[2]
        self.url = f"{parts.scheme}://{host}{parts.path}".rstrip("/")
        """URL without user and password."""
        self.full_url = url.rstrip("/")
        self._headers = {"Content-Type": "application/json; charset=utf-8"}
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self.is_here = parts.hostname in ("127.0.0.1", "localhost", "::1")
        """Whether it is on this computer, by its name."""
        self._opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if self.is_here else []))

    def ask(self, path: str, body: Any = None, seconds: float = ASK_SECONDS, method: str | None = None) -> tuple[int, Any]:
        """Status and `value` of an answer. Blocks. Without a `method` it is GET, or POST where there is a body.

        Raises:
            OSError: there was none.
        """
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, self._headers, method=method)
        try:
            with self._opener.open(request, timeout=seconds) as answer:
                return answer.status, _value(answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, _value(refusal.read())

    def session_state(self, session_id: str) -> tuple[str, str]:
        """State of a session and the reason for it. Blocks.

        The state is "alive", "ended", "unreachable" (the server that runs it does not answer) or "unknown".
        """
        try:
            # The one question that needs no page, so that neither a dialog nor a load keeps its answer back.
            status, value = self.ask(f"/session/{session_id}/timeouts")
        except OSError as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                return "alive", "busy"
            return "unknown", str(reason)
        problem = value if isinstance(value, dict) else {}
        message = str(problem.get("message", "")).strip().partition("\n")[0][:300]
        if status == 404 or problem.get("error") == "invalid session id":
            return "ended", message
        if status == 200:
            return "alive", ""
        return ("unreachable" if "Connection error" in message else "unknown"), message or f"HTTP status {status}"


def _value(body: bytes) -> Any:
    try:
        answer = json.loads(body)
    except ValueError:
        return None
    return answer.get("value", answer) if isinstance(answer, dict) else answer
