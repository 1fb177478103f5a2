"""Every way out and in asks the same guard: requests that go elsewhere, files, kinds of acts, addresses that are told."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.network.test_route import add, fetch, hits
from e2e.rules.ruling import BANK, HTML, SECRET, SHOP, Ruled, refused
from e2e.site import Site
from e2e.surfaces.observing import Caller, Session
from polling import until

CLOSED = ("bookmarks", "site_permissions", "steps", "uploads")
"""Kinds that the owner never allows here."""
METADATA = "http://169.254.169.254/latest/meta-data/"


@pytest.fixture(scope="module")
def browser_with_doors(tmp_path_factory: pytest.TempPathFactory, running_site: Site) -> Iterator[Ruled]:
    kinds = {**dict.fromkeys(CLOSED, "never"), **dict.fromkeys(("auth_state", "cookies", "evaluate", "history"), "allow")}
    with Ruled.started(tmp_path_factory.mktemp("doors"), pairing={"permissions": {"sensitive": kinds}}) as ruled:
        ruled.site = running_site
        yield ruled


@pytest.fixture
def ruled(browser_with_doors: Ruled, site: Site) -> Iterator[Ruled]:
    with browser_with_doors.for_a_test():
        browser_with_doors.anna.ok("tab_new", url=site.page("<p>Here</p><input type=file aria-label=File>"))
        yield browser_with_doors
        browser_with_doors.clear()


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


# ---- routes -------------------------------------------------------------------------------------------------------------


def test_a_route_leads_to_no_site_that_its_client_may_not_read(ruled: Ruled) -> None:
    barred, shop = ruled.page(BANK, HTML), ruled.page(SHOP, "<p>Shop</p>")
    ruled.rule(BANK, "never")
    ruled.rule(SHOP, "read")
    for to, method, reason in ((barred, "GET", "site_barred"), (shop, "POST", "site_read_only"), (METADATA, "GET", "never_list")):
        call = ruled.anna.call("route", action="add", url_pattern="*", handler="continue", modify={"url": to, "method": method})
        refused(call, reason)
    for to in ("file:///etc/passwd", "data:text/plain,x", "chrome://version"):
        call = ruled.anna.call("route", action="add", url_pattern="*", handler="continue", modify={"url": to})
        assert call.code == "invalid_argument", call
    assert ruled.anna.ok("route", action="list").data["routes"] == []
    assert ruled.site.hit_count(path_of(barred)) == 0


def test_a_route_that_is_there_is_judged_at_each_request(ruled: Ruled) -> None:
    bank, shop = ruled.page(BANK, HTML), ruled.page(SHOP, "<p>Shop</p>")
    page = ruled.browser.at(ruled.anna.ok("url").data["url"])
    ruled.site.serve("/api", "own answer")
    add(ruled.anna, "*/api", "continue", modify={"url": bank})
    add(ruled.anna, "*/relative", "continue", modify={"url": "//" + bank.split("://")[1]})
    add(ruled.anna, "*/posted", "continue", modify={"url": shop})
    assert SECRET in str(fetch(page, "/api"))
    ruled.rule(BANK, "never")
    ruled.rule(SHOP, "read")
    assert fetch(page, "/api") == [200, "own answer"]
    assert fetch(page, "/relative")[0] == 404
    assert fetch(page, "/posted", "{method: 'POST', body: 'x'}")[0] == 404
    assert [post.path for post in ruled.site.posts if post.path == path_of(shop)] == []
    assert list(hits(ruled.anna).values()) == [0, 0, 1]
    # As the document itself, under an address that is allowed.
    own = ruled.site.url("/api")
    ruled.anna.ok("navigate", url=own)
    assert SECRET not in ruled.anna.ok("snapshot").text


# ---- addresses that are told ----------------------------------------------------------------------------------------------


def test_a_request_is_not_redirected_to_where_it_could_not_go(ruled: Ruled) -> None:
    barred = ruled.page(BANK, HTML) + "?token=4711"
    ruled.rule(BANK, "never")
    by_server = ruled.site.url(f"/redirect?to={barred}")
    refused(ruled.anna.call("request", url=by_server), "site_barred")
    refused(ruled.anna.call("request", url=ruled.site.url(f"/redirect?to={METADATA}")), "never_list")
    assert ruled.site.hit_count(path_of(barred)) == 0
    answer = ruled.anna.ok("request", url=by_server, follow_redirects=False)
    assert (answer.data["status"], answer.data["headers"]["location"]) == (302, "(a site that is not allowed)")


def test_a_capture_tells_no_address_of_a_barred_site(ruled: Ruled) -> None:
    barred = ruled.page(BANK, HTML, title=SECRET) + "?token=4711"
    ruled.site.serve("/onward", "", status=302, headers={"Location": barred})
    page = ruled.browser.at(ruled.anna.ok("url").data["url"])
    ruled.anna.ok("capture", action="start", trace=True)
    ruled.rule(BANK, "never")
    page.evaluate("fetch('/onward', {mode: 'no-cors'}).then(() => 1, () => 1)")
    stopped = ruled.anna.ok("capture", action="stop")
    told = json.dumps(stopped.structured)
    assert ("/onward" in told, BANK in told, "4711" in told) == (True, False, False), told
    assert "not allowed" in stopped.data["trace"]["note"]


def test_the_network_log_of_a_session_tells_no_address_of_a_barred_site(ruled: Ruled) -> None:
    barred, own = ruled.page(BANK, HTML) + "?token=4711", ruled.site.serve("/picture.svg", "<svg/>", "image/svg+xml")
    ruled.rule(BANK, "never")
    tabwire = ruled.chromium.serve("--toolset", "instrument", name="Ida")
    caller = Caller(tabwire)
    until(lambda: not caller.call("session_create", name="doors").is_error)
    session = Session(caller, "doors")
    session.inspect("navigate", url=ruled.site.page(f"<img src='{barred}'><img src='{own}'>"))
    told = json.dumps(session.inspect("network"))
    tabwire.close()
    assert (own in told, "4711" in told, ruled.site.hit_count(path_of(barred).split("?")[0])) == (True, False, 1), told


# ---- files and other kinds ------------------------------------------------------------------------------------------------


def test_no_file_is_read_or_fetched_for_an_upload_that_is_not_allowed(ruled: Ruled, tmp_path: Path) -> None:
    ruled.site.serve("/picture.png", b"png", "image/png")
    own, barred = ruled.site.url("/picture.png"), ruled.site.url("/picture.png").replace("127.0.0.1", BANK)
    ruled.rule(BANK, "never")
    for files in ([{"url": own}], [{"name": "a.txt", "base64": "YQ=="}]):
        refused(ruled.anna.call("upload", selector="label:File", files=files), "refused")
        form = {"file": files[0]}
        refused(ruled.anna.call("request", url="/echo", method="POST", form_data=form), "refused")
        refused(ruled.anna.call("request", url="/echo", method="POST", form_data={"files": [form["file"]]}), "refused")
    for url, reason in ((barred, "site_barred"), (METADATA, "never_list")):
        refused(ruled.anna.call("upload", selector="label:File", files=[{"url": url}]), reason)
    for url in ("file:///etc/passwd", "data:text/plain,x"):
        assert ruled.anna.call("upload", selector="label:File", files=[{"url": url}]).code == "invalid_argument"
    assert ruled.site.hit_count("/picture.png") == ruled.site.hit_count("/echo") == 0
    # Texts alone are no files.
    assert ruled.anna.ok("request", url="/echo", method="POST", form_data={"name": "x"}).data["status"] == 200


def test_kinds_that_are_never_allowed_are_not_done(ruled: Ruled) -> None:
    for state in ("camera", "microphone", "geolocation", "clipboard-read", "notifications"):
        given = [{"name": state, "state": "granted"}]
        refused(ruled.anna.call("permissions", permissions=given), "refused")
    assert ruled.anna.ok("permissions", permissions=[{"name": "camera", "state": "denied"}]).data["states"]["camera"] == "denied"
    for action in ({"action": "search"}, {"action": "add", "url": "https://example.com/"}, {"action": "list_folders"}):
        refused(ruled.anna.call("bookmarks", **action), "refused")
    assert ruled.browser.in_worker("chrome.bookmarks.search('example.com').then((found) => found.length)") == 0
    refused(ruled.anna.call("record_steps", action="start"), "refused")
    assert ruled.browser.shown().evaluate("document.querySelector('tabwire-recorder')") is None
    assert "no steps are being recorded" in ruled.anna.fails("record_steps", action="read").text


def test_a_saved_login_holds_no_cookie_of_a_barred_site_and_brings_none_back(ruled: Ruled) -> None:
    below = f"a.{BANK}"
    url = ruled.page(below, "<p>Here")
    above = f"Domain={BANK}; Path=/; Max-Age=3600"
    ruled.anna.open(ruled.page(below, "<p>Here", headers={"Set-Cookie": f"above={SECRET}; {above}"}))
    ruled.rule(BANK, "never")
    ruled.rule(below, "act")
    ruled.anna.ok("cookies", action="set", url=url, name="own", value="1")
    refused(ruled.anna.call("cookies", action="set", url=url, domain=BANK, name="above", value="2"), "site_barred")
    saved = ruled.anna.ok("auth_state", action="save", name="doors", origins=[url])
    file = ruled.chromium.home / "auth" / "doors.json"
    state = json.loads(file.read_text())
    assert (SECRET in file.read_text(), saved.is_error) == (False, False)
    (origin,) = state["origins"]
    (entry,) = [one for one in origin["cookies"] if one["name"] == "own"]
    origin["cookies"] += [
        {**entry, "name": "planted", "domain": f".{BANK}", "hostOnly": False},
        {**entry, "name": "other", "domain": SHOP},
    ]
    file.write_text(json.dumps(state))
    loaded = ruled.anna.ok("auth_state", action="load", name="doors")
    jar = {cookie["name"]: cookie for cookie in ruled.browser.call("Storage.getCookies")["cookies"]}
    assert (set(jar) & {"above", "own", "planted", "other"}, jar["above"]["value"]) == ({"above", "own"}, SECRET), loaded
    file.unlink()


# ---- browsers of ours -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "chrome://settings", "about:blank"])
def test_a_bookmark_is_of_the_web(refused: Launched, url: str) -> None:
    reply = refused.tabwire.call("bookmarks", action="add", url=url)
    assert (reply.code, "http or https" in reply.text) == ("invalid_argument", True), reply


def test_a_file_at_an_address_is_uploaded_without_the_cookies_of_its_site(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    site.serve("/named/photo%201.png", b"\x89PNG", "image/png")
    page = tabwire.open(site.page("<input type=file aria-label=File multiple>"))
    browser.shown().evaluate("document.cookie = 'login=4711'")
    data = tabwire.ok("upload", selector="label:File", files=[{"url": site.url("/redirect?to=/named/photo%25201.png")}]).data
    assert data["files"] == [{"name": "photo 1.png", "size": 4, "type": "image/png"}], page
    (hit,) = [hit for hit in site.hits if hit.path.startswith("/named/")]
    assert not {"cookie", "referer"} & {name.lower() for name in hit.headers}
    missing = tabwire.call("upload", selector="label:File", files=[{"url": site.url("/status/404")}])
    assert (missing.code, "404" in missing.text) == ("invalid_argument", True)


FILE_WAYS: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {}),
    ("navigate", {"new_tab": True}),
    ("tab_new", {}),
    ("window_new", {}),
]


@pytest.fixture
def elsewhere() -> Iterator[Path]:
    """A folder that no server of the tests may use."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def test_a_launched_browser_opens_only_files_that_tools_may_read(launched: Launched, tabwire: Tabwire, elsewhere: Path) -> None:
    work = launched.work
    (work / "inside").mkdir(exist_ok=True)
    inside = work / "inside" / "page.html"
    outside = elsewhere / "page.html"
    for file in (inside, outside):
        around = f"<iframe src='{outside.as_uri()}'></iframe><a href='{outside.as_uri()}'>Go</a>" if file == inside else SECRET
        file.write_text(f"<title>Local</title><p>{file.parent.name}</p>{around}")
    assert tabwire.ok("navigate", url=inside.as_uri()).data["title"] == "Local"
    shown = tabwire.ok("snapshot")
    assert "inside" in shown.text and SECRET not in shown.text
    (inside.parent / "link").unlink(missing_ok=True)
    (inside.parent / "link").symlink_to(outside.parent)
    wanted = [
        outside.as_uri(),
        f"{inside.parent.as_uri()}/link/page.html",
        "file:///etc/passwd",
        (work / "home" / "keys.json").as_uri(),
        f"{inside.parent.as_uri()}/%2e%2e/home/",
    ]
    for tool, arguments in FILE_WAYS:
        for url in (*wanted, f"view-source:{outside.as_uri()}"):
            reply = tabwire.call(tool, url=url, **arguments)
            assert (reply.code, SECRET in reply.text) == ("permission_denied", False), (url, reply)
    assert len(tabwire.tabs()) == 1
    # By itself the page may go there; nothing is read then.
    tabwire.ok("click", selector="a")
    for tool, arguments in (("snapshot", {}), ("evaluate", {"expression": "document.body.innerText"}), ("screenshot", {})):
        reply = tabwire.call(tool, **arguments)
        assert (reply.code, SECRET in reply.text) == ("permission_denied", False), reply
