"""Several calls in one. Ours: the specification has no such tool."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from tabwire.commands.declaration import Doing
from tabwire.commands.privacy import Fact
from tabwire.commands.types import Parameters

MAX_CALLS = 25


class BatchCall(Parameters):
    """A call of a batch."""

    tool: Fact
    arguments: dict[str, Any] = {}


class Batch(
    Doing,
    method="session.batch",
    tool="batch",
    title="Several calls",
    scope="browser",
    page="none",
    reply="act",
    core=("calls",),
):
    """Make several calls in order with one reply; stops at the first that fails. Each is asked about and logged as alone."""

    in_browser: ClassVar = False

    calls: Annotated[
        list[BatchCall],
        Field(
            min_length=1,
            max_length=MAX_CALLS,
            description='[{"tool":"click","arguments":{"selector":"@e4"}},{"tool":"snapshot","arguments":{"diff":true}}]',
        ),
    ]


COMMANDS = (Batch,)
