"""Dialogs (document 002)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tabwire.commands.declaration import Command, Intent
from tabwire.commands.types import Parameters, TabId


class AutoHandle(Parameters):
    """How the dialogs of a tab are answered from now on."""

    enabled: bool | None = None
    default_action: Literal["accept", "dismiss"] | None = None
    prompt_default_text: str | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> AutoHandle:
        if self.enabled is None:
            raise ValueError("auto_handle needs enabled")
        if self.prompt_default_text is not None and self.default_action == "dismiss":
            raise ValueError("prompt_default_text needs default_action accept")
        return self


class Dialog(Command, method="dialog.handle", tool="dialog", title="Dialog", effect="act", page="none", reply="act"):
    """Answer or read the open alert, confirm, prompt or beforeunload dialog."""

    action: Literal["accept", "dismiss", "get_message"]
    prompt_text: str | None = None
    auto_handle: Annotated[AutoHandle | None, Field(description="Answer this tab's next dialogs as they open")] = None
    tabId: TabId = None

    @model_validator(mode="after")
    def _agrees(self) -> Dialog:
        if self.prompt_text is not None and self.action != "accept":
            raise ValueError("prompt_text needs action accept")
        auto = self.auto_handle
        if auto and auto.enabled and not auto.default_action and self.action == "get_message":
            raise ValueError("auto_handle needs default_action accept or dismiss")
        if auto and auto.prompt_default_text is not None and not auto.default_action and self.action != "accept":
            raise ValueError("prompt_default_text needs default_action accept")
        return self

    def intends(self) -> Intent:
        """Reading its text is no act."""
        return "read" if self.action == "get_message" and self.auto_handle is None else self.intent


COMMANDS = (Dialog,)
