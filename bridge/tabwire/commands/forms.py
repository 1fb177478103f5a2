"""Forms (document 002; `fill` is listed there under Interaction)."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from tabwire.commands import replay
from tabwire.commands.declaration import Act, Returns
from tabwire.commands.input import ACT_TIMEOUT_MS, Element
from tabwire.commands.privacy import Fact, Typed
from tabwire.commands.results import ActResult
from tabwire.commands.types import FrameId, Milliseconds, Natural, TabId


class FillResult(ActResult, total=False):
    """The value the field holds now; absent for a password."""

    value: str


class Fill(
    Act,
    Returns[FillResult],
    method="forms.fill",
    tool="fill",
    title="Fill a field",
    page="scripts",
    idempotent=True,
    caption="Fill {target}",
    past="Filled {target}",
    input="keys",
    replay=replay.typed("fill", "value"),
    shows=("value",),
):
    """Set the text of an input, textarea or editable element."""

    selector: Element
    value: Typed
    clear: Annotated[bool, Field(description="Replace what is there; false appends")] = True
    force: Annotated[bool, Field(description="Skip the actionability checks")] = False
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None


class CheckResult(ActResult, total=False):
    """The state of the box, and whether it was another one before."""

    checked: bool
    changed: bool


class Check(
    Act,
    Returns[CheckResult],
    method="forms.check",
    tool="check",
    title="Check a box",
    page="scripts",
    idempotent=True,
    caption="Check {target}",
    past="Checked {target}",
    input="press",
    replay=replay.on_element("run.check({element}, True)"),
):
    """Check a checkbox, switch or radio button."""

    selector: Element
    force: bool = False
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None


class Uncheck(
    Act,
    Returns[CheckResult],
    method="forms.uncheck",
    tool="uncheck",
    title="Uncheck a box",
    page="scripts",
    idempotent=True,
    caption="Uncheck {target}",
    past="Unchecked {target}",
    input="press",
    replay=replay.on_element("run.check({element}, False)"),
):
    """Uncheck a checkbox or switch."""

    selector: Element
    force: bool = False
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None


class SelectResult(ActResult, total=False):
    """The values and labels of the selected options, and whether others were selected before."""

    selected: list[str]
    labels: list[str]
    changed: bool


class Select(
    Act,
    Returns[SelectResult],
    method="forms.select",
    tool="select",
    title="Select options",
    page="scripts",
    idempotent=True,
    caption="Select in {target}",
    past="Selected in {target}",
    replay=replay.select,
    shows=("value", "label", "index"),
):
    """Select options of a list by value, label or index."""

    selector: Element
    value: Annotated[Typed | list[Typed] | None, Field(description="Option value(s)")] = None
    label: Annotated[Fact | list[Fact] | None, Field(description="Option label(s)")] = None
    index: Annotated[Natural | list[Natural] | None, Field(description="Option index(es)")] = None
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None

    @model_validator(mode="after")
    def _names_options_one_way(self) -> Self:
        if sum(choice is not None for choice in (self.value, self.label, self.index)) != 1:
            raise ValueError("needs exactly one of value, label, index")
        return self


class Clear(
    Act,
    Returns[FillResult],
    method="forms.clear",
    tool="clear",
    title="Clear a field",
    page="scripts",
    idempotent=True,
    caption="Clear {target}",
    past="Cleared {target}",
    input="keys",
    replay=replay.on_element("run.fill({element}, '')"),
):
    """Empty a field."""

    selector: Element
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None


class Focus(
    Act,
    Returns[ActResult],
    method="forms.focus",
    tool="focus",
    title="Focus",
    page="scripts",
    idempotent=True,
    destructive=False,
    caption="Focus {target}",
    past="Focused {target}",
    replay=replay.on_element("run.focus({element})"),
):
    """Focus an element."""

    selector: Element
    timeout: Milliseconds = ACT_TIMEOUT_MS
    tabId: TabId = None
    frameId: FrameId = None


COMMANDS = (Fill, Check, Uncheck, Select, Clear, Focus)
