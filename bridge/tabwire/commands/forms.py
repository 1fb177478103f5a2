"""Forms (agent spec; `fill` is listed there under Interaction)."""

from typing import Annotated, ClassVar, Required

from pydantic import Field

from tabwire.commands import replay
from tabwire.commands.declaration import DEADLINE_GRACE_MS, Returns
from tabwire.commands.input import ACT_TIMEOUT_MS, Element, ElementAct, FileContent, OptionalElement, TakenFile, UploadFile
from tabwire.commands.privacy import Fact, Typed
from tabwire.commands.results import ActResult, Closed
from tabwire.commands.types import MAX_TIMEOUT_MS, Milliseconds, Natural, Number, Parameters

MAX_FIELDS = 100


class FillResult(ActResult, total=False):
    """The value the field holds now; absent for a password."""

    value: str


class Fill(
    ElementAct,
    Returns[FillResult],
    method="forms.fill",
    tool="fill",
    core=("selector", "value", "clear", "diff", "tabId"),
    title="Fill a field",
    idempotent=True,
    caption="Fill {target}",
    past="Filled {target}",
    input="keys",
    replay=replay.typed("fill", "value"),
    shows=("value",),
):
    """Set the text of an input, textarea or editable element; dates as 2026-12-31."""

    selector: Element
    value: Typed
    clear: Annotated[bool, Field(description="Replace what is there; false appends")] = True
    force: Annotated[bool, Field(description="Skip the actionability checks")] = False


class CheckResult(ActResult, total=False):
    """The state of the box, and whether it was another one before."""

    checked: bool
    changed: bool


class BoxAct(ElementAct, Returns[CheckResult], method="", core=("selector", "tabId"), idempotent=True, input="press"):
    """Base of the acts on a box."""

    selector: Element
    force: bool = False


class Check(
    BoxAct,
    method="forms.check",
    tool="check",
    title="Check a box",
    caption="Check {target}",
    past="Checked {target}",
    replay=replay.on_element("run.check({element}, True)"),
):
    """Check a checkbox, switch or radio button."""


class Uncheck(
    BoxAct,
    method="forms.uncheck",
    tool="uncheck",
    title="Uncheck a box",
    caption="Uncheck {target}",
    past="Unchecked {target}",
    replay=replay.on_element("run.check({element}, False)"),
):
    """Uncheck a checkbox or switch."""


class SelectResult(ActResult, total=False):
    """The values and labels of the selected options, and whether others were selected before."""

    selected: list[str]
    labels: list[str]
    changed: bool


class Select(
    ElementAct,
    Returns[SelectResult],
    method="forms.select",
    tool="select",
    core=("selector", "value", "label", "diff", "tabId"),
    title="Select options",
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

    def check(self) -> None:
        self.need_one("value", "label", "index")


class Clear(
    ElementAct,
    Returns[FillResult],
    method="forms.clear",
    tool="clear",
    title="Clear a field",
    idempotent=True,
    caption="Clear {target}",
    past="Cleared {target}",
    input="keys",
    replay=replay.on_element("run.fill({element}, '')"),
):
    """Empty a field."""

    selector: Fact


class Focus(
    ElementAct,
    Returns[ActResult],
    method="forms.focus",
    tool="focus",
    title="Focus",
    idempotent=True,
    destructive=False,
    caption="Focus {target}",
    past="Focused {target}",
    replay=replay.on_element("run.focus({element})"),
):
    """Focus an element."""

    selector: Fact


class FormField(Parameters):
    """A field of a form and what it is to hold: a text, true or false for a box, options of a list, or files."""

    selector: OptionalElement = None
    label: Fact | None = None
    value: Annotated[
        Typed | bool | Number | list[Typed] | None, Field(description="Text, option(s), or true/false for a box")
    ] = None
    files: list[Fact | UploadFile] | None = None

    def check(self) -> None:
        self.need_one("selector", "label", what="a field needs")
        self.need_one("value", "files", what="a field needs")

    def wanted(self) -> bool | str | list[str] | None:
        """The value as it travels: a number is a text in every field."""
        if isinstance(self.value, bool | str | list) or self.value is None:
            return self.value
        return f"{self.value:.15g}"


class WantedField(Closed, total=False):
    """A field as it travels."""

    selector: Required[str]
    value: str | bool | list[str]
    files: list[FileContent]


class FilledField(Closed, total=False):
    """A field as it is now; `value` is absent for a secret."""

    ref: Required[str]
    value: str
    checked: bool
    selected: list[str]
    labels: list[str]
    files: list[TakenFile]
    changed: bool
    note: str


class FillFormResult(ActResult, total=False):
    """The fields in the order of the call.

    `submitter`: the button that submits the form of the last one, `submitter_name` its role and name; `enters`: that field, where
    only the Enter key may.
    """

    fields: list[FilledField]
    submitter: str
    submitter_name: str
    enters: str


class FillForm(
    ElementAct,
    Returns[FillFormResult],
    method="forms.fill_form",
    tool="fill_form",
    title="Fill a form",
    sensitive="uploads",
    core=("fields", "submit", "tabId"),
    caption="Fill a form",
    past="Filled a form",
    input="any",
    lasts="always",
    replay=replay.form,
):
    """Fill several fields of any kind in one call; stops at the first that fails. submit presses the form's button."""

    on_wire: ClassVar = {"fields": list[WantedField]}

    fields: Annotated[
        list[FormField],
        Field(
            min_length=1, max_length=MAX_FIELDS, description='[{"label":"Name","value":"Ann"},{"selector":"@e4","value":true}]'
        ),
    ]
    submit: Annotated[bool, Field(description="Then press the submit button, or Enter where there is none")] = False
    timeout: Annotated[Milliseconds, Field(description="For each field, ms")] = ACT_TIMEOUT_MS

    def deadline_ms(self) -> int:
        """Each field has its own time."""
        return min(int(self.timeout) * len(self.fields), MAX_TIMEOUT_MS) + DEADLINE_GRACE_MS


PURPOSE = "fields, boxes, lists"

COMMANDS = (Fill, FillForm, Check, Uncheck, Select, Clear, Focus)
