"""capture: what a tab loads, as the site served it; how a capture ends; what is kept secret; the file it leaves."""

import base64
import gzip
import hashlib
import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Idleness, attached, until_attached
from polling import until

pytestmark = pytest.mark.same_tab

RELEASED_WITHIN_S = 10
NO_ICON = "<link rel=icon href='data:,'>"


def fetch(page: Any, url: str, options: str = "{}") -> Any:
    return page.evaluate(f"fetch('{url}', {options}).then((r) => r.text()).catch((e) => 'failed')")


def start(tabwire: Tabwire, **more: Any) -> dict[str, Any]:
    data: dict[str, Any] = tabwire.ok("capture", action="start", **more).data
    return data


def stop(tabwire: Tabwire, **more: Any) -> dict[str, Any]:
    data: dict[str, Any] = tabwire.ok("capture", action="stop", **more).data
    return data


def har(data: dict[str, Any]) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads(Path(data["path"]).read_text(encoding="utf-8"))["log"]["entries"]
    return entries


def captured(tabwire: Tabwire, is_so: Callable[[dict[str, Any]], Any], **more: Any) -> dict[str, Any]:
    """The status of the capture as soon as it is so."""
    return until(lambda: tabwire.ok("capture", action="status", **more).data, is_so, within=RELEASED_WITHIN_S)


def paths(site: Site, data: dict[str, Any]) -> list[str]:
    return [entry["url"].replace(site.origin, "").replace(site.cross_origin, "cross:") for entry in data["requests"]]


@pytest.fixture
def shown(tabwire: Tabwire, site: Site, page: ShownPage) -> ShownPage:
    tabwire.open(site.page(f"{NO_ICON}<p>Here</p>"))
    return page


# ---- what is recorded ----------------------------------------------------------------------------------------------


def test_a_page_and_all_it_loads_is_recorded_with_its_facts(tabwire: Tabwire, site: Site) -> None:
    site.serve("/s.css", "p { color: red }", "text/css", headers={"X-Answer": "42"})
    site.serve("/i.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml")
    site.serve(
        "/s.js",
        "fetch('/echo?a=1', {method: 'POST', body: 'sent', headers: {'X-Own': '1'}}).then((r) => r.text())",
        "text/javascript",
    )
    html = "<link rel=stylesheet href=/s.css><img src=/i.svg><script src=/s.js></script><img src=/missing.png><script src=/s.js></script>"
    url = site.page(html)
    assert start(tabwire)["capturing"] is True
    tabwire.open(url)
    site.wait_for(lambda site: site.hit_count("/echo") == 2)
    captured(tabwire, lambda status: status["count"] >= 7 and not status["pending"])
    data = stop(tabwire)
    by_path = {entry["url"].removeprefix(site.origin): entry for entry in data["requests"]}
    types = {path: by_path[path]["type"] for path in ("/s.css", "/i.svg", "/s.js", "/echo?a=1")}
    assert types == {"/s.css": "stylesheet", "/i.svg": "image", "/s.js": "script", "/echo?a=1": "fetch"}
    document = by_path[url.removeprefix(site.origin)]
    assert (document["type"], document["status"], document["method"], document["mime_type"]) == (
        "document",
        200,
        "GET",
        "text/html",
    )
    assert by_path["/missing.png"]["status"] == 404
    css = by_path["/s.css"]
    assert css["response_headers"]["X-Answer"] == "42"
    assert (css["size"], css["transferred"] > 16, css["duration_ms"] > 0) == (16, True, True)
    posted = by_path["/echo?a=1"]
    assert (posted["method"], posted["post_data"], posted["request_headers"]["X-Own"]) == ("POST", "sent", "1")
    assert "Sec-Fetch-Mode" in posted["request_headers"], "as they were sent, not as the page asked"
    assert "body" not in css
    assert data["statuses"]["2xx"] >= 5
    assert data["types"]["document"] == 1
    assert (data["capturing"], data["ended_by"]) == (False, "stop")


