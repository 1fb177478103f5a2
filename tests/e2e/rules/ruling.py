"""A browser with rules for sites: two clients, the user's hand in the rules, and what clients may try there."""

import json
from dataclasses import dataclass, field
from typing import Any

from e2e.cdp import Page
from e2e.client import Reply
from e2e.site import Site
from e2e.tabs.two_clients import TwoClients

SECRET = "Balance 4711"
BANK = "bank.localhost"
SHOP = "shop.localhost"


@dataclass
class Ruled(TwoClients):
    """A browser with two clients, and the user's hand in its rules."""

    site: Site = field(init=False)

    def at(self, host: str, url: str) -> str:
        """A page of the site under another name."""
        return url.replace("127.0.0.1", host).replace("localhost:", f"{host}:") if host not in url else url

    def page(self, host: str, html: str, **more: Any) -> str:
        return self.site.page(html, **more).replace("127.0.0.1", host)

    def rule(self, pattern: str, level: str) -> None:
        answer = self.person.ask("setSiteRule", pattern=pattern, level=level)
        assert {"pattern": pattern, "level": level, "source": "user"} in answer["rules"], answer

    def clear(self) -> None:
        for rule in self.person.ask("siteRules")["rules"]:
            self.person.ask("forgetSite", pattern=rule["pattern"])


def refused(reply: Reply, reason: str) -> None:
    """A refusal that says what to do and tells nothing of the page."""
    assert (reply.is_error, reply.code) == (True, "permission_denied"), reply
    assert reply.data["reason"] == reason, reply
    assert SECRET not in json.dumps(reply.structured) + reply.text


READS: list[tuple[str, dict[str, Any]]] = [
    ("record_steps", {"action": "start"}),
    ("locate_step", {"selector": f"text:{SECRET}", "fingerprint": {"tag": "p"}, "timeout": 500}),
    ("snapshot", {}),
    ("query", {"by": "text", "value": SECRET}),
    ("wait", {"for": "text", "text": SECRET, "timeout": 1000}),
    ("wait", {"for": "url", "url": "*bank*", "timeout": 1000}),
    ("screenshot", {}),
    ("pdf", {"save_path": "x.pdf"}),
    ("console", {}),
    ("console_messages", {}),
    ("network_requests", {}),
    ("styles", {"selector": "button"}),
    ("event_listeners", {"selector": "button"}),
    ("components", {"selector": "button"}),
    ("sources", {}),
    ("breakpoints", {"action": "set", "text": SECRET}),
    ("audit", {}),
    ("debug_report", {}),
    ("performance_insights", {}),
    ("memory", {}),
    ("code_profile", {"action": "start"}),
    ("title", {}),
    ("url", {}),
    ("storage", {"action": "entries", "type": "local"}),
    ("evaluate", {"expression": "document.body.innerText"}),
    ("page_tools", {}),
    ("cookies", {"action": "get_all"}),
]
ACTS: list[tuple[str, dict[str, Any]]] = [
    ("click", {"selector": "button"}),
    ("click", {"coordinates": {"x": 20, "y": 20}}),
    ("fill", {"selector": "input", "value": "x"}),
    ("type", {"text": "x"}),
    ("press", {"key": "Enter"}),
    ("scroll", {"direction": "down"}),
    ("upload", {"selector": "input", "files": [{"name": "a.txt", "base64": "YQ=="}]}),
    ("viewport", {"width": 400, "height": 400}),
    ("storage", {"action": "clear", "type": "local"}),
    ("evaluate", {"expression": "globalThis.acted = 1"}),
    ("call_page_tool", {"name": "any"}),
]
HTML = f"""<button onclick="acted = 1">Pay</button><input oninput="acted = 1"><p>{SECRET}</p>
<script>var acted = 0; localStorage.secret = {json.dumps(SECRET)}; addEventListener("keydown", () => acted = 1)</script>"""


def user_tab(ruled: Ruled, url: str) -> tuple[Page, int]:
    """A tab that the user has opened, and its id."""
    before = {tab["tabId"] for tab in ruled.anna.tabs()}
    page = ruled.chromium.browser.open(url)
    page.wait_for("document.readyState === 'complete'")
    (tab,) = {tab["tabId"] for tab in ruled.anna.tabs()} - before
    return page, tab
