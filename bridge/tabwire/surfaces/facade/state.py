"""State of the facade while it is served: limits, folders, results that are read in parts, and which browser is in use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire.browsers.running import LaunchOptions
from tabwire.commands.declaration import Command, R, Returns
from tabwire.settings.tool_limits import ToolLimits
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared import dismissed_dialogs
from tabwire.surfaces.shared.text_chunks import KeptTexts, Snapshots
from tabwire.surfaces.shared.written_files import WrittenFiles
from tabwire.surfaces.tool import ToolCall

if TYPE_CHECKING:
    from tabwire.config import Config


@dataclass
class Facade:
    """See the module."""

    limits: ToolLimits
    screenshots: WrittenFiles
    downloads: WrittenFiles
    notes: Path
    """Folder of the notes on what was saved."""
    search_url: str
    launch: LaunchOptions
    """Options that all launched browsers share."""
    kept: KeptTexts = field(default_factory=KeptTexts)
    read: Snapshots = field(default_factory=Snapshots)
    chosen: list[str] = field(default_factory=list)
    """The browsers in use, by id; the last is the active one."""
    acts: int = 0
    """Number of acts done in pages."""
    complete_downloads: dict[str, dict[Path, int]] = field(default_factory=dict)
    """Browser → those that were seen complete before anybody waited for them, each with how many acts there were by then."""
    move_downloads: Path | None = None
    """Folder where complete downloads are moved; None: they stay where the browser has saved them."""
    name_downloads: bool = False
    """Whether they get a unique name."""

    @property
    def active(self) -> str | None:
        """The id of the browser that was launched last, or gone on with after it; None: the one that is there."""
        return self.chosen[-1] if self.chosen else None


def of(call: ToolCall) -> Facade:
    """State of the facade in this call."""
    facade: Facade = call.context.surface
    return facade


@asynccontextmanager
async def opened(config: Config, context: Context) -> AsyncIterator[Context]:
    """Open the facade's state, as `Toolset.opened` requires.

    Raises:
        InvalidArgument: the limits cannot be used.
    """
    settings = config.facade
    home = config.home_dir()
    notes = home / "written"
    screenshots = (settings.screenshots or home / "artifacts" / "screenshots").expanduser().absolute()
    yield replace(
        context,
        # Its specification promises programs the values as they are.
        shows_secrets=True,
        surface=Facade(
            limits=settings.tool_limits_in_force(),
            screenshots=WrittenFiles(screenshots, notes),
            downloads=WrittenFiles(config.downloads_dir(), notes),
            notes=notes,
            search_url=settings.search_url,
            launch=config.launch_options(),
        ),
    )


async def send(call: ToolCall, command: Returns[R]) -> R:
    """Run a command in the tab that `goto` has opened, if it has."""
    assert isinstance(command, Command)
    if command.effect == "act":
        of(call).acts += 1
    browser = (await call.context.browser()).id
    tab = call.context.opened.get(browser)
    if tab is not None and "tabId" in type(command).model_fields and getattr(command, "tabId", None) is None:
        command = command.model_copy(update={"tabId": tab})
    return await dismissed_dialogs.send(call.context, command)
