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
def joined(bridge: Listening, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, PlainChromium]]:
    with bridge.browser(tmp_path_factory.mktemp("joined"), bridge.trusting) as joined:
        yield joined


def popup(chromium: PlainChromium) -> Page:
    """The popup, which asks the worker once a second and so has it look for bridges."""
    page: Page = chromium.browser.open(POPUP)
    page.wait_for("document.querySelector('#hops')?.textContent.includes('Pairingpaired') === true", 20)
    return page


def refused(port: int) -> str:
    """Whether the popup shows that this port was not joined."""
    return f"document.querySelector('#refused ul')?.textContent.includes('port {port}') === true"


def test_a_browser_works_for_a_bridge_elsewhere(bridge: Listening, joined: tuple[str, PlainChromium]) -> None:
    browser_id, _ = joined
    assert bridge.address.address.startswith("wss://")
    assert [tab["url"] for tab in bridge.asked(browser_id)["tabs"]] == ["about:blank"]
    large = "x" * 2_000_000
    assert bridge.asked(browser_id, "session.echo", payload=large)["payload"] == large


def test_it_comes_back_when_its_worker_was_killed(bridge: Listening, joined: tuple[str, PlainChromium]) -> None:
    browser_id, chromium = joined
    bridge.asked(browser_id)
    assert chromium.browser.stop_workers() == 1
    assert bridge.asked(browser_id)["tabs"]


def fetched(page: Page, bridge: Listening) -> str:
    """What becomes of a look whether the bridge is there."""
    probe = bridge.address.address.replace("wss:", "https:") + "/probe"
    return str(page.evaluate(f"fetch({json.dumps(probe)}, {{mode: 'no-cors'}}).then(() => 'taken', () => 'refused')"))


def test_a_browser_that_knows_another_fingerprint_tells_nothing(
    bridge: Listening, joined: tuple[str, PlainChromium], tmp_path: Path
) -> None:
    trusting = popup(joined[1])
    assert fetched(trusting, bridge) == "taken"
    trusting.close()
    other = "A" * 43 + "="
    with bridge.browser(tmp_path, [f"--ignore-certificate-errors-spki-list={other}"]) as (browser_id, chromium):
        assert fetched(popup(chromium), bridge) == "refused"
        assert browser_id not in bridge.joined


PAIRINGS: dict[str, dict[str, Any]] = {
    "no token": {"token": None},
    "another token": {"token": "A" * 43},
    "another key": {"key": new_key()},
}


def test_a_browser_without_token_or_key_is_kept_out_until_it_has_both(bridge: Listening, tmp_path: Path) -> None:
    told = {"address": bridge.address.address, "token": bridge.address.token}
    with bridge.browser(tmp_path, bridge.trusting, token=None) as (browser_id, chromium):
        page = popup(chromium)
        for changed in PAIRINGS.values():
            changed = {"key": bridge.key, **told, **changed}
            write_pairing(chromium.extension, changed.pop("key"), browser={"id": browser_id, "name": "Stranger"}, **changed)
            page.close()
            chromium.browser.stop_workers()
            page = popup(chromium)
            page.wait_for(refused(bridge.port), 20)
            assert browser_id not in bridge.joined
        write_pairing(chromium.extension, bridge.key, browser={"id": browser_id, "name": "Stranger"}, **told)
        page.close()
        chromium.browser.stop_workers()
        popup(chromium)
        assert bridge.asked(browser_id)["tabs"]


@pytest.mark.parametrize(
    "address", ["ws://{host}:{port}", "http://{host}:{port}", "wss://{host}:{port}/path", "wss://user@{host}:{port}", "nothing"]
)
def test_an_address_that_is_none_or_in_the_clear_is_not_dialled(
    address: str, bridge: Listening, joined: tuple[str, PlainChromium], host: str
) -> None:
    named = f"[{host}]" if ":" in host else host
    _, chromium = joined
    wrong = address.format(host=named, port=bridge.port)
    script = f"""import("/extension/background/wire/bridge-addresses.js").then(({{ bridgeAddress }}) => bridgeAddress({json.dumps(wrong)}, "secret"))
        .then((door) => JSON.stringify(door), (error) => `refused: ${{error}}`)"""
    page = popup(chromium)
    said = str(page.evaluate(script))
    page.close()
    assert said.startswith("refused: ") and "secret" not in said


def test_a_certificate_of_ones_own_is_taken_by_its_fingerprint(tmp_path: Path, host: str) -> None:
    certificate, key = write_certificate(tmp_path / "tls", host)
    bridge = Listening(tmp_path, host, certificate=certificate, private_key=key)
    try:
        with bridge.browser(tmp_path / "given", bridge.trusting) as (browser_id, _):
            assert bridge.asked(browser_id)["tabs"]
            assert not list((tmp_path / "home").glob("*.pem"))
    finally:
        bridge.close()


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
