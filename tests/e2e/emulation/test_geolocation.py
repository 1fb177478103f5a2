"""geolocation: where a page is told it is, and what it needs for that."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.emulation.emulated import Watched, watch
from e2e.site import Site

POSITION = (
    "new Promise((resolve) => navigator.geolocation.getCurrentPosition("
    "({coords: c}) => resolve([c.latitude, c.longitude, c.accuracy]), (error) => resolve(error.code), {timeout: 700}))"
)
ROME = {"latitude": 41.9, "longitude": 12.5}


@pytest.fixture
def page(browser: Browser) -> Watched:
    return watch(browser)


def allow(tabwire: Tabwire, state: str = "granted", **more: Any) -> None:
    tabwire.ok("permissions", permissions=[{"name": "geolocation", "state": state}], **more)


def test_without_the_permission_the_reply_says_what_to_call(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Map</h1>"))
    # Without the permission the reply says what to call.
    reply = tabwire.ok("geolocation", **ROME)
    assert reply.data["permission"] == "prompt"
    assert 'permissions with {"permissions":[{"name":"geolocation","state":"granted"}]}' in reply.data["note"]
    allow(tabwire, "denied")
    assert tabwire.ok("geolocation", **ROME).data["permission"] == "denied"
    assert page.evaluate(POSITION) == 1


def test_a_page_is_told_the_place_and_how_exact_it_is(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Map</h1>"))
    allow(tabwire)
    reply = tabwire.ok("geolocation", **ROME, accuracy=7)
    assert page.evaluate(POSITION) == [41.9, 12.5, 7]
    assert reply.data["page"] == {**ROME, "accuracy": 7}
    tabwire.ok("geolocation", latitude=-90, longitude=180)
    assert page.evaluate(POSITION) == [-90, 180, 100]


def test_the_place_ends_when_it_is_cleared(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Map</h1>"))
    allow(tabwire)
    tabwire.ok("geolocation", **ROME)
    assert page.evaluate(POSITION) == [41.9, 12.5, 100]
    assert tabwire.ok("geolocation", clear=True).data["emulated"] is None
    assert page.evaluate(POSITION) != [41.9, 12.5, 100]
    assert tabwire.ok("geolocation", clear=True).data["emulated"] is None, "there is nothing wrong with clearing twice"


def test_a_page_that_watches_hears_of_a_move(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Map</h1>"))
    allow(tabwire)
    tabwire.ok("geolocation", **ROME)
    page.evaluate(
        "void (moved = new Promise((r) => navigator.geolocation.watchPosition(({coords: c}) => c.latitude === 52.5 && r(c.longitude))))"
    )
    tabwire.ok("geolocation", latitude=52.5, longitude=13.4)
    assert page.evaluate("moved") == 13.4


def test_a_frame_of_another_site_and_the_next_page_are_there_too(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    inner = site.cross_page("<h1>Frame</h1>")
    outer = site.page(f"<iframe allow=geolocation src='{inner}'></iframe>")
    tabwire.ok("tab_new", url=site.page("<h1>First</h1>"))
    allow(tabwire)
    tabwire.ok("geolocation", **ROME)
    tabwire.open(outer)
    assert watch(browser, outer).evaluate(POSITION) == [41.9, 12.5, 100]
    frame = watch(browser, outer)
    frame = Watched(browser, browser.shown().frame(inner).target_id)
    assert frame.evaluate(POSITION) == [41.9, 12.5, 100]


def test_each_tab_has_its_own_place(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    urls = [site.page(f"<h1>{number}</h1>") for number in (1, 2)]
    ids = [tabwire.ok("tab_new", url=url).data["tabId"] for url in urls]
    allow(tabwire)
    for number in (0, 1):
        tabwire.ok("geolocation", latitude=number, longitude=5, tabId=ids[number])
    for number in (1, 0):
        tabwire.ok("tab_switch", tabId=ids[number])
        assert watch(browser, urls[number]).evaluate(POSITION) == [number, 5, 100]


def test_a_place_that_is_none_is_refused(refused: Launched) -> None:
    for arguments, word in (
        ({}, "latitude and longitude"),
        ({"latitude": 1}, "latitude and longitude"),
        ({"latitude": 91, "longitude": 0}, "latitude"),
        ({"latitude": 0, "longitude": -181}, "longitude"),
        ({"latitude": 0, "longitude": 0, "accuracy": -1}, "accuracy"),
        ({"latitude": 0, "longitude": 0, "clear": True}, "clear"),
        ({"latitude": "north", "longitude": 0}, "latitude"),
    ):
        reply = refused.tabwire.fails("geolocation", **arguments)
        assert (reply.code, word in reply.text) == ("invalid_argument", True), reply.text
