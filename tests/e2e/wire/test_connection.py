"""How a browser and its bridges find each other, prove themselves, and carry on after a loss."""

import json
import secrets
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.plain import PlainChromium
from e2e.site import Site
from e2e.ui.own_pages import POPUP
from e2e.wire.handmade_bridge import Wire
from polling import until
from tabwire import config
from tabwire.wire import pairing

Prove = Callable[[bytes, pairing.Transcript], str]


class Impostor:
    """A program that holds a port of the window and answers the handshake, with a proof of its own making."""

    def __init__(self, key: bytes, prove: Prove) -> None:
        self.frames: list[dict[str, Any]] = []
        self.close_code: int | None = None
        self.refused = threading.Event()
        self._key = key
        self._prove = prove
        self._server = self._bind()
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def _bind(self) -> Server:
        for port in reversed(config.load({}).window()):
            try:
                server = serve(self._answer, "127.0.0.1", port, process_request=self._probe, compression=None)
            except OSError:
                continue
            self.port = port
            return server
        raise OSError("every port of the window is taken")

    def _probe(self, connection: ServerConnection, request: Request) -> Response | None:
        return connection.respond(HTTPStatus.NO_CONTENT, "") if request.path == "/probe" else None

    def _answer(self, connection: ServerConnection) -> None:
        try:
            hello = json.loads(connection.recv(5))
            if hello["key_id"] != pairing.key_id(self._key):
                return  # Another browser on this computer.
            self.frames.append(hello)
            nonces = hello["nonce"], pairing.encode(secrets.token_bytes(32))
            transcript = pairing.Transcript(hello["key_id"], hello["extension_id"], self.port, "00ff", *nonces)
            challenge = {"type": "challenge", "server_id": "00ff", "nonce": nonces[1], "mac": self._prove(self._key, transcript)}
            connection.send(json.dumps(challenge))
            self.frames.append(json.loads(connection.recv(5)))
        except ConnectionClosed as closed:
            self.close_code = closed.rcvd.code if closed.rcvd else None
            self.refused.set()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(5)


def without_the_key(key: bytes, transcript: pairing.Transcript) -> str:
    return pairing.mac(secrets.token_bytes(32), "server", transcript)


def reflecting_our_role(key: bytes, transcript: pairing.Transcript) -> str:
    return pairing.mac(key, "extension", transcript)


def relayed_from_another_port(key: bytes, transcript: pairing.Transcript) -> str:
    words = {name: getattr(transcript, name) for name in transcript.__slots__}
    return pairing.mac(key, "server", pairing.Transcript(**{**words, "port": transcript.port - 1}))


@pytest.fixture
def impostor(plain: PlainChromium, request: pytest.FixtureRequest) -> Iterator[Impostor]:
    key = pairing.decode(json.loads((plain.extension / "pairing.json").read_text())["key"])
    impostor = Impostor(key, request.param)
    yield impostor
    impostor.close()


@pytest.mark.parametrize("impostor", [without_the_key, reflecting_our_role, relayed_from_another_port], indirect=True)
def test_a_program_without_a_proof_is_told_nothing_and_left_alone(plain: PlainChromium, impostor: Impostor) -> None:
    assert impostor.refused.wait(15)
    assert impostor.close_code == 4003
    # The search that finds this bridge passes the impostor's port again.
    plain.join()
    assert [frame["type"] for frame in impostor.frames] == ["hello"]


def test_a_bridge_with_another_key_is_not_obeyed(plain: PlainChromium, tmp_path: Path) -> None:
    stranger = Tabwire([], {"TABWIRE_HOME": str(tmp_path / "elsewhere")}, tmp_path / "stranger")
    try:
        plain.join()
        assert "not_connected" in stranger.fails("tab_list").text
    finally:
        stranger.close()


HOLD_SEARCH = """(() => {
  const { fetch } = globalThis, { now } = Date;
  const search = globalThis.heldSearch = { asked: 0, answered: 0, ...Promise.withResolvers() };
  // No bridge has joined lately: no search follows by itself.
  Date.now = () => now() + 60_000;
  globalThis.fetch = async (...request) => {
    search.asked += 1;
    const [answer] = await Promise.allSettled([fetch(...request)]);
    search.answered += 1;
    await search.promise;
    if (answer.status === "rejected") throw answer.reason;
    return answer.value;
  };
  search.go = () => {
    globalThis.fetch = fetch;
    search.resolve();
  };
})()"""
"""Searches for bridges do not end before `heldSearch.go()`."""


