"""Browsers that come in over the network: TLS whose key they know, a token, and their own key. Others do not."""

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.certificate import unverified, write_certificate
from bridge.network import network_address
from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.ui.own_pages import POPUP
from e2e.wire.listening import Listening
from e2e.worker import ALARM
from tabwire.wire.keys import new_key, write_pairing


@pytest.fixture(scope="module")
def host() -> str:
    return network_address()


@pytest.fixture(scope="module")
def bridge(tmp_path_factory: pytest.TempPathFactory, host: str) -> Iterator[Listening]:
    bridge = Listening(tmp_path_factory.mktemp("listen"), host)
    yield bridge
    bridge.close()


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory, host: str) -> Iterator[Listening]:
    """A bridge with a certificate of its owner's."""
    work = tmp_path_factory.mktemp("certified")
    certificate, key = write_certificate(work / "tls", host)
    bridge = Listening(work, host, certificate=certificate, private_key=key)
    yield bridge
    bridge.close()


@pytest.fixture(scope="module")
def joined(
    bridge: Listening, certified: Listening, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, PlainChromium]]:
    """A browser that knows the fingerprints of both, and is told to dial the first one."""
    known = f"--ignore-certificate-errors-spki-list={bridge.address.spki},{certified.address.spki}"
    with bridge.browser(tmp_path_factory.mktemp("joined"), [known]) as joined:
        yield joined


def popup(chromium: PlainChromium) -> Page:
    """The popup, which asks the worker once a second and so has it look for bridges."""
    page: Page = chromium.browser.open(POPUP)
    page.wait_for("document.querySelector('#hops')?.textContent.includes('Pairingpaired') === true", 20)
    return page


def told(joined: tuple[str, PlainChromium], bridge: Listening, **changed: Any) -> Page:
    """The popup of the browser, for which another pairing is laid in its folder before its worker starts again."""
    browser_id, chromium = joined
    told = {"address": bridge.address.address, "token": bridge.address.token, "key": bridge.key, **changed}
    write_pairing(chromium.extension, told.pop("key"), browser={"id": browser_id, "name": "Joined"}, **told)
    assert chromium.browser.stop_workers() == 1
    return popup(chromium)


def refused(port: int) -> str:
    """Whether the worker tells the popup that this port was not joined."""
    return f"chrome.runtime.sendMessage({{ type: 'status' }}).then(({{ refused }}) => refused.some((one) => one.port === {port}))"


def test_a_browser_works_for_a_bridge_elsewhere(bridge: Listening, joined: tuple[str, PlainChromium]) -> None:
    browser_id, _ = joined
    assert bridge.address.address.startswith("wss://")
    assert [tab["url"] for tab in bridge.asked(browser_id)["tabs"]] == ["about:blank"]
    large = "x" * 2_000_000
    assert bridge.asked(browser_id, "session.echo", payload=large)["payload"] == large


def test_it_comes_back_when_its_worker_was_killed(bridge: Listening, joined: tuple[str, PlainChromium]) -> None:
    browser_id, chromium = joined
    bridge.asked(browser_id)
    # What wakes it is its alarm, here after a second.
    assert 0 < chromium.browser.in_worker(f"chrome.alarms.get('{ALARM}').then((alarm) => alarm.periodInMinutes)") <= 0.5
    chromium.browser.in_worker(f"chrome.alarms.create('{ALARM}', {{ periodInMinutes: 0.02 }})")
    assert chromium.browser.stop_workers() == 1
    assert bridge.asked(browser_id)["tabs"]


def fetched(page: Page, bridge: Listening) -> str:
    """What becomes of a look whether the bridge is there."""
    probe = bridge.address.address.replace("wss:", "https:") + "/probe"
    return str(page.evaluate(f"fetch({json.dumps(probe)}, {{mode: 'no-cors'}}).then(() => 'taken', () => 'refused')"))


WRONG_ADDRESSES = (
    "ws://{host}:{port}",
    "http://{host}:{port}",
    "wss://{host}:{port}/path",
    "wss://user@{host}:{port}",
    "nothing",
)


def test_an_address_that_is_none_or_in_the_clear_is_not_dialled(
    bridge: Listening, joined: tuple[str, PlainChromium], host: str
) -> None:
    named = f"[{host}]" if ":" in host else host
    wrong = [address.format(host=named, port=bridge.port) for address in WRONG_ADDRESSES]
    script = f"""import("/extension/background/wire/bridge-addresses.js").then(({{ bridgeAddress }}) => {json.dumps(wrong)}.map((address) => {{
        try {{ return JSON.stringify(bridgeAddress(address, "secret")); }} catch (error) {{ return `refused: ${{error}}`; }} }}))"""
    page = popup(joined[1])
    said = dict(zip(WRONG_ADDRESSES, page.evaluate(script), strict=True))
    page.close()
    assert {address: text for address, text in said.items() if not text.startswith("refused: ") or "secret" in text} == {}


PAIRINGS: dict[str, dict[str, Any]] = {
    "no token": {"token": None},
    "another token": {"token": "A" * 43},
    "another key": {"key": new_key()},
}


def test_a_browser_without_token_or_key_is_kept_out_until_it_has_both(
    bridge: Listening, joined: tuple[str, PlainChromium]
) -> None:
    for name, changed in PAIRINGS.items():
        page = told(joined, bridge, **changed)
        page.wait_for(refused(bridge.port), 20)
        assert joined[0] not in bridge.joined, name
        page.close()
    told(joined, bridge).close()
    assert bridge.asked(joined[0])["tabs"]


def test_a_browser_that_knows_another_fingerprint_tells_nothing(
    bridge: Listening, joined: tuple[str, PlainChromium], host: str, tmp_path: Path
) -> None:
    unknown = Listening(tmp_path, host)
    try:
        page = told(joined, unknown)
        assert fetched(page, bridge) == "taken"
        assert fetched(page, unknown) == "refused"
        assert unknown.joined == []
        page.close()
    finally:
        unknown.close()


def test_a_certificate_of_ones_own_is_taken_by_its_fingerprint(certified: Listening, joined: tuple[str, PlainChromium]) -> None:
    told(joined, certified).close()
    assert certified.asked(joined[0])["tabs"]
    # None of its own was made.
    assert not list(certified.home.glob("*.pem"))


# ---- the command ----------------------------------------------------------------------------------------------------------


def test_serve_listens_where_it_is_told(tmp_path: Path, host: str) -> None:
    named = f"[{host}]" if ":" in host else host
    served = Tabwire(
        ["--listen", f"{named}:0", "--log-level", "debug"], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "bridge"
    )
    try:
        log = served.log.read_text()
        found = re.search(r"listening on wss://\S+:(\d+)", log)
        assert found, log
        door = http.client.HTTPSConnection(host, int(found[1]), timeout=10, context=unverified())
        door.request("GET", "/probe")
        assert door.getresponse().status == 204
        assert "tabwire.token" not in served.log.read_text()
    finally:
        served.close()


@pytest.mark.parametrize(
    ("place", "reason"),
    [("0.0.0.0:0", "listen: '0.0.0.0' is no address that a browser can dial"), ("192.0.2.254:0", "--listen: cannot")],
)
def test_serve_says_what_it_cannot_listen_on(place: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=reason):
        Tabwire(["--listen", place], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "bridge").close()
