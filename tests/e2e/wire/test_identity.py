"""Who a browser is when the program that launched it has said so."""

import uuid
from collections.abc import Iterator

import pytest

from e2e.client import Tabwire
from e2e.plain import PlainChromium
from e2e.ui.own_pages import ask_extension

GIVEN = {"id": str(uuid.uuid4()), "name": "Launched 7"}


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlainChromium]:
    chromium = PlainChromium(tmp_path_factory.mktemp("identity"), "about:blank", pairing={"browser": GIVEN})
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def bridge(chromium: PlainChromium) -> Tabwire:
    return chromium.join()


def test_it_joins_as_the_browser_its_pairing_names(bridge: Tabwire) -> None:
    assert not bridge.call("tab_list", browser=GIVEN["id"]).is_error
    assert not bridge.call("tab_list", browser=GIVEN["name"]).is_error


def test_it_is_the_same_one_for_a_new_worker_and_makes_no_identity_of_its_own(chromium: PlainChromium, bridge: Tabwire) -> None:
    assert chromium.browser.stop_workers() == 1
    # Its own page wakes the worker at once.
    refused = ask_extension(chromium.browser, type="newIdentity")
    assert "launched" in refused["error"]
    assert not bridge.call("tab_list", browser=GIVEN["id"]).is_error
    assert ask_extension(chromium.browser, type="status")["browser"]["id"] == GIVEN["id"]


def test_the_name_its_owner_gives_it_goes_before(chromium: PlainChromium, bridge: Tabwire) -> None:
    assert ask_extension(chromium.browser, type="rename", name="Mine")["name"] == "Mine"
    assert not bridge.call("tab_list", browser="Mine").is_error
    assert ask_extension(chromium.browser, type="rename", name="")["name"] == GIVEN["name"]
