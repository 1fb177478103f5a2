"""Surface of the instrument spec: fourteen tools that observe in sessions, and act once a session is escalated.
Its events are the event log's.

What needs to be escalated is `intent="act"`: the three tools browser_act_*. The others that are no reads (a session begins or
ends, a page is gone to) only arrange what is observed, and the document lets every session do so; their `effect` stays "act",
because that is what they are to the client and to the log.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel

from tabwire.commands.declaration import Intent
from tabwire.commands.emulation import MAX_SIDE
from tabwire.commands.kept_text import kept_url, masked
from tabwire.commands.privacy import Fact, Privacy, Typed
from tabwire.commands.types import Parameters
from tabwire.eventlog.scripts import kept_script
from tabwire.surfaces.instrument import acting, observing, replies, surface
from tabwire.surfaces.instrument.acting import ActionResult
from tabwire.surfaces.instrument.lifecycle import Step
from tabwire.surfaces.instrument.places import Place
from tabwire.surfaces.instrument.surface import InPlace
from tabwire.surfaces.shared.strict_arguments import Whole, not_blank, schema_of
from tabwire.surfaces.tool import Answer, Replies, Rules, Run, Tool, ToolCall, Toolset, kept, text_in

INSTRUCTIONS = (
    "Observe first. browser_session_create begins a session that can only observe, with browser_inspect_*. Only where that is "
    "not enough, browser_session_escalate, with a reason, allows browser_act_*. Acts never say whether they succeeded: they tell "
    "what was observed and how much it says (confidence); check with browser_inspect_*. Every call is in the event log."
)
MAX_NAME = 100
MIN_SIDE = 100


def _name(text: str) -> str:
    if not text.isprintable() or len(text) > MAX_NAME:
        raise ValueError(f"has to be printable and of at most {MAX_NAME} characters")
    return text


def _side(value: int) -> int:
    if not MIN_SIDE <= value <= MAX_SIDE:
        raise ValueError(f"is between {MIN_SIDE} and {MAX_SIDE}")
    return value


Said = Annotated[Fact, not_blank(), AfterValidator(str.strip)]
Name = Annotated[Said, AfterValidator(_name)]
Reason = Annotated[str, not_blank("is empty; say why this is necessary"), AfterValidator(str.strip), Privacy.CALL_FACT]
Side = Annotated[Whole, AfterValidator(_side)]


class SessionArguments(Parameters):
    """Base of all of them."""

    session_argument: ClassVar[str | None] = "session"
    """Name of the argument that names the session."""
    creates: ClassVar[bool] = False
    """Whether the name is that of a new one."""


class SessionCreate(SessionArguments):
    """Begin a session that observes: headless in a browser of its own, else in a window of the connected browser (where none is,
    of one that is launched). Console and requests are recorded from here on. Dialogs of its page are dismissed, and told."""

    session_argument: ClassVar = "name"
    creates: ClassVar = True
    name: Name
    headless: bool = False
    viewport_width: Side = 1280
    viewport_height: Side = 720


class SessionList(SessionArguments):
    """Sessions with their status: active (observes), escalated (may act), closed."""

    session_argument: ClassVar = None


class SessionDestroy(SessionArguments):
    """End a session and close what it has opened. Its events stay."""

    session_argument: ClassVar = "name"
    name: Said


class SessionEscalate(SessionArguments):
    """Let a session act, for a reason that stays in the event log. WARNING: acts have side effects."""

    session_argument: ClassVar = "name"
    name: Said
    reason: Reason


class InSession(SessionArguments):
    """Base of what works in a session."""

    session: Annotated[Said, Privacy.CALL_FACT]


class Navigate(InSession):
    """Go to a URL, to observe it."""

    url: Said


class Screenshot(InSession):
    """Picture of the viewport or of the whole page."""

    full_page: bool = False


class Dom(InSession):
    """HTML of the page or of the first element that matches a CSS selector; cut at 100 KB, which is said."""

    selector: Said | None = None


class Text(InSession):
    """Text that is shown, of the page or of the first element that matches a CSS selector; cut at 100 KB, which is said."""

    selector: Said | None = None


class Console(InSession):
    """What the console has said since the session began."""


class Network(InSession):
    """Requests since the session began: method, URL, status."""


class Events(InSession):
    """The session's event log: every call with its time, and the reason of every act. Of closed sessions, too."""


class Click(InSession):
    """Click the one element that a CSS selector matches. REQUIRES escalation. Answers what was observed."""

    selector: Said
    reason: Reason


class Type(InSession):
    """Type text into the one field that a CSS selector matches. REQUIRES escalation. Answers what was observed."""

    selector: Said
    text: Typed
    reason: Reason
    clear_first: bool = False


