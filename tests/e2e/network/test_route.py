"""route: answered, changed and blocked requests, as the page sees them and as the site receives them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site
from e2e.worker import Idleness, attached, frame_ids, until_attached

pytestmark = pytest.mark.same_tab

FETCH = "fetch('{}', {}).then(async (r) => [r.status, await r.text()], (e) => ['failed', e.message])"


def fetch(page: Any, url: str, options: str = "{}") -> Any:
    return page.evaluate(FETCH.format(url, options))


def add(tabwire: Tabwire, url_pattern: str, handler: str, **more: Any) -> str:
    route_id: str = tabwire.ok("route", action="add", url_pattern=url_pattern, handler=handler, **more).data["route_id"]
    return route_id


def echoed(page: Any, url: str, options: str = "{}") -> Any:
    status, text = fetch(page, url, options)
    assert status == 200
    return json.loads(text)


def hits(tabwire: Tabwire) -> dict[str, int]:
    return {route["route_id"]: route["hits"] for route in tabwire.ok("route", action="list").data["routes"]}


@pytest.fixture(autouse=True)
def _no_routes(request: pytest.FixtureRequest) -> Iterator[None]:
    """The tab of a test may be the next one's, too."""
    tabwire = request.getfixturevalue("tabwire") if "tabwire" in request.fixturenames else None
    yield
    if tabwire:
        tabwire.call("route", action="clear")


@pytest.fixture
def shown(tabwire: Tabwire, site: Site, page: ShownPage) -> ShownPage:
    tabwire.open(site.page("<p>Here</p>"))
    return page


# ---- what a route does ---------------------------------------------------------------------------------------------


