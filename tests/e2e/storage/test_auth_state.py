"""auth_state: a login is saved, survives everything, and is there again after a load; its values are in the file alone."""

import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Join, Joined, Launched, ShownPage
from e2e.site import Site
from e2e.worker import attached
from polling import until

pytestmark = pytest.mark.same_tab

SECRET = "s3cr3tv4lue"
FORBIDDING = {
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": "sandbox; frame-ancestors 'none'",
    "Set-Cookie": "visited=1; Path=/",
}


@pytest.fixture(autouse=True)
def _nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    # A refused call leaves nothing, and a browser of the test's own goes with its home.
    tabwire = request.getfixturevalue("tabwire") if "tabwire" in request.fixturenames else None
    yield
    if tabwire:
        for file in folder(tabwire).glob("*"):
            file.unlink()


def folder(tabwire: Tabwire) -> Path:
    """Where the bridge keeps the states: its home lies beside its log, or beside the folder of that."""
    return next(parent for parent in tabwire.log.parents if (parent / "home").is_dir()) / "home" / "auth"


def jar(browser: Browser) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = browser.call("Storage.getCookies")["cookies"]
    return found


def signed_in(site: Site) -> str:
    """A page that signs in by a cookie no script can read, and by its storage."""
    script = f"<script>localStorage.clear(); localStorage.token = '{SECRET}'; localStorage.odd = '\\ud800'; sessionStorage.step = '{SECRET}2'</script>"
    return site.page(script, headers={"Set-Cookie": f"sid={SECRET}; HttpOnly; Path=/; Max-Age=3600"})


def sign_out(browser: Browser, page: ShownPage) -> None:
    browser.call("Storage.clearCookies")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


HELD = "[localStorage.token ?? null, localStorage.odd?.charCodeAt(0) ?? null, sessionStorage.step ?? null]"


def test_a_login_is_there_again_after_a_load(tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site) -> None:
    tabwire.open(signed_in(site))
    saved = tabwire.ok("auth_state", action="save", name="work")
    assert saved.data["origins"] == [{"origin": site.origin, "cookies": 1, "local_storage": 2}]
    sign_out(browser, page)
    loaded = tabwire.ok("auth_state", action="load", name="work")
    assert loaded.data["restored"] == [{"origin": site.origin, "cookies": 1, "local_storage": 2}]
    assert page.evaluate(HELD) == [SECRET, 0xD800, None], "session storage comes only when asked for"
    (cookie,) = jar(browser)
    assert (cookie["value"], cookie["httpOnly"], cookie["session"]) == (SECRET, True, False)
    assert cookie["expires"] == pytest.approx(time.time() + 3600, abs=60)
    (shown,) = loaded.data["reload"]
    tabwire.ok("reload", tabId=shown["tabId"])
    assert f"sid={SECRET}" in next(hit.headers["Cookie"] for hit in reversed(site.hits) if "Cookie" in hit.headers)
    assert SECRET not in saved.text + loaded.text + json.dumps(saved.structured) + json.dumps(loaded.structured)


def test_what_to_include_can_be_chosen(tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site) -> None:
    tabwire.open(signed_in(site))
    tabwire.ok("auth_state", action="save", name="all", include_session_storage=True)
    bare = tabwire.ok("auth_state", action="save", name="cookies", include_local_storage=False)
    assert bare.data["origins"] == [{"origin": site.origin, "cookies": 1}]
    sign_out(browser, page)
    tabwire.ok("auth_state", action="load", name="cookies")
    assert (len(jar(browser)), page.evaluate("localStorage.length")) == (1, 0)
    told = tabwire.ok("auth_state", action="load", name="all")
    assert (page.evaluate(HELD)[2], "include_session_storage" in told.data["note"]) == (None, True)
    page.evaluate("localStorage.clear()")
    tabwire.ok("auth_state", action="load", name="all", include_session_storage=True, include_local_storage=False)
    assert page.evaluate(HELD) == [None, None, SECRET + "2"]


def test_what_the_state_does_not_name_stays(tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site) -> None:
    tabwire.open(signed_in(site))
    tabwire.ok("auth_state", action="save", name="all")
    page.evaluate("sessionStorage.clear()")
    page.evaluate("localStorage.draft = 'mine'; localStorage.token = 'other'; document.cookie = 'theme=dark'")
    tabwire.ok("auth_state", action="load", name="all")
    assert page.evaluate("[localStorage.draft, localStorage.token]") == ["mine", SECRET]
    assert sorted(cookie["name"] for cookie in jar(browser)) == ["sid", "theme"]


