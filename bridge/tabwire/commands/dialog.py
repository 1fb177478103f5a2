"""Dialogs (agent spec)."""

from typing import Annotated, ClassVar, Literal, NotRequired

from pydantic import Field

from tabwire.commands import replay, results
from tabwire.commands.declaration import Doing, Intent, Returns
from tabwire.commands.privacy import Typed
from tabwire.commands.results import AnsweredDialog, Closed, ObservedResult
from tabwire.commands.types import Parameters, TabId


class AutoHandle(Parameters):
    """How the dialogs of a tab are answered from now on."""

    enabled: bool | None = None
    default_action: Literal["accept", "dismiss"] | None = None
    prompt_default_text: str | None = None

    def check(self) -> None:
        if self.enabled is None:
            raise ValueError("auto_handle needs enabled")
        if self.prompt_default_text is not None and self.default_action == "dismiss":
            raise ValueError("prompt_default_text needs default_action accept")


class DialogRule(Closed):
    """An `AutoHandle` as it travels."""

    enabled: bool
    default_action: NotRequired[Literal["accept", "dismiss"]]
    prompt_default_text: NotRequired[str]


class Handling(DialogRule):
    """The rule for the dialogs of a tab, and the dialogs it has answered."""

    answered: NotRequired[int]
    latest: NotRequired[list[AnsweredDialog]]


class DialogResult(ObservedResult, total=False):
    """The outcome of an action; `open`: the dialog that is open now, False for none."""

    done: str
    answered: results.Dialog
    open: results.Dialog | Literal[False, "unknown"]
    auto_handle: Handling


class Handle(
    Doing,
    Returns[DialogResult],
    method="dialog.handle",
    tool="dialog",
    core=("action", "prompt_text", "auto_handle", "tabId"),
    title="Dialog",
    past="Answered a dialog",
    page="none",
    reply="act",
    resumes=True,
    replay=replay.dialog,
    shows=("action",),
):
    """Answer or read the open alert, confirm, prompt or beforeunload dialog."""

    on_wire: ClassVar = {"auto_handle": DialogRule}

    action: Literal["accept", "dismiss", "get_message"]
    prompt_text: Typed | None = None
    auto_handle: Annotated[AutoHandle | None, Field(description="Answer this tab's next dialogs as they open")] = None
    tabId: TabId = None

    def check(self) -> None:
        if self.prompt_text is not None and self.action != "accept":
            raise ValueError("prompt_text needs action accept")
        auto = self.auto_handle
        if auto and auto.enabled and not auto.default_action and self.action == "get_message":
            raise ValueError("auto_handle needs default_action accept or dismiss")
        if auto and auto.prompt_default_text is not None and not auto.default_action and self.action != "accept":
            raise ValueError("prompt_default_text needs default_action accept")

    def intends(self) -> Intent:
        """Reading its text is no act."""
        return "read" if self.action == "get_message" and self.auto_handle is None else self.intent


PURPOSE = "alert, confirm, prompt"

COMMANDS = (Handle,)