def test_news_of_a_bridge_during_a_search_set_off_another_one(plain: PlainChromium) -> None:
    news = {"type": "event", "method": "session.bridges", "params": {}}
    with Wire(plain, "First") as first:
        plain.browser.in_worker(HOLD_SEARCH)
        first.say(news)
        until(lambda: plain.browser.in_worker("heldSearch.asked > 0 && heldSearch.asked === heldSearch.answered"))
        second = Wire(plain, "Second")
        first.say(news)
        # The reply comes once the event before it was heard.
        first.ask("no.method", {})
        plain.browser.in_worker("heldSearch.go()")
        with second:
            assert second.ask("no.method", {})["type"] == "error"


def test_an_act_is_not_repeated_when_the_worker_dies(own: Launched, site: Site) -> None:
    bridge = own.tabwire
    bridge.ok("tab_new", url=site.page(""))
    count = "new Promise(done => { window.runs = (window.runs ?? 0) + 1; setTimeout(done, 1500, window.runs) })"
    running = bridge.start("evaluate", expression=count)
    own.browser.shown().wait_for("window.runs === 1")
    own.browser.stop_workers()
    reply = running.result(10)
    assert reply.is_error
    assert "outcome_unknown" in reply.text
    assert bridge.ok("evaluate", expression="window.runs").data == 1


def test_a_read_is_answered_although_the_worker_died(own: Launched, site: Site) -> None:
    bridge = own.tabwire
    bridge.ok("tab_new", url=site.page("<p>Not yet</p>"))
    bridge.snapshot()
    waiting = bridge.start("wait", **{"for": "text", "text": "Done", "timeout": 8000})
    assert own.browser.stop_workers() == 1
    own.browser.shown().evaluate("document.querySelector('p').textContent = 'Done'")
    assert not waiting.result(10).is_error


def test_acts_in_a_tab_take_turns_and_reads_do_not_wait(tabwire: Tabwire, page: Any, site: Site) -> None:
    tabwire.open(site.page("", "Turns"))
    hold = "new Promise(done => { window.release = () => { window.released = performance.now(); done() } })"
    first = tabwire.start("evaluate", expression=hold)
    page.wait_for("Boolean(window.release)")
    second = tabwire.start("evaluate", expression="performance.now() >= window.released")
    assert "Turns" in tabwire.ok("title").text
    assert not second.done()
    page.evaluate("release()")
    assert not first.result(10).is_error
    assert second.result(10).data is True


def test_a_client_hears_once_that_its_tab_was_closed(tabwire: Tabwire, browser: Any, site: Site) -> None:
    tabwire.ok("tab_new", url=site.page(""))
    closed = browser.shown()
    closed.close()
    until(lambda: closed.target_id not in [target["targetId"] for target in browser.targets("page")])
    reply = tabwire.fails("title")
    assert "no_such_tab" in reply.text
    assert "tab_list" in reply.text
    assert not tabwire.call("title").is_error


def test_a_page_of_the_browser_is_refused_with_the_next_step(tabwire: Tabwire) -> None:
    tabwire.ok("tab_new", url="chrome://version")
    reply = tabwire.fails("snapshot")
    assert "restricted_page" in reply.text
    assert "chrome://version" in reply.text
    assert "navigate" in reply.text


def test_the_popup_names_the_connected_client_and_says_how_to_pair_once_the_key_is_gone(plain: PlainChromium) -> None:
    bridge = plain.join()
    shown = plain.browser.open(POPUP)
    shown.wait_for("document.querySelectorAll('#clients li').length === 1")
    shown.wait_for("document.querySelector('#hops').textContent.includes('Pairingpaired')")

    # Not before the client has joined: a worker that is killed in its very first start is one Chromium never starts again.
    note = plain.extension / "pairing.json"
    paired = note.read_text()
    note.unlink()
    assert plain.browser.stop_workers() == 1
    shown.wait_for("Boolean(document.body?.innerText.includes('tabwire install'))")
    assert shown.evaluate("document.querySelectorAll('#clients li').length") == 0
    note.write_text(paired)
    bridge.until_joined()
    shown.wait_for("document.querySelectorAll('#clients li').length === 1")
