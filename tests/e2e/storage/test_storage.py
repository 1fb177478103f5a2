"""cookies and storage: each action and filter, by what the site is sent and what the page holds."""

import time
from typing import Any

import pytest

from e2e.cdp import Browser, Page
from e2e.client import Tabwire
from e2e.conftest import Launcher, ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

EMBEDDED = {
    "secure": True,
    "sameSite": "None",
    "partitionKey": {"topLevelSite": "https://top.example", "hasCrossSiteAncestor": True},
}
PARTITIONED = {"partition_key": "https://shop.example", "secure": True, "same_site": "None"}


def jar(browser: Browser) -> list[dict[str, Any]]:
    """All cookies of the browser, as DevTools tells them."""
    found: list[dict[str, Any]] = browser.call("Storage.getCookies")["cookies"]
    return found


def named(browser: Browser, name: str) -> dict[str, Any]:
    (found,) = [cookie for cookie in jar(browser) if cookie["name"] == name]
    return found


def sent(tabwire: Tabwire, site: Site, path: str = "/echo", *, cross: bool = False) -> str:
    """The cookie header the site receives."""
    tabwire.open((site.cross_url if cross else site.url)(path))
    return next(hit.headers.get("Cookie", hit.headers.get("cookie", "")) for hit in reversed(site.hits) if hit.path == path)


def keep(browser: Browser, name: str, **more: Any) -> None:
    """A cookie that was there before."""
    browser.call("Storage.setCookies", {"cookies": [{"name": name, "value": name.upper(), **{"path": "/", **more}}]})


# cookies: set


def test_a_cookie_is_set_for_the_current_tab_and_sent_to_the_site(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    reply = tabwire.ok("cookies", action="set", name="theme", value="dark")
    assert sent(tabwire, site) == "theme=dark"
    assert reply.data["cookie"] == {
        "name": "theme", "value": "dark", "domain": "127.0.0.1", "host_only": True, "path": "/", "secure": False,
        "http_only": False, "same_site": "unspecified", "session": True,
    }  # fmt: skip
    assert reply.data["replaced"] is False
    assert tabwire.ok("cookies", action="set", name="theme", value="light").data["replaced"] is True
    assert named(browser, "theme")["value"] == "light"


KEPT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"url": "http://localhost/"}, {"domain": "localhost"}),
    ({"url": "localhost:1"}, {"domain": "localhost"}),
    ({"url": "https://a.shop.example", "domain": "shop.example"}, {"domain": ".shop.example"}),
    ({"domain": ".Shop.example"}, {"domain": ".shop.example"}),
    ({"path": "/app"}, {"path": "/app"}),
    ({"secure": True}, {"secure": True}),
    ({"http_only": True}, {"httpOnly": True}),
    ({"same_site": "Strict"}, {"sameSite": "Strict"}),
    ({"same_site": "Lax"}, {"sameSite": "Lax"}),
    ({"same_site": "None", "secure": True}, {"sameSite": "None", "secure": True}),
    ({"expires": 4_000_000_000}, {"session": False}),
    ({}, {"session": True, "domain": "127.0.0.1", "path": "/", "secure": False, "httpOnly": False}),
    (PARTITIONED, {"partitionKey": {"topLevelSite": "https://shop.example", "hasCrossSiteAncestor": True}}),
]


