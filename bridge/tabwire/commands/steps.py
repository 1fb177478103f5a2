"""Recording of a person's steps in a tab. Ours: the agent spec has no such tool."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, Returns
from tabwire.commands.results import Change, Closed, Result, TabAddress
from tabwire.commands.types import Milliseconds, Natural, TabId

READ_WAIT_MS = 20_000

Language = Literal["pytest", "selenium"]


class TestId(Closed):
    """An attribute for tests."""

    attribute: str
    value: str


class StepTarget(Closed, total=False):
    """The element of a step. `role` with `name`, `label`, `text` or `test_id` are there where `selector` is made of them."""

    tag: str
    selector: str
    role: str
    name: str
    label: str
    text: str
    test_id: TestId
    css: list[str]
    frame: str
    secret: bool
    unsure: bool
    """The selector does not lead back to the element alone."""


class StepObserved(Closed, total=False):
    """The observed effects of a step, as the event log has those of an act."""

    url: Change
    new_tabs: list[TabAddress]


class RecordedStep(Closed):
    """A step of the person, as the event log has an act. Steps that replace an earlier one get a number of their own."""

    number: int
    method: str
    params: dict[str, Any]
    tab: int
    target: NotRequired[StepTarget]
    observed: NotRequired[StepObserved]
    kind: NotRequired[Literal["assertion"]]
    """A step that expects something and does nothing."""
    variable: NotRequired[str]
    """Environment variable that holds the value, which was not recorded."""


class RecordStepsResult(Result):
    """The steps with a higher number than `after`; those of `stop` are all."""

    tabId: int
    recording: bool
    steps: list[RecordedStep]
    ended: NotRequired[str]
    note: NotRequired[str]


class RecordSteps(
    Command,
    Returns[RecordStepsResult],
    method="steps.record",
    tool="record_steps",
    title="Record steps",
    past="Recorded your steps",
    effect="read",
    scope="browser",
    page="none",
    reply="snapshot",
    sensitive="steps",
    shows=("action",),
):
    """Record what the person does in a tab, as a test: start, let them act, stop. Passwords are not recorded."""

    action: Literal["start", "read", "stop"]
    language: Annotated[Language, Field(exclude=True, description="Of the test that stop gives")] = "pytest"
    after: Annotated[Natural, Field(description="read: steps after this number, waiting for one")] = 0
    timeout: Annotated[Milliseconds, Field(description="Longest wait of read, ms")] = READ_WAIT_MS
    tabId: TabId = None


PURPOSE = "record what the person does as a test"

COMMANDS: tuple[type[Command], ...] = (RecordSteps,)