def test_bodies_are_recorded_when_asked_for(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    site.serve("/text", "Größe", "text/plain; charset=utf-8")
    site.serve("/bytes", b"\x89PNG\0", "application/octet-stream")
    start(tabwire, include_bodies=True)
    fetch(shown, "/text")
    fetch(shown, "/bytes")
    captured(tabwire, lambda status: status["count"] == 2 and not status["pending"])
    text, binary = stop(tabwire)["requests"]
    assert text["body"] == "Größe"
    assert (binary["base64"], base64.b64decode(binary["body"])) == (True, b"\x89PNG\0")


def test_steps_of_a_redirection_are_requests(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    start(tabwire)
    fetch(shown, "/redirect?to=/redirect?to=/echo")
    captured(tabwire, lambda status: status["count"] == 3 and not status["pending"])
    rows = [(entry["status"], entry.get("redirect_to")) for entry in stop(tabwire)["requests"]]
    assert rows == [(302, site.url("/redirect?to=/echo")), (302, site.url("/echo")), (200, None)]


def test_bodies_of_a_page_that_was_left_are_kept(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    site.serve("/text", "kept", "text/plain")
    start(tabwire, include_bodies=True)
    fetch(shown, "/text")
    captured(tabwire, lambda status: not status["pending"])
    tabwire.open(site.cross_page("Elsewhere"))
    bodies = {entry["url"]: entry.get("body", "") for entry in stop(tabwire)["requests"]}
    assert bodies[site.url("/text")] == "kept"
    assert any("Elsewhere" in body for body in bodies.values())


def test_failures_are_told_with_their_cause(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    start(tabwire)
    fetch(shown, "http://127.0.0.1:9/")
    fetch(shown, site.cross_url("/text"))
    tabwire.ok("route", action="add", url_pattern="**/blocked", handler="abort")
    fetch(shown, "/blocked")
    shown.evaluate(
        "{ const c = new AbortController(); fetch('/hang', {signal: c.signal}).catch(() => {}); setTimeout(() => c.abort(), 50) }"
    )
    captured(tabwire, lambda status: status["count"] == 4 and not status["pending"])
    data = stop(tabwire)
    first, cors, blocked, hung = data["requests"]
    assert first["error"].startswith("net::ERR_")
    assert "MissingAllowOriginHeader" in cors["error"]
    assert "ERR_BLOCKED_BY_CLIENT" in blocked["error"]
    assert hung["canceled"] is True
    assert data["statuses"]["failed"] == 4


def test_frames_of_another_site_and_workers_are_recorded(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.serve("/worker.js", "fetch('/echo?from=worker').then((r) => r.text())", "text/javascript")
    inner = site.cross_page("<script>fetch('/echo?from=frame').then((r) => r.text())</script><img src=/i.png>")
    start(tabwire, include_bodies=True)
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe><script>new Worker('/worker.js')</script>"))
    captured(tabwire, lambda status: status["count"] >= 6 and not status["pending"])
    requests = {entry["url"]: entry for entry in stop(tabwire)["requests"]}
    assert json.loads(requests[site.cross_url("/echo?from=frame")]["body"])["query"] == {"from": "frame"}
    assert json.loads(requests[site.url("/echo?from=worker")]["body"])["query"] == {"from": "worker"}
    assert "/echo?from=frame" in requests[inner]["body"]
    assert requests[site.cross_url("/i.png")]["status"] == 404


class Sockets:
    """A WebSocket server that answers each message with itself."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.server.getsockname()[1]}/live"

    def serve(self) -> None:
        connection, _ = self.server.accept()
        with connection:
            head = connection.recv(4096).decode()
            key = next(line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key"))
            accept = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
            lines = (
                "HTTP/1.1 101 Switching Protocols",
                "Upgrade: websocket",
                "Connection: Upgrade",
                f"Sec-WebSocket-Accept: {accept}",
            )
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
            frame = connection.recv(4096)
            mask, data = frame[2:6], frame[6:]
            text = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
            connection.sendall(struct.pack("BB", 0x81, len(text)) + text)
            connection.recv(4096)


@pytest.fixture
def sockets() -> Iterator[Sockets]:
    sockets = Sockets()
    yield sockets
    sockets.server.close()


def test_messages_of_sockets_are_recorded(tabwire: Tabwire, shown: ShownPage, sockets: Sockets) -> None:
    start(tabwire, filter={"resource_types": ["websocket"]})
    shown.evaluate(
        f"new Promise((resolve) => {{ const s = new WebSocket('{sockets.url}'); s.onopen = () => s.send('hello');"
        " s.onmessage = (e) => { resolve(e.data); s.close() } })"
    )
    captured(tabwire, lambda status: status["count"] == 1)
    (entry,) = stop(tabwire)["requests"]
    assert (entry["type"], entry["status"], entry["url"]) == ("websocket", 101, sockets.url)
    assert [(message["type"], message["data"]) for message in entry["messages"]] == [("send", "hello"), ("receive", "hello")]


def test_events_of_a_stream_are_recorded(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    site.serve("/events", "data: one\n\ndata: two\n\n", "text/event-stream")
    start(tabwire)
    # By the extension, which hears in order what Chrome says: a client of DevTools may know of a message before it does.
    tabwire.ok(
        "evaluate",
        expression="new Promise((resolve) => { const s = new EventSource('/events');"
        " s.onmessage = (e) => { if (e.data === 'two') { s.close(); resolve(1) } } })",
    )
    (entry,) = stop(tabwire)["requests"]
    assert [message["data"] for message in entry["messages"]] == ["one", "two"]


def test_what_comes_from_the_cache_says_so(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    site.serve("/cached", "x", "text/plain", headers={"Cache-Control": "max-age=600"})
    fetch(shown, "/cached")
    start(tabwire)
    fetch(shown, "/cached")
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    (entry,) = stop(tabwire)["requests"]
    assert entry["cache"] == "disk"
    assert site.hit_count("/cached") == 1


def test_an_answer_that_the_page_does_not_read_is_pending(tabwire: Tabwire, shown: ShownPage) -> None:
    start(tabwire)
    shown.evaluate("fetch('/echo').then(() => 1)")
    captured(tabwire, lambda status: status["pending"] == 1)
    (entry,) = stop(tabwire)["requests"]
    assert (entry["status"], entry["pending"]) == (200, True)


# ---- which requests ------------------------------------------------------------------------------------------------


CHOSEN: list[tuple[dict[str, Any], list[str]]] = [
    ({"url_pattern": "**/api/*"}, ["/api/a", "/api/a"]),
    ({"methods": ["post"]}, ["/api/a"]),
    ({"resource_types": ["image"]}, ["/i.png"]),
    ({"resource_types": ["fetch", "image"], "methods": ["GET"]}, ["/api/a", "/other", "/i.png"]),
    ({"resource_types": ["document", "font", "media"]}, []),
]


def test_a_filter_chooses(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    for chosen, recorded in CHOSEN:
        start(tabwire, filter=chosen)
        fetch(shown, "/api/a")
        fetch(shown, "/api/a", "{method: 'POST'}")
        fetch(shown, "/other")
        # A picture that is there already is not asked for again.
        shown.evaluate(
            "new Promise((resolve) => { const i = new Image(); i.onerror = resolve; i.src = '/i.png?' + Math.random() })"
        )
        captured(tabwire, lambda status, wanted=recorded: status["count"] == len(wanted) and not status["pending"])
        assert [path.partition("?")[0] for path in paths(site, stop(tabwire))] == recorded, chosen


def test_another_tab_is_not_recorded_and_a_hidden_one_can_be(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    first = tabwire.open(site.page(f"{NO_ICON}One")).data["tabId"]
    hidden = browser.shown()
    start(tabwire)
    tabwire.ok("tab_new", url=site.page("Two"))
    fetch(browser.shown(), "/other")
    fetch(hidden, "/echo")
    captured(tabwire, lambda status: status["count"] == 1, tabId=first)
    assert browser.shown().evaluate("document.body.textContent.trim()") == "Two"
    data = stop(tabwire)
    assert (data["tabId"], paths(site, data)) == (first, ["/echo"]), "the client's only capture is meant"


# ---- secrets -------------------------------------------------------------------------------------------------------

SECRETS = "{method: 'POST', body: JSON.stringify({user: 'ada', password: 'geheim1'}), headers: {Authorization: 'Bearer geheim2'}}"


def test_secrets_are_redacted_unless_asked_for(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    set_cookie = {"Set-Cookie": "sid=geheim3; Path=/; Max-Age=5; HttpOnly"}
    site.serve("/login", '{"access_token": "geheim4", "name": "Ada"}', "application/json", headers=set_cookie)
    for sanitize in (True, False):
        start(tabwire, include_bodies=True, sanitize=sanitize)
        fetch(shown, "/login?token=geheim5", SECRETS)
        fetch(shown, "/echo")
        captured(tabwire, lambda status: status["count"] == 2 and not status["pending"])
        data = stop(tabwire, har_path=f"secrets-{sanitize}.har")
        texts = (json.dumps(data), Path(data["path"]).read_text(encoding="utf-8"))
        for text in texts:
            seen = [f"geheim{number}" in text for number in range(1, 6)]
            assert seen == [not sanitize] * 5, sanitize
            assert "Ada" in text
            assert "sid=" in text, "which cookies there are may be known"


# ---- how it ends ---------------------------------------------------------------------------------------------------


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"action": "stop", "include_bodies": True}, 'action "stop" takes no include_bodies'),
    ({"action": "start", "har_path": "x.har"}, 'action "start" takes no har_path'),
    ({"action": "start", "max_capture_time": 0}, "max_capture_time"),
    ({"action": "start", "filter": {"url_pattern": " "}}, "url_pattern is empty"),
    ({"action": "start", "filter": {"url_pattern": "/(/"}}, "regular expression"),
    ({"action": "start", "filter": {"resource_types": ["images"]}}, "resource_types"),
]


def test_a_mistake_is_told(tabwire: Tabwire, shown: ShownPage) -> None:
    for arguments, says in MISTAKES:
        reply = tabwire.fails("capture", **arguments)
        assert (reply.code, says in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_a_second_start_and_a_stop_without_start_are_mistakes(tabwire: Tabwire, shown: ShownPage) -> None:
    assert "is not being captured" in tabwire.fails("capture", action="stop").text
    assert tabwire.ok("capture", action="status").data["capturing"] is False
    start(tabwire)
    assert "stop" in tabwire.fails("capture", action="start").text
    stop(tabwire)
    assert "is not being captured" in tabwire.fails("capture", action="stop").text


def test_it_ends_by_itself_and_keeps_what_it_saw(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    start(tabwire, max_capture_time=400)
    fetch(shown, "/echo?n=1")
    status = captured(tabwire, lambda status: not status["capturing"])
    assert status["ended_by"] == "its time was over"
    fetch(shown, "/echo?n=2")
    data = stop(tabwire)
    assert (data["ended_by"], paths(site, data)) == ("its time was over", ["/echo?n=1"])


def test_it_ends_with_its_tab_and_keeps_what_it_saw(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    tab_id = start(tabwire)["tabId"]
    fetch(shown, "/echo")
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    tabwire.ok("tab_new", url=site.url("/blank.html"))
    tabwire.ok("tab_close", tabId=tab_id)
    assert captured(tabwire, lambda status: not status["capturing"], tabId=tab_id)["ended_by"] == "the tab was closed"
    data = stop(tabwire, tabId=tab_id)
    assert (data["ended_by"], paths(site, data)) == ("the tab was closed", ["/echo"])
    assert tabwire.fails("capture", action="stop", tabId=tab_id).code == "no_such_tab"


def test_a_user_who_ends_the_debugging_is_named(tabwire: Tabwire, shown: ShownPage, site: Site, browser: Browser) -> None:
    tab_id = start(tabwire)["tabId"]
    fetch(shown, "/echo")
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    browser.in_worker(f"(chrome.debugger.onDetach.dispatch({{tabId: {tab_id}}}, 'canceled_by_user'), 1)")
    assert "the user ended" in captured(tabwire, lambda status: not status["capturing"])["ended_by"]
    assert paths(site, stop(tabwire)) == ["/echo"]


def test_it_outlives_navigation_and_the_worker(tabwire: Tabwire, shown: ShownPage, site: Site, browser: Browser) -> None:
    start(tabwire, include_bodies=True)
    fetch(shown, "/echo?n=1")
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    assert browser.stop_workers() == 1
    fetch(shown, "/echo?n=2")
    # A body is gone with its document.
    captured(tabwire, lambda status: status["count"] == 2 and not status["pending"])
    # An icon would be the fourth request before the last one is told.
    url = site.cross_page(f"{NO_ICON}Elsewhere")
    tabwire.open(url)
    fetch(browser.shown(), "/echo?n=3")
    captured(tabwire, lambda status: status["count"] == 4 and not status["pending"])
    requests = stop(tabwire)["requests"]
    assert [entry["url"] for entry in requests] == [
        site.url("/echo?n=1"), site.url("/echo?n=2"), url, site.cross_url("/echo?n=3"),
    ]  # fmt: skip
    assert all("body" in entry for entry in requests if "echo" in entry["url"])


def test_an_emulated_connection_stays_when_a_capture_ends_and_the_other_way_round(
    tabwire: Tabwire, shown: ShownPage, site: Site
) -> None:
    start(tabwire)
    tabwire.ok("emulate", offline=True)
    assert fetch(shown, "/echo") == "failed"
    stop(tabwire)
    assert fetch(shown, "/echo") == "failed"
    # One that begins later, too.
    start(tabwire)
    stop(tabwire)
    assert fetch(shown, "/echo") == "failed"
    start(tabwire)
    tabwire.ok("emulate")
    assert fetch(shown, "/echo") != "failed"
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    assert stop(tabwire)["statuses"] == {"2xx": 1}


def test_it_can_begin_and_end_while_a_dialog_is_open(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"{NO_ICON}<button onclick='alert(1)'>Ask</button>"))
    assert "dialog" in tabwire.ok("click", selector="text:Ask").data["effects"]
    start(tabwire)
    assert tabwire.ok("capture", action="status").data["capturing"] is True
    assert stop(tabwire)["requests"] == []


def test_in_the_users_own_browser_the_debugger_is_there_for_the_capture_only(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    own.tabwire.open(site.page(NO_ICON))
    with Idleness(own.browser) as idleness:
        start(own.tabwire)
        idleness.end()
        fetch(own.browser.shown(), "/echo")
        assert attached(own.browser) == 1
        assert paths(site, stop(own.tabwire)) == ["/echo"]
        until_attached(own.browser, 0)


# ---- the file ------------------------------------------------------------------------------------------------------


def test_many_requests_are_listed_in_short_and_kept_in_a_file(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    pad = "&" + "x" * 300
    start(tabwire)
    shown.evaluate(
        "Promise.all(Array.from({length: 100}, (_, n) => fetch('/echo?n=' + n + PAD).then((r) => r.text())))".replace(
            "PAD", repr(pad)
        )
    )
    captured(tabwire, lambda status: status["count"] == 100 and not status["pending"])
    data = stop(tabwire)
    assert data["count"] == 100
    assert data["note"].startswith(f"the first {len(data['requests'])} of 100")
    assert set(data["requests"][0]) >= {"n", "method", "status", "url", "ms", "bytes"}
    assert "request_headers" not in data["requests"][0]
    assert {entry["request"]["url"] for entry in har(data)} == {site.url(f"/echo?n={n}{pad}") for n in range(100)}


def test_a_har_file_is_saved_where_it_is_wanted(tabwire: Tabwire, shown: ShownPage, site: Site, tmp_path: Path) -> None:
    start(tabwire, include_bodies=True)
    fetch(shown, "/echo?a=1&b=")
    captured(tabwire, lambda status: status["count"] == 1 and not status["pending"])
    data = stop(tabwire, har_path=str(tmp_path / "one.har"))
    assert data["path"] == str(tmp_path / "one.har")
    (entry,) = har(data)
    assert entry["request"]["queryString"] == [{"name": "a", "value": "1"}, {"name": "b", "value": ""}]
    assert json.loads(entry["response"]["content"]["text"])["path"] == "/echo"
    assert entry["time"] > 0
    assert Path(data["path"]).stat().st_mode & 0o777 == 0o600


BUSY = """new Promise((resolve) => setTimeout(() => {
  const end = performance.now() + 80; while (performance.now() < end); setTimeout(resolve, 30) }, 10))"""


def test_a_trace_has_what_the_page_measured_and_a_file_for_the_developer_tools(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    start(tabwire, trace=True)
    tabwire.open(site.page("<h1>Large text</h1>"))
    page.evaluate(BUSY)
    trace = stop(tabwire)["trace"]
    assert trace["metrics"]["load"] > 0
    assert trace["metrics"]["first_contentful_paint"] > 0
    assert trace["metrics"]["long_tasks"]["total"] >= 80
    events = json.loads(gzip.decompress(Path(trace["path"]).read_bytes()))["traceEvents"]
    assert any(event["name"] == "FunctionCall" for event in events)


def test_addresses_that_hold_their_document_are_cut_and_the_error_page_of_chrome_is_left_out(
    tabwire: Tabwire, site: Site, shown: ShownPage
) -> None:
    assert tabwire.ok("capture", action="start").data["capturing"]
    assert tabwire.fails("navigate", url="http://127.0.0.1:9/refused").code == "navigation_failed"
    tabwire.open(site.page(f"<img src='data:image/gif;base64,{'R0lGODlh' * 1500}'>"))
    data = tabwire.ok("capture", action="stop").data
    assert max(len(one["url"]) for one in data["requests"]) < 1_000
    assert any("characters)" in one["url"] for one in data["requests"] if one["url"].startswith("data:"))
    assert not [one for one in data["requests"] if "chrome-error" in str(one)]
