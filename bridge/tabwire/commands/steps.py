"""Recording of a person's steps in a tab. Ours: the agent spec has no such tool."""

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.input import ACT_TIMEOUT_MS
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Change, Closed, TabAddress, TabResult
from tabwire.commands.types import Milliseconds, Natural

READ_WAIT_MS = 20_000

Language = Literal["pytest", "selenium", "steps"]


class TestId(Closed):
    """An attribute for tests."""

    attribute: str
    value: str


class Fingerprint(Closed, total=False):
    """Facts that tell the element of a step from others without a selector. Texts are cut, empty ones left out, but `frame`."""

    tag: str
    role: str
    name: str
    text: str
    label: str
    placeholder: str
    test_id: str
    id: str
    field: str
    """The attribute `name`."""
    type: str
    href: str
    """Path of the address, without host and query."""
    classes: list[str]
    landmark: str
    heading: str
    item: str
    """Words of the row, list item or card around it."""
    before: str
    after: str
    turn: Annotated[list[int], Field(min_length=2, max_length=2)]
    """Place among the elements that say the same, from 0, and their number."""
    place: Annotated[list[float], Field(min_length=2, max_length=2)]
    """Centre in its document, in CSS pixels."""
    path: str
    frame: str
    """Path of the address of its document; empty in the top one."""


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
    fingerprint: Fingerprint


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


class RecordStepsResult(TabResult):
    """The steps with a higher number than `after`; those of `stop` are all."""

    recording: bool
    steps: list[RecordedStep]
    ended: NotRequired[str]
    note: NotRequired[str]


class Record(
    PageReading,
    Returns[RecordStepsResult],
    method="steps.record",
    tool="record_steps",
    title="Record steps",
    past="Recorded your steps",
    scope="browser",
    page="none",
    sensitive="steps",
    shows=("action",),
):
    """Record what the person does in a tab, as a test: start, let them act, stop. Passwords are not recorded."""

    action: Literal["start", "read", "stop"]
    language: Annotated[Language, Field(exclude=True, description="Of the test that stop gives")] = "pytest"
    after: Annotated[Natural, Field(description="read: steps after this number, waiting for one")] = 0
    timeout: Annotated[Milliseconds, Field(description="Longest wait of read, ms")] = READ_WAIT_MS


LOOK_MS = 5_000
"""Time beyond the wait for the selector: the page is searched for the nearest elements."""


class StepCandidate(Closed):
    """An element that may be the recorded one, with the selector that leads to it now."""

    ref: str
    score: float
    target: StepTarget


class LocateStepResult(TabResult):
    """An element of a recorded step as it is found now."""

    verdict: Literal["same", "none", "several", "other"]
    """The selector leads to the recorded element, to nothing, to several elements, or to another one."""
    score: NotRequired[float]
    """Likeness of the one element to which the selector leads, 0 to 1."""
    clear: bool
    """The first candidate is clearly the recorded element."""
    candidates: list[StepCandidate]
    """The most alike first."""


class Locate(
    PageReading,
    Returns[LocateStepResult],
    method="steps.locate",
    tool="locate_step",
    title="Find a recorded element again",
    past="Looked for {selector}",
    shows=("selector",),
):
    """Look whether the selector of a recorded step still leads to its element; if not, list the nearest with new selectors."""

    selector: Annotated[Fact, Field(min_length=1)]
    fingerprint: Annotated[dict[str, Any], Field(description="target.fingerprint of the step (record_steps, language steps)")]
    timeout: Annotated[Milliseconds, Field(description="Longest wait for the selector, ms")] = ACT_TIMEOUT_MS

    def deadline_ms(self) -> int:
        return int(self.timeout) + LOOK_MS


PURPOSE = "record what the person does as a test"

COMMANDS: tuple[type[Command], ...] = (Record, Locate)
