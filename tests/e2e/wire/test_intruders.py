"""Pages, extensions, servers and programs that are not what they claim to be: all are refused, and work goes on beside them."""

import json
import re
import secrets
import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import pytest

from e2e.cdp import Page
from e2e.site import Site
from e2e.wire.http_bridge import HttpBridge
from e2e.wire.intruders import Peer, SilentCrowd, raw
from e2e.wire.siege import ACTS, JOIN_LIMIT_S, OBEYED, UNPROVED, Siege
from polling import until
from tabwire.wire.messages import HANDSHAKE_LIMIT
from tabwire.wire.transport import MAX_UNAUTHENTICATED

ALONE_S = 25
"""A little less than the time for which a program without a proof is left alone."""


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Siege]:
    siege = Siege(tmp_path_factory.mktemp("siege"), running_site)
    yield siege
    siege.close()


# ---- programs at a bridge -------------------------------------------------------------------------------------------------


def _replayed(siege: Siege, peer: Peer) -> None:
    peer.say(siege.genuine["hello"])
    assert peer.hear()["nonce"] != json.loads(siege.genuine["challenge"])["nonce"]
    peer.say(siege.genuine["auth"])


def _replayed_auth(siege: Siege, peer: Peer) -> None:
    peer.say(peer.hello())
    peer.hear()
    peer.say(siege.genuine["auth"])


def _reflected(siege: Siege, peer: Peer) -> None:
    peer.say(peer.hello())
    challenge = peer.hear()
    peer.say(peer.auth(challenge, challenge["mac"]))


def _without_the_key(siege: Siege, peer: Peer) -> None:
    peer.say(peer.hello())
    challenge = peer.hear()
    peer.key = secrets.token_bytes(32)
    peer.say(peer.auth(challenge))


def _just(frame: str | bytes) -> Callable[[Siege, Peer], None]:
    return lambda siege, peer: peer.say(frame)


def _unknown_key(siege: Siege, peer: Peer) -> None:
    peer.key = secrets.token_bytes(32)
    peer.say(peer.hello())


def _long_auth(siege: Siege, peer: Peer) -> None:
    peer.say(peer.hello())
    peer.hear()
    peer.say("x" * (HANDSHAKE_LIMIT + 1))


PROGRAMS: dict[str, tuple[Callable[[Siege, Peer], None], int]] = {
    "replays a whole handshake": (_replayed, 4003),
    "replays a proof on a new connection": (_replayed_auth, 4003),
    "sends the bridge's own proof back": (_reflected, 4003),
    "names our key and does not have it": (_without_the_key, 4003),
    "has a key of its own": (_unknown_key, 4002),
    "answers a call nobody made": (_just('{"type":"success","id":1,"result":{}}'), 4000),
    "tells an event": (_just('{"type":"event","method":"session.client","params":{}}'), 4000),
    "sends a binary frame": (_just(b"\x00" * 100), 4000),
    "sends an empty frame": (_just(""), 4000),
    "sends a hello that is too long": (_just("x" * (HANDSHAKE_LIMIT + 1)), 1009),
    "sends a proof that is too long": (_long_auth, 1009),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_only_looks_like_the_extension_is_refused(siege: Siege, name: str) -> None:
    act, code = PROGRAMS[name]
    with siege.peer() as peer:
        act(siege, peer)
        assert peer.end() == code


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("Host: rebind.test:{port}",),
        ("Host: 127.0.0.1",),
        ("Host: 127.0.0.1:{port}", "Host: 127.0.0.1:{port}"),
        ("Host: 127.0.0.1:{port}", "Origin: null"),
        ("Host: 127.0.0.1:{port}", "Origin: http://127.0.0.1:{port}"),
        ("Host: 127.0.0.1:{port}", "Origin: chrome-extension://{rogue}"),
        ("Host: rebind.test:{port}", "Origin: chrome-extension://{ours}"),
    ],
)
def test_a_hand_made_upgrade_under_another_name_is_forbidden(siege: Siege, lines: tuple[str, ...]) -> None:
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + "A" * 22 + "==")
    named = [line.format(port=siege.port, rogue=siege.rogue_id, ours=siege.id) for line in lines]
    answer = raw(siege.port, "\r\n".join(["GET / HTTP/1.1", *named, *upgrade, "", ""]))
    head, _, body = answer.partition("\r\n\r\n")
    assert re.match(r"HTTP/1\.1 40[03] ", head)
    assert "access-control" not in head.lower() and "tabwire" not in answer.lower()
    assert body == ""


