"""request: what the site receives, what comes back, and that it is as the tab's page would have sent it."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.ports import free_port
from e2e.site import Site
from polling import until

pytestmark = pytest.mark.same_tab


def echoed(site: Site, reply: Reply) -> dict[str, str]:
    """The headers the site saw; the reply has them too, without those that are secrets."""
    assert json.loads(reply.data["body"])["path"] == "/echo"
    hit = next(hit for hit in reversed(site.hits) if hit.path == "/echo")
    return {name.lower(): value for name, value in hit.headers.items()}


@pytest.fixture
def here(tabwire: Tabwire, site: Site) -> str:
    url = site.page("<p>Here</p>")
    tabwire.open(url)
    return url


# ---- what is sent --------------------------------------------------------------------------------------------------


def test_every_method_is_sent(tabwire: Tabwire, here: str) -> None:
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
        reply = tabwire.ok("request", url="/echo?q=1", method=method)
        assert (reply.data["status"], reply.data["status_text"]) == (200, "OK"), method
        seen = json.loads(reply.data["body"])
        assert (seen["method"], seen["query"]) == (method, {"q": "1"})


def test_an_answer_without_a_body_has_none(tabwire: Tabwire, here: str, site: Site) -> None:
    for method, path, status in (("HEAD", "/echo", 200), ("GET", "/favicon.ico", 204)):
        data = tabwire.ok("request", url=path, method=method).data
        assert (data["status"], data["size"], data["body"]) == (status, 0, ""), path
        assert method in {hit.method for hit in site.hits if hit.path == path}


def test_a_text_body_and_headers_arrive_as_given(tabwire: Tabwire, here: str, site: Site) -> None:
    tabwire.ok("request", url="/post", method="PUT", body="a,ß", headers={"Content-Type": "text/csv", "X-Own": "1"})
    (post,) = site.posts
    assert (post.body, post.content_type) == ("a,ß".encode(), "text/csv")
    (hit,) = [hit for hit in site.hits if hit.path == "/post"]
    assert hit.headers["X-Own"] == "1"


def test_a_json_body_says_so(tabwire: Tabwire, here: str, site: Site) -> None:
    for value in ({"a": [1, None, "ß"]}, [1, 2]):
        tabwire.ok("request", url="/post", method="POST", json=value)
        assert (json.loads(site.posts[-1].body), site.posts[-1].content_type) == (value, "application/json")


def test_form_data_is_a_multipart_form_with_files(tabwire: Tabwire, here: str, site: Site, tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("x,y")
    form = {
        "name": "Ada – λ", "n": 3, "on": True, "tag": ["a", "b"], "csv": {"path": str(tmp_path / "b.csv")},
        "raw": {"base64": base64.b64encode(b"\0\1").decode(), "name": "r.bin", "mime_type": "x/y"},
    }  # fmt: skip
    tabwire.ok("request", url="/post", method="POST", form_data=form)
    post = site.wait_for_post("/post")
    assert post.fields == [("name", "Ada – λ"), ("n", "3"), ("on", "true"), ("tag", "a"), ("tag", "b")]
    files = [(one.field, one.filename, one.content_type, one.content) for one in post.uploads]
    assert files == [("csv", "b.csv", "text/csv", b"x,y"), ("raw", "r.bin", "x/y", b"\0\1")]


def test_cookies_of_every_kind_go_along_and_those_set_stay(tabwire: Tabwire, here: str, site: Site, page: ShownPage) -> None:
    strict = "strict=1; SameSite=Strict; HttpOnly; Path=/"
    set_cookie = site.serve("/set", "{}", "application/json", headers={"Set-Cookie": strict})
    reply = tabwire.ok("request", url=set_cookie)
    assert reply.data["cookies_set"] == ["strict"]
    page.evaluate("document.cookie = 'lax=1; SameSite=Lax; Path=/'")
    assert {"strict=1", "lax=1"} <= set(echoed(site, tabwire.ok("request", url="/echo"))["cookie"].split("; "))
    sent = page.evaluate("fetch('/echo').then((r) => r.json()).then((seen) => seen.headers.Cookie)")
    assert "strict=1" in sent
    assert tabwire.ok("request", url="/echo").data["cookies_sent"] is True
    expire = site.serve("/expire", "", headers={"Set-Cookie": "strict=; Max-Age=0; Path=/"})
    tabwire.ok("request", url=expire)
    page.evaluate("document.cookie = 'lax=; Max-Age=0; Path=/'")


def test_a_request_says_whether_cookies_or_a_login_went_along(tabwire: Tabwire, here: str, site: Site, page: ShownPage) -> None:
    def is_personal(url: str, **more: Any) -> bool:
        sent: bool = tabwire.ok("request", url=url, **more).data["cookies_sent"]
        return sent

    assert not is_personal("/echo")
    assert is_personal("/echo", headers={"Authorization": "Basic YTpi"})
    page.evaluate("document.cookie = 'lax=1; SameSite=Lax; Path=/private'")
    site.serve("/private/moved", "", status=302, headers={"Location": "/echo"})
    assert not is_personal("/echo")
    assert is_personal("/private/moved")
    page.evaluate("document.cookie = 'lax=; Max-Age=0; Path=/private'")


def test_a_cookie_of_the_pages_own_jar_goes_along(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.cross_page("<p>Here</p>"))
    page.evaluate("document.cookie = 'jar=1; Secure; Partitioned; SameSite=None; Path=/'")
    assert page.evaluate("document.cookie") == "jar=1"
    assert echoed(site, tabwire.ok("request", url="/echo"))["cookie"] == "jar=1"
    page.evaluate("document.cookie = 'jar=1; Secure; Partitioned; SameSite=None; Path=/; Max-Age=0'")


def test_a_partitioned_cookie_of_the_answer_is_the_pages(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.cross_page("<p>Here</p>"))
    partitioned = "part={}; Secure; SameSite=None; Partitioned; Path=/; Max-Age={}"
    site.serve("/part", "", headers={"Set-Cookie": partitioned.format("1", 60)})
    assert tabwire.ok("request", url="/part").data["cookies_set"] == ["part"]
    assert page.evaluate("document.cookie") == "part=1"
    page.evaluate(f"document.cookie = '{partitioned.format('', 0)}'")


def test_headers_of_the_connection_are_refused(tabwire: Tabwire, here: str, site: Site) -> None:
    for name in ("Host", "Content-Length", "Connection", "Transfer-Encoding"):
        reply = tabwire.fails("request", url="/echo", headers={name: "1"})
        assert (reply.code, f"header {name} is set by the connection" in reply.text) == ("invalid_argument", True), reply
    assert site.hit_count("/echo") == 0


def test_another_origin_answers_without_cors_and_learns_the_pages_origin_only(tabwire: Tabwire, here: str, site: Site) -> None:
    headers = echoed(site, tabwire.ok("request", url=site.cross_url("/echo"), method="PUT", headers={"X-Own": "1"}))
    assert (headers["origin"], headers["referer"], headers["sec-fetch-site"]) == (site.origin, site.origin + "/", "cross-site")
    assert headers["x-own"] == "1"
    assert [hit.method for hit in site.hits if hit.path == "/echo"] == ["PUT"], "no preflight"


def test_headers_that_a_page_may_not_choose_can_be_chosen(tabwire: Tabwire, here: str, site: Site) -> None:
    chosen = {
        "Cookie": "own=1", "Referer": "https://from.example/", "Origin": "https://from.example", "User-Agent": "Probe/1",
        "Accept-Language": "de", "Authorization": "Bearer x", "Sec-Fetch-Mode": "navigate", "Accept-Encoding": "identity", "DNT": "1",
    }  # fmt: skip
    headers = echoed(site, tabwire.ok("request", url="/echo", headers=chosen))
    assert {name: headers.get(name.lower()) for name in chosen} == chosen
    assert "own=1" not in echoed(site, tabwire.ok("request", url="/echo")).get("cookie", "")


def test_a_redirect_to_another_host_does_not_take_secrets_along(tabwire: Tabwire, here: str, site: Site) -> None:
    secrets = {"Authorization": "Bearer x", "Cookie": "own=1"}
    headers = echoed(site, tabwire.ok("request", url=f"/redirect?to={site.cross_url('/echo')}", headers=secrets))
    assert "authorization" not in headers
    assert "own=1" not in headers.get("cookie", "")
    redirected = next(hit for hit in site.hits if hit.path == "/redirect")
    assert {name.lower(): value for name, value in redirected.headers.items()}["cookie"] == "own=1"


def test_a_request_looks_as_if_the_page_had_sent_it(tabwire: Tabwire, here: str, site: Site, page: ShownPage) -> None:
    names = ("origin", "referer", "sec-fetch-site", "sec-fetch-mode", "user-agent", "accept-language")
    for method in ("GET", "POST"):
        own = page.evaluate(f"fetch('/echo', {{method: '{method}'}}).then((r) => r.json()).then((seen) => seen.headers)")
        own = {name.lower(): value for name, value in own.items()}
        ours = echoed(site, tabwire.ok("request", url="/echo", method=method))
        assert {name: ours.get(name) for name in names} == {name: own.get(name) for name in names}


# ---- what comes back -----------------------------------------------------------------------------------------------


def test_a_redirect_that_is_not_followed_is_the_answer(tabwire: Tabwire, here: str, site: Site) -> None:
    data = tabwire.ok("request", url="/redirect?to=/echo", follow_redirects=False).data
    assert (data["status"], data["status_text"], data["headers"]["location"]) == (302, "Found", "/echo")
    assert (data["url"], data["redirected"]) == (site.url("/redirect?to=/echo"), False)
    assert site.hit_count("/echo") == 0
    assert tabwire.ok("request", url="/echo", follow_redirects=False).data["status"] == 200


def test_redirects_are_followed_and_told(tabwire: Tabwire, here: str, site: Site) -> None:
    data = tabwire.ok("request", url="/redirect?to=/echo").data
    assert (data["status"], data["url"], data["redirected"]) == (200, site.url("/echo"), True)
    assert data["redirects"] == [{"url": site.url("/redirect?to=/echo"), "status": 302}]


def test_a_status_of_failure_is_a_result(tabwire: Tabwire, here: str, site: Site) -> None:
    for status in (404, 500):
        data = tabwire.ok("request", url=f"/status/{status}").data
        assert (data["status"], f"Status {status}" in data["body"]) == (status, True)
    site.serve("/auth", "no", "text/plain", status=401, headers={"WWW-Authenticate": "Basic realm=x"})
    assert tabwire.ok("request", url="/auth").data["status"] == 401


def test_headers_and_size_come_back_but_no_secret(tabwire: Tabwire, here: str, site: Site) -> None:
    site.serve("/x", "ß", "text/plain", headers={"X-Answer": "42", "Set-Cookie": "sid=geheim; Max-Age=1"})
    reply = tabwire.ok("request", url="/x")
    assert (reply.data["headers"]["x-answer"], reply.data["size"], reply.data["body"]) == ("42", 2, "ß")
    assert "geheim" not in str(reply)


def test_bytes_come_back_as_base64_and_texts_in_their_charset(tabwire: Tabwire, here: str, site: Site) -> None:
    site.serve("/bytes", b"\x89PNG\0", "image/png")
    data = tabwire.ok("request", url="/bytes").data
    assert (data["base64"], base64.b64decode(data["body"])) == (True, b"\x89PNG\0")
    site.serve("/latin", "Größe".encode("latin-1"), "text/plain; charset=iso-8859-1")
    assert tabwire.ok("request", url="/latin").data["body"] == "Größe"
    site.serve("/marked", "Größe".encode("utf-16"), "text/plain; charset=iso-8859-1")
    assert tabwire.ok("request", url="/marked").data["body"] == "Größe"
    site.serve("/unknown", b"\xff\xfe\0\1", "application/octet-stream")
    assert tabwire.ok("request", url="/unknown").data["base64"] is True


def test_a_long_body_is_in_a_file(tabwire: Tabwire, here: str, site: Site) -> None:
    site.serve("/long", "ß" * 1_500_000, "text/plain; charset=utf-8")
    data = tabwire.ok("request", url="/long").data
    assert (len(data["body"]), data["size"], data["bytes"]) == (4000, 3_000_000, 3_000_000)
    assert Path(data["path"]).read_text(encoding="utf-8") == "ß" * 1_500_000
    content = bytes(range(256)) * 2000
    site.serve("/bytes", content, "application/pdf")
    data = tabwire.ok("request", url="/bytes").data
    assert data["path"].endswith(".pdf")
    assert Path(data["path"]).read_bytes() == content


# ---- how it fails --------------------------------------------------------------------------------------------------


def test_a_server_that_is_not_there_is_an_error_with_its_cause(tabwire: Tabwire, here: str) -> None:
    for address, cause, advice in (
        ("http://127.0.0.1:9/", "ERR_UNSAFE_PORT", "Chrome does not connect to this port"),
        (f"http://127.0.0.1:{free_port()}/", "ERR_CONNECTION_REFUSED", "nothing listens there"),
        ("http://nowhere.invalid/", "ERR_NAME_NOT_RESOLVED", "no host of this name is known"),
    ):
        asked = tabwire.fails("request", url=address)
        assert f"{address}: net::{cause}; {advice}" in asked.text
        gone_to = tabwire.fails("navigate", url=address)
        assert asked.code == gone_to.code == "navigation_failed" and advice in gone_to.text


def test_time_that_runs_out_ends_the_request(tabwire: Tabwire, here: str, site: Site) -> None:
    posted = tabwire.start("request", url="/hang", method="POST", body="1", timeout=300)
    reply = tabwire.fails("request", url="/hang", timeout=300)
    assert (reply.code, "300 ms" in reply.text) == ("timeout", True), reply
    assert posted.result(30).code == "outcome_unknown", posted.result()
    assert tabwire.ok("request", url="/echo").data["status"] == 200


def test_a_cancelled_call_ends_the_request(tabwire: Tabwire, here: str, site: Site, browser: Browser) -> None:
    pending = tabwire.start("request", url="/hang", timeout=60_000)
    site.wait_for(lambda site: site.hit_count("/hang"))
    rules = "chrome.declarativeNetRequest.getSessionRules().then((rules) => rules.length)"
    assert browser.in_worker(rules) == 1
    pending.cancel()
    until(lambda: browser.in_worker(rules), equals=0, within=5)


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"url": "/x", "body": "a", "json": {}, "method": "POST"}, "body and json exclude each other"),
    ({"url": "/x", "body": "a"}, "a GET request has no body"),
    ({"url": "/x", "json": {}, "method": "HEAD"}, "a HEAD request has no body"),
    ({"url": "file:///etc/passwd"}, "only http and https"),
    ({"url": "chrome://version"}, "only http and https"),
    ({"url": "/x", "headers": {"bad name": "x"}}, "is no header"),
    ({"url": "/x", "headers": {"X-A": "a\r\nX-B: b"}}, "line breaks"),
    ({"url": "/x", "method": "POST", "form_data": {"f": {"nothing": 1}}}, "stands for a file"),
    ({"url": "/x", "method": "get"}, "method"),
]


def test_a_mistake_is_told(tabwire: Tabwire, here: str) -> None:
    for arguments, says in MISTAKES:
        reply = tabwire.fails("request", **arguments)
        assert (reply.code, says in reply.text) == ("invalid_argument", True), (arguments, reply)


def test_a_relative_address_needs_a_page(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("tab_new")
    assert tabwire.fails("request", url="/echo").code == "invalid_argument"
    bare = site.url("/echo").removeprefix("http://")
    assert "origin" not in echoed(site, tabwire.ok("request", url=bare, method="POST"))


def test_it_works_for_a_hidden_tab_and_while_a_dialog_is_open(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    first = tabwire.open(site.cross_page("<button onclick='alert(1)'>Ask</button>")).data["tabId"]
    assert "dialog" in tabwire.ok("click", selector="text:Ask").data["effects"]
    tabwire.ok("tab_new", url=site.page("Two"))
    assert tabwire.ok("request", url="/echo", tabId=first).data["url"] == site.cross_url("/echo")
    assert tabwire.ok("request", url="/echo").data["url"] == site.url("/echo")


def test_no_rule_stays_behind_when_the_worker_dies(tabwire: Tabwire, here: str, site: Site, browser: Browser) -> None:
    pending = tabwire.start("request", url="/hang", headers={"X-Own": "1"})
    site.wait_for(lambda site: site.hit_count("/hang"))
    browser.stop_workers()
    assert pending.result(20).code == "outcome_unknown"
    assert site.hit_count("/hang") == 1, "it is not sent twice"
    assert "x-own" not in echoed(site, tabwire.ok("request", url="/echo"))
