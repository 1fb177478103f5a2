"""permissions: what a site is told it may do, and that the user's own choice is back afterwards."""

from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launcher
from e2e.emulation.emulated import Watched, watch
from e2e.emulation.test_geolocation import POSITION, ROME
from e2e.site import Site
from polling import until

NAMES = ("geolocation", "notifications", "camera", "microphone", "clipboard-read")


@pytest.fixture
def page(browser: Browser) -> Watched:
    return watch(browser)


def state(page: Watched, name: str) -> str:
    return str(page.evaluate(f"navigator.permissions.query({{name: '{name}'}}).then((found) => found.state)"))


def one(name: str, wanted: str) -> dict[str, Any]:
    return {"permissions": [{"name": name, "state": wanted}]}


def test_a_page_finds_each_state(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    for wanted in ("granted", "denied", "prompt"):
        for name in NAMES:
            reply = tabwire.ok("permissions", **one(name, wanted))
            assert state(page, name) == wanted, name
            assert reply.data["states"] == {name: wanted}
        assert reply.data["overridden"] == dict.fromkeys(NAMES, wanted)


def test_what_a_state_is_for_works(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    script = "[Notification.permission, await new Promise((r) => navigator.geolocation.getCurrentPosition(() => r('told'), (e) => r(e.code)))]"
    script = f"(async () => {script})()"
    tabwire.ok("geolocation", latitude=1, longitude=2)
    tabwire.ok("permissions", permissions=[{"name": name, "state": "denied"} for name in NAMES])
    assert page.evaluate(script) == ["denied", 1]
    tabwire.ok("permissions", permissions=[{"name": name, "state": "granted"} for name in NAMES])
    assert page.evaluate(script) == ["granted", "told"]


def test_pages_may_always_write_to_the_clipboard(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("permissions", permissions=[])
    assert tabwire.ok("permissions", **one("clipboard-write", "granted")).data["states"] == {"clipboard-write": "granted"}
    both = [{"name": "camera", "state": "granted"}, {"name": "clipboard-write", "state": "denied"}]
    reply = tabwire.fails("permissions", permissions=both)
    assert (reply.code, "clipboard-write" in reply.text) == ("unsupported_operation", True)
    assert state(page, "camera") == "prompt", "nothing of a call that fails is done"


def test_another_site_can_be_named(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    reply = tabwire.ok("permissions", **one("notifications", "granted"), origin=site.cross_origin)
    assert reply.data["states"] == {"notifications": "granted"}
    assert state(page, "notifications") == "prompt"


def test_an_empty_list_takes_everything_back_for_the_site(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("permissions", **one("notifications", "granted"), origin=site.cross_origin)
    tabwire.ok("permissions", **one("camera", "granted"))
    tabwire.ok("permissions", **one("camera", "denied"), origin=site.cross_origin)
    tabwire.ok("permissions", **one("geolocation", "denied"))
    assert tabwire.ok("permissions", permissions=[]).data["overridden"] == {}
    assert [state(page, name) for name in NAMES] == ["prompt"] * 5
    tabwire.open(site.cross_page("<h1>Other</h1>"))
    assert state(page, "camera") == "denied", "the other site's stay"
    assert state(page, "notifications") == "granted"


def test_a_frame_has_the_permission_its_page_shares(tabwire: Tabwire, site: Site, browser: Browser, page: Watched) -> None:
    inner = site.cross_page("<h1>Frame</h1>")
    tabwire.open(site.page(f"<iframe allow=camera src='{inner}'></iframe>"))
    tabwire.ok("permissions", **one("camera", "granted"))
    frame = Watched(browser, browser.shown().frame(inner).target_id)
    assert [state(frame, name) for name in ("camera", "microphone")] == ["granted", "denied"]


def test_an_override_ends_with_its_tab_and_the_others_stay(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("permissions", **one("camera", "denied"))
    (first,) = [tab["tabId"] for tab in tabwire.tabs()]
    second = tabwire.ok("tab_new", url=site.cross_page("<h1>Other</h1>"), active=False).data["tabId"]
    tabwire.ok("permissions", **one("camera", "granted"), tabId=second)
    tabwire.ok("permissions", **one("microphone", "granted"), origin=site.origin, tabId=second)
    assert [state(page, name) for name in ("camera", "microphone")] == ["denied", "granted"]
    tabwire.ok("tab_close", tabId=second)
    until(lambda: state(page, "microphone"), equals="prompt", within=2)
    assert state(page, "camera") == "denied"
    tabwire.ok("permissions", **one("camera", "prompt"), tabId=first)


def test_overrides_outlive_the_worker_and_end_all_the_same(tabwire: Tabwire, site: Site, browser: Browser, page: Watched) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    tabwire.ok("permissions", **one("camera", "granted"))
    browser.stop_workers()
    assert tabwire.ok("permissions", **one("microphone", "denied")).data["overridden"] == {
        "camera": "granted",
        "microphone": "denied",
    }
    assert [state(page, name) for name in ("camera", "microphone")] == ["granted", "denied"]
    browser.stop_workers()
    tabwire.ok("permissions", permissions=[])
    assert [state(page, name) for name in ("camera", "microphone")] == ["prompt", "prompt"]


def test_a_dialog_does_not_stand_in_the_way(tabwire: Tabwire, site: Site, page: Watched) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    tabwire.ok("click", selector="button")
    tabwire.ok("permissions", permissions=[{"name": name, "state": "granted"} for name in ("camera", "geolocation")])
    tabwire.ok("geolocation", **ROME)
    tabwire.open(site.page("<h1>Free</h1>"))
    assert state(page, "camera") == "granted"
    assert page.evaluate(POSITION) == [*ROME.values(), 100]


def test_what_is_no_permission_of_a_site_is_refused(tabwire: Tabwire) -> None:
    for arguments, word in (
        ({}, "permissions"),
        ({"permissions": [{"name": "camera"}]}, "name and state"),
        ({"permissions": [{"state": "granted"}]}, "name and state"),
        (one("bluetooth", "granted"), "geolocation"),
        (one("camera", "allowed"), "granted"),
        ({**one("camera", "granted"), "origin": "example.com"}, "https://example.com"),
        ({**one("camera", "granted"), "origin": "file:///etc"}, "https://example.com"),
        ({**one("camera", "granted"), "origin": "https://*.example.com"}, "https://example.com"),
    ):
        reply = tabwire.fails("permissions", **arguments)
        assert (reply.code, word in reply.text) == ("invalid_argument", True), reply.text
    tabwire.ok("tab_new")
    assert tabwire.fails("permissions", **one("camera", "granted")).code == "invalid_argument"


def test_what_an_earlier_browser_session_left_is_taken_back(joiner: Launcher, site: Site) -> None:
    joined = joiner.fresh(site)
    joined.tabwire.open(site.url("/blank.html"))
    page = watch(joined.browser)
    joined.tabwire.ok("permissions", **one("camera", "granted"))
    joined.browser.in_worker("chrome.storage.session.remove(['permissions.overrides', 'permissions.swept'])")
    joined.browser.stop_workers()
    until(lambda: state(page, "camera"), equals="prompt", within=5)
