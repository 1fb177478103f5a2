"""navigate, back, forward, reload, url, title: where the tab ends, and what is said when it ends nowhere."""

import socket

import pytest

from e2e.client import Tabwire
from e2e.conftest import Launched, ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

# Asks before it lets go, once somebody has clicked in it.
CLINGING = """<button onclick="this.textContent = 'Used'">Use</button>
<script>addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "x"; })</script>"""


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_navigate_tells_address_title_and_status(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<h1>Hi</h1>", title="Greeting")
    data = tabwire.ok("navigate", url=url).data
    assert (data["url"], data["title"], data["status"]) == (url, "Greeting", 200)
    assert page.url == url


def test_a_redirect_ends_at_its_final_address(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    final = site.url("/blank.html?end")
    assert tabwire.ok("navigate", url=site.url(f"/redirect?to={final}")).data["url"] == final
    assert page.url == final


REDIRECTS = (
    "location.replace('/blank.html')",
    "onload = () => location.replace('/blank.html')",
    "onload = () => setTimeout(() => location.replace('/blank.html'))",
)


def test_a_redirect_by_script_is_followed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    for script in REDIRECTS:
        reply = tabwire.ok("navigate", url=site.page(f"<script>{script}</script>"))
        assert [reply.data["url"], page.url] == [site.url("/blank.html")] * 2, script


def test_a_page_that_is_still_being_built_is_told_to_be_bare(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    shell = site.page("<div id=root>Loading…</div><script>1</script>")
    assert "may still be building it" in tabwire.open(shell).data["note"]
    closed = "<x-app></x-app><script>document.querySelector('x-app').attachShadow({ mode: 'closed' }).append('Text')</script>"
    for html in (closed, "<button>Go</button><script>1</script>", "<p>Hi"):
        assert "note" not in tabwire.open(site.page(html)).data


def test_an_error_status_is_a_page_too(tabwire: Tabwire, site: Site) -> None:
    data = tabwire.ok("navigate", url=site.url("/status/404")).data
    assert (data["status"], data["title"]) == (404, "Status 404")


def test_a_fragment_needs_no_new_document(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<p id=there>There</p><script>mark = 1</script>")
    tabwire.open(url)
    assert tabwire.ok("navigate", url=f"{url}#there").data["url"] == f"{url}#there"
    assert page.evaluate("mark") == 1


def test_a_host_without_scheme_gets_one(tabwire: Tabwire, site: Site) -> None:
    reply = tabwire.ok("navigate", url=site.url("/blank.html").removeprefix("http://"))
    assert reply.data["url"] == site.url("/blank.html")


NO_PAGES = ("javascript:alert(1)", "JavaScript:1", "mailto:ada@example.com", "hello world", "/etc/hosts", " ")


def test_what_is_no_address_of_a_page_is_refused(tabwire: Tabwire, page: ShownPage) -> None:
    before = page.url
    codes = {url: tabwire.fails("navigate", url=url).code for url in NO_PAGES}
    assert (codes, page.url) == (dict.fromkeys(NO_PAGES, "invalid_argument"), before)


def test_a_failure_names_the_network_error_and_the_address(tabwire: Tabwire) -> None:
    url = f"http://127.0.0.1:{closed_port()}/"
    reply = tabwire.fails("navigate", url=url)
    assert reply.code == "navigation_failed"
    assert "net::ERR_CONNECTION_REFUSED" in reply.text
    assert url in reply.text


def test_an_unknown_host_is_a_failure(tabwire: Tabwire) -> None:
    assert "ERR_NAME_NOT_RESOLVED" in tabwire.fails("navigate", url="http://no-such-host.invalid/").text


@pytest.mark.fresh_tab
def test_the_error_page_can_be_left_backwards(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("", title="Before")
    tabwire.open(url)
    tabwire.fails("navigate", url=f"http://127.0.0.1:{closed_port()}/")
    assert tabwire.ok("back").data["title"] == "Before"
    assert page.url == url


NOT_SHOWN = {"/download": "download", "/favicon.ico": "204", "/redirect?to=/download": "download"}


def test_an_answer_that_is_no_page_is_told_at_once(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    before = page.url
    for path, told in NOT_SHOWN.items():
        reply = tabwire.ok("navigate", url=site.url(path))
        assert (told in reply.text, reply.elapsed_ms < 5000, page.url) == (True, True, before), (path, reply)


def test_a_timeout_says_how_far_the_page_came(tabwire: Tabwire, site: Site) -> None:
    silent = tabwire.fails("navigate", url=site.url("/hang"), timeout=250)
    assert silent.code == "timeout"
    assert "no answer from the server" in silent.text
    unfinished = tabwire.fails("navigate", url=site.page("<img src=/hang>"), timeout=400)
    assert unfinished.code == "timeout"
    assert "domcontentloaded" in unfinished.text


def test_a_page_that_is_wedged_is_named_where_it_keeps_the_next_one_from_coming(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    """Pages that know each other share a process, and so does the one that is to come."""
    before = {tab["tabId"] for tab in tabwire.tabs()}
    opened = site.page("<h1>Opened</h1>")
    tabwire.ok("tab_new", url=site.page(f"<button onclick=\"window.open('{opened}')\">Open</button>"))
    tabwire.ok("click", selector="button")
    page.wait_for("document.querySelector('h1')?.textContent === 'Opened'")
    tab = next(tab["tabId"] for tab in tabwire.tabs() if tab["url"] == opened)
    tabwire.ok("evaluate", expression="void setTimeout(() => { for (;;); }, 50)", tabId=tab)
    reply = tabwire.fails("navigate", url=site.url("/blank.html"), timeout=4000, tabId=tab)
    assert reply.code == "timeout" and "the page that is there does not answer" in reply.text, reply
    for wedged in {tab["tabId"] for tab in tabwire.tabs()} - before:
        tabwire.ok("tab_close", tabId=wedged)


def test_domcontentloaded_does_not_wait_for_images(tabwire: Tabwire, site: Site) -> None:
    url = site.page("<h1>Text</h1><img src=/hang>")
    assert tabwire.ok("navigate", url=url, wait_until="domcontentloaded", timeout=5000).data["url"] == url


def test_networkidle_waits_for_what_the_page_fetches_later(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    script = "setTimeout(() => fetch('/slow?ms=400').then(() => document.title = 'Fetched'), 200)"
    tabwire.ok("navigate", url=site.page(f"<script>{script}</script>"), wait_until="networkidle")
    assert page.evaluate("document.title") == "Fetched"


def test_headers_go_with_one_navigation_to_one_host(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("navigate", url=site.url(f"/redirect?to={site.cross_url('/echo')}"), headers={"X-Probe": "one"})
    tabwire.ok("navigate", url=site.url("/echo"))
    assert [(hit.path, hit.headers.get("x-probe")) for hit in site.hits if hit.path in ("/redirect", "/echo")] == [
        ("/redirect", "one"),
        ("/echo", None),
        ("/echo", None),
    ]


def test_headers_reach_a_new_tab(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("navigate", url=site.url("/echo"), headers={"X-Probe": "new"}, new_tab=True)
    assert [hit.headers.get("x-probe") for hit in site.hits if hit.path == "/echo"] == ["new"]


def test_malformed_headers_are_refused(tabwire: Tabwire, site: Site) -> None:
    for headers in ({"bad name": "x"}, {"X-A": "a\r\nX-B: b"}):
        assert tabwire.fails("navigate", url=site.url("/echo"), headers=headers).code == "invalid_argument", headers
    assert site.hit_count("/echo") == 0


def test_new_tab_in_the_background_leaves_the_shown_tab_alone(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    before = page.url
    url = site.page("", title="Behind")
    data = tabwire.ok("navigate", url=url, new_tab=True, background=True).data
    assert page.url == before
    assert [tab["tabId"] for tab in tabwire.tabs() if tab["url"] == url] == [data["tabId"]]
    assert tabwire.ok("title").data == {"title": "Behind"}


def test_new_window_has_the_given_size(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("navigate", url=site.page(""), new_window=True, window_size={"width": 810, "height": 620})
    assert tabwire.ok("evaluate", expression="[outerWidth, outerHeight]").data == [810, 620]


@pytest.mark.fresh_tab
def test_back_and_forward_visit_every_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """The last one is of another site."""
    urls = [site.page("", title="Page 0"), site.page("", title="Page 1"), site.cross_page("", title="Page 2")]
    for url in urls:
        tabwire.open(url)
    assert tabwire.ok("back").data["url"] == urls[1]
    assert tabwire.ok("back").data["title"] == "Page 0"
    assert tabwire.ok("forward").data["url"] == urls[1]
    assert page.url == urls[1]
    assert tabwire.ok("navigate", action="forward").data["url"] == urls[2]


@pytest.mark.fresh_tab
def test_back_within_one_document_ends_at_the_earlier_state(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<script>mark = 1; history.pushState(0, '', '/pushed')</script>")
    tabwire.open(url)
    assert tabwire.ok("back").data["url"] == url
    assert page.evaluate("[mark, location.href]") == [1, url]


@pytest.mark.fresh_tab
def test_without_an_entry_back_and_forward_fail(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("tab_new", url=site.page(""))
    for direction in ("back", "forward"):
        reply = tabwire.fails(direction)
        assert reply.code == "navigation_failed"
        assert "no page to go" in reply.text
        assert reply.elapsed_ms < 3000


@pytest.mark.fresh_tab
def test_back_that_moves_a_frame_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<iframe name=f src='/blank.html?1'></iframe><a target=f href='/blank.html?2'>Next</a>"))
    tabwire.ok("click", selector=tabwire.ref("link", "Next"))
    page.wait_for("frames[0].location.search == '?2'")
    assert "a frame inside the page moved" in tabwire.ok("back").text
    assert page.evaluate("frames[0].location.search") == "?1"


def test_back_arrives_without_the_debugger_whether_or_not_the_page_was_kept(own: Launched, site: Site) -> None:
    tabwire = own.tabwire
    keep = {"Cache-Control": "max-age=60"}
    first = site.page("", title="First", headers=keep)
    tabwire.ok("navigate", url=first)
    tabwire.ok("navigate", url=site.page("", title="Second", headers=keep))
    data = tabwire.ok("back").data
    assert (data["url"], data["title"]) == (first, "First")


def test_reload_loads_again(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<script>mark = 1</script>")
    tabwire.open(url)
    page.evaluate("mark = 2")
    tabwire.ok("reload")
    assert page.evaluate("mark") == 1
    assert site.hit_count(url.removeprefix(site.origin)) == 2


def test_a_posted_page_is_reloaded_without_a_question(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<form method=post action=/post><input type=hidden name=a value=1><button>Send</button></form>"))
    tabwire.ok("click", selector=tabwire.ref("button", "Send"))
    assert tabwire.ok("reload", timeout=5000).data["title"] == "Received"
    assert [post.form for post in site.posts] == [{"a": "1"}] * 2


def test_a_page_that_asks_before_it_closes_is_left(tabwire: Tabwire, launched: Launched, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("", title="Earlier"))
    for leave in ("back", "reload", "navigate", "tab_close"):
        tabwire.open(site.page(CLINGING, title="Clinging"))
        tabwire.ok("click", selector=tabwire.ref("button", "Use"))
        page.wait_for("document.querySelector('button').textContent == 'Used'")
        (tab,) = [tab["tabId"] for tab in tabwire.tabs() if tab["current"]]
        arguments = {"navigate": {"url": site.url("/blank.html")}, "tab_close": {"tabId": tab}}.get(leave, {})
        reply = tabwire.ok(leave, **arguments, force=launched.is_own)
        assert ("asked whether to leave" in reply.text, reply.elapsed_ms < 5000) == (True, True), (leave, reply)
        if leave == "tab_close":
            assert tab not in [tab["tabId"] for tab in tabwire.tabs()]
        else:
            assert page.evaluate("document.body.textContent.includes('Used')") is False, leave
        if leave == "reload":
            # Nobody has clicked in it since: it asks nothing.
            tabwire.open(site.url("/blank.html"))


@pytest.mark.parametrize("arguments", [{}, {"new_tab": True}])
def test_a_dialog_that_opens_while_the_page_loads_is_told(tabwire: Tabwire, site: Site, arguments: dict[str, bool]) -> None:
    asking = site.page("<script>answer = prompt('Who?')</script>")
    for _ in range(4):
        reply = tabwire.ok("navigate", url=asking, timeout=8000, **arguments)
        assert reply.data.get("dialog") == {"type": "prompt", "message": "Who?"}, reply
    assert tabwire.ok("navigate", url=site.url("/blank.html"), timeout=8000).data["title"] == "Blank"


def test_the_history_of_a_new_tab_begins_with_its_page(tabwire: Tabwire, site: Site) -> None:
    tabwire.ok("navigate", url=site.page("", title="First"), new_tab=True)
    assert tabwire.ok("evaluate", expression="history.length").data == 1
    assert "no page to go back to" in tabwire.fails("back").text


def test_a_browser_page_is_opened_and_said_to_be_closed_to_us(tabwire: Tabwire) -> None:
    reply = tabwire.ok("navigate", url="chrome://version")
    assert reply.data["url"] == "chrome://version/"
    assert "extensions cannot read" in reply.text
    assert tabwire.fails("snapshot").code == "restricted_page"


def test_a_local_file_is_opened(tabwire: Tabwire, tmp_path: object, page: ShownPage) -> None:
    file = f"{tmp_path}/page.html"
    with open(file, "w", encoding="utf-8") as out:
        out.write("<title>Local</title><button>Here</button>")
    assert tabwire.ok("navigate", url=f"file://{file}").data["title"] == "Local"
    assert tabwire.ref("button", "Here")


def test_url_and_title_are_those_of_this_moment(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("", title="First"))
    page.evaluate("history.pushState(0, '', '/now'), document.title = 'Now'")
    assert tabwire.ok("url").data == {"url": site.url("/now")}
    assert tabwire.ok("title").data == {"title": "Now"}


# What an act caused is told with it.


def test_a_click_that_navigates_ends_when_the_new_page_is_parsed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<a href='/slow?ms=400'>Go</a>"))
    effects = tabwire.ok("click", selector=tabwire.ref("link", "Go")).data["effects"]
    assert effects["navigated"] is True
    assert effects["url"]["to"] == site.url("/slow?ms=400")
    assert page.evaluate("document.querySelector('h1').textContent") == "Slow"


def test_no_wait_after_does_not_wait_for_the_page(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<a href='/gate/page'>Go</a>"))
    link = tabwire.ref("link", "Go")
    site.hold("/gate/page")
    effects = tabwire.ok("click", selector=link, no_wait_after=True).data["effects"]
    assert effects == {"loading": site.url("/gate/page"), **{key: effects[key] for key in ("focus",) if key in effects}}
