"""Surface of the browseagent spec: twelve tools that name elements by the selectors of an HTML outline of the page."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated

import anyio
from pydantic import BaseModel, Field

from tabwire.commands import input, media, navigation, outline, script
from tabwire.commands.declaration import Command, Effect, Returns
from tabwire.commands.json_schema import input_schema
from tabwire.commands.privacy import Fact, Privacy, Typed
from tabwire.commands.results import ActResult
from tabwire.commands.types import Parameters, TabId
from tabwire.errors import NoSuchTab, StaleElementReference, TabwireError
from tabwire.surfaces.browseagent import replies
from tabwire.surfaces.shared import dismissed_dialogs
from tabwire.surfaces.shared.strict_arguments import not_blank
from tabwire.surfaces.tool import Answer, Identity, Replies, Rules, Run, Tool, ToolCall, Toolset
from tabwire.text.look_alikes import EXPLANATION

INSTRUCTIONS = (
    "Works in the user's own Chrome. browser_snapshot shows the page as HTML; pass the ref of an element to act on it. A ref "
    "means that element while it lives; a CSS selector that fits one visible element works too. Acts report what was observed. "
    f"{dismissed_dialogs.POLICY} {EXPLANATION}"
)
MAX_MESSAGES = 200


Said = Annotated[str, not_blank()]
Described = Annotated[Fact, Field(description="What it is, in words for the person whose browser this is")]
Ref = Annotated[Said, Privacy.FACT, Field(description="Its ref in the snapshot, or a CSS selector")]
Seconds = Annotated[float, Field(ge=0.1, le=30, description="Seconds")]
Key = Annotated[Said, Privacy.KEY, Field(description="Such as a, Enter, ArrowLeft, F5 or Control+a")]
Tab = Annotated[TabId, Field(description="Default: the current tab")]


class Navigate(Parameters):
    """Open a URL, in a new tab the first time."""

    url: Annotated[Said, Privacy.FACT]
    tabId: Annotated[TabId, Field(description="Default: the tab this tool opened, else a new one")] = None


class InTab(Parameters):
    """Base of what works in a tab and needs nothing else."""

    tabId: Tab = None


class GoBack(InTab):
    """Go back one page in the tab's history."""


class GoForward(InTab):
    """Go forward one page in the tab's history."""


class Snapshot(InTab):
    """The page (all frames and shadow roots) as HTML, with a ref on each element worth acting on."""


class ConsoleLogs(InTab):
    """What the page's console has said, the newest last."""


class OnElement(Parameters):
    """Base of what is done to an element and needs nothing else."""

    element: Described
    ref: Ref
    tabId: Tab = None


class Click(OnElement):
    """Click an element."""


class Type(Parameters):
    """Type text key by key into a field or editor, behind what is there."""

    element: Described
    ref: Ref
    text: Typed
    submit: Annotated[bool, Field(description="Press Enter afterwards")] = False
    tabId: Tab = None


class Hover(OnElement):
    """Move the pointer over an element."""


class DragDrop(Parameters):
    """Drag one element onto another."""

    sourceElement: Described
    sourceRef: Ref
    targetElement: Described
    targetRef: Ref
    tabId: Tab = None


class Screenshot(Parameters):
    """Picture of the viewport, the whole page or one element."""

    tabId: Tab = None
    fullPage: bool = False
    element: Annotated[str | None, Field(description="What ref is, in words")] = None
    ref: Annotated[Said | None, Field(description="Only this element")] = None

    def check(self) -> None:
        if self.fullPage and self.ref is not None:
            raise ValueError("fullPage and ref exclude each other")
        if self.element is not None and self.ref is None:
            raise ValueError("element only describes; its ref says which one it is, so pass that too")


class Wait(Parameters):
    """Wait for some seconds."""

    time: Seconds


class PressKey(Parameters):
    """Press a key or combination where the focus is."""

    key: Key
    tabId: Tab = None


async def _navigate(call: ToolCall) -> navigation.NavigationResult:
    """Navigate in the tab that is named, else in the one this tool has opened, else in a new one behind the user's own."""
    to: Navigate = call.parameters
    browser = (await call.context.browser()).id
    opened = call.context.opened
    if to.tabId is not None:
        result = await dismissed_dialogs.send(call.context, navigation.Navigate(url=to.url, tabId=to.tabId))
    else:
        result = await _in_own_tab(call, to.url, opened.get(browser), behind=not call.context.is_launched(browser))
    opened[browser] = result["tabId"]
    return result


async def _in_own_tab(call: ToolCall, url: str, own: int | None, *, behind: bool) -> navigation.NavigationResult:
    own_tab = [] if own is None else [navigation.Navigate(url=url, tabId=own)]
    new_tab = navigation.Navigate(url=url, new_tab=True, background=behind)
    # Who has lost a tab to its user is told so once, before anything is done.
    for command in (*own_tab, new_tab):
        with suppress(NoSuchTab):
            return await dismissed_dialogs.send(call.context, command)
    return await dismissed_dialogs.send(call.context, new_tab)


