"""The life of a session (instrument spec, "Session Lifecycle"): active → escalated → closed. A table, no I/O, no clock.

| status \\ step | observe | escalate | act | close |
| --- | --- | --- | --- | --- |
| active | active | escalated | refused | closed |
| escalated | escalated | refused | escalated | closed |
| closed | refused | refused | refused | refused |

A session begins as active. Reading its events is no step: the log outlives the session.
"""

from collections.abc import Mapping
from enum import StrEnum


class Status(StrEnum):
    """Status of a session, in the instrument spec's words."""

    ACTIVE = "active"
    """The session can only observe."""
    ESCALATED = "escalated"
    """The session may act."""
    CLOSED = "closed"


class Step(StrEnum):
    """A step in the life of a session."""

    OBSERVE = "observe"
    ESCALATE = "escalate"
    ACT = "act"
    CLOSE = "close"


class Refusal(Exception):
    """The step cannot be taken; the status stays."""

    def __init__(self, status: Status, step: Step) -> None:
        super().__init__(f"a session that is {status} cannot {step}")
        self.status = status
        self.step = step


TRANSITIONS: Mapping[tuple[Status, Step], Status] = {
    (Status.ACTIVE, Step.OBSERVE): Status.ACTIVE,
    (Status.ACTIVE, Step.ESCALATE): Status.ESCALATED,
    (Status.ACTIVE, Step.CLOSE): Status.CLOSED,
    (Status.ESCALATED, Step.OBSERVE): Status.ESCALATED,
    (Status.ESCALATED, Step.ACT): Status.ESCALATED,
    (Status.ESCALATED, Step.CLOSE): Status.CLOSED,
}
"""Status and step → the status afterwards. What is not here is refused."""


def after(status: Status, step: Step) -> Status:
    """The status after a step.

    Raises:
        Refusal: the step cannot be taken.
    """
    following = TRANSITIONS.get((status, step))
    if following is None:
        raise Refusal(status, step)
    return following
