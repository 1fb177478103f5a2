"""The declaration of one engine operation.

A command is a pydantic class: its docstring is the description, its fields are the parameters, its class keywords say where it
goes on the wire and what it may do. Everything else (MCP schema, annotations, validation messages, `protocol.js`, the reference
page) is derived from that one class.
"""

# Without `from __future__ import annotations`: pydantic would compile the annotations below again for each command.
import inspect
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, Literal, Required, TypedDict, TypeVar, Unpack, cast, get_origin

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from pydantic.json_schema import SkipJsonSchema

from tabwire import INSTALL_COMMAND
from tabwire.commands.privacy import Privacy
from tabwire.commands.replay import Replay
from tabwire.commands.types import Parameters, TabId
from tabwire.errors import RELOAD_STEP, TabwireError
from tabwire.rules.kinds import Kind

Effect = Literal["read", "act"]
"""`read` leaves the page as it is and may be repeated; `act` may change something and is never repeated."""

Intent = Literal["read", "arrange", "act"]
"""Meaning of an act to one who only observes: no act at all, such as recording; an act that arranges what is observed, such as
going to a page; or one that changes something."""

Scope = Literal["tab", "browser"]
"""Place in which a command works: one tab (resolved by the extension) or the browser as a whole."""

Page = Literal["none", "document", "answering", "scripts"]
"""Needs of a command in its tab: nothing but the tab (it works while a dialog holds the page, and its page is not watched for
effects), a document, a document that answers, or one that content scripts may run in."""

Reply = Literal["snapshot", "data", "act", "image"]
"""Form of its result for a reader: a page as text, plain data, the effects of an act, or a picture."""

Input = Literal["press", "keys", "any", "move", "wheel"]
"""The trusted input by which an act begins: a button goes down, a key goes down, one of these two, the pointer moves, the wheel
turns."""

Silence = Literal["act", "load", "wait"]
"""The time a page may be silent before a dialog is assumed to hold it: that of an act, of a page load, or of the whole call."""

BROWSER_ARGUMENT = "browser"
"""Argument of every tool, which says where the call goes."""
MAX_TOLD = 2_000
"""Characters of a page's text that stands for something: the title of a tab, an address, the value of a field. The extension cuts
longer ones, with a mark that says so; otherwise an act that has happened would fail for the size of its reply."""

MAX_VALUE_BYTES = 400_000
"""Bytes of a value that page code gives, as JSON. The extension cuts a larger one and says so: a reply has it twice."""

DEFAULT_DEADLINE_MS = 30_000
DEADLINE_GRACE_MS = 1_000
"""A command's own `timeout` ends first, with the better message; the call's deadline follows this much later."""


R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Returns(Generic[R_co]):
    """Names the result of a command: `class Click(Act, Returns[ClickResult], method="input.click", …)`."""

    __slots__ = ()


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def read_answer(command: Returns[R], answer: dict[str, Any], *, is_of_ours: bool = True) -> R:
    """The answer to a command, when it fits its model.

    Args:
        is_of_ours: It comes from the extension made for this bridge. What another version says in fields that this one does not
            know is left out: its acts are done all the same.

    Raises:
        TabwireError: it does not; the message names method and field.
    """
    assert isinstance(command, Command)
    model = _adapter(command.result)
    try:
        if is_of_ours:
            model.validate_python(answer)
        else:
            known = model.validate_python(answer, extra="ignore")
            answer.clear()
            answer.update(known)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, problem["loc"]))
        reason = {"missing": "is missing", "extra_forbidden": "is not known"}.get(problem["type"], f"is wrong: {problem['msg']}")
        done = " It has been carried out: do not make the call again." if command.effect == "act" else ""
        raise TabwireError(
            f"The extension's answer to {command.method} cannot be read: its field {field} {reason}.{done}",
            {"method": command.method, "field": field},
            f"Bring extension and bridge to the same version: run `{INSTALL_COMMAND}`, {RELOAD_STEP} and restart the MCP client.",
        ) from None
    return cast(R, answer)