def test_the_probe_says_that_somebody_is_there_and_nothing_else(siege: Siege) -> None:
    answer = raw(siege.port, f"GET /probe HTTP/1.1\r\nHost: 127.0.0.1:{siege.port}\r\n\r\n")
    assert re.fullmatch(r"HTTP/1\.1 204 No Content\r\n(Date: [^\r]*\r\n)?Connection: close\r\n\r\n", answer)


# ---- pages ----------------------------------------------------------------------------------------------------------------

TRY = """(async () => {
  const dial = (url) => new Promise((done) => {
    const socket = new WebSocket(url);
    socket.onopen = () => done("open");
    socket.onclose = ({ code, reason }) => done(`${code}${reason}`);
  });
  const read = (url, init) => fetch(url, init).then(async (answer) => `${answer.type} ${answer.status} ${await answer.text()}`, (error) => error.name);
  return %s;
})()"""


def tried(page: Page, expression: str) -> Any:
    """The value of a JavaScript expression that may use ``await``, ``dial(url)`` and ``read(url, init)``."""
    return page.evaluate(TRY % expression, timeout=20)


@pytest.mark.parametrize("origin", ["http://127.0.0.1", "http://localhost", "http://rebind.test"])
def test_a_page_reaches_no_bridge_and_reads_nothing_of_it(siege: Siege, origin: str) -> None:
    site_port = siege.site.origin.rsplit(":", 1)[1]
    page = siege.browser.open(f"{origin}:{site_port}/blank.html")
    for host in ("127.0.0.1", "localhost", "rebind.test"):
        at = f"{host}:{siege.port}"
        assert tried(page, f"await dial('ws://{at}/')") == "1006"
        for path in ("/", "/probe", "/json/version"):
            assert tried(page, f"await read('http://{at}{path}')") == "TypeError"
        assert tried(page, f"await read('http://{at}/probe', {{ mode: 'no-cors' }})") in ("opaque 0 ", "TypeError")
        assert tried(page, f"await read('http://{at}/', {{ method: 'POST', mode: 'no-cors', body: '{{}}' }})") in (
            "opaque 0 ",
            "TypeError",
        )
    page.close()
    assert not siege.bridge.call("tab_list").is_error


def test_a_page_reads_nothing_of_the_extension_and_cannot_speak_to_it(siege: Siege) -> None:
    page = siege.browser.open(siege.site.url())
    for name in ("manifest.json", "pairing.json", "extension/ui/popup/popup.html", "extension/background/main.js"):
        assert tried(page, f"await read('{siege.url(name)}')") == "TypeError"
        assert tried(page, f"await import('{siege.url(name)}').then(() => 'loaded', (error) => error.name)") == "TypeError"
    assert page.evaluate("typeof globalThis.chrome?.runtime?.sendMessage") == "undefined"
    popup = siege.url("extension/ui/popup/popup.html")
    page.evaluate(
        f"new Promise((done) => {{ const frame = document.createElement('iframe'); frame.src = '{popup}'; frame.onload = done; document.body.append(frame); open('{popup}'); }})"
    )
    assert [target for target in siege.browser.targets() if target["url"] == popup] == []
    page.close()


# ---- what content scripts may say: a page may have taken over the process of its own ----------------------------------------

ASK = """(async () => {
  const answers = [];
  for (const message of %s) {
    answers.push(await chrome.runtime.sendMessage(message).then((answer) => answer ?? null, (error) => null));
  }
  const heard = [];
  for (const name of ["tabwire-lifeline", "tabwire-origin-frame", "tabwire-origin-page", "tabwire", ""]) {
    const port = chrome.runtime.connect({ name });
    port.onMessage.addListener((message) => heard.push(message));
    for (const message of %s) port.postMessage(message);
  }
  // Our own question comes back behind everything that was said before it.
  await chrome.runtime.sendMessage({ type: "status" }).catch(() => {});
  return { answers, heard };
})()"""


