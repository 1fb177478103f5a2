"""Commands about the connection itself."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from tabwire.commands.declaration import Command
from tabwire.commands.types import TabId


class Echo(Command, method="session.echo", tool="", title="Echo", effect="read", scope="browser", reply="data", always=True):
    """Give the payload back: the bare round trip, for benchmarks and health checks."""

    masked: ClassVar = False

    payload: Annotated[Any, Field(description="Anything")] = None


class Status(
    Command,
    method="session.status",
    tool="status",
    title="Connection status",
    effect="read",
    scope="browser",
    reply="data",
    open_world=False,
    always=True,
):
    """Test each hop to the page; names the one that fails and the fix."""

    tabId: TabId = None


COMMANDS = (Status,)
WIRE_ONLY = (Echo,)
