"""Execution (document 002)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tabwire.commands.types import FrameId, Milliseconds, Natural, TabId
from tabwire.protocol.command import Command


class Evaluate(Command, method="script.evaluate", tool="evaluate", title="Run JavaScript", effect="act", reply="data"):
    """Run JavaScript in the page and return its value."""

    expression: Annotated[str, Field(description="Expression, function, or function body with return")]
    args: Annotated[list[Any] | None, Field(description="Arguments of the function")] = None
    await_promise: bool = True
    return_by_value: Annotated[bool, Field(description="false: describe the object instead")] = True
    timeout: Milliseconds = 30_000
    max_output_size: Annotated[Natural, Field(description="Bytes")] = 51_200
    sanitize: Annotated[bool, Field(description="Redact secrets")] = True
    tabId: TabId = None
    frameId: FrameId = None


COMMANDS = (Evaluate,)
