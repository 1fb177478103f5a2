"""An extension without pairing.json, as a store installs it, is given a key by one click of its person, and by nothing else."""

import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http import HTTPStatus

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve
from websockets.typing import Origin

from e2e.install.store import CARD, SHOWN, STATE_S, Shop, as_from_a_store, code_in, code_told, press, until_state, welcome
from e2e.plain import pair
from e2e.ports import free_in_window, own_window
from e2e.site import Site
from e2e.ui.own_pages import EXTENSION, POPUP, WELCOME, look_at, open_page
from e2e.wire.intruders import raw
from polling import until
from tabwire.wire import key_agreement
from tabwire.wire.keys import KeyStore

PATH = WELCOME.partition(EXTENSION)[2]
KEPT = """new Promise((resolve) => {
  indexedDB.open("tabwire-pairing").onsuccess = ({ target: { result: database } }) => {
    const read = database.transaction("pairing").objectStore("pairing").getAll();
    read.onsuccess = () => { database.close(); resolve(read.result.map(({ key_id }) => key_id)); };
  };
})"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Shop]:
    """Browser with a second copy of the extension, which programs do not connect to; the tests come in the order of a life."""
    work = tmp_path_factory.mktemp("shop")
    other = as_from_a_store(work / "other")
    manifest = json.loads((other / "manifest.json").read_text())
    del manifest["key"]
    (other / "manifest.json").write_text(json.dumps(manifest))
    shop = Shop(work, running_site)
    with shop.stack:
        shop.start(other)
        yield shop


class Rogue:
    """A program that waits for a browser without a key, and then does not keep to what it had bound itself to."""

    def __init__(self, port: int) -> None:
        self._server = serve(self._answer, "127.0.0.1", port, process_request=self._look)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def _look(self, connection: ServerConnection, request: Request) -> Response | None:
        return None if "Upgrade" in request.headers else connection.respond(HTTPStatus.NO_CONTENT, "")

    def _answer(self, connection: ServerConnection) -> None:
        own = key_agreement.public_key_of(key_agreement.new_private_key())
        offer = {"type": "pairing_offer", "version": 1, "server_id": "5e", "commitment": key_agreement.new_nonce()}
        connection.send(json.dumps(offer))
        connection.recv(STATE_S)
        connection.send(json.dumps({"type": "pairing_reveal", "public_key": own, "nonce": key_agreement.new_nonce()}))
        with suppress(ConnectionClosed):
            connection.recv(STATE_S)

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join(5)


def waiting_port() -> int:
    """The port at which a command waits for a browser without a key."""
    for port in range(own_window(), own_window() + 16):
        with suppress(OSError):
            if " 204 " in raw(port, f"GET /pair HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"):
                return port
    raise AssertionError("nobody waits")


FROM_A_PAGE = """new Promise((resolve) => {
  const socket = new WebSocket("ws://127.0.0.1:%d/pair");
  socket.onopen = () => resolve("open");
  socket.onerror = () => resolve("refused");
})"""


def test_whatever_comes_between_leaves_no_key_and_nobody_is_asked_twice_by_one_click(shop: Shop) -> None:
    browser = shop.browser
    page = welcome(browser)
    until_state(page, "looking")
    popup = open_page(browser.browser, POPUP)
    popup.wait_for("document.querySelector('#connect')?.hidden === false")
    terminal = shop.terminal()
    first = code_in(terminal)
    until_state(page, "asking")
    popup.wait_for("document.querySelector('#verdict').textContent.includes('press Connect this browser')")
    popup.close()
    # Another script than the person's hand does not press.
    page.evaluate("document.querySelector('[data-request=allowPairing]').disabled = false")
    page.evaluate("document.querySelector('[data-request=allowPairing]').click()")
    press(page, "refusePairing")
    until_state(page, "ended")
    assert "not allowed" in terminal.until("not allowed")

    press(page, "lookForBridge")
    second = code_in(terminal)
    browser.browser.stop_workers()
    third = code_in(terminal)
    page.wait_for(f"{SHOWN} === {json.dumps(third)}", STATE_S)
    assert len({first, second, third}) == 3

    port = waiting_port()
    site_page = browser.browser.at(shop.site.url("/blank.html"))
    assert site_page.evaluate(FROM_A_PAGE % port) == "refused"
    with connect(f"ws://127.0.0.1:{port}/pair", origin=Origin(f"chrome-extension://{EXTENSION}"), proxy=None) as other:
        with pytest.raises(ConnectionClosed) as caught:
            other.recv(STATE_S)
    assert caught.value.rcvd is not None and caught.value.rcvd.reason == "several"
    until_state(page, "several")
    terminal.until("neither was answered")

    press(page, "lookForBridge")
    code_in(terminal)
    until_state(page, "asking")
    terminal.interrupt()
    assert terminal.ended()[0] == 1
    until_state(page, "looking")

    rogues = [Rogue(port) for port in free_in_window(2)]
    try:
        until_state(page, "several")
        rogues.pop(0).close()
        press(page, "lookForBridge")
        until_state(page, "ended")
    finally:
        for rogue in rogues:
            rogue.close()
    assert "bound itself" in page.evaluate(f"{CARD}.textContent")
    assert shop.keys() == []
    assert page.evaluate(KEPT) == []


def test_the_copy_of_two_in_one_profile_that_programs_do_not_connect_to_says_that_it_is_to_be_removed(shop: Shop) -> None:
    browser = shop.browser.browser
    (url,) = until(
        lambda: [
            target["url"]
            for target in browser.targets("page")
            if target["url"].endswith(PATH) and not target["url"].startswith(WELCOME)
        ]
    )
    page = browser.at(url)
    until_state(page, "other_copy")
    popup = open_page(browser, url.replace(PATH, POPUP.partition(EXTENSION)[2]))
    for shown, place in ((page, "#pairing"), (popup, "#verdict")):
        shown.wait_for(f"/Remove it in chrome:..extensions/.test(document.querySelector('{place}').textContent)")
    assert popup.evaluate("document.querySelector('#connect').hidden")
    popup.close()
    page.close()


def test_one_click_pairs_for_good_and_only_another_click_gives_another_key(shop: Shop) -> None:
    browser, client = shop.browser, shop.client()
    page = welcome(browser)
    page.evaluate("void chrome.runtime.sendMessage({ type: 'lookForBridge' })")
    until_state(page, "looking")
    code = code_told(client, "tab_list")
    page.wait_for(f"{SHOWN} === {json.dumps(code)}", STATE_S)
    look_at(page, "pairing", 640)
    assert shop.keys() == [] and page.evaluate(KEPT) == []
    waiting = client.start("tab_new", url=shop.site.page("<h1>Hello</h1>", "From a store"))
    press(page, "allowPairing")
    assert not waiting.result(STATE_S).is_error
    until_state(page, "done")
    (first,) = shop.keys()
    browser.restart()
    client.until_joined(STATE_S)
    client.ok("tab_new", url=shop.site.page("<h1>Hello</h1>", "From a store"))
    assert "From a store" in client.ok("title").text

    # A key that was taken back is no reason to be asked.
    KeyStore(shop.user.home / ".tabwire/keys.json").remove(first["key_id"])
    terminal = shop.terminal()
    page = open_page(browser.browser, WELCOME)
    until_state(page, "unknown_key")
    assert "Code:" not in terminal.until("was refused")
    press(page, "lookForBridge")
    code = code_in(terminal)
    page.wait_for(f"{SHOWN} === {json.dumps(code)}", STATE_S)
    press(page, "allowPairing")
    assert "connected ✓" in terminal.until("“Open example.com in my browser and tell me what it says.”")
    assert terminal.ended()[0] == 0
    until_state(page, "done")
    (second,) = shop.keys()
    assert second["key_id"] != first["key_id"] and page.evaluate(KEPT) == [second["key_id"]]

    # A file in the extension's folder goes before the key of a click.
    pair(shop.user.home / ".tabwire", browser.extension)
    assert f"Revoked the key {second['key_id']}" in shop.user.ok("uninstall")
    browser.browser.stop_workers()
    client.until_joined(STATE_S)
    until_state(page, "paired")
    assert page.evaluate(KEPT) == [second["key_id"]] and shop.keys() == []