class Facts(TypedDict, total=False):
    """The class keywords of a command."""

    method: Required[str]
    tool: str
    group: str
    title: str
    effect: Effect
    reply: Reply
    intent: Intent
    scope: Scope
    page: Page
    idempotent: bool
    destructive: bool
    open_world: bool
    sensitive: Kind | tuple[Kind, ...]
    always: bool
    caption: str
    past: str
    input: Input
    lasts: str
    silence: Silence
    gesture: bool
    resumes: bool
    core: tuple[str, ...]
    bound: int
    is_brief: bool
    replay: Replay
    shows: tuple[str, ...]


class Command(Parameters):
    """Base of all commands. Each also names the model of its result (`Returns`), which is declared beside it.

    Class keywords: `method` (wire name `domain.verb`), `tool` (the name the agent spec gives it), `group` (of its
    tool; default: the domain), `title`, `effect`, `scope`,
    `page`, `reply`, `intent` (default: the effect), `idempotent`, `destructive` (an act that only adds or moves is not),
    `open_world` (false: it deals with the browser alone), `sensitive` (kinds the owner is asked about; the handler says which of
    several apply to a call), `always` (answered also while the person has paused everything: it touches no page). What is not
    given is that of the base class. (`title` is a pydantic setting and ends in `model_config`.)

    Facts for the extension: `caption` (the act as people read it in a recording; `{name}` is a parameter or fact of the act, `|`
    separates alternatives, and the first one whose names are all known counts), `past` (the same, when it has been done, in the
    list of activity), `input` (by what it begins), `lasts` (it goes on after it began: "always", or the parameters of which one
    does so when it is more than 1, with `|` between them), `silence`, `gesture` (pages take it for the user's consent to popups,
    file choosers and the like), `resumes` (it lets a page go on that a dialog holds), `bound` (the characters that are told of
    each text in its result; 0: the texts are what was asked for. That of an act is `MAX_TOLD`).

    For the list of tools: `core` (it is in the short list, which tells these of its parameters; it takes the others too).

    For the event log: `replay` (how it is said in an exported script; of the reads only those that a run relies on), `shows`
    (names of the parameters, as they travel, that `log show` tells besides the element).
    """

    method: ClassVar[str]
    result: ClassVar[Any] = None
    """The model of its result."""
    tool: ClassVar[str] = ""
    group: ClassVar[str] = ""
    """The group of its tool in the list of tools."""
    effect: ClassVar[Effect]
    reply: ClassVar[Reply]
    intent: ClassVar[Intent]
    scope: ClassVar[Scope] = "tab"
    page: ClassVar[Page] = "answering"
    idempotent: ClassVar[bool] = False
    destructive: ClassVar[bool] = True
    open_world: ClassVar[bool] = True
    sensitive: ClassVar[tuple[Kind, ...]] = ()
    always: ClassVar[bool] = False
    caption: ClassVar[str] = ""
    past: ClassVar[str] = ""
    input: ClassVar[Input | None] = None
    lasts: ClassVar[str] = ""
    silence: ClassVar[Silence] = "act"
    gesture: ClassVar[bool] = False
    resumes: ClassVar[bool] = False
    core: ClassVar[tuple[str, ...] | None] = None
    bound: ClassVar[int] = 0
    is_brief: ClassVar[bool] = False
    """Long addresses of data are shortened in its result: of acts, of pages as text, and of what is bounded."""
    replay: ClassVar[Replay | None] = None
    shows: ClassVar[tuple[str, ...]] = ()
    own_words: ClassVar[bool] = False
    """No word of its result is a page's."""
    own_fields: ClassVar[tuple[str, ...]] = ()
    """Fields of its result that are told before the rest of it, because they are not a page's."""
    in_browser: ClassVar[bool] = True
    """The extension runs it. Not those that the bridge puts together from others."""
    on_wire: ClassVar[Mapping[str, Any]] = {}
    """Parameters that travel otherwise than the fields say, with their types: what the bridge replaces or adds, and fields that
    are not always sent. Each may be absent, unless its field is required."""
    masked: ClassVar[bool] = True
    """The extension masks secrets in its result. Not in files, and not where the handler sees to it itself."""
    struck: ClassVar[bool] = True
    """The extension strikes the values of fields for secrets out of its result. Not for pictures, for what is saved as it is, and
    for the client's own words."""

    @classmethod
    def __init_subclass__(cls, **facts: Unpack[Facts]) -> None:
        super().__init_subclass__()
        for base in cls.__dict__.get("__orig_bases__", ()):
            if get_origin(base) is Returns:
                cls.result = base.__args__[0]
        for name, value in facts.items():
            setattr(cls, name, value)
        cls.group = facts.get("group", facts["method"].partition(".")[0])
        if "effect" in facts:
            cls.intent = facts.get("intent", cls.effect)
        cls.idempotent |= cls.effect == "read"
        cls.destructive &= cls.effect == "act"
        if isinstance(cls.sensitive, str):
            cls.sensitive = (cls.sensitive,)
        cls.bound = facts.get("bound", MAX_TOLD if cls.reply == "act" else 0)
        cls.is_brief = facts.get("is_brief", bool(cls.bound) or cls.reply == "snapshot")
        if "replay" in facts:
            cls.replay = staticmethod(facts["replay"])

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Put the parameters of a base after those of its own, as the specifications print them: first what, then where."""
        named = dict.fromkeys(name for base in cls.__mro__ for name in inspect.get_annotations(base))
        for name in named:
            if name in cls.model_fields and not cls.model_fields[name].exclude:
                cls.model_fields[name] = cls.model_fields.pop(name)

    @classmethod
    def description(cls) -> str:
        """The docstring as one paragraph."""
        return " ".join(inspect.cleandoc(cls.__doc__ or "").split())

    def params(self) -> dict[str, Any]:
        """The wire parameters: defaults filled in, absent optional fields left out."""
        return self.model_dump(by_alias=True, exclude_none=True)

    def intends(self) -> Intent:
        """The intent with these arguments."""
        return self.intent

    def asks_for_secrets(self) -> bool:
        """Whether the client has named the one value that it wants to see as it is."""
        return False

    def deadline_ms(self) -> int:
        """The time the whole call may take, in milliseconds."""
        own = getattr(self, "timeout", None)
        if own is None:
            return DEFAULT_DEADLINE_MS
        # One that the extension does not know ends with the call.
        return int(own) + (0 if type(self).model_fields["timeout"].exclude else DEADLINE_GRACE_MS)


MAX_REASON = 500


def _short(reason: str | None) -> str | None:
    if reason is not None and len(reason) > MAX_REASON:
        raise ValueError(f"is longer than {MAX_REASON} characters; say it in a sentence")
    return reason


class Reading(Command, method="", effect="read", reply="data"):
    """Base of the commands that leave everything as it is."""


class TabReading(Reading, method=""):
    """Base of the commands that read something of a tab."""

    tabId: TabId = None


class PageReading(TabReading, method="", page="scripts", reply="snapshot"):
    """Base of the commands that tell a page as text."""


class Doing(Command, method="", effect="act", reply="data"):
    """Base of the commands that change something: the client may say why."""

    reason: Annotated[str | None, AfterValidator(_short), Privacy.CALL_FACT, SkipJsonSchema(), Field(exclude=True)] = None
    """Kept in the event log and shown with the question to the person. Our addition. The instructions say it once for all tools:
    in each schema it would cost every conversation."""


class Act(Doing, method="", reply="act"):
    """Base of the commands that act in a tab: each can tell what it changed."""

    diff: Annotated[bool | None, Field(exclude=True, description="Also the changes since the last snapshot")] = None
    """Changes in more than a few words: all of them, as lines of the snapshot; or, with false, only that there are some.
    Our addition; the bridge does it, not the extension."""
    tabId: TabId = None
