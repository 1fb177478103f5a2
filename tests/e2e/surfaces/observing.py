"""A ``serve --toolset instrument``, and what a caller of document 004 does with its answers."""

from pathlib import Path
from typing import Any

from e2e.cdp import Browser, Page
from e2e.client import Reply, Tabwire
from e2e.site import Site

OBSERVED = {"url_changed", "dom_mutations", "network_requests", "console_messages", "new_url"}
STATE = {"pre_url", "post_url", "pre_title", "post_title"}
RESULT = {"action", "selector", "confidence", "observed_changes", "state", "notes", "timestamp"}


class Caller:
    """An MCP client of such a bridge."""

    def __init__(self, tabwire: Tabwire) -> None:
        self.tabwire = tabwire

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        return self.tabwire.start(f"browser_{tool}", **arguments).result(60)

    def ok(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer of a call that must not fail."""
        reply = self.call(tool, **arguments)
        assert not reply.is_error, reply
        return reply.structured

    def fails(self, tool: str, code: str, /, **arguments: Any) -> str:
        """The words of a call that must fail."""
        reply = self.call(tool, **arguments)
        assert reply.is_error and reply.code == code == reply.structured["error"], reply
        return reply.text

    def create(self, name: str, **arguments: Any) -> "Session":
        self.ok("session_create", name=name, **arguments)
        return Session(self, name)

    def listed(self, name: str) -> dict[str, Any]:
        """What the list says of the latest session of that name."""
        return [one for one in self.ok("session_list")["sessions"] if one["name"] == name][-1]


class Session:
    """One session of a caller."""

    def __init__(self, caller: Caller, name: str) -> None:
        self.caller = caller
        self.name = name

    def inspect(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.caller.ok(f"inspect_{tool}", session=self.name, **arguments)

    def show(self, site: Site, html: str) -> str:
        """Goes to a page made of ``html``; its address."""
        url = site.page(html)
        self.inspect("navigate", url=url)
        return url

    def escalate(self) -> "Session":
        self.caller.ok("session_escalate", name=self.name, reason="a test of acts")
        return self

    def act(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What an act tells, which is the document's model and nothing more."""
        told = self.caller.ok(f"act_{tool}", session=self.name, reason=f"a test of {tool}", **arguments)
        assert set(told) == RESULT and set(told["observed_changes"]) == OBSERVED and set(told["state"]) == STATE
        assert told["action"] == tool and told["selector"] == arguments.get("selector")
        assert told["observed_changes"]["url_changed"] == (told["observed_changes"]["new_url"] is not None)
        return told

    def refused(self, tool: str, code: str, **arguments: Any) -> str:
        return self.caller.fails(f"act_{tool}", code, session=self.name, reason="a test of refusals", **arguments)

    def events(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.inspect("events")["events"]
        return found

    def destroy(self) -> dict[str, Any]:
        return self.caller.ok("session_destroy", name=self.name)


class Instrumented(Caller):
    """A bridge that serves the surface, and the browser that was launched with it, in which its sessions have windows."""

    def __init__(self, work: Path) -> None:
        self.home = work / "home"
        profile = work / "profile"
        launch = ["--launch", "--headless", "--pool", "0", "--browser-arg=--remote-debugging-port=0", "--profile", str(profile)]
        super().__init__(Tabwire(["--toolset", "instrument", *launch], {"TABWIRE_HOME": str(self.home)}, work, name="Tester"))
        self.browser = Browser.of_profile(profile)
        self.made = 0

    def new(self, **arguments: Any) -> Session:
        """A session of its own for a test."""
        self.made += 1
        return self.create(f"s{self.made}", **arguments)

    def page(self, url: str) -> Page:
        """A page seen without Tabwire."""
        return self.browser.at(url)

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()
