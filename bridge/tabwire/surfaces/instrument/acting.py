"""Acts, and what is observed of them. Nothing here says whether one succeeded."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel

from tabwire.commands import forms, input, observation, script
from tabwire.commands.observation import ElementResult, SignalsResult
from tabwire.commands.results import AnsweredDialog, Effects, ObservedResult
from tabwire.errors import TabwireError
from tabwire.surfaces.instrument.confidence import Confidence, Seen, confidence_of
from tabwire.surfaces.instrument.places import Place
from tabwire.surfaces.instrument.selecting import css
from tabwire.surfaces.shared.effects_text import observed_of
from tabwire.surfaces.tool import ToolCall
from tabwire.text.provenance import unmarked

MAX_VALUE_BYTES = 20_000
"""Bytes of the longest value that a script may give."""
PATIENCE_MS = 3_000
"""Milliseconds to wait for an element that is not there, or cannot be clicked yet."""
TOLD = (
    "new_tabs",
    "loading",
    "navigation_error",
    "closed",
    "downloads",
    "dialog",
    "frames",
    "requests",
    "requests_more",
    "scrolled",
    "changes",
    "errors",
)
"""Effects that the document's model has no field for: they are told in words."""
OTHER = ("new_tabs", "closed", "downloads", "dialog", "answered", "frames", "requests", "scrolled")


class ObservedChanges(BaseModel):
    """Changes between the moment before an act and the moment after it."""

    url_changed: bool = False
    dom_mutations: int = 0
    network_requests: int = 0
    console_messages: int = 0
    new_url: str | None = None


class State(BaseModel):
    """Address and title before and after."""

    pre_url: str
    post_url: str
    pre_title: str
    post_title: str


class ActionResult(BaseModel):
    """The document's model of an act."""

    action: str
    selector: str | None = None
    confidence: Confidence
    observed_changes: ObservedChanges
    state: State
    notes: str = ""
    timestamp: datetime


@dataclass(slots=True)
class _Watch:
    """Signals before and after one act."""

    before: SignalsResult
    after: SignalsResult | None
    """None: the tab could not be looked at any more."""
    effects: Effects
    thrown: str | None = None
    was_meant: bool = False
    notes: list[str] = field(default_factory=list)

    def grown(self, count: Callable[[SignalsResult], int]) -> int:
        """Growth of a count; 0 if it shrank."""
        return max(0, count(self.after) - count(self.before)) if self.after else 0

    @property
    def changes(self) -> ObservedChanges:
        new_url = self.after["url"] if self.after and self.before["url"] != self.after["url"] else None
        return ObservedChanges(
            url_changed=new_url is not None,
            dom_mutations=self.effects.get("mutations", 0),
            network_requests=self.grown(lambda seen: seen["network"]["count"] if seen["network"] else 0),
            console_messages=self.grown(lambda seen: seen["console"]["count"] if seen["console"] else 0),
            new_url=new_url,
        )

    @property
    def seen(self) -> Seen:
        changes = self.changes
        return Seen(
            was_meant=self.was_meant,
            url_changed=changes.url_changed,
            dom_mutations=changes.dom_mutations,
            network_requests=changes.network_requests,
            console_messages=changes.console_messages,
            console_errors=min(
                changes.console_messages, self.grown(lambda seen: seen["console"]["errors"] if seen["console"] else 0)
            ),
            other=sum(name in self.effects for name in OTHER),
            has_thrown=self.thrown is not None,
        )

    def told(self) -> str:
        """Remarks on what the fields do not say."""
        lines = [*self.notes, *observed_of(self.effects, TOLD), *map(_dismissed, self.effects.get("answered", ()))]
        if more := self.effects.get("answered_more"):
            lines.append(f"{more} more dialogs were dismissed")
        console, network = self.before["console"], self.before["network"]
        if console is None:
            lines.append("the console is not recorded any more: the debugger was detached")
        if network is None or not network["recording"]:
            lines.append("requests are not recorded any more: the debugger was detached")
        return "; ".join(lines)


def _dismissed(dialog: AnsweredDialog) -> str:
    return f"a dialog opened and was dismissed ({dialog['type']}: {json.dumps(dialog['message'], ensure_ascii=False)})"


async def click(call: ToolCall, place: Place) -> ActionResult:
    """Click the one element that the selector means."""
    selector: str = call.parameters.selector
    before, element = await _signals(call, place), await _element(call, place, selector)
    command = input.Click(selector=element["ref"], timeout=PATIENCE_MS, tabId=place.tab)
    result = await call.context.send(command, selector)
    watch = await _watched(call, place, before, result)
    after = await _element_again(call, place, element["ref"])
    watch.was_meant = _led_to(element, watch) or _switched(element, after)
    return _told("click", selector, watch)