def test_a_content_script_is_answered_nothing_and_moves_nothing(siege: Siege) -> None:
    obeyed = siege.site.url(OBEYED)
    call = {"id": 1, "method": "tabs.create", "params": {"url": obeyed}}
    messages: list[Any] = [
        {"type": "status"},
        {"type": "rename", "name": "owned"},
        {"type": "pair"},
        call,
        {**call, "type": "call"},
        {"type": "event", "method": "session.client", "params": {"name": "owned", "version": "1"}},
        {"tabwirePointer": {"kind": "press", "x": 1, "y": 1, "ratio": 1}},
        "status",
        None,
    ]
    siege.bridge.ok("tab_new", url=siege.site.page("<h1>Held</h1>"))
    siege.bridge.snapshot()
    before = len(siege.browser.pages())
    said = json.dumps(messages)
    result = siege.browser.shown().evaluate_in_extension(ASK % (said, said))
    # A page that seems to be in use is asked whether it is there.
    assert result == {"answers": [None] * len(messages), "heard": [{"isThere": True}]}
    assert siege.site.hit_count(OBEYED) == 0
    assert len(siege.browser.pages()) == before
    assert "owned" not in _popup_text(siege)
    assert "Held" in siege.bridge.snapshot()


def _popup_text(siege: Siege) -> str:
    page = siege.browser.open(siege.url("extension/ui/side-panel/panel.html"))
    page.wait_for("document.querySelectorAll('#clients li').length > 0")
    text = page.evaluate("document.body.innerText + document.querySelector('#name').value")
    page.close()
    return str(text)


# ---- other extensions -----------------------------------------------------------------------------------------------------

ROGUE_TRIES = """(async () => {
  const ours = "%s", popup = "%s";
  const refused = (work) => work.then((value) => `done: ${JSON.stringify(value)}`, (error) => `refused: ${error.message}`);
  const port = () => new Promise((resolve, reject) => {
    const port = chrome.runtime.connect(ours, { name: "tabwire-lifeline" });
    port.onDisconnect.addListener(() => reject(new Error(chrome.runtime.lastError?.message)));
    port.onMessage.addListener(resolve);
  });
  const targets = (await chrome.debugger.getTargets()).filter(({ url }) => url.includes(ours));
  const tab = await chrome.tabs.create({ url: popup, active: false });
  return {
    status: await refused(chrome.runtime.sendMessage(ours, { type: "status" })),
    rename: await refused(chrome.runtime.sendMessage(ours, { type: "rename", name: "owned" })),
    port: await refused(port()),
    script: await refused(chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => document.body.innerText })),
    tab: await refused(chrome.debugger.attach({ tabId: tab.id }, "1.3")),
    worker: await refused(Promise.all(targets.map(({ id }) => chrome.debugger.attach({ targetId: id }, "1.3")))),
    extension: await refused(chrome.debugger.attach({ extensionId: ours }, "1.3")),
    targets: targets.length,
    closed: await chrome.tabs.remove(tab.id) ?? null,
  };
})()"""


def test_another_extension_cannot_speak_to_ours_look_into_it_or_use_a_bridge(siege: Siege) -> None:
    page = siege.browser.open(siege.url("page.html", siege.rogue_id))
    result = page.evaluate(ROGUE_TRIES % (siege.id, siege.url("extension/ui/popup/popup.html")), timeout=20)
    assert result.pop("targets") > 0
    assert result.pop("closed") is None
    assert [f"{name} {text}" for name, text in result.items() if not text.startswith("refused: ")] == []
    for name in ("manifest.json", "pairing.json", "extension/ui/popup/popup.html"):
        assert tried(page, f"await read('{siege.url(name)}')") == "TypeError"
    assert tried(page, f"await dial('ws://127.0.0.1:{siege.port}/')") == "1006"
    # Its host permissions let it read what no page can: there is nothing to read.
    assert tried(page, f"await read('http://127.0.0.1:{siege.port}/probe')") == "basic 204 "
    assert tried(page, f"await read('http://rebind.test:{siege.port}/probe')") == "basic 403 "
    page.close()
    assert "owned" not in _popup_text(siege)