def test_what_is_set_is_what_the_browser_keeps(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    for arguments, seen in KEPT:
        browser.call("Storage.clearCookies")
        tabwire.ok("cookies", action="set", name="x", value="1", **arguments)
        kept = named(browser, "x")
        assert {key: kept.get(key) for key in seen} == seen, arguments


def test_expires_counts_in_seconds_and_browsers_shorten_it_to_400_days(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    soon = int(time.time()) + 3600
    assert tabwire.ok("cookies", action="set", name="x", value="1", expires=soon).data["cookie"]["expires"] == soon
    assert named(browser, "x")["expires"] == soon
    assert "400 days" in tabwire.ok("cookies", action="set", name="x", value="1", expires=9e9).data["note"]


def test_a_time_that_has_passed_deletes_the_cookie_and_says_so(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    tabwire.ok("cookies", action="set", name="x", value="1")
    reply = tabwire.ok("cookies", action="set", name="x", value="1", expires=1000)
    assert (reply.data["deleted"], "past" in reply.data["note"]) == (True, True)
    assert jar(browser) == []
    assert tabwire.ok("cookies", action="set", name="x", value="1", expires=-1).data["deleted"] is False


NOT_KEPT: list[tuple[dict[str, Any], str]] = [
    ({"same_site": "None"}, "needs secure: true"),
    ({"partition_key": "https://a.example"}, "needs secure: true"),
    ({"name": "__Secure-a"}, "needs secure: true"),
    ({"name": "__Host-a", "secure": True, "path": "/a"}, "path /"),
    ({"name": "__Host-a", "secure": True, "domain": "127.0.0.1"}, "no domain"),
    ({"name": "a;b"}, "encode them"),
    ({"value": "a\nb"}, "encode them"),
    ({"value": "v" * 5000}, "4096"),
    ({"url": "http://shop.example", "secure": True}, "https://shop.example/"),
    ({"url": "https://shop.example", "domain": "other.example"}, "does not cover"),
    ({"url": "https://shop.example", "domain": "example"}, "public suffix"),
    ({"url": "about:blank"}, "no cookies"),
    ({"url": "nonsense"}, "not an address"),
    ({"domain": "no/domain"}, "not a"),
    ({"path": "app"}, "begin with /"),
    ({"partition_key": "http://", "secure": True}, "partition_key"),
    ({"value": None}, "needs value"),
    ({"name": None}, "needs name"),
    ({"domain_filter": "a.example"}, "takes no domain_filter"),
]


def test_a_cookie_that_would_not_be_kept_is_refused_with_the_reason(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    for arguments, said in NOT_KEPT:
        given = {key: value for key, value in {"name": "x", "value": "1", **arguments}.items() if value is not None}
        reply = tabwire.fails("cookies", action="set", **given)
        assert (reply.code, said in reply.text) == ("invalid_argument", True), (arguments, reply)
        assert jar(browser) == [], arguments


def test_a_host_cookie_is_set_and_deleted(tabwire: Tabwire, browser: Browser) -> None:
    tabwire.ok("cookies", action="set", url="https://a.example", name="__Host-a", value="1", secure=True)
    assert named(browser, "__Host-a")["domain"] == "a.example"
    tabwire.ok("cookies", action="delete", url="https://a.example", name="__Host-a")
    assert jar(browser) == []


# cookies: get, get_all


def test_get_tells_one_cookie_with_httponly_ones_and_null_for_none(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("", headers={"Set-Cookie": "sid=s3; HttpOnly; SameSite=Strict; Max-Age=3600"}))
    cookie = tabwire.ok("cookies", action="get", name="sid").data["cookie"]
    assert (cookie["value"], cookie["http_only"], cookie["same_site"]) == ("s3", True, "Strict")
    assert cookie["expires"] == pytest.approx(time.time() + 3600, abs=60)
    assert tabwire.ok("cookies", action="get", name="other").data["cookie"] is None


def test_get_prefers_the_longest_path_and_names_the_others(tabwire: Tabwire, browser: Browser) -> None:
    keep(browser, "a", domain="shop.example")
    browser.call("Storage.setCookies", {"cookies": [{"name": "a", "value": "deep", "domain": "shop.example", "path": "/app"}]})
    keep(browser, "a", domain=".shop.example", **EMBEDDED)
    found = tabwire.ok("cookies", action="get", name="a", url="https://shop.example/app/page").data
    assert found["cookie"]["value"] == "deep"
    assert [other["path"] for other in found["others"]] == ["/", "/"]
    assert found["others"][1]["partition_key"] == "https://top.example"
    assert tabwire.ok("cookies", action="get", name="a", url="https://shop.example/").data["cookie"]["value"] == "A"
    found = tabwire.ok("cookies", action="get", name="a", domain="shop.example", partition_key="top.example").data
    assert found["cookie"]["partition_key"] == "https://top.example"


FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["here"]),
    ({"url": "https://shop.example"}, ["host", "part", "wide"]),
    ({"url": "https://shop.example/app"}, ["host", "part", "path", "wide"]),
    ({"url": "https://a.shop.example"}, ["sub", "wide"]),
    ({"domain_filter": "shop.example"}, ["host", "part", "path", "sub", "wide"]),
    ({"domain_filter": ".shop.example"}, ["host", "part", "path", "sub", "wide"]),
    ({"domain_filter": "hop.example"}, []),
    ({"domain": "shop.example"}, ["host", "part", "path", "wide"]),
    ({"domain": "a.shop.example"}, ["sub"]),
    ({"domain": "shop.example", "name": "wide"}, ["wide"]),
    ({"domain_filter": "shop.example", "path": "/app"}, ["path"]),
    ({"domain_filter": "shop.example", "path": "/"}, ["host", "part", "sub", "wide"]),
    ({"url": "https://shop.example", "partition_key": "https://top.example"}, ["part"]),
    ({"url": "https://shop.example", "partition_key": "https://other.example"}, []),
]


def test_get_all_takes_filters(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.url())
    keep(browser, "here", domain="127.0.0.1")
    keep(browser, "host", domain="shop.example")
    keep(browser, "wide", domain=".shop.example")
    keep(browser, "sub", domain="a.shop.example")
    keep(browser, "path", domain="shop.example", path="/app")
    keep(browser, "part", domain="shop.example", **EMBEDDED)
    for filters, names in FILTERS:
        found = tabwire.ok("cookies", action="get_all", **filters).data
        assert sorted(cookie["name"] for cookie in found["cookies"]) == names, filters
        assert found["count"] == len(names), filters
        assert ("url" in found) == ("domain" not in filters and "domain_filter" not in filters), filters


def test_a_long_list_is_cut_and_says_so(tabwire: Tabwire, browser: Browser) -> None:
    many = [{"name": f"c{n}", "value": "v" * 3900, "domain": "big.example", "path": "/"} for n in range(40)]
    browser.call("Storage.setCookies", {"cookies": many})
    found = tabwire.ok("cookies", action="get_all", domain_filter="big.example").data
    assert found["count"] == 40
    assert 10 < len(found["cookies"]) == 40 - found["left_out"]
    assert "left out" in found["note"]


# cookies: delete, clear


def test_delete_takes_every_cookie_of_the_name_that_the_url_is_sent(tabwire: Tabwire, browser: Browser) -> None:
    for path in ("/", "/app", "/other"):
        browser.call("Storage.setCookies", {"cookies": [{"name": "a", "value": "1", "domain": "shop.example", "path": path, "httpOnly": True}]})  # fmt: skip
    keep(browser, "b", domain="shop.example")
    keep(browser, "a", domain="shop.example", **EMBEDDED)
    reply = tabwire.ok("cookies", action="delete", name="a", url="https://shop.example/app")
    assert sorted(cookie["path"] for cookie in reply.data["deleted"]) == ["/", "/", "/app"]
    assert sorted((cookie["name"], cookie["path"]) for cookie in jar(browser)) == [("a", "/other"), ("b", "/")]
    assert "value" not in reply.text


def test_delete_by_path_leaves_the_cookie_of_the_same_name_above(tabwire: Tabwire, browser: Browser) -> None:
    for path in ("/", "/app"):
        browser.call("Storage.setCookies", {"cookies": [{"name": "a", "value": "1", "domain": "shop.example", "path": path}]})
    tabwire.ok("cookies", action="delete", name="a", url="https://shop.example/app", path="/app")
    assert [cookie["path"] for cookie in jar(browser)] == ["/"]


def test_delete_works_on_the_current_tab_by_default_and_says_when_there_is_none(
    tabwire: Tabwire, browser: Browser, site: Site
) -> None:
    tabwire.open(site.url())
    keep(browser, "a", domain="127.0.0.1")
    keep(browser, "a", domain="localhost")
    tabwire.ok("cookies", action="delete", name="a")
    assert [cookie["domain"] for cookie in jar(browser)] == ["localhost"]
    reply = tabwire.ok("cookies", action="delete", name="a")
    assert reply.data["deleted"] == []
    assert "there is no cookie" in reply.data["note"]


CLEARED: list[tuple[dict[str, Any], list[str]]] = [
    ({"url": "https://shop.example"}, ["ad", "sub"]),
    ({"domain_filter": "shop.example"}, ["ad"]),
    ({"domain": "shop.example"}, ["ad", "sub"]),
    ({"name": "ad"}, ["part", "sub", "wide"]),
    ({"domain_filter": "shop.example", "name": "wide"}, ["ad", "part", "sub"]),
    ({"partition_key": "https://top.example"}, ["ad", "sub", "wide"]),
]


def test_clear_takes_what_it_is_told_and_no_more(tabwire: Tabwire, browser: Browser) -> None:
    for filters, left in CLEARED:
        keep(browser, "wide", domain=".shop.example", httpOnly=True)
        keep(browser, "sub", domain="a.shop.example")
        keep(browser, "ad", domain="ads.example")
        keep(browser, "part", domain="shop.example", **EMBEDDED)
        reply = tabwire.ok("cookies", action="clear", **filters)
        assert sorted(cookie["name"] for cookie in jar(browser)) == left, filters
        assert reply.data["deleted"] == sum(reply.data["domains"].values()) == 4 - len(left), filters


def test_clear_never_takes_every_cookie_of_the_browser(tabwire: Tabwire, browser: Browser) -> None:
    keep(browser, "a", domain="shop.example")
    for arguments in ({}, {"path": "/"}, {"url": ""}, {"domain_filter": "example"}):
        assert "domain_filter" in tabwire.fails("cookies", action="clear", **arguments).text, arguments
        assert len(jar(browser)) == 1, arguments


UNFIT: list[tuple[dict[str, Any], str]] = [
    ({"action": "get"}, "needs name"),
    ({"action": "delete"}, "needs name"),
    ({"action": "get", "name": "a", "value": "1"}, "takes no value"),
    ({"action": "clear", "name": "a", "secure": True}, "takes no secure"),
    ({"action": "wipe"}, "get_all"),
    ({"action": "get_all", "tabId": 1}, "unknown argument"),
]


def test_arguments_that_do_not_fit_are_named(tabwire: Tabwire) -> None:
    for arguments, said in UNFIT:
        reply = tabwire.fails("cookies", **arguments)
        assert (reply.code, said in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_a_page_without_cookies_is_told_so(tabwire: Tabwire, browser: Browser) -> None:
    tabwire.ok("tab_new", url="about:blank")
    assert "give url" in tabwire.fails("cookies", action="get_all").text
    assert tabwire.ok("cookies", action="get_all", url="https://shop.example").data["cookies"] == []


def test_cookies_need_no_page_that_answers_and_no_debugger(joiner: Launcher, site: Site) -> None:
    launched = joiner.fresh(site)
    tabwire, browser = launched.tabwire, launched.browser
    tabwire.open(site.url())
    browser.stop_workers()
    browser.shown().call("Runtime.evaluate", {"expression": "setTimeout(() => alert('hello'))"})
    assert tabwire.ok("cookies", action="set", name="x", value="1").data["cookie"]["value"] == "1"
    assert [cookie["name"] for cookie in jar(browser)] == ["x"]
    assert attached_tabs(browser) == []
    browser.call("Storage.clearCookies")


def attached_tabs(browser: Browser) -> list[int]:
    """The tabs an extension's debugger is attached to, as the extension is told."""
    worker = next(target for target in browser.targets("service_worker") if target["url"].startswith("chrome-extension:"))
    script = "chrome.debugger.getTargets().then((all) => all.filter((one) => one.attached && one.tabId).map((one) => one.tabId))"
    found: list[int] = Page(browser, worker["targetId"]).evaluate(script)
    return found


# storage


def test_what_is_set_is_what_the_page_reads(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(""))
    page.evaluate("localStorage.clear()")
    assert tabwire.ok("storage", action="set", key="theme", value="dark").data["replaced"] is False
    assert tabwire.ok("storage", action="set", key="theme", value="é\u2028\x00").data["replaced"] is True
    assert page.evaluate("Object.entries(localStorage)") == [["theme", "é\u2028\x00"]]
    assert page.evaluate("sessionStorage.length") == 0
    tabwire.ok("storage", action="set", type="session", key="", value="")
    assert page.evaluate("[localStorage.length, Object.entries(sessionStorage)]") == [1, [["", ""]]]


@pytest.mark.parametrize("kind", ["local", "session"])
def test_each_action_reads_or_changes_the_storage_it_names(tabwire: Tabwire, page: ShownPage, site: Site, kind: str) -> None:
    tabwire.open(site.page(""))
    page.evaluate("localStorage.clear(); localStorage.other = sessionStorage.other = 1")
    page.evaluate(f"{kind}Storage.clear(); {kind}Storage.a = 'A'; {kind}Storage.getItem_ = 'x'")
    call = {"type": kind}
    got = tabwire.ok("storage", action="get", key="a", **call).data
    assert got == {"origin": site.origin, "type": kind, "key": "a", "value": "A"}
    assert tabwire.ok("storage", action="get", key="missing", **call).data["value"] is None
    assert sorted(tabwire.ok("storage", action="keys", **call).data["keys"]) == ["a", "getItem_"]
    assert tabwire.ok("storage", action="length", **call).data["length"] == 2
    entries = tabwire.ok("storage", action="entries", **call).data["entries"]
    assert sorted((entry["key"], entry["value"]) for entry in entries) == [("a", "A"), ("getItem_", "x")]
    assert tabwire.ok("storage", action="remove", key="a", **call).data["removed"] is True
    assert tabwire.ok("storage", action="remove", key="a", **call).data["removed"] is False
    assert page.evaluate(f"Object.keys({kind}Storage)") == ["getItem_"]
    assert tabwire.ok("storage", action="clear", **call).data["removed"] == 1
    other = "session" if kind == "local" else "local"
    assert page.evaluate(f"[{kind}Storage.length, {other}Storage.length]") == [0, 1]


NEEDS: list[tuple[dict[str, Any], str]] = [
    ({"action": "get"}, "needs key"),
    ({"action": "remove"}, "needs key"),
    ({"action": "set", "key": "a"}, "needs value"),
    ({"action": "set"}, "needs key and value"),
    ({"action": "clear", "key": "a"}, "takes no key"),
    ({"action": "get", "key": "a", "value": "b"}, "takes no value"),
    ({"action": "set", "key": "a", "value": 1}, "string"),
    ({"action": "get", "key": "a", "type": "indexed"}, "session"),
    ({"action": "size"}, "length"),
]


def test_what_an_action_needs_is_said(tabwire: Tabwire) -> None:
    for arguments, said in NEEDS:
        reply = tabwire.fails("storage", **arguments)
        assert (reply.code, said in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_large_values_are_shortened_and_the_rest_is_named(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(""))
    page.evaluate(
        "localStorage.clear(); localStorage.big = 'ü'.repeat(60000); for (let n = 0; n < 40; n++) localStorage['k' + n] = 'v'.repeat(1900)"
    )
    got = tabwire.ok("storage", action="get", key="big").data
    assert (len(got["value"]), got["length"]) == (50_001, 60_000)
    assert "slice" in got["note"]
    listed = tabwire.ok("storage", action="entries").data
    assert listed["length"] == 41
    assert len(listed["entries"]) + listed["left_out"] == 41
    assert all(len(entry["value"]) <= 2001 for entry in listed["entries"])
    page.evaluate("localStorage.clear()")


def test_a_full_storage_is_an_error_and_keeps_what_it_has(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(""))
    page.evaluate("localStorage.clear(); localStorage.big = 'x'.repeat(5_000_000); localStorage.a = 'before'")
    reply = tabwire.fails("storage", action="set", key="a", value="y" * 500_000)
    assert reply.code == "unsupported_operation"
    assert "is full: 5000" in reply.text
    assert "yyy" not in reply.text
    assert page.evaluate("localStorage.a") == "before"
    page.evaluate("localStorage.clear()")


def test_other_tabs_of_the_origin_hear_of_it(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(
        site.page("<script>addEventListener('storage', (e) => globalThis.heard = [e.key, e.oldValue, e.newValue])</script>")
    )
    listener = browser.shown()
    listener.evaluate("localStorage.clear()")
    tabwire.ok("tab_new", url=site.page(""))
    tabwire.ok("storage", action="set", key="x", value="1")
    assert listener.wait_for("globalThis.heard") == ["x", None, "1"]


def test_frames_have_storage_of_their_own(tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site) -> None:
    inner = site.cross_page("<p>inner</p>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    page.evaluate("localStorage.clear()")
    (frame,) = frame_ids(browser)
    tabwire.ok("storage", action="set", key="x", value="in the frame", frameId=frame)
    assert page.frame(inner).evaluate("localStorage.x") == "in the frame"
    assert page.evaluate("localStorage.length") == 0
    assert tabwire.ok("storage", action="length", frameId=frame).data["origin"] == site.cross_origin
    wrong = tabwire.fails("storage", action="keys", frameId=987_654)
    assert (wrong.code, f"{frame} {inner}" in wrong.text) == ("no_such_frame", True)


def test_a_frame_without_an_origin_has_no_storage(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.page("<iframe sandbox srcdoc='<p>x</p>'></iframe><iframe src='data:text/html,<p>x</p>'></iframe>"))
    frames = frame_ids(browser)
    assert len(frames) == 2
    for frame in frames:
        reply = tabwire.fails("storage", action="keys", frameId=frame)
        assert (reply.code, "origin is opaque" in reply.text) == ("unsupported_operation", True), (frames, reply)


def frame_ids(browser: Browser) -> list[int]:
    """The frames of the tab in front, below the top one, as the extension numbers them."""
    worker = next(target for target in browser.targets("service_worker") if target["url"].startswith("chrome-extension:"))
    script = (
        "chrome.tabs.query({active: true, lastFocusedWindow: true}).then(([tab]) => chrome.webNavigation.getAllFrames({tabId: tab.id}))"
        ".then((all) => all.map((frame) => frame.frameId).filter(Boolean))"
    )
    found: list[int] = Page(browser, worker["targetId"]).evaluate(script)
    return found


def test_pages_of_the_browser_have_no_storage_to_show(tabwire: Tabwire) -> None:
    tabwire.ok("tab_new", url="about:blank")
    assert tabwire.fails("storage", action="keys").code == "restricted_page"
    tabwire.ok("navigate", url="chrome://version")
    assert tabwire.fails("storage", action="keys").code == "restricted_page"


def test_a_hidden_tab_is_reached_by_its_id(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(""))
    hidden = tabwire.tabs()[0]["tabId"]
    tabwire.ok("tab_new", url=site.cross_page(""))
    tabwire.ok("storage", action="set", key="x", value="1", type="session", tabId=hidden)
    assert tabwire.ok("storage", action="get", key="x", type="session", tabId=hidden).data["origin"] == site.origin
    assert page.evaluate("[location.origin, sessionStorage.length]") == [site.cross_origin, 0]


def test_a_dialog_ends_the_wait(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    tabwire.ok("click", selector="button")
    assert tabwire.fails("storage", action="keys").code == "dialog_pending"
    assert tabwire.ok("cookies", action="get_all").data["cookies"] == []


def test_a_new_worker_reads_what_the_old_one_wrote(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    tabwire.open(site.page(""))
    tabwire.ok("storage", action="set", key="x", value="1")
    browser.stop_workers()
    assert tabwire.ok("storage", action="get", key="x").data["value"] == "1"


def test_a_session_ends_with_its_tab_and_local_stays(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(""))
    for kind in ("local", "session"):
        tabwire.ok("storage", action="set", key="x", value="1", type=kind)
    tabwire.ok("tab_new", url=site.page(""))
    seen = [tabwire.ok("storage", action="get", key="x", type=kind).data["value"] for kind in ("local", "session")]
    assert seen == ["1", None]