def test_a_json_answer_replaces_the_sites(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    add(tabwire, "**/api/user", "fulfill", response={"json": {"id": 1, "name": "Tést"}})
    kind = "fetch('/api/user').then(async (r) => [r.status, r.headers.get('content-type'), await r.json()])"
    assert shown.evaluate(kind) == [200, "application/json; charset=utf-8", {"id": 1, "name": "Tést"}]
    assert site.hit_count("/api/user") == 0
    # A list is JSON too.
    add(tabwire, "**/api/users", "fulfill", response={"json": [1, 2]})
    assert fetch(shown, "/api/users") == [200, "[1,2]"]


def test_status_headers_and_body_of_an_answer_are_the_routes(tabwire: Tabwire, shown: ShownPage) -> None:
    response = {"status": 418, "headers": {"X-Tea": "pot", "Content-Type": "text/csv"}, "body": "a,ß"}
    add(tabwire, "**/tea", "fulfill", response=response)
    seen = "fetch('/tea').then(async (r) => [r.status, r.headers.get('x-tea'), r.headers.get('content-type'), await r.text()])"
    assert shown.evaluate(seen) == [418, "pot", "text/csv", "a,ß"]


def test_an_answer_without_a_response_is_empty_and_fine(tabwire: Tabwire, shown: ShownPage) -> None:
    add(tabwire, "**/nothing", "fulfill")
    assert fetch(shown, "/nothing") == [200, ""]


def test_cookies_of_an_answer_are_set(tabwire: Tabwire, shown: ShownPage) -> None:
    add(tabwire, "**/login", "fulfill", response={"headers": {"Set-Cookie": ["mocked=1", "second=2"]}})
    fetch(shown, "/login")
    assert {"mocked=1", "second=2"} <= set(shown.evaluate("document.cookie").split("; "))
    shown.evaluate("document.cookie = 'mocked=;max-age=0'; document.cookie = 'second=;max-age=0'")


def test_an_answer_that_chrome_refuses_does_not_hang_the_request(tabwire: Tabwire, shown: ShownPage) -> None:
    add(tabwire, "**/x", "fulfill", response={"headers": {"bad name": "v"}})
    assert fetch(shown, "/x")[0] in ("failed", 200)


def test_a_blocked_request_fails_in_the_page_and_never_leaves(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    add(tabwire, "**/analytics/**", "abort")
    assert fetch(shown, "/analytics/v1/collect") == ["failed", "Failed to fetch"]
    assert fetch(shown, "/echo")[0] == 200
    assert site.hit_count("/analytics/v1/collect") == 0


def test_a_blocked_page_is_a_failed_navigation(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    add(tabwire, "**/blank.html", "abort")
    assert "ERR_BLOCKED_BY_CLIENT" in tabwire.fails("navigate", url=site.url("/blank.html")).text


def test_headers_are_merged_into_the_request(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    site.serve("/set", "", headers={"Set-Cookie": "kept=1"})
    fetch(shown, "/set")
    add(tabwire, "**/echo", "continue", modify={"headers": {"X-Test": "value", "user-agent": "Probe/1", "X-Gone": None}})
    headers = echoed(shown, "/echo", "{headers: {'X-Own': 'page', 'X-Gone': 'page'}}")["headers"]
    lower = {name.lower(): value for name, value in headers.items()}
    assert (lower["x-test"], lower["x-own"], lower["user-agent"]) == ("value", "page", "Probe/1")
    assert "kept=1" in lower["cookie"]
    assert "x-gone" not in lower


def test_method_and_body_of_a_request_are_changed(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    modify = {"method": "POST", "post_data": "a=ü", "headers": {"Content-Type": "application/x-www-form-urlencoded"}}
    add(tabwire, "**/post", "continue", modify=modify)
    fetch(shown, "/post")
    assert site.wait_for_post("/post").form == {"a": "ü"}


def test_the_address_of_a_request_is_changed_without_the_page_knowing(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    for target in ("/echo?there=1", "http://{host}/echo?there=1"):
        tabwire.ok("route", action="clear")
        add(tabwire, "**/old", "continue", modify={"url": target.format(host=site.origin.removeprefix("http://"))})
        seen = shown.evaluate("fetch('/old').then(async (r) => [r.url, (await r.json()).query])")
        assert seen == [site.url("/old"), {"there": "1"}], target


# ---- which requests ------------------------------------------------------------------------------------------------


PATTERNS = [
    ("**/a/*", "/a/b", "/a/b/c"),
    ("**/a/**", "/a/b/c", "/b/a.txt"),
    ("**/a/*.json", "/a/x.json?v=1/2", "/a/x.txt"),
    ("**/a?x=*", "/a?x=1", "/abx=1"),
    ("/a/b", "/pre/a/b/post", "/a/c"),
    ("/a/*/c", "/pre/a/b/c", "/a/b/d"),
    ("{origin}/a", "/a?any=1", "/a/b"),
    ("{origin}/", "/", "/a"),
    (r"/\/a\d+$/", "/a12", "/a12b"),
    ("*://127.0.0.1:*/a", "/a", "/b"),
]
"""Pattern, what it matches, what it does not."""


def test_a_pattern_chooses(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    for pattern, matching, other in PATTERNS:
        tabwire.ok("route", action="clear")
        add(tabwire, pattern.replace("{origin}", site.origin), "fulfill", response={"body": "routed"})
        assert fetch(shown, matching) == [200, "routed"], pattern
        assert fetch(shown, other)[1] != "routed", pattern


def test_the_latest_route_wins_and_removal_brings_back_the_one_before(tabwire: Tabwire, shown: ShownPage) -> None:
    first = add(tabwire, "**/api/**", "fulfill", response={"body": "first"})
    second = add(tabwire, "**/api/x", "fulfill", response={"body": "second"})
    assert [fetch(shown, path)[1] for path in ("/api/x", "/api/y", "/api/x")] == ["second", "first", "second"]
    assert hits(tabwire) == {second: 2, first: 1}
    tabwire.ok("route", action="remove", route_id=second)
    assert fetch(shown, "/api/x")[1] == "first"
    tabwire.ok("route", action="remove", route_id=first)
    assert fetch(shown, "/api/x")[0] == 404
    assert hits(tabwire) == {}


def test_a_list_tells_what_each_route_does(tabwire: Tabwire, shown: ShownPage) -> None:
    route_id = add(tabwire, "**/x", "fulfill", response={"status": 404})
    (route,) = tabwire.ok("route", action="list").data["routes"]
    assert route == {"route_id": route_id, "url_pattern": "**/x", "handler": "fulfill", "response": {"status": 404}, "hits": 0}
    tabwire.ok("route", action="clear")


def test_clear_takes_all_routes_away(tabwire: Tabwire, shown: ShownPage) -> None:
    for path in ("/a", "/b"):
        add(tabwire, path, "abort")
    assert tabwire.ok("route", action="clear").data["cleared"] == 2
    assert fetch(shown, "/a")[0] == 404
    assert tabwire.ok("route", action="list").data["routes"] == []


def test_a_long_answer_is_listed_in_short_and_served_in_full(tabwire: Tabwire, shown: ShownPage) -> None:
    add(tabwire, "**/long", "fulfill", response={"body": "ß" * 900_000})
    assert len(fetch(shown, "/long")[1]) == 900_000
    (route,) = tabwire.ok("route", action="list").data["routes"]
    assert len(route["response"]["body"]) < 600
    reply = tabwire.fails("route", action="add", url_pattern="**", handler="fulfill", response={"body": "x" * 1_100_000})
    assert "over the limit" in reply.text


# ---- where requests come from --------------------------------------------------------------------------------------


def test_documents_styles_scripts_and_images_are_routed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    add(
        tabwire,
        "**/mock.html",
        "fulfill",
        response={
            "body": "<!doctype html><title>Mocked</title><link rel=stylesheet href=/s.css><script src=/s.js></script><img src=/i.svg><p id=p>ä"
        },
    )
    add(tabwire, "**/s.css", "fulfill", response={"body": "p { color: rgb(1, 2, 3) }"})
    add(tabwire, "**/s.js", "fulfill", response={"body": "globalThis.ran = 'ß'"})
    image = "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>"
    add(tabwire, "**/i.svg", "fulfill", response={"body": image, "headers": {"Content-Type": "image/svg+xml"}})
    assert tabwire.open(site.url("/mock.html")).data["title"] == "Mocked"
    seen = "[getComputedStyle(p).color, ran, document.querySelector('img').naturalWidth, p.textContent]"
    assert page.evaluate(seen) == ["rgb(1, 2, 3)", "ß", 7, "ä"]
    assert {hit.path for hit in site.hits} & {"/mock.html", "/s.css", "/s.js", "/i.svg"} == set()


FRAME = "<p id=p></p><script>fetch('/api/who').then((r) => r.text()).then((t) => p.textContent = t)</script>"


def test_frames_of_the_same_and_another_site_are_routed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page(FRAME)
    add(tabwire, "**/api/who", "fulfill", response={"body": "routed"})
    tabwire.open(site.page(f"<iframe id=same src='{site.page(FRAME)}'></iframe><iframe src='{inner}'></iframe>"))
    page.wait_for("same.contentDocument.querySelector('p').textContent === 'routed'")
    page.frame(inner).wait_for("document.querySelector('p').textContent === 'routed'")
    assert site.hit_count("/api/who") == 0


def test_a_frame_of_another_site_that_is_there_already_is_routed_and_can_still_be_scripted(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    inner = site.cross_page("<script>globalThis.ask = () => fetch('/api/who').then((r) => r.text())</script><button>Ask</button>")
    tab_id = tabwire.open(site.page(f"<iframe src='{inner}'></iframe>")).data["tabId"]
    add(tabwire, "**/api/who", "fulfill", response={"body": "routed"})
    frame_id = frame_ids(browser, tab_id)[1]
    for _ in range(2):
        assert page.frame(inner).evaluate("ask()") == "routed"
        assert tabwire.ref("button", "Ask")
        assert tabwire.ok("evaluate", expression="location.href", frameId=frame_id).data == inner


def test_the_requests_of_a_worker_are_routed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.serve("/worker.js", "fetch('/api/who').then((r) => r.text()).then(postMessage)", "text/javascript")
    add(tabwire, "**/api/who", "fulfill", response={"body": "routed"})
    tabwire.open(site.page("<script>new Worker('/worker.js').onmessage = (e) => globalThis.told = e.data</script>"))
    assert page.wait_for("globalThis.told") == "routed"


REGISTER = """navigator.serviceWorker.register('/sw.js').then(() => new Promise((resolve) => {
  if (navigator.serviceWorker.controller) resolve(true); else navigator.serviceWorker.oncontrollerchange = () => resolve(true) }))"""
UNREGISTER = "navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))"


def test_what_a_service_worker_fetches_is_routed(tabwire: Tabwire, shown: ShownPage, site: Site) -> None:
    worker = "onactivate = (e) => e.waitUntil(clients.claim()); onfetch = (e) => e.respondWith(fetch(e.request))"
    site.serve("/sw.js", worker, "text/javascript")
    shown.evaluate(REGISTER)
    add(tabwire, "**/api/who", "fulfill", response={"body": "routed"})
    assert fetch(shown, "/api/who") == [200, "routed"]
    tabwire.ok("route", action="clear")
    assert fetch(shown, "/api/who")[0] == 404
    shown.evaluate(UNREGISTER)


def test_another_origin_may_be_mocked_although_it_does_not_exist(tabwire: Tabwire, shown: ShownPage) -> None:
    add(tabwire, "https://api.invalid/**", "fulfill", response={"json": {"ok": True}})
    options = "{method: 'PUT', headers: {'X-Own': '1', 'Content-Type': 'application/json'}, body: '{}', credentials: 'include'}"
    assert fetch(shown, "https://api.invalid/v1/thing", options) == [200, '{"ok":true}']
    assert fetch(shown, "https://api.invalid/v1/thing") == [200, '{"ok":true}']
    assert list(hits(tabwire).values()) == [2]


def test_routes_outlive_navigation_and_redirects_are_routed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    add(tabwire, "**/target", "fulfill", response={"body": "routed"})
    for url in (site.page("One"), site.cross_page("Two")):
        tabwire.open(url)
        assert fetch(page, "/redirect?to=/target") == [200, "routed"]


def test_a_route_is_for_its_tab_only_and_works_in_a_hidden_one(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    first = tabwire.open(site.page("One")).data["tabId"]
    hidden = browser.shown()
    tabwire.ok("tab_new", url=site.page("Two"))
    tabwire.ok("route", action="add", url_pattern="**/x", handler="fulfill", response={"body": "routed"}, tabId=first)
    assert fetch(browser.shown(), "/x")[0] == 404
    assert fetch(hidden, "/x") == [200, "routed"]
    assert browser.shown().evaluate("document.body.textContent.trim()") == "Two"


def test_a_route_can_be_added_while_a_dialog_is_open(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<button onclick='alert(1)'>Ask</button>"))
    assert "dialog" in tabwire.ok("click", selector="text:Ask").data["effects"]
    add(tabwire, "**/x", "fulfill", response={"body": "routed"})
    tabwire.open(site.page("After"))
    assert fetch(page, "/x") == [200, "routed"]


# ---- how it ends ---------------------------------------------------------------------------------------------------


def test_a_worker_that_was_killed_goes_on_where_it_was(tabwire: Tabwire, shown: ShownPage, browser: Browser) -> None:
    route_id = add(tabwire, "**/x", "fulfill", response={"body": "routed"})
    assert fetch(shown, "/x") == [200, "routed"]
    assert browser.stop_workers() == 1
    assert fetch(shown, "/x") == [200, "routed"]
    assert hits(tabwire) == {route_id: 2}
    assert fetch(shown, "/x") == [200, "routed"]
    tabwire.ok("route", action="remove", route_id=route_id)
    assert fetch(shown, "/x")[0] == 404


def test_a_user_who_ends_the_debugging_ends_the_routes(tabwire: Tabwire, shown: ShownPage, browser: Browser) -> None:
    add(tabwire, "**/x", "abort")
    tab_id = tabwire.ok("route", action="list").data["tabId"]
    browser.in_worker(f"(chrome.debugger.onDetach.dispatch({{tabId: {tab_id}}}, 'canceled_by_user'), 1)")
    assert hits(tabwire) == {}
    assert fetch(shown, "/x")[0] == 404
    add(tabwire, "**/x", "fulfill", response={"body": "again"})
    assert fetch(shown, "/x") == [200, "again"]


def test_no_request_hangs_for_a_worker_that_died_with_it(tabwire: Tabwire, shown: ShownPage, browser: Browser) -> None:
    add(tabwire, "**/api/**", "fulfill", response={"body": "routed"})
    count = 120
    shown.evaluate(
        f"globalThis.told = []; (async () => {{ for (let n = 0; n < {count}; n++) "
        "told.push(await fetch('/api/' + n).then((r) => r.text(), (e) => e.message)) })(); 1"
    )
    shown.wait_for("told.length > 20")
    assert browser.stop_workers() == 1
    assert shown.evaluate("told.length") < count, "requests are under way"
    shown.wait_for(f"told.length === {count}", timeout=20)
    unrouted = shown.evaluate("told.map((text, n) => (text === 'routed' ? -1 : n)).filter((n) => n >= 0)")
    assert len(unrouted) <= 1, unrouted


def test_in_the_users_own_browser_the_debugger_goes_with_the_last_route(joiner: Launcher, site: Site) -> None:
    own = joiner.fresh(site)
    own.tabwire.open(site.url("/blank.html"))
    with Idleness(own.browser) as idleness:
        route_id = add(own.tabwire, "**/x", "fulfill", response={"body": "routed"})
        idleness.end()
        assert attached(own.browser) == 1
        assert fetch(own.browser.shown(), "/x") == [200, "routed"]
        own.tabwire.ok("route", action="remove", route_id=route_id)
        until_attached(own.browser, 0)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"action": "add", "handler": "abort"}, 'action "add" needs url_pattern'),
    ({"action": "add", "url_pattern": "**"}, 'action "add" needs handler'),
    ({"action": "add", "url_pattern": "**", "handler": "continue"}, "needs modify"),
    ({"action": "add", "url_pattern": "**", "handler": "abort", "response": {}}, 'response belongs to handler "fulfill"'),
    (
        {"action": "add", "url_pattern": "**", "handler": "fulfill", "modify": {"url": "/"}},
        'modify belongs to handler "continue"',
    ),
    (
        {"action": "add", "url_pattern": "**", "handler": "fulfill", "response": {"body": "a", "json": {}}},
        "exclude each other",
    ),
    ({"action": "add", "url_pattern": "**", "handler": "fulfill", "response": {"status": 101}}, "response.status"),
    ({"action": "add", "url_pattern": "**", "handler": "fulfill", "response": {"headers": {"a": "b\nc"}}}, "line breaks"),
    ({"action": "add", "url_pattern": " ", "handler": "abort"}, "url_pattern is empty"),
    ({"action": "remove"}, 'action "remove" needs route_id'),
    ({"action": "remove", "route_id": "route-9"}, "has no route route-9"),
    ({"action": "list", "handler": "abort"}, 'action "list" takes no handler'),
]


def test_a_mistake_is_told(refused: Launched) -> None:
    for arguments, says in MISTAKES:
        reply = refused.tabwire.fails("route", **arguments)
        assert (reply.code, says in reply.text) == ("invalid_argument", True), (arguments, reply)
