"""The running bridge as a tool sees it: the browser of a call, sending commands to it, files, snapshots, the event log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tabwire.commands.declaration import Command, R, Returns, read_answer
from tabwire.errors import PermissionDenied
from tabwire.install import extension_files
from tabwire.text.data_addresses import shortened_within
from tabwire.text.provenance import received
from tabwire.wire.messages import Beside

if TYPE_CHECKING:
    from tabwire.browsers.launcher import Launcher
    from tabwire.engine.engine import Engine
    from tabwire.eventlog.writer import EventLog
    from tabwire.surfaces.shared.files import Files
    from tabwire.surfaces.shared.snapshots import Snapshots
    from tabwire.wire.messages import Browser


@dataclass
class Target:
    """The browser of one call. It is looked for once: a call of several messages must not wander from one to another."""

    named: str | None = None
    """Name or id, if the client gave one."""
    browser: Browser | None = None
    """The browser; None until it has been chosen."""


_SENTENCES = ("done", "note")
"""Fields of results in which the extension may quote a page."""


@dataclass
class Sent:
    """A message to a browser and what is known of it, for the log."""

    command: Command
    browser: str
    about: Mapping[str, Any] = field(default_factory=dict)
    """Tab of the message, and the element of an act (`Success.about`)."""
    result: Mapping[str, Any] = field(default_factory=dict)
    is_elsewhere: bool = False
    """Whether its tab is another one than that of the call before."""

    def note(self, about: Mapping[str, Any]) -> None:
        """Take what the browser says it was about."""
        self.about = about

    @property
    def is_plain(self) -> bool:
        """Whether its element is known to hold no secret."""
        return self.about.get("target", {}).get("secret") is False


@dataclass(frozen=True)
class Context:
    """Parts of the running bridge that tools may use."""

    engine: Engine
    files: Files
    snapshots: Snapshots
    target: Target = field(default_factory=Target)
    opened: dict[str, int] = field(default_factory=dict)
    """Browser → the tab that a surface without tools for tabs has opened there and goes on in."""
    launcher: Launcher | None = None
    """Starts browsers of our own; only where the surface launches some (`Toolset.launches`) or the bridge was told to."""
    surface: Any = None
    """State that the surface keeps for as long as it is served; its `opened` made it."""
    sent: list[Sent] = field(default_factory=list)
    """Messages that were sent so far."""
    visited: list[str] = field(default_factory=list)
    """Addresses that the call was about, where nothing was sent for it."""
    unlogged: str | None = None
    """Reason why this call is missing in the event log although it belongs there."""
    events: EventLog | None = None
    """Event log of what is done; None: nothing is written down."""
    only_origins: tuple[str, ...] | None = None
    """Origins where this call may act; None: everywhere."""
    reason: str | None = None
    """Reason for the call in the client's own words: shown to the person in the browser."""
    tells_changes: bool = True
    """Whether acts say in words what changed on the page, where the call says nothing about it."""
    opens_only_readable: bool = False
    """Whether browsers of ours open as local pages what tools may read and no more: nobody has said otherwise."""
    short_refs: bool = False
    """Whether references in the text of a page are written as `@e1`, where the call does not say: fewer tokens."""
    shows_secrets: bool = False
    """Whether results come as they are: for programs, whose documents say what they get."""

    def for_call(self) -> Context:
        """The context of one call: what is noted there is the call's."""
        return replace(self, sent=[], visited=[])

    def naming(self, browser: str | None) -> Context:
        """The context of one call, for a browser of that name or id; None leaves the choice to the engine."""
        return replace(self, target=Target(browser))

    async def browser(self) -> Browser:
        """The browser of this call.

        Raises:
            TabwireError: there is none, or several and none was named.
        """
        if self.target.browser is None:
            self.target.browser = await self.engine.find(self.target.named)
        return self.target.browser

    def is_launched(self, browser: str) -> bool:
        """Whether a browser is one of ours, not the user's."""
        return self.launcher is not None and any(instance.id == browser for instance in self.launcher.instances)

    def answering(self) -> str | None:
        """Name of the browser that was asked, where there are several; None where it goes without saying."""
        browser = self.target.browser
        return self.engine.label(browser) if browser is not None and self.engine.has_several else None

    async def send(self, command: Returns[R], described: str | None = None, /, **replaced: Any) -> R:
        """Run a command in the browser; `replaced` overrides wire parameters.

        Args:
            described: what an act is done to, in the client's words; the browser keeps it with the act, for people.
        """
        assert isinstance(command, Command)
        browser = await self.browser()
        self._check_opened(command, browser)
        sent = Sent(command, browser.name)
        self.sent.append(sent)
        result = await self.engine.send(
            command.method,
            {**command.params(), **replaced},
            effect=command.effect,
            timeout_ms=command.deadline_ms(),
            browser=browser.id,
            told=sent.note,
            beside=self._beside(command, described),
        )
        if command.is_brief:
            result = shortened_within(result)
        elif "effects" in result:
            result["effects"] = shortened_within(result["effects"])
        known = read_answer(command, result, is_of_ours=extension_files.is_own(browser.extension_version))
        result |= {name: received(result[name]) for name in _SENTENCES if name in result}
        sent.result = result
        if "tabId" in result:
            sent.is_elsewhere = self.snapshots.current.get(browser.id, result["tabId"]) != result["tabId"]
            self.snapshots.current[browser.id] = result["tabId"]
        return known

    def _check_opened(self, command: Command, browser: Browser) -> None:
        """Refuse a file that a link hides: the extension of a launched browser judges addresses as they are written."""
        address = str(getattr(command, "url", None) or "")
        if not self.opens_only_readable or not address.strip().lower().startswith("file:"):
            return
        if self.is_launched(browser.id) and not self.files.is_readable_address(address):
            raise PermissionDenied(
                f"{address:.500} is outside the folders that tools may read, or is private: a launched browser does not open it; "
                "start tabwire with --files FOLDER, or make a rule for file:// in [permissions.sites]"
            )

    def _beside(self, command: Command, described: str | None) -> Beside:
        return Beside(
            only_origins=None if command.intends() == "read" else self.only_origins,
            reason=self.reason or None,
            described=described,
            secrets="shown" if self.shows_secrets else "named" if command.asks_for_secrets() else None,
        )