async def type_text(call: ToolCall, place: Place) -> ActionResult:
    """Type into the one field that the selector means, key by key."""
    selector, text = call.parameters.selector, call.parameters.text
    before, element = await _signals(call, place), await _element(call, place, selector, text)
    results: list[ObservedResult] = []
    if call.parameters.clear_first:
        results.append(await call.context.send(forms.Clear(selector=element["ref"], tabId=place.tab), selector))
    # Without a text there is nothing to type, but perhaps something to clear.
    if text or not results:
        command = input.Type(selector=element["ref"], text=text, delay=0, tabId=place.tab)
        results.append(await call.context.send(command, selector))
    watch = await _watched(call, place, before, *results)
    after = await _element_again(call, place, element["ref"], text)
    watch.was_meant = _holds(element, after, text, is_cleared=call.parameters.clear_first)
    if after and after.get("holds") is False:
        watch.notes.append("the field does not hold what was typed")
    return _told("type", selector, watch)


async def execute(call: ToolCall, place: Place) -> ActionResult:
    """Run JavaScript in the page. What it throws is a note: what it did before is observed all the same."""
    before = await _signals(call, place)
    command = script.Evaluate(expression=call.parameters.script, max_output_size=MAX_VALUE_BYTES, tabId=place.tab)
    result = await call.context.send(command, observed=True)
    watch = await _watched(call, place, before, result)
    watch.thrown = unmarked(result["thrown"]) if "thrown" in result else None
    watch.was_meant = watch.thrown is None and result.get("type") != "undefined"
    if watch.thrown is not None:
        watch.notes.insert(0, f"the script ended with an error: {watch.thrown}")
    elif watch.was_meant:
        watch.notes.insert(0, f"the script gave {json.dumps(result['value'], ensure_ascii=False)}")
    elif not watch.notes:
        watch.notes.append("the script gave no value")
    return _told("execute", None, watch)


async def _signals(call: ToolCall, place: Place) -> SignalsResult:
    return await call.context.send(observation.Signals(tabId=place.tab))


async def _element(call: ToolCall, place: Place, selector: str, text: str | None = None) -> ElementResult:
    """The element before the act: from here on it is known by its reference."""
    return await call.context.send(observation.Element(selector=css(selector), text=text, timeout=PATIENCE_MS, tabId=place.tab))


async def _element_again(call: ToolCall, place: Place, ref: str, text: str | None = None) -> ElementResult | None:
    """The element after the act; None when it is gone, or cannot be looked at."""
    with suppress(TabwireError):
        return await call.context.send(observation.Element(selector=ref, text=text, timeout=0, tabId=place.tab))
    return None


async def _watched(call: ToolCall, place: Place, before: SignalsResult, *results: ObservedResult) -> _Watch:
    effects: Effects = {}
    for result in results:
        now = result["effects"]
        both = effects.get("mutations", 0) + now.get("mutations", 0)
        effects.update(now)
        if both:
            effects["mutations"] = both
    place.opened += [tab["tabId"] for tab in effects.get("new_tabs", ())]
    after: SignalsResult | None = None
    # The act is done: that the tab is gone now is told, not raised.
    with suppress(TabwireError):
        after = await _signals(call, place)
    return _Watch(before, after, effects, notes=[result["note"] for result in results if result.get("note")])


def _led_to(element: ElementResult, watch: _Watch) -> bool:
    """Whether the page, or a tab that opened, is at the address of the link that was clicked."""
    href = element.get("href")
    if href is None:
        return False
    opened = [tab["url"] for tab in watch.effects.get("new_tabs", ())]
    return href in opened or (watch.changes.url_changed and watch.changes.new_url == href)


def _switched(element: ElementResult, after: ElementResult | None) -> bool:
    """Whether what was clicked is in another state, or has the focus as a field should."""
    if not after:
        return False
    return bool(after["state"] != element["state"] or (after.get("focused") and not element.get("focused")))


def _holds(element: ElementResult, after: ElementResult | None, text: str, *, is_cleared: bool) -> bool:
    """Whether the field holds what was typed: alone where it was cleared, else more than before."""
    if not after or "length" not in after or not after.get("holds"):
        return False
    if is_cleared:
        return bool(after["length"] == _length(text))
    return bool(after["length"] > element.get("length", 0)) or (not element.get("holds"))


def _length(text: str) -> int:
    """Length of a text as JavaScript counts it, in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _told(action: str, selector: str | None, watch: _Watch) -> ActionResult:
    before, after = watch.before, watch.after
    return ActionResult(
        action=action,
        selector=selector,
        confidence=confidence_of(watch.seen),
        observed_changes=watch.changes,
        state=State(
            pre_url=before["url"],
            post_url=after["url"] if after else "",
            pre_title=before["title"],
            post_title=after["title"] if after else "",
        ),
        notes=watch.told(),
        timestamp=datetime.now(UTC),
    )