class Execute(InSession):
    """Run JavaScript in the page. REQUIRES escalation. Answers what was observed; the script's value is in notes."""

    script: Annotated[Said, Privacy.SCRIPT]
    reason: Reason


Details = Callable[[ToolCall, Any], Answer]


def _gone_to(call: ToolCall, result: Answer) -> Answer:
    asked, reached = kept_url(call.parameters.url), kept_url(text_in(result, "url"))
    return {"url": reached or asked, **({"asked": asked} if reached and asked != reached else {}), **kept(result, "status")}


def _pictured(call: ToolCall, result: Answer) -> Answer:
    return {"full_page": call.parameters.full_page, **kept(result, "width", "height")}


def _read(call: ToolCall, result: Answer) -> Answer:
    selector = call.parameters.selector
    which = {} if selector is None else {"selector": masked(selector)}
    return {**which, "url": kept_url(text_in(result, "url")), **kept(result, "returned_bytes", "total_bytes", "truncated")}


def _counted(call: ToolCall, result: Answer) -> Answer:
    return kept(result, "count")


def _acted(call: ToolCall, result: ActionResult) -> Answer:
    """Neither what was typed, nor what a script gave, nor what a page says."""
    changes = result.observed_changes.model_dump(exclude_none=True)
    urls = {name: kept_url(changes[name]) for name in ("new_url",) if name in changes}
    target = {} if result.selector is None else {"selector": masked(result.selector)}
    return {**target, "confidence": result.confidence, "observed_changes": {**changes, **urls}}


def _executed(call: ToolCall, result: ActionResult) -> Answer:
    return {"script": kept_script(call.parameters.script), **_acted(call, result)}


def _noting(step: Step, run: InPlace, details: Details) -> Run:
    """A tool that works in a session, and tells the log about it."""

    async def noting(call: ToolCall, place: Place) -> Any:
        result = await run(call, place)
        call.noted["details"] = details(call, result)
        return result

    return surface.in_session(step, noting)


def _tool(name: str, model: type[BaseModel], run: Run, intent: Intent, *, group: str, destructive: bool = False) -> Tool:
    return Tool(
        name=name,
        title=name.removeprefix("browser_").replace("_", " ").capitalize(),
        description=" ".join((model.__doc__ or "").split()),
        model=model,
        input_schema={"required": [], **schema_of(model)},
        run=run,
        effect="read" if intent == "read" else "act",
        intent=intent,
        idempotent=intent == "read",
        destructive=destructive,
        open_world=group != "session",
        group=group,
    )


def _session(name: str, model: type[BaseModel], run: Run, intent: Intent = "arrange", *, destructive: bool = False) -> Tool:
    return _tool(f"browser_session_{name}", model, run, intent, group="session", destructive=destructive)


def _inspect(name: str, model: type[BaseModel], run: InPlace, details: Details, intent: Intent = "read") -> Tool:
    return _tool(f"browser_inspect_{name}", model, _noting(Step.OBSERVE, run, details), intent, group="inspect")


def _act(name: str, model: type[BaseModel], run: InPlace, details: Details = _acted) -> Tool:
    return _tool(f"browser_act_{name}", model, _noting(Step.ACT, run, details), "act", group="act", destructive=True)


TOOLSET = Toolset(
    name="instrument",
    instructions=INSTRUCTIONS,
    tools=(
        _session("create", SessionCreate, surface.create),
        _session("list", SessionList, surface.list_sessions, "read"),
        _session("destroy", SessionDestroy, surface.destroy, destructive=True),
        _session("escalate", SessionEscalate, surface.escalate),
        _inspect("navigate", Navigate, observing.navigate, _gone_to, "arrange"),
        _inspect("screenshot", Screenshot, observing.screenshot, _pictured),
        _inspect("dom", Dom, observing.dom, _read),
        _inspect("text", Text, observing.text, _read),
        _inspect("console", Console, observing.console, _counted),
        _inspect("network", Network, observing.requests, _counted),
        _tool("browser_inspect_events", Events, surface.inspect_events, "read", group="inspect"),
        _act("click", Click, acting.click),
        _act("type", Type, acting.type_text),
        _act("execute", Execute, acting.execute, _executed),
    ),
    replies=Replies(replies.respond, replies.fail, note=replies.noted),
    rules=Rules(outermost=(surface.note_session,), before_arguments=(surface.in_turn,), authority_of=surface.authority_of),
    decodes_arguments=True,
    saves=False,
    takes_browser=False,
    launches=True,
    opened=surface.opened,
)