def test_every_cookie_an_origin_is_sent_is_kept_and_no_other(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    def cookie(name: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "value": f"{name}-value", "path": "/", **more}

    partitioned = {
        "secure": True,
        "sameSite": "None",
        "partitionKey": {"topLevelSite": "https://top.example", "hasCrossSiteAncestor": True},
    }
    kept = [
        cookie("host", domain="app.shop.example", httpOnly=True, sameSite="Strict"),
        cookie("deep", domain="app.shop.example", path="/admin", secure=True),
        cookie("wide", domain=".shop.example", sameSite="Lax", expires=int(time.time()) + 5000),
        cookie("part", domain="app.shop.example", **partitioned),
        cookie("__Host-x", domain="app.shop.example", secure=True),
    ]
    foreign = [
        cookie("parent", domain="shop.example"),
        cookie("sibling", domain="www.shop.example"),
        cookie("ad", domain=".ads.example"),
    ]
    browser.call("Storage.setCookies", {"cookies": kept + foreign})
    before = {cookie["name"]: cookie for cookie in jar(browser)}
    arguments = {"origins": ["https://app.shop.example", "app.shop.example/login"], "include_local_storage": False}
    saved = tabwire.ok("auth_state", action="save", name="shop", **arguments).data["origins"]
    assert saved == [{"origin": "https://app.shop.example", "cookies": 5}]
    browser.call("Storage.clearCookies")
    assert tabwire.ok("auth_state", action="load", name="shop").data["restored"][0]["cookies"] == 5
    told = ("value", "domain", "path", "expires", "httpOnly", "secure", "session", "sameSite", "partitionKey")
    after = {cookie["name"]: [cookie.get(key) for key in told] for cookie in jar(browser)}
    assert after == {name: [before[name].get(key) for key in told] for name in ("host", "deep", "wide", "part", "__Host-x")}


def test_origins_that_no_tab_shows_are_saved_and_restored_unseen(
    tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site
) -> None:
    site.serve("/robots.txt", "<script>fetch('/ran')</script><img src=/loaded>", headers=FORBIDDING)
    tabwire.open(
        site.cross_page(f"<script>localStorage.clear(); localStorage.token = '{SECRET}'; document.cookie = 'sid=1'</script>")
    )
    tabwire.open(signed_in(site))
    tabs = len(browser.pages())
    both = {"name": "both", "origins": [site.origin, site.cross_origin]}
    saved = tabwire.ok("auth_state", action="save", **both).data
    assert "failed" not in saved
    assert saved["origins"] == [
        {"origin": site.origin, "cookies": 1, "local_storage": 2},
        {"origin": site.cross_origin, "cookies": 1, "local_storage": 1},
    ]
    sign_out(browser, page)
    tabwire.open(site.cross_page("<script>localStorage.clear()</script>"))
    tabwire.open(site.url())
    assert tabwire.ok("auth_state", action="load", name="both").data["restored"][1] == {
        "origin": site.cross_origin, "cookies": 1, "local_storage": 1,
    }  # fmt: skip
    assert sorted((cookie["domain"], cookie["name"]) for cookie in jar(browser)) == [("127.0.0.1", "sid"), ("localhost", "sid")]
    assert len(browser.pages()) == tabs
    tabwire.open(site.cross_page("<p>again</p>"))
    assert page.evaluate("localStorage.token") == SECRET
    asked = [hit for hit in site.hits if hit.path == "/robots.txt"]
    assert len(asked) == 2
    assert not any("Cookie" in hit.headers for hit in asked)
    assert {hit.path for hit in site.hits} & {"/ran", "/loaded"} == set()


def left_behind(browser: Browser) -> list[Any]:
    script = (
        "Promise.all([chrome.scripting.getRegisteredContentScripts(), chrome.declarativeNetRequest.getSessionRules(),"
        "chrome.runtime.getContexts({contextTypes: ['OFFSCREEN_DOCUMENT']})]).then((all) => all.flat().map((one) => one.id ?? one.documentUrl))"
    )
    found: list[Any] = browser.in_worker(script)
    return found


def test_an_address_that_leads_elsewhere_is_not_the_last_word(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.cross_page(f"<script>localStorage.token = '{SECRET}'</script>"))
    tabwire.open(site.url())
    site.serve("/robots.txt", "", status=302, headers={"Location": site.url()})
    saved = tabwire.ok("auth_state", action="save", name="x", origins=[site.cross_origin]).data
    assert saved["origins"][0]["local_storage"] >= 1
    assert [hit.path for hit in site.hits if hit.path in ("/robots.txt", "/")] == ["/robots.txt", "/"]
    assert left_behind(browser) == []


def test_what_cannot_be_had_is_told_and_the_rest_is_kept(tabwire: Tabwire, page: ShownPage, browser: Browser, site: Site) -> None:
    tabwire.open(signed_in(site))
    for path in ("/robots.txt", "/"):
        site.serve(path, "", status=302, headers={"Location": site.url("/blank.html")})
    browser.call("Storage.setCookies", {"cookies": [{"name": "c", "value": "1", "domain": "localhost", "path": "/"}]})
    origins = [site.origin, site.cross_origin, "https://nowhere.invalid"]
    saved = tabwire.ok("auth_state", action="save", name="part", origins=origins, include_session_storage=True).data
    assert saved["origins"][1:] == [{"origin": site.cross_origin, "cookies": 1}]
    failed = {(failure["origin"], failure["what"]) for failure in saved["failed"]}
    assert failed == {(origins[1], "local_storage"), (origins[1], "session_storage"), (origins[2], "all")}
    assert all("open it" in failure["cause"] for failure in saved["failed"])
    page.evaluate("localStorage.clear(); localStorage.big = 'x'.repeat(5_242_880 - 3)")
    loaded = tabwire.ok("auth_state", action="load", name="part", origins=[site.origin]).data
    (failure,) = loaded["failed"]
    assert (failure["what"], failure["missing"], "is full" in failure["cause"]) == ("local_storage", 2, True)
    assert loaded["restored"] == [{"origin": site.origin, "cookies": 1, "local_storage": 0}]
    page.evaluate("localStorage.clear()")
    assert left_behind(browser) == []


def test_a_save_that_gets_nothing_leaves_the_earlier_state(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.url())
    tabwire.ok("auth_state", action="save", name="x")
    reply = tabwire.fails("auth_state", action="save", name="x", origins=["https://nowhere.invalid"])
    assert (reply.code, "nothing could be saved: no document of https://nowhere.invalid" in reply.text) == (
        "unsupported_operation",
        True,
    )
    tabwire.ok("tab_new", url="about:blank")
    reply = tabwire.fails("auth_state", action="save", name="x")
    assert (reply.code, "give origins" in reply.text) == ("invalid_argument", True)
    assert tabwire.ok("auth_state", action="list").data["states"][0]["origins"][0]["origin"] == site.origin


def test_an_origin_that_the_state_does_not_have_is_named(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.url())
    tabwire.ok("auth_state", action="save", name="x")
    assert f"it has {site.origin}" in tabwire.fails("auth_state", action="load", name="x", origins=["a.example"]).text


def test_expired_cookies_are_counted_and_stay_away(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(signed_in(site))
    tabwire.ok("auth_state", action="save", name="old")
    file = folder(tabwire) / "old.json"
    state = json.loads(file.read_text())
    cookies = state["origins"][0]["cookies"]
    cookies.append({**cookies[0], "name": "stale", "expirationDate": 1000})
    cookies.append({**cookies[0], "name": "bro;ken"})
    file.write_text(json.dumps(state))
    browser.call("Storage.clearCookies")
    loaded = tabwire.ok("auth_state", action="load", name="old")
    assert loaded.data["expired_cookies"] == 1
    assert loaded.data["restored"][0]["cookies"] == 1
    assert [(failure["what"], failure["name"]) for failure in loaded.data["failed"]] == [("cookie", "bro;ken")]
    assert [cookie["name"] for cookie in jar(browser)] == ["sid"]
    assert SECRET not in loaded.text


def test_states_are_listed_by_name_without_their_values(tabwire: Tabwire, site: Site) -> None:
    assert tabwire.ok("auth_state", action="list").data["states"] == []
    tabwire.open(signed_in(site))
    first = tabwire.ok("auth_state", action="save", name="b").data
    assert "replaced" not in first
    assert tabwire.ok("auth_state", action="save", name="b").data["replaced"] is True
    tabwire.ok("auth_state", action="save", name="a")
    listed = tabwire.ok("auth_state", action="list")
    assert [state["name"] for state in listed.data["states"]] == ["a", "b"]
    assert listed.data["states"][0]["origins"] == first["origins"]
    assert [state["name"] for state in tabwire.ok("auth_state", action="list", name="b").data["states"]] == ["b"]
    assert SECRET not in listed.text


def test_files_of_states_are_their_users_alone(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(signed_in(site))
    tabwire.ok("auth_state", action="save", name="a")
    tabwire.ok("auth_state", action="save", name="b")
    assert stat.S_IMODE(folder(tabwire).stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder(tabwire).iterdir()} == {0o600}


def test_a_file_that_is_no_state_is_said_to_be_none(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(signed_in(site))
    tabwire.ok("auth_state", action="save", name="a")
    (folder(tabwire) / "a.json").write_text(f"{{{SECRET}")
    broken = tabwire.fails("auth_state", action="load", name="a")
    assert ("not a saved state" in broken.text, SECRET in broken.text) == (True, False)
    assert "problem" in tabwire.ok("auth_state", action="list", name="a").data["states"][0]


def test_states_are_deleted_with_their_files(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(signed_in(site))
    for name in ("a", "b"):
        tabwire.ok("auth_state", action="save", name=name)
    for name in ("a", "b"):
        tabwire.ok("auth_state", action="delete", name=name)
    assert list(folder(tabwire).iterdir()) == []


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"action": "save"}, "needs name"),
    ({"action": "load"}, "needs name"),
    ({"action": "delete"}, "needs name"),
    ({"action": "save", "name": "../evil"}, "a name has"),
    ({"action": "delete", "name": "/etc/passwd"}, "a name has"),
    ({"action": "load", "name": "nobody"}, "no state is saved"),
    ({"action": "delete", "name": "nobody"}, "no state is saved"),
    ({"action": "save", "name": "x", "origins": []}, "origins"),
    ({"action": "save", "name": "x", "origins": ["about:blank"]}, "is no origin"),
    ({"action": "restore", "name": "x"}, "load"),
]


def test_arguments_that_do_not_fit_are_refused(refused: Launched) -> None:
    for arguments, said in MISTAKES:
        reply = refused.tabwire.fails("auth_state", **arguments)
        assert (reply.code, said in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_a_hidden_tab_is_saved_by_its_id(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(signed_in(site))
    hidden = tabwire.tabs()[0]["tabId"]
    tabwire.ok("tab_new", url=site.cross_page("<script>sessionStorage.step = 'wrong'</script>"))
    saved = tabwire.ok("auth_state", action="save", name="x", tabId=hidden, include_session_storage=True).data
    assert saved["origins"] == [{"origin": site.origin, "cookies": 1, "local_storage": 2, "session_storage": 1}]
    assert page.evaluate("location.origin") == site.cross_origin


def test_a_dialog_in_the_tab_costs_its_session_storage_alone(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>", headers={"Set-Cookie": "sid=1"}))
    tabwire.ok("click", selector="button")
    saved = tabwire.ok("auth_state", action="save", name="x", include_session_storage=True).data
    assert saved["origins"][0]["cookies"] == 1
    assert "session_storage" in [failure["what"] for failure in saved["failed"]]


def test_a_worker_that_dies_meanwhile_leaves_nothing_behind(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.cross_page("<script>localStorage.x = 1</script>"))
    tabwire.open(site.url())
    site.serve("/robots.txt", "slow", delay_ms=1500)
    saving = tabwire.start("auth_state", action="save", name="x", origins=[site.cross_origin])
    site.wait_for(lambda site: site.hit_count("/robots.txt"))
    assert len(left_behind(browser)) == 3
    site.serve("/robots.txt", "for who asks again")
    assert browser.stop_workers() == 1
    saved = saving.result(30)
    assert not saved.is_error, saved.text
    assert saved.data["origins"][0]["local_storage"] >= 1
    assert left_behind(browser) == []


def test_calls_at_the_same_time_do_not_disturb_each_other(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.cross_page("<script>localStorage.clear(); localStorage.x = 1</script>"))
    tabwire.open(site.url())
    site.serve("/robots.txt", "slow", delay_ms=200)
    running = [tabwire.start("auth_state", action="save", name=f"n{n}", origins=[site.cross_origin]) for n in range(3)]
    assert [one.result(30).data["origins"][0]["local_storage"] for one in running] == [1, 1, 1]
    assert left_behind(browser) == []


def test_a_call_that_is_withdrawn_leaves_nothing_behind(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    site.serve("/robots.txt", "slow", delay_ms=3000)
    saving = tabwire.start("auth_state", action="save", name="x", origins=[site.cross_origin])
    site.wait_for(lambda site: site.hit_count("/robots.txt"))
    assert len(left_behind(browser)) == 3
    saving.cancel()
    until(lambda: left_behind(browser), equals=[], within=2)
    assert tabwire.ok("auth_state", action="list").data["states"] == []


def test_states_outlive_their_bridge_and_are_every_clients(own: Joined, join: Join, site: Site) -> None:
    one = join("--log-level", "debug")
    one.ok("tab_new", url=signed_in(site))
    one.ok("auth_state", action="save", name="work")
    one.kill()
    two, three = join("--log-level", "debug"), own.tabwire
    own.browser.call("Storage.clearCookies")
    assert two.ok("auth_state", action="list").data["states"][0]["name"] == "work"
    two.ok("auth_state", action="load", name="work")
    assert [cookie["value"] for cookie in jar(own.browser)] == [SECRET]
    assert three.ok("cookies", action="get", name="sid", url=site.url()).data["cookie"]["value"] == SECRET
    three.ok("auth_state", action="delete", name="work")
    assert two.ok("auth_state", action="list").data["states"] == []
    assert not any(SECRET in bridge.log.read_text() for bridge in (one, two))
    assert attached(own.browser) == 0