def _in_tab(command: Callable[..., Returns[Answer]]) -> Run:
    """A tool that is one command, for which only the tab is said."""
    return lambda call: dismissed_dialogs.send(call.context, command(tabId=call.parameters.tabId))


async def _found(call: ToolCall, ref: str) -> str:
    """The @eN of the element a ref means; a failure knows which ref it was."""
    try:
        result = await dismissed_dialogs.send(call.context, outline.Resolve(ref=ref, tabId=call.parameters.tabId))
    except TabwireError as error:
        error.data["ref"] = ref
        raise
    return result["ref"]


def _on_element(command: Callable[..., Returns[Answer]]) -> Run:
    """A tool that is one command on an element."""

    async def run(call: ToolCall) -> Answer:
        asked: OnElement = call.parameters
        act = command(selector=await _found(call, asked.ref), tabId=asked.tabId)
        return await dismissed_dialogs.send(call.context, act, asked.element)

    return run


async def _type(call: ToolCall) -> ActResult:
    asked: Type = call.parameters
    element = await _found(call, asked.ref)
    typed = await dismissed_dialogs.send(
        call.context, input.Type(selector=element, text=asked.text, delay=0, tabId=asked.tabId), asked.element
    )
    if not asked.submit:
        return typed
    try:
        command = input.Press(selector=element, key="Enter", tabId=asked.tabId)
        submitted = await dismissed_dialogs.send(call.context, command, asked.element)
    except StaleElementReference:
        # The text has changed what the field is called or what stands around it. It has the focus.
        submitted = await dismissed_dialogs.send(call.context, input.Press(key="Enter", tabId=asked.tabId), asked.element)
    return {**submitted, "effects": {**typed["effects"], **submitted["effects"]}}


async def _drag(call: ToolCall) -> input.DragResult:
    asked: DragDrop = call.parameters
    source, target = await _found(call, asked.sourceRef), await _found(call, asked.targetRef)
    command = input.Drag(source=source, target=target, tabId=asked.tabId)
    return await dismissed_dialogs.send(call.context, command, f"{asked.sourceElement} → {asked.targetElement}")


async def _screenshot(call: ToolCall) -> media.ScreenshotResult:
    asked: Screenshot = call.parameters
    element = None if asked.ref is None else await _found(call, asked.ref)
    return await dismissed_dialogs.send(
        call.context, media.Screenshot(selector=element, full_page=asked.fullPage, tabId=asked.tabId)
    )


async def _wait(call: ToolCall) -> Answer:
    """No browser is asked: a page that hangs is no reason not to wait for it."""
    await anyio.sleep(call.parameters.time)
    return {}


async def _press(call: ToolCall) -> ActResult:
    return await dismissed_dialogs.send(call.context, input.Press(key=call.parameters.key, tabId=call.parameters.tabId))


def _tool(name: str, model: type[BaseModel], run: Run, effect: Effect = "act", like: type[Command] | None = None) -> Tool:
    """A tool; its hints are those of the command it is made of."""
    return Tool(
        name=name,
        title=name.removeprefix("browser_").replace("_", " ").capitalize(),
        description=" ".join((model.__doc__ or "").split()),
        model=model,
        input_schema=input_schema(model, bounds=True),
        run=run,
        effect=effect,
        intent=None if like is None else like.intent,
        idempotent=effect == "read",
        destructive=effect == "act" and (like is None or like.destructive),
        open_world=name != "browser_wait",
    )


TOOLSET = Toolset(
    name="browseagent",
    instructions=INSTRUCTIONS,
    tools=(
        _tool("browser_navigate", Navigate, _navigate, like=navigation.Navigate),
        _tool("browser_go_back", GoBack, _in_tab(navigation.Back), like=navigation.Back),
        _tool("browser_go_forward", GoForward, _in_tab(navigation.Forward), like=navigation.Forward),
        _tool("browser_click", Click, _on_element(input.Click)),
        _tool("browser_type", Type, _type),
        _tool("browser_hover", Hover, _on_element(input.Hover), like=input.Hover),
        _tool("browser_drag_drop", DragDrop, _drag),
        _tool("browser_snapshot", Snapshot, _in_tab(outline.Capture), "read"),
        _tool("browser_screenshot", Screenshot, _screenshot, "read"),
        _tool("browser_get_console_logs", ConsoleLogs, _in_tab(partial(script.Console, max_messages=MAX_MESSAGES)), "read"),
        _tool("browser_wait", Wait, _wait, "read"),
        _tool("browser_press_key", PressKey, _press),
    ),
    replies=Replies(replies.respond, replies.fail),
    rules=Rules(is_fenced=True),
    saves=False,
    identity=Identity(
        name="browseagent-mcp",
        version="1.0.0",
        description="Works in a Chrome browser for MCP clients; served by Tabwire",
        protocol="2024-11-05",
    ),
)
