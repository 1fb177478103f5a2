"""Network (document 002)."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from tabwire.commands.actions import ActionCommand, Takes
from tabwire.commands.declaration import Command
from tabwire.commands.types import Milliseconds, Parameters, Positive, TabId, Whole

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


class Request(
    Command, method="network.request", tool="request", title="HTTP request", effect="act", scope="browser", reply="data"
):
    """Send an HTTP request as the tab's page would: its cookies and origin, but no CORS limits."""

    masked: ClassVar = False

    url: Annotated[str, Field(description="Relative to the page")]
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

    @model_validator(mode="after")
    def _has_one_body(self) -> Request:
        bodies = {"body": self.body, "json": self.json_body, "form_data": self.form_data}
        given = [name for name, value in bodies.items() if value is not None]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} exclude each other")
        if given and self.http_method in NO_BODY:
            raise ValueError(f"a {self.http_method} request has no body; drop {given[0]} or use another method")
        if (scheme := _scheme(self.url)) and scheme not in ("http", "https"):
            raise ValueError(f"url: only http and https can be requested, not {scheme}:")
        return self


def _scheme(url: str) -> str:
    try:
        parts = urlsplit(url.strip())
    except ValueError as error:
        raise ValueError(f"url: {error}") from None
    # "localhost:8080/x" has no scheme.
    return "" if parts.path.split("/", 1)[0].isdecimal() else parts.scheme


class CaptureFilter(Parameters):
    """Which requests are recorded; all that is given must fit."""

    url_pattern: Annotated[str | None, Field(description="As in route")] = None
    resource_types: list[ResourceType] | None = None
    methods: list[str] | None = None


_CAPTURE_ACTIONS = {
    "start": Takes((), frozenset({"include_bodies", "filter_", "max_capture_time", "sanitize", "trace"}), "read"),
    "stop": Takes((), frozenset({"har_path"}), "read"),
    "status": Takes(intent="read"),
}


class Capture(
    ActionCommand,
    method="network.capture",
    tool="capture",
    title="Capture traffic",
    scope="browser",
    destructive=False,
):
    """Record a tab's network traffic: start, then stop to get it."""

    masked: ClassVar = False

    actions: ClassVar = _CAPTURE_ACTIONS
    action: Literal["start", "stop", "status"]
    include_bodies: bool = False
    filter_: Annotated[CaptureFilter | None, Field(alias="filter")] = None
    max_capture_time: Annotated[Annotated[Positive, Field(le=MAX_CAPTURE_MS)], Field(description="Ends by itself, ms")] = 180_000
    tabId: TabId = None
    sanitize: Annotated[bool, Field(exclude=True, description="start: redact secrets")] = True
    trace: Annotated[bool, Field(exclude=True, description="start: performance trace too")] = False
    har_path: Annotated[str | None, Field(exclude=True, description="stop: save as HAR")] = None


class Response(Parameters):
    """What a route answers."""

    status: Annotated[Whole, Field(ge=200, le=599)] = 200
    headers: Headers | None = None
    body: str | None = None
    json_body: Annotated[Json | None, Field(alias="json")] = None

    @model_validator(mode="after")
    def _has_one_body(self) -> Response:
        if self.body is not None and self.json_body is not None:
            raise ValueError("body and json exclude each other")
        return self


class Modify(Parameters):
    """What a route changes in a request."""

    url: str | None = None
    http_method: Annotated[str | None, Field(alias="method")] = None
    headers: Annotated[Headers | None, Field(description="Merged; null removes one")] = None
    post_data: str | None = None


_ROUTE_ACTIONS = {
    "add": Takes(("url_pattern", "handler"), frozenset({"response", "modify"})),
    "remove": Takes(("route_id",)),
    "clear": Takes(),
    "list": Takes(intent="read"),
}


class Route(ActionCommand, method="network.route", tool="route", title="Route requests", page="none"):
    """Answer, change or block a tab's requests."""

    actions: ClassVar = _ROUTE_ACTIONS
    action: Literal["add", "remove", "clear", "list"]
    url_pattern: Annotated[str | None, Field(description="* within a path part, ** across, or /regex/; latest match wins")] = None
    handler: Literal["abort", "fulfill", "continue"] | None = None
    response: Annotated[Response | None, Field(description="For fulfill")] = None
    modify: Annotated[Modify | None, Field(description="For continue")] = None
    route_id: Annotated[str | None, Field(description="For remove")] = None
    tabId: TabId = None

    @model_validator(mode="after")
    def _fits_its_handler(self) -> Route:
        if self.response is not None and self.handler != "fulfill":
            raise ValueError('response belongs to handler "fulfill"')
        if self.modify is not None and self.handler != "continue":
            raise ValueError('modify belongs to handler "continue"')
        if self.handler == "continue" and (self.modify is None or not self.modify.model_fields_set):
            raise ValueError('handler "continue" needs modify with url, method, headers or post_data')
        return self


COMMANDS: tuple[type[Command], ...] = (Request, Capture, Route)
