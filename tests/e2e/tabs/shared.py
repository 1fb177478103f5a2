"""A browser of the user's own with named clients in it, and the user's hand in its tabs.

The hand is `chrome.tabs.group` and `ungroup` in the extension's worker: Chrome tells of both in one way.
"""

from functools import partial
from typing import Any

from e2e.cdp import CdpError
from e2e.client import Tabwire
from e2e.conftest import Joined
from polling import until

until_seen = partial(until, within=3, ignoring=(CdpError, IndexError))
"""Like ``until``; the worker may be on its way back meanwhile."""


class Shared:
    """A browser that is the user's own, and two clients in it."""

    def __init__(self, joined: Joined) -> None:
        self.joined = joined
        self.browser = joined.browser
        self.anna = joined.join(name="Anna")
        self.bert = joined.join(name="Bert")

    def close(self) -> None:
        for client in (self.anna, self.bert):
            client.close()

    def ask(self, expression: str) -> Any:
        """What Chrome says to an expression in the extension's worker."""
        return self.browser.in_worker(expression)

    def tab(self, tab: int) -> dict[str, Any]:
        found: dict[str, Any] = self.ask(f"chrome.tabs.get({tab})")
        return found

    def tabs(self) -> dict[int, tuple[int, int, bool]]:
        """By id: window, position and whether it is shown. Groups are asked for apart."""
        return {tab["id"]: (tab["windowId"], tab["index"], tab["active"]) for tab in self.ask("chrome.tabs.query({})")}

    def group_of(self, tab: int) -> str | None:
        """The title of the tab's group."""
        group = self.tab(tab)["groupId"]
        return None if group == -1 else self.ask(f"chrome.tabGroups.get({group})")["title"]

    def titles(self) -> list[str]:
        return sorted(group["title"] for group in self.ask("chrome.tabGroups.query({})"))

    def leases(self) -> dict[str, str]:
        """Tab id → client id, as it outlives the worker."""
        stored = self.ask("chrome.storage.session.get('leases.tabs').then((all) => all['leases.tabs'] ?? {})")
        return {tab: lease["clientId"] for tab, lease in stored.items()}

    def open(self, url: str = "about:blank", **options: Any) -> int:
        """A tab that the user opens, in the background."""
        wish = {"url": url, "active": False, **options}
        script = f"chrome.tabs.create({wish!r})".replace("True", "true").replace("False", "false")
        tab = int(self.ask(script)["id"])
        until_seen(lambda: self.tab(tab)["status"], equals="complete")
        return tab

    def group(self, tab: int, *, into: int | None = None) -> None:
        """The user moves a tab into the group of another tab, or into a new one."""
        group = (
            f"groupId: {self.tab(into)['groupId']}" if into else f"createProperties: {{windowId: {self.tab(tab)['windowId']}}}"
        )
        self.ask(f"chrome.tabs.group({{tabIds: [{tab}], {group}}})")

    def ungroup(self, tab: int) -> None:
        self.ask(f"chrome.tabs.ungroup([{tab}])")

    def own(self, client: Tabwire, url: str, title: str, **arguments: Any) -> int:
        """A tab that the client opens, once it is seen in its group."""
        tab = int(client.ok("tab_new", url=url, **arguments).data["tabId"])
        until_seen(lambda: self.group_of(tab), equals=title)
        return tab

    def in_page(self, tab: int, expression: str) -> Any:
        """The value of an expression in a tab, whichever is shown."""
        target = f"{{target: {{tabId: {tab}}}, world: 'MAIN', func: () => {expression}}}"
        return self.ask(f"chrome.scripting.executeScript({target}).then(([answer]) => answer.result)")

    def hits(self, tab: int) -> int:
        """How often the button of the tab was clicked."""
        return int(self.in_page(tab, "globalThis.hits ?? 0"))