# ---- serve --http ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpBridge]:
    bridge = HttpBridge(tmp_path_factory.mktemp("http"))
    yield bridge
    bridge.close()


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (401, {"Authorization": ""}),
        (401, {"Authorization": "Bearer "}),
        (401, {"Authorization": "Bearer wrong-token-0123456789"}),
        (401, {"Authorization": "Basic dG9rZW4="}),
        (401, {"Authorization": "", "path": "/mcp?access_token={token}"}),
        (401, {"Authorization": "", "path": "/mcp?token={token}", "Cookie": "token={token}"}),
        (401, {"Authorization": "", "path": "/.well-known/oauth-protected-resource", "method": "GET"}),
        (401, {"Authorization": "", "method": "DELETE", "Mcp_Session_Id": "0"}),
        (421, {"Host": "rebind.test:{port}"}),
        (421, {"Host": "127.0.0.1"}),
        (403, {"Origin": "https://evil.test"}),
        (403, {"Origin": "null"}),
        (403, {"Origin": "{site}"}),
        (403, {"Origin": "{site}", "Authorization": "", "method": "OPTIONS", "Access_Control_Request_Method": "POST"}),
    ],
)
def test_http_without_the_token_or_from_elsewhere_is_refused(
    http: HttpBridge, running_site: Site, status: int, request_: dict[str, str]
) -> None:
    known = {"token": http.token, "port": http.port, "site": running_site.origin}
    answer = http.ask(**{name: value.format(**known) for name, value in request_.items()})
    assert answer[0] == status
    assert "jsonrpc" not in answer[1]
    assert http.ask()[0] == 200


def test_a_refused_client_that_is_slow_with_its_body_reads_the_whole_answer(http: HttpBridge) -> None:
    body = b"{}"
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{http.port}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", http.port), timeout=10) as client:
        client.sendall(head)
        # Until an answer that does not wait for the body is there, if there were one.
        select.select([client], [], [], 0.2)
        client.sendall(body)
        answer = b""
        while part := client.recv(65536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert b"Authorization: Bearer TOKEN" in answer


def test_a_refused_client_that_never_sends_its_body_is_answered_all_the_same(http: HttpBridge) -> None:
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{http.port}\r\nContent-Length: 5\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", http.port), timeout=10) as client:
        client.sendall(head)
        assert client.recv(65536).startswith(b"HTTP/1.1 401 ")


def test_a_page_cannot_use_http_even_with_the_token(siege: Siege, http: HttpBridge) -> None:
    page = siege.browser.open(siege.site.url())
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {http.token}"}
    for init in ({}, {"method": "POST", "headers": headers, "body": "{}"}, {"method": "POST", "headers": {}, "body": "{}"}):
        assert tried(page, f"await read('{http.url}', {json.dumps(init)})") == "TypeError"
    page.close()


# ---- programs on a port where the extension looks for bridges ----------------------------------------------------------------
# They come last: the silent ones have had time until now, and what is left stops the worker.


@pytest.mark.parametrize("name", ACTS)
def test_a_program_on_a_port_of_ours_hears_a_hello_and_is_left(siege: Siege, name: str) -> None:
    rogue = siege.rogues[name]
    assert rogue.refused.wait(JOIN_LIMIT_S)
    assert {frame["type"] for frame in rogue.frames} == {"hello"}
    assert set(rogue.frames[0]) == {"type", "version", "key_id", "extension_id", "nonce"}
    if name in UNPROVED:
        # Searches that pass its port leave it alone for half a minute. By the second one it would have been greeted again.
        until(lambda: sum(at > rogue.greeted_at[0] for at in rogue.passed_at) > 1, within=JOIN_LIMIT_S)
        assert all(later - earlier > ALONE_S for earlier, later in pairwise(rogue.greeted_at))
    assert rogue.close_codes[0] == (4003 if name in UNPROVED else 1000)
    assert siege.site.hit_count(OBEYED) == 0
    assert not siege.bridge.call("tab_list").is_error


def test_among_all_of_them_the_worker_finds_its_bridge_at_once(siege: Siege) -> None:
    siege.bridge.ok("tab_new", url=siege.site.url())
    siege.bridge.snapshot()
    siege.browser.stop_workers()
    assert siege.bridge.until_joined() < 5


def test_a_bridge_that_takes_the_port_of_a_refused_program_is_joined(siege: Siege) -> None:
    name = UNPROVED[0]
    rogue = siege.rogues[name]
    assert rogue.refused.wait(JOIN_LIMIT_S)
    rogue.close()
    siege.chromium.join("--port", str(rogue.port))


def test_silent_crowds_do_not_keep_the_browser_from_its_bridge(siege: Siege) -> None:
    with ExitStack() as stack:
        for _ in range(100):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", siege.port)))
            half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        crowd = SilentCrowd(siege.port, siege.id, MAX_UNAUTHENTICATED + 8)
        stack.callback(crowd.close)
        crowd.full.wait(10)
        siege.browser.stop_workers()
        assert siege.bridge.until_joined() < 8
