"""Requests of a page as they were observed: those in lists, in captures and in HAR files."""

from typing import Literal, NotRequired

from tabwire.commands.results import Closed, ListResult, Result, TabResult

RequestType = Literal["document", "stylesheet", "image", "media", "font", "script", "fetch", "websocket", "ping", "other"]


class Redirect(Closed):
    """A step that led on."""

    url: str
    status: int


class SocketMessage(Closed):
    """A message of a WebSocket or an event stream, as HAR says it."""

    type: Literal["send", "receive"]
    time: float
    opcode: int
    data: str


class ObservedRequest(Closed):
    """A request of a page; times in milliseconds, `started` since the epoch, sizes in bytes."""

    url: str
    method: str
    type: str
    started: int
    pending: NotRequired[bool]
    duration_ms: NotRequired[float]
    status: NotRequired[int]
    mime_type: NotRequired[str]
    size: NotRequired[float]
    error: NotRequired[str]


class RequestContent(Closed, total=False):
    """The words of a request and of its answer."""

    initiator: str
    protocol: str
    request_headers: dict[str, str]
    response_headers: dict[str, str]
    post_data: str
    body: str
    base64: bool
    body_note: str


class RecordedRequest(ObservedRequest, RequestContent):
    """A captured request."""

    n: int
    queued_ms: NotRequired[float]
    timing: NotRequired[dict[str, float]]
    document_url: NotRequired[str]
    frame: NotRequired[str]
    status_text: NotRequired[str]
    server: NotRequired[str]
    cache: NotRequired[str]
    headers_size: NotRequired[float]
    transferred: NotRequired[float]
    redirect_to: NotRequired[str]
    messages: NotRequired[list[SocketMessage]]
    messages_dropped: NotRequired[int]
    canceled: NotRequired[bool]


class LongTasks(Closed):
    """The number of long tasks, and their total time."""

    count: int
    total: float | None


class Resources(Closed):
    """The number of resources, and their total size."""

    count: int
    transferred: float


class PageMetrics(Closed):
    """The measurements of the page itself."""

    of: str
    note: str
    time_to_first_byte: float | None
    dom_content_loaded: float | None
    load: float | None
    first_contentful_paint: float | None
    largest_contentful_paint: float | None
    cumulative_layout_shift: float
    long_tasks: LongTasks
    longest_interaction: float | None
    resources: Resources


class PerformanceTrace(Closed, total=False):
    """`chunks`: base64 of a gzipped JSON file."""

    chunks: list[str]
    metrics: PageMetrics
    note: str


class CaptureState(TabResult):
    """The state of a capture; only that there is none where a tab has none."""

    capturing: bool
    url: NotRequired[str]
    since: NotRequired[int]
    count: NotRequired[int]
    pending: NotRequired[int]
    ends_in_ms: NotRequired[int]
    ended: NotRequired[int]
    ended_by: NotRequired[str]
    dropped: NotRequired[int]


class CaptureResult(CaptureState, total=False):
    """The state of a capture, or the record of a capture that was stopped."""

    requests: list[RecordedRequest]
    barred: int
    trace: PerformanceTrace


class RequestFacts(ObservedRequest, Result):
    """Facts about a request; a redirected one is at its last address. Times in milliseconds, sizes in bytes."""

    id: int
    cached: NotRequired[bool]
    redirects: NotRequired[int]
    frameId: NotRequired[int]


class NetworkRequestsResult(ListResult):
    """A page of the list; `more`: those after it; `last`: number of the newest end that was looked at, for `after`."""

    total: int
    failed: int
    requests: list[RequestFacts]
    last: NotRequired[int]
    barred: NotRequired[int]
    dropped: NotRequired[int]


class RequestDetailsResult(RequestFacts, RequestContent):
    """A request in detail; `phases` in milliseconds."""

    tabId: int
    steps: NotRequired[list[Redirect]]
    asked_by: NotRequired[str]
    phases: NotRequired[dict[str, float]]
    encoded: NotRequired[float]
    decoded: NotRequired[float]
    notes: NotRequired[list[str]]
