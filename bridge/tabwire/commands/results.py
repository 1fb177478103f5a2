"""The shapes of results: the base of each, and the shapes that several commands share.

A result is declared beside the parameters of its command. Only what a page fills with JSON of its own is `Any`.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from tabwire.commands.kept_text import kept_url, masked
from tabwire.commands.privacy import Logged

_CLOSED = ConfigDict(extra="forbid", strict=True)


@with_config(_CLOSED)
class Closed(TypedDict):
    """Base of the shapes: a field that is not declared is refused."""


@with_config(ConfigDict(extra="allow", strict=True))
class Open(TypedDict):
    """Base of the shapes that Chrome makes: a later Chrome may add fields."""


class Result(Closed):
    """Base of the results of commands."""

    redacted: NotRequired[int]
    """The number of secrets that the extension has masked."""


class TabResult(Result):
    """Base of the results that say which tab they are about."""

    tabId: int


class ListResult(TabResult):
    """Base of the results that tell some of what there is; `more`: how many come after them."""

    more: NotRequired[int]
    notes: NotRequired[list[str]]


class Placed(Closed):
    """Base of the shapes of what has a place in the sources; `built`: the place in what runs, where that is another one."""

    place: NotRequired[str]
    built: NotRequired[str]


class Position(Closed):
    """A point in CSS pixels."""

    x: float
    y: float


class Size(Closed):
    """A size in pixels."""

    width: float
    height: float


class Box(Position, Size):
    """A rectangle in CSS pixels."""


class Dialog(Closed):
    """A dialog that is open."""

    type: str
    message: str
    default_prompt: NotRequired[str]
    url: NotRequired[str]


class AnsweredDialog(Closed):
    """A dialog that was answered as soon as it opened."""

    type: str
    message: str
    answer: Literal["accept", "dismiss"]
    text: NotRequired[str]


Change = TypedDict("Change", {"from": str, "to": str})
"""A text before and after."""
with_config(_CLOSED)(Change)


class Address(Closed):
    """An address; `barred` says why it is not told."""

    url: str
    barred: NotRequired[str]


class TabAddress(Address):
    """A tab and what it shows."""

    tabId: int


class FrameAddress(Address):
    """An address that a frame has gone to, or was to go to."""

    error: NotRequired[str]
    loading: NotRequired[bool]


class DownloadAddress(Address):
    """A file that is loaded, with its name and its path where the browser has chosen them by then."""

    filename: NotRequired[str]
    path: NotRequired[str]


class SentRequest(Address):
    """A request that a page has sent: its address without query and fragment, its status where an answer has come."""

    method: str
    status: NotRequired[int]
    error: NotRequired[str]


class Scrolled(Position):
    """A scroller with its new position; `dx` and `dy` are how far it has moved, where that is known."""

    element: str
    dx: NotRequired[float]
    dy: NotRequired[float]


def _place(tab: Any) -> dict[str, Any]:
    return {"tabId": tab.get("tabId"), "url": kept_url(str(tab.get("url", "")))}


def _told(what: str) -> Callable[[list[str]], str]:
    """Words for a list of addresses: the first one, and how many more there are."""
    return lambda addresses: f"{what} {addresses[0]}" + (f" and {len(addresses) - 1} more" if len(addresses) > 1 else "")


def _told_tabs(tabs: list[dict[str, Any]]) -> str:
    return _told("opened")([str(tab.get("url")) for tab in tabs])


class Effects(Closed, total=False):
    """The observed effects of an act; a field without news is absent.

    The event log keeps that and where something happened, not what a page says.
    """

    none: bool
    """Nothing was observed."""
    barred: str
    url: Annotated[
        Change,
        Logged(
            lambda change: {end: kept_url(str(change.get(end, ""))) for end in ("from", "to")},
            lambda change: f"now at {change.get('to')}",
        ),
    ]
    title: Change
    navigated: Annotated[bool, Logged(bool)]
    loading: Annotated[str, Logged(lambda url: kept_url(str(url)), lambda url: f"loading {url}")]
    navigation_error: Annotated[str, Logged(str, lambda error: f"the page could not be loaded ({error})")]
    new_tabs: Annotated[list[TabAddress], Logged(lambda tabs: [_place(tab) for tab in tabs], _told_tabs)]
    closed: Annotated[bool, Logged(bool)]
    dialog: Annotated[Dialog, Logged(lambda dialog: dialog.get("type"), lambda kind: f"{kind} dialog opened")]
    paused: Annotated[str, Logged(bool, lambda yes: "the page paused")]
    """The place at which a breakpoint has paused the page."""
    answered: Annotated[list[AnsweredDialog], Logged(len)]
    answered_more: int
    unwatched: bool
    """The page ran on after a dialog, and what it changed was not counted."""
    unobserved: bool
    """The page was too busy to say what changed."""
    external: Annotated[str, Logged(lambda url: str(url).split(":")[0], lambda scheme: f"led to another program ({scheme}:)")]
    """An address that opens another program."""
    downloads: Annotated[
        list[DownloadAddress], Logged(lambda files: [masked(str(file.get("url", ""))) for file in files], _told("download of"))
    ]
    frames: Annotated[
        list[FrameAddress],
        Logged(lambda frames: [kept_url(str(frame.get("url", ""))) for frame in frames], _told("frame now at")),
    ]
    requests: Annotated[
        list[SentRequest], Logged(lambda sent: [kept_url(str(request.get("url", ""))) for request in sent], _told("requested"))
    ]
    """Requests of scripts, and those of others that failed, sent within a short time after the act."""
    requests_more: int
    earlier_requests: Annotated[
        list[SentRequest], Logged(lambda sent: [kept_url(str(request.get("url", ""))) for request in sent], _told("answered"))
    ]
    """Requests of earlier acts that were answered since: what changed may come from them."""
    under_way: list[str]
    """Things that had not ended with the reply, in words of ours."""
    scrolled: list[Scrolled]
    errors: list[str]
    """Errors that the page did not catch."""
    changes: list[str]
    """Changes of the page in words: text that came or went, dialogs and menus, lists, states, the selection."""
    fields: list[str]
    """Fields into which something was entered, with what they hold."""
    focus: str
    mutations: Annotated[int, Logged(int)]
    events: Annotated[int, Logged(int)]


class ObservedResult(TabResult):
    """Base of the results of acts in a tab: `tabId` and `effects` are added by the extension's router.

    All other fields are absent where the act was cut short: its tab was closed, its page was replaced, or a dialog opened.
    """

    effects: Effects
    note: NotRequired[str]


class ActResult(ObservedResult, total=False):
    """The result of an act on an element or at a point."""

    ref: str
    input: Literal["dom", "trusted"]
    element: str
    done: str
    """A phrase for what was done, where that is not what the command is called."""
    dialog: Dialog
    """Dialog that opened while trusted input was under way."""


class Landing(Closed, total=False):
    """The page at the end of a navigation."""

    url: str
    title: str
    status: int
    dialog: Dialog
    download: Address
