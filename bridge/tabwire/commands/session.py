"""Commands about the connection itself; no surface lists them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwire.protocol.command import Command


class Echo(Command, method="session.echo", tool="", title="Echo", effect="read", scope="browser", reply="data"):
    """Give the payload back: the bare round trip, for benchmarks and health checks."""

    payload: Annotated[Any, Field(description="Anything")] = None


COMMANDS = (Echo,)
