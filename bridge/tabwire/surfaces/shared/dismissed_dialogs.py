"""Dialogs on surfaces that have no tool to answer them: one that an act opens is dismissed at once, and told."""

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, cast

from tabwire.commands.declaration import Command, R, Returns
from tabwire.commands.dialog import Handle
from tabwire.commands.navigation import Back, Forward, Navigate, Reload
from tabwire.errors import DialogPending, NavigationFailed
from tabwire.surfaces.context import Context
from tabwire.surfaces.shared.effects_text import effects_of
from tabwire.surfaces.tool import Answer
from tabwire.text.provenance import PageText, Words, joined

POLICY = "Dialogs that an act opens are dismissed and told."
MAX_DISMISSED = 10
"""A page that asks in a loop is left asking."""
UNSEEN = "unknown"
"""The type of a dialog that opened before the debugger was there."""
STAYS = (
    "The page asks whether to leave it, as one with unsaved changes does, and it was not left: that is for the person at the "
    "browser to decide."
)

_TOOLS = re.compile(
    r"answer it with the dialog tool \(accept or dismiss\), or leave the page \(navigate, tab_close\)"
    r"|if it is a dialog, it opened unseen.*?can be accepted"
)


def without_tools(text: str, way_out: str) -> str:
    """A sentence of the extension that names the tools for dialogs, with another way out."""
    return _TOOLS.sub(way_out, text)


async def send(context: Context, command: Returns[R], described: str | None = None) -> R:
    """Run a command, and dismiss the dialogs that it opens, or that hold the tab this surface has opened.

    A page in that tab is left even when it asks to stay; any other page that asks is not left.

    Raises:
        NavigationFailed: the page asked to stay and was not left.
    """
    assert isinstance(command, Command)
    is_own = await _is_own(context, command)
    if is_own and isinstance(command, Navigate | Back | Forward | Reload):
        command = command.model_copy(update={"force": True})
    try:
        answer = await context.send(command, described)
    except DialogPending:
        if not is_own:
            raise
        # Nothing has begun: the dialog came first.
        await _dismiss(context, getattr(command, "tabId", None))
        answer = await context.send(command, described)
    return cast(R, await _dismissing(context, cast(Answer, answer), is_own))


async def _is_own(context: Context, command: Command) -> bool:
    """Whether the tab of a command is one that this surface has opened: in others the person may be about to answer."""
    browser = (await context.browser()).id
    named = getattr(command, "tabId", None)
    tab = context.snapshots.current.get(browser) if named is None else named
    return tab is not None and tab == context.opened.get(browser)


async def _dismiss(context: Context, tab: int | None, action: Literal["accept", "dismiss"] = "dismiss") -> Answer:
    return cast(Answer, await context.send(Handle(action=action, tabId=tab)))


def _open_in(answer: Answer) -> Mapping[str, Any] | None:
    found = effects_of(answer).get("dialog") or answer.get("dialog")
    return cast(Mapping[str, Any] | None, found)


async def _dismissing(context: Context, answer: Answer, is_own: bool) -> Answer:
    """The answer of an act, and of the dismissals of what it has opened."""
    notes: list[str] = []
    while (dialog := _open_in(answer)) is not None and len(notes) < MAX_DISMISSED:
        is_question = dialog["type"] == "beforeunload"
        action: Literal["accept", "dismiss"] = "accept" if is_question and is_own else "dismiss"
        following = await _dismiss(context, cast(int | None, answer.get("tabId")), action)
        if is_question and not is_own:
            raise NavigationFailed(STAYS)
        notes.append(_told(dialog))
        effects = {name: effect for name, effect in effects_of(answer).items() if name != "dialog"} | effects_of(following)
        rest = {name: value for name, value in answer.items() if name not in ("dialog", "note")}
        answer = {**rest, "effects": effects}
    return {**answer, "note": joined("; ", notes)} if notes else answer


def _told(dialog: Mapping[str, Any]) -> Words:
    if dialog["type"] == "beforeunload":
        return Words("the page that was left had asked whether to leave it: what was not saved there may be lost")
    if dialog["type"] == UNSEEN:
        return Words("the page stood still, and a dialog that had opened unseen was dismissed")
    said = f"{dialog['type']}: {json.dumps(dialog['message'], ensure_ascii=False)}"
    return Words("a dialog opened (", PageText(said), ") and was dismissed: no tool here can answer it otherwise")
