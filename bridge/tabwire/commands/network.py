"""Network (agent spec)."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired, Required
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, WithJsonSchema

from tabwire.commands.actions import ActionCommand, Takes
from tabwire.commands.declaration import Command, Doing, PageReading, Returns
from tabwire.commands.privacy import Fact, Privacy
from tabwire.commands.results import Closed, ObservedResult, TabResult
from tabwire.commands.traffic import CaptureResult, NetworkRequestsResult, Redirect, RequestDetailsResult, RequestType
from tabwire.commands.types import Count, Id, Milliseconds, Natural, Overwrite, Parameters, Positive, TabId, Whole

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
ResourceType = Literal["document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "websocket", "other"]

NO_BODY = ("GET", "HEAD")
MAX_CAPTURE_MS = 3_600_000


def _json(value: Any) -> Any:
    if not isinstance(value, dict | list):
        raise ValueError("must be an object or a list; give other texts as body")
    return value


# The document says object; a list is JSON as well.
Json = Annotated[Any, BeforeValidator(_json), WithJsonSchema({"type": "object"})]


def _headers(value: Any) -> Any:
    if not isinstance(value, dict):
        raise ValueError("must be an object of names and values")
    for name, text in value.items():
        values = text if isinstance(text, list) else [text]
        if not all(isinstance(one, str | int | float) or one is None for one in values):
            raise ValueError(f"header {name} must be a text or a list of texts")
        if any("\n" in str(one) or "\r" in str(one) for one in (name, *values)):
            raise ValueError(f"header {name} may not contain line breaks")
    return value


Headers = Annotated[dict[str, Any], BeforeValidator(_headers)]


HeaderText = str | float | bool | None
SentHeaders = dict[str, HeaderText | list[HeaderText]]
"""`Headers` as they travel."""


class RequestResult(TabResult):
    """The answer; a redirection that was not followed has no body."""

    url: str
    redirected: bool
    status: int
    status_text: str
    headers: dict[str, str]
    redirects: NotRequired[list[Redirect]]
    cookies_set: NotRequired[list[str]]
    cookies_sent: NotRequired[bool]
    """Whether cookies or a login went along, to the address or on the way there; missing where the extension is older."""
    size: NotRequired[int]
    body: NotRequired[str]
    base64: NotRequired[bool]
    truncated: NotRequired[bool]
    note: NotRequired[str]
    duration_ms: int


class Request(
    Doing,
    Returns[RequestResult],
    method="network.request",
    tool="request",
    title="HTTP request",
    past="Sent a request",
    scope="browser",
    sensitive="uploads",
    shows=("method", "url"),
):
    """Send an HTTP request as the tab's page would: its cookies and origin, but no CORS limits."""

    on_wire: ClassVar = {"headers": SentHeaders}

    masked: ClassVar = False

    url: Annotated[Fact, Field(description="Relative to the page")]
    http_method: Annotated[Method, Field(alias="method")] = "GET"
    headers: Annotated[Headers | None, Field(description="Also Cookie, Referer, User-Agent…")] = None
    body: str | None = None
    json_body: Annotated[Json | None, Field(alias="json")] = None
    form_data: Annotated[
        dict[str, Any] | None, Field(description="multipart; a value may be a file: {path} or {base64, name, mime_type}")
    ] = None
    timeout: Milliseconds = 30_000
    follow_redirects: bool = True
    tabId: TabId = None

    def check(self) -> None:
        bodies = {"body": self.body, "json": self.json_body, "form_data": self.form_data}
        given = [name for name, value in bodies.items() if value is not None]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} exclude each other")
        if given and self.http_method in NO_BODY:
            raise ValueError(f"a {self.http_method} request has no body; drop {given[0]} or use another method")
        if (scheme := _scheme(self.url)) and scheme not in ("http", "https"):
            raise ValueError(f"url: only http and https can be requested, not {scheme}:")


def _scheme(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
    except ValueError as error:
        raise ValueError(f"url: {error}") from None
    # "localhost:8080/x" has no scheme.
    return "" if parts.path.split("/", 1)[0].isdecimal() else parts.scheme


class CaptureFilter(Parameters):
    """Which requests are recorded; all that is given must fit."""

    url_pattern: Annotated[Fact | None, Field(description="As in route")] = None
    resource_types: list[ResourceType] | None = None
    methods: list[str] | None = None


class Capture(
    ActionCommand,
    Returns[CaptureResult],
    method="network.capture",
    tool="capture",
    title="Capture traffic",
    scope="browser",
    destructive=False,
    shows=("action",),
):
    """Record what a tab loads: {"action": "start"}, then act, then {"action": "stop"} to get the requests or save a HAR. One
    request of your own: request.
    """

    on_wire: ClassVar = {"sanitize": bool, "trace": bool}

    masked: ClassVar = False
    struck: ClassVar = False

    actions: ClassVar = {
        "start": Takes((), frozenset({"include_bodies", "filter_", "max_capture_time", "sanitize", "trace"}), "read"),
        "stop": Takes((), frozenset({"har_path", "overwrite"}), "read"),
        "status": Takes(intent="read"),
    }
    action: Literal["start", "stop", "status"]
    include_bodies: bool = False
    filter_: Annotated[CaptureFilter | None, Field(alias="filter")] = None
    max_capture_time: Annotated[Annotated[Positive, Field(le=MAX_CAPTURE_MS)], Field(description="Ends by itself, ms")] = 180_000
    tabId: TabId = None
    sanitize: Annotated[bool, Field(exclude=True, description="start: redact secrets")] = True
    trace: Annotated[bool, Field(exclude=True, description="start: performance trace too")] = False
    har_path: Annotated[str | None, Field(exclude=True, description="stop: save as HAR")] = None
    overwrite: Overwrite = False


class Response(Parameters):
    """What a route answers."""

    status: Annotated[Whole, Field(ge=200, le=599)] = 200
    headers: Headers | None = None
    body: str | None = None
    json_body: Annotated[Json | None, Field(alias="json")] = None

    def check(self) -> None:
        if self.body is not None and self.json_body is not None:
            raise ValueError("body and json exclude each other")


class Modify(Parameters):
    """What a route changes in a request."""

    url: str | None = None
    http_method: Annotated[str | None, Field(alias="method")] = None
    headers: Annotated[Headers | None, Field(description="Merged; null removes one")] = None
    post_data: str | None = None


class RouteAnswer(Closed, total=False):
    """The answer of a route, cut to the facts that tell routes apart."""

    status: Required[int]
    headers: SentHeaders
    body: str
    json: Any


class RouteChange(Closed, total=False):
    """The changes a route makes to a request."""

    url: str
    method: str
    headers: SentHeaders
    post_data: str


class RouteEntry(Closed):
    """A route of the tab, and how many requests it has met."""

    route_id: str
    url_pattern: str
    handler: Literal["abort", "fulfill", "continue"]
    response: NotRequired[RouteAnswer]
    modify: NotRequired[RouteChange]
    hits: int


class RouteResult(ObservedResult, total=False):
    """`routes`: those of the tab, after `remove` how many are left."""

    route_id: str
    removed: str
    cleared: int
    routes: int | list[RouteEntry]


class Route(
    ActionCommand,
    Returns[RouteResult],
    method="network.route",
    tool="route",
    title="Route requests",
    page="none",
    shows=("action", "url_pattern"),
):
    """Answer, change or block a tab's requests."""

    on_wire: ClassVar = {"response": RouteAnswer, "modify": RouteChange}

    actions: ClassVar = {
        "add": Takes(("url_pattern", "handler"), frozenset({"response", "modify"})),
        "remove": Takes(("route_id",)),
        "clear": Takes(),
        "list": Takes(intent="read"),
    }
    action: Literal["add", "remove", "clear", "list"]
    url_pattern: Annotated[Fact | None, Field(description="* within a path part, ** across, or /regex/; latest match wins")] = (
        None
    )
    handler: Literal["abort", "fulfill", "continue"] | None = None
    response: Annotated[Response | None, Privacy.CLOSED, Field(description="For fulfill")] = None
    modify: Annotated[Modify | None, Privacy.CLOSED, Field(description="For continue")] = None
    route_id: Annotated[Fact | None, Field(description="For remove")] = None
    tabId: TabId = None

    def check(self) -> None:
        super().check()
        if self.response is not None and self.handler != "fulfill":
            raise ValueError('response belongs to handler "fulfill"')
        if self.modify is not None and self.handler != "continue":
            raise ValueError('modify belongs to handler "continue"')
        if self.handler == "continue" and (self.modify is None or not self.modify.model_fields_set):
            raise ValueError('handler "continue" needs modify with url, method, headers or post_data')


class Requests(
    PageReading,
    Returns[NetworkRequestsResult],
    method="network.requests",
    group="debug",
    tool="network_requests",
    title="Network requests",
    past="Listed requests",
    page="document",
    shows=("url_pattern",),
):
    """Requests of the tab since its navigation, a line each, the failed ones first. Nothing needs to be prepared."""

    url_pattern: Annotated[Fact | None, Field(description="As in route")] = None
    types: Annotated[list[RequestType] | None, Field(description="fetch: XMLHttpRequest too")] = None
    failed: Annotated[bool, Field(description="Only failed ones")] = False
    max_requests: Count = 50
    offset: Annotated[Natural, Field(description="The next page begins here")] = 0
    after: Annotated[
        Natural | None,
        Field(description="Those that end after `last` of the reply before, waiting for one; 0: begins, gives none"),
    ] = None
    timeout: Annotated[Milliseconds | None, Field(description="Longest wait of after, ms; default: 20000")] = None


class RequestDetails(
    PageReading,
    Returns[RequestDetailsResult],
    method="network.request_details",
    group="debug",
    tool="request_details",
    title="Request details",
    past="Read a request",
    page="document",
    shows=("id",),
):
    """A request of the tab: headers without secrets, phases of its time, redirections, on demand its body."""

    id: Annotated[Id, Field(description="From network_requests")]
    body: Annotated[bool, Field(description="Also its body, where a capture has it; that of a script always")] = False


PURPOSE = "HTTP requests: send, record, answer or block"

COMMANDS: tuple[type[Command], ...] = (Request, Capture, Route)
"""The group `network`; the others are in the group `debug`."""
