"""Pages read through the background of the user's browser."""

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import pytest

from bridge.misbehaving import Misbehaving, answer, endless
from bridge.pdf_files import pdf
from e2e.surfaces.reading import ReadBrowser
from e2e.worker import Absence
from polling import side_by_side, until
from tabwire.commands.tabs import Close, CreateUnseen, List
from tabwire.engine.engine import Engine
from tabwire.errors import InvalidArgument, Timeout
from tabwire.settings.result_page import ResultPage
from tabwire.surfaces.reader.cache import PageCache
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading.browser import BrowserLoader, Visit, send
from tabwire.surfaces.reader.loading.document import Document
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.page import PageSnapshot
from tabwire.surfaces.reader.searching.result_page import ResultPageSearch

WORDS = "Words of the page. " * 40
LEFT_LIMIT_S = 20
PATIENCE_S = 40
SHOWN = "<title>What the user sees</title><h1>Shown</h1>"


@pytest.fixture(scope="module")
def ground() -> Iterator[Misbehaving]:
    """Where the user's own tab is, for all tests."""
    ground = Misbehaving()
    ground.serve("/shown", SHOWN)
    yield ground
    ground.close()


@pytest.fixture(scope="module")
def started(ground: Misbehaving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReadBrowser]:
    browser = ReadBrowser(tmp_path_factory.mktemp("reading"), ground.url("/shown"))
    yield browser
    browser.close()


@pytest.fixture
def site() -> Iterator[Misbehaving]:
    site = Misbehaving()
    yield site
    site.close()


@pytest.fixture
def reading(started: ReadBrowser) -> Iterator[ReadBrowser]:
    """The browser; whatever a test read, its owner saw nothing of it, and nothing of it stays."""
    before = tabs(started)
    assert [tab["active"] for tab in before] == [True], before
    yield started
    assert [(tab["tabId"], tab["url"], tab["active"]) for tab in tabs(started)] == [
        (tab["tabId"], tab["url"], tab["active"]) for tab in before
    ]
    started.chromium.browser.call("Storage.clearCookies")


def tabs(browser: ReadBrowser) -> list[dict[str, Any]]:
    listed = browser.run(lambda: send(browser.engine, browser.engine.browsers[0].id, List()))
    found: list[dict[str, Any]] = listed["tabs"]
    return found


def load(browser: ReadBrowser, url: str, **policy: Any) -> PageSnapshot:
    page: PageSnapshot = browser.run(lambda: browser.loader(**{"deadline_s": PATIENCE_S, **policy}).load(url))
    return page


def sign_in(browser: ReadBrowser, site: Misbehaving, attributes: str = "") -> None:
    """As the user does it: the site's answer sets the cookie."""
    login = site.serve(f"/login/{len(attributes)}", "in", headers={"Set-Cookie": f"session=anna; Path=/{attributes}"})
    shown = browser.chromium.browser.open(login)
    shown.wait_for("document.body?.innerText === 'in'")
    shown.close()


def members_only(handler: Any) -> None:
    if "session=anna" in handler.headers.get("Cookie", ""):
        return answer(handler, f"<title>Members</title><main><p>Hello Anna.<p>{WORDS}</main>".encode(), "text/html")
    answer(handler, b"sign in", "text/html", status=401)


def test_a_page_behind_a_login_is_read_with_the_users_cookie(reading: ReadBrowser, site: Misbehaving) -> None:
    url = site.act("/members", members_only)
    for attributes in ("", "; HttpOnly; SameSite=Strict"):
        reading.chromium.browser.call("Storage.clearCookies")
        with pytest.raises(FetchFailed, match="401.*Sign in to it in the browser"):
            load(reading, url)
        sign_in(reading, site, attributes)
        page = load(reading, url)
        assert (page.title, page.lines[0]) == ("Members", "Hello Anna."), attributes


def test_plain_http_has_nobodys_cookie(reading: ReadBrowser, site: Misbehaving) -> None:
    url = site.act("/members", members_only)
    sign_in(reading, site, "")
    assert load(reading, url).title == "Members"

    async def plain() -> None:
        async with HttpLoader() as loader:
            await loader.load(url)

    with pytest.raises(FetchFailed, match="401"):
        reading.run(plain)


def test_a_page_is_private_when_cookies_or_a_login_may_have_made_it(reading: ReadBrowser, site: Misbehaving) -> None:
    static = site.serve("/static", f"<p>{WORDS}</p>")
    asking = site.serve("/asking", f"<p>{WORDS}</p><script>fetch('/static')</script>")
    keeping = site.serve("/keeping", f"<p>{WORDS}</p><script>localStorage.setItem('token', '1')</script>")
    assert not load(reading, static).is_private
    assert load(reading, asking).is_private
    sign_in(reading, site, "; HttpOnly")
    assert load(reading, static).is_private
    reading.chromium.browser.call("Storage.clearCookies")
    assert not load(reading, static).is_private
    assert load(reading, keeping).is_private
    assert load(reading, static).is_private, "what the site keeps is the user's"


LOUD = {
    "alert": "alert('Look here')",
    "confirm": "onload = () => confirm('Sure?')",
    "print": "print()",
    "windows": "window.open('/other'); location.hash = 'x'",
}


def written_by_a_script(reading: ReadBrowser, site: Misbehaving) -> None:
    script = "fetch('/data').then(r => r.text()).then(t => { document.body.innerHTML = `<p>${t} <a href=/more>more</a></p>` })"
    site.serve("/data", "Written late.", "text/plain")
    page = load(reading, site.serve("/script", f"<title>App</title><body><div id=root></div><script>{script}</script>"))
    assert page.lines == ("Written late. more",)
    assert [(link.url, link.title, link.line) for link in page.links] == [(site.url("/more"), "more", 0)]


def written_by_a_timer(reading: ReadBrowser, site: Misbehaving) -> None:
    script = "setTimeout(() => { root.textContent = 'Written by a timer.' }, 900)"
    page = load(reading, site.serve("/timer", f"<title>App</title><h1>App</h1><div id=root></div><script>{script}</script>"))
    assert page.lines[-1] == "Written by a timer."


def written_beside_much_text(reading: ReadBrowser, site: Misbehaving) -> None:
    write = "setTimeout(() => { root.innerHTML = '<h1>Article</h1><p>Written by a script.</p>' }, DELAY)"
    for delay in ("0", "700"):
        script = f"<script>{write.replace('DELAY', delay)}</script>"
        page = load(reading, site.serve(f"/beside/{delay}", f"<p>{WORDS}</p><main id=root></main>{script}"))
        assert page.lines[-2:] == ("# Article", "Written by a script."), delay
        assert page.lines[0] == WORDS.strip()


HIDES = (
    ".x { display: none }",
    ".x { visibility: hidden }",
    ".x { opacity: 0 }",
    ".x { position: absolute; left: -9999px }",
    ".x { position: absolute; clip: rect(0, 0, 0, 0) }",
    ".x { position: absolute; width: 1px; height: 1px; overflow: hidden }",
    ".x { clip-path: inset(50%) }",
    ".x { font-size: 0 }",
    ".x { text-indent: -9999px }",
    ".x { content-visibility: hidden }",
)


def text_that_styles_hide_is_not_read(reading: ReadBrowser, site: Misbehaving) -> None:
    sheet = "".join(rule.replace(".x", f".x{at}") for at, rule in enumerate(HIDES))
    site.serve("/sheet.css", sheet, "text/css")
    hidden = "".join(f"<p class=x{at}>Order {at}</p>" for at in range(len(HIDES)))
    html = f"<link rel=stylesheet href=/sheet.css><main><p>{WORDS}</p>{hidden}<p>Last.</p></main>"
    assert load(reading, site.serve("/hidden", html)).lines == (WORDS.strip(), "", "Last.")


def text_that_is_shown_is_read(reading: ReadBrowser, site: Misbehaving) -> None:
    """Also what a press, a scroll or a style brings to sight."""
    style = (
        "<style>.fade { opacity: 0; transition: opacity 1s } .on[hidden] { display: block } .gone { visibility: hidden }</style>"
    )
    html = (
        f"{style}<main><p>{WORDS}</p><p class=fade>Fades in.</p><p class=on hidden>Shown all the same.</p>"
        "<details><summary>More</summary><p>Behind a press.</p></details>"
        "<div class=gone><p>Gone.</p><p style='visibility: visible'>Seen in it.</p></div>"
        "<p><span style='display: block'>One</span><span style='display: block'>Two</span></p><pre>\n\na &lt; b</pre></main>"
    )
    read = [line for line in load(reading, site.serve("/seen", html)).lines if line]
    assert read == [
        WORDS.strip(),
        "Fades in.",
        "Shown all the same.",
        "More",
        "Behind a press.",
        "Seen in it.",
        "One Two",
        "a < b",
    ]


def dialogs_and_popovers_are_read_while_they_are_open(reading: ReadBrowser, site: Misbehaving) -> None:
    html = f"<p>{WORDS}</p><dialog>Closed.</dialog><dialog id=asks>Asks.</dialog><div popover>Away.</div><div popover id=tip>Tip.</div>"
    page = load(reading, site.serve("/dialogs", f"{html}<script>asks.showModal(); tip.showPopover()</script>"))
    assert [line for line in page.lines if line] == [WORDS.strip(), "Asks.", "Tip."]


def frames_of_a_frameset_are_links(reading: ReadBrowser, site: Misbehaving) -> None:
    site.serve("/inner", "<p>Inner.</p>")
    page = load(
        reading, site.serve("/frames", "<title>Frames</title><frameset cols='50%,50%'><frame src=/inner name=menu></frameset>")
    )
    assert (page.lines, [link.url for link in page.links]) == (("[Frame] menu",), [site.url("/inner")])


def shadow_roots_are_read(reading: ReadBrowser, site: Misbehaving) -> None:
    script = (
        "card.attachShadow({ mode: 'open' }).innerHTML = '<h2><slot name=head></slot></h2><style>p { color: red }</style>'"
        " + '<p>In the shadow. <a href=/inside>inside</a></p><slot></slot>'"
    )
    html = f"<main><p>{WORDS}</p><x-card id=card><span slot=head>Head</span><p>In a slot.</p><i slot=none>no</i></x-card></main>"
    declared = "<div><template shadowrootmode=open><p>Declared.</p></template></div>"
    page = load(reading, site.serve("/shadow", f"{html}{declared}<script>{script}</script>"))
    read = [line for line in page.lines if line]
    assert read == [WORDS.strip(), "## Head", "In the shadow. inside", "In a slot.", "Declared."]
    assert [link.url for link in page.links] == [site.url("/inside")]


VEILS = ("body { display: none }", "body { visibility: hidden }", "html { opacity: 0 }")


def a_page_that_hides_all_of_itself_is_read_and_says_so(reading: ReadBrowser, site: Misbehaving) -> None:
    for at, veil in enumerate(VEILS):
        html = f"<style>{veil} .x {{ display: none }}</style><p>{WORDS}</p><p class=x>Hidden.</p>"
        page = load(reading, site.serve(f"/veil/{at}", html))
        assert page.lines == (WORDS.strip(),), veil
        assert page.notice.startswith("The page hides all of its text from the user"), veil


def a_page_whose_parts_never_come_is_read_as_it_is(reading: ReadBrowser, site: Misbehaving) -> None:
    never = site.act("/never", lambda handler: site.ended.wait(30))
    part = f"<img src={never}><script>document.body.append('Written.')</script>"
    page = load(reading, site.serve("/parts", f"<p>{WORDS}</p>{part}"))
    assert [line for line in page.lines if line] == [WORDS.strip(), "Written."]


def a_page_that_is_never_whole_is_read_from_its_source(reading: ReadBrowser, site: Misbehaving) -> None:
    never = site.act("/never/script", lambda handler: site.ended.wait(30))
    page = load(reading, site.serve("/stuck", f"<p>{WORDS}</p><script src={never}></script><p>Last.</p>"), deadline_s=12)
    assert [line for line in page.lines if line] == [WORDS.strip(), "Last."]
    assert page.notice.startswith("The browser did not show this page")


def results_are_read_as_scripts_have_written_them(reading: ReadBrowser, site: Misbehaving) -> None:
    write = "document.body.innerHTML = '<li><a href=\"/out?to=https%3A%2F%2Fa.example%2F1\">One</a><i>First.</i></li>'"
    site.serve("/search", f"<body><script>{write}</script>")
    page = ResultPage(url=site.url("/search?q={query}"), item="li", snippet="i", unwrap="to")
    search = ResultPageSearch(page, reading.loader(deadline_s=PATIENCE_S))
    (found,) = reading.run(lambda: search.search("two words", 5))
    assert (found.title, found.url, found.snippet) == ("One", "https://a.example/1", "First.")
    assert "/search?q=two+words" in site.paths()


def a_page_that_calls_itself_otherwise_in_its_head(reading: ReadBrowser, site: Misbehaving) -> None:
    body = f"<meta charset=windows-1252><main><p>Größe für Übermütige {WORDS}</main>".encode("cp1252")
    assert load(reading, site.serve("/head", body, "text/html")).lines[0].startswith("Größe für Übermütige")


def a_byte_order_mark_wins_over_the_header(reading: ReadBrowser, site: Misbehaving) -> None:
    for kind in ("text/html", "text/plain"):
        for charset in ("utf-8-sig", "utf-16"):
            body = "Größe für Übermütige".encode(charset)
            page = load(reading, site.serve(f"/mark/{kind}/{charset}", body, f"{kind}; charset=windows-1251"))
            assert page.lines == ("Größe für Übermütige",), (kind, charset)


def a_text_that_names_no_charset(reading: ReadBrowser, site: Misbehaving) -> None:
    text = "Все люди рождаются свободными и равными в своем достоинстве"
    assert load(reading, site.serve("/unnamed", text.encode("cp1251"), "text/plain")).lines == (text,)


def a_page_that_refreshes_to_another(reading: ReadBrowser, site: Misbehaving) -> None:
    site.serve("/b", f"<title>B</title><main><p>{WORDS}</main>")
    page = load(reading, site.serve("/refresh", '<meta http-equiv="refresh" content="0; url=/b">'))
    assert (page.url, page.title) == (site.url("/b"), "B")


def redirects_in_a_circle(reading: ReadBrowser, site: Misbehaving) -> None:
    with pytest.raises(FetchFailed):
        load(reading, site.serve("/circle", status=302, headers={"Location": "/circle"}), attempts=1)


def a_body_without_end(reading: ReadBrowser, site: Misbehaving) -> None:
    def drip(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
        site.ended.wait(30)

    with pytest.raises(Timeout, match="1.5 s"):
        load(reading, site.act("/drip", drip), deadline_s=1.5)


def an_endless_page(reading: ReadBrowser, site: Misbehaving) -> None:
    with pytest.raises((FetchFailed, Timeout)):
        load(
            reading,
            site.act("/endless", lambda it: endless(it, b"x" * 100_000, site.ended)),
            deadline_s=8,
            max_bytes=1_000_000,
        )


def loud(reading: ReadBrowser, site: Misbehaving, name: str) -> None:
    """It asks its reader, or opens windows: it is left, and opens none."""
    page = load(reading, site.serve(f"/{name}", f"<title>Loud</title><p>Little text.</p><script>{LOUD[name]}</script>"))
    assert page.lines == ("Little text.",)


CASES = (
    written_by_a_script,
    written_by_a_timer,
    written_beside_much_text,
    text_that_styles_hide_is_not_read,
    text_that_is_shown_is_read,
    dialogs_and_popovers_are_read_while_they_are_open,
    frames_of_a_frameset_are_links,
    shadow_roots_are_read,
    a_page_that_hides_all_of_itself_is_read_and_says_so,
    a_page_whose_parts_never_come_is_read_as_it_is,
    a_page_that_is_never_whole_is_read_from_its_source,
    results_are_read_as_scripts_have_written_them,
    a_page_that_calls_itself_otherwise_in_its_head,
    a_byte_order_mark_wins_over_the_header,
    a_text_that_names_no_charset,
    a_page_that_refreshes_to_another,
    redirects_in_a_circle,
    a_body_without_end,
    an_endless_page,
)


def test_pages_are_read_as_written_and_those_that_do_not_end_are_left(
    reading: ReadBrowser, site: Misbehaving, ground: Misbehaving
) -> None:
    """Beside each other: each is waited for, until its scripts have written, its text stays or its time is over."""
    cases = {case.__name__: partial(case, reading, site) for case in CASES}
    side_by_side({**cases, **{name: partial(loud, reading, site, name) for name in LOUD}})
    assert [name for name in LOUD if site.paths().count(f"/{name}") < 2] == [], "a tab has asked for it as well"
    # Of none of them the site is told what the user is looking at.
    sent = " ".join(value for hit in site.hits for value in hit.headers.values())
    assert f":{ground.port}" not in sent


def test_what_a_page_writes_between_two_looks_at_it_is_read(
    reading: ReadBrowser, site: Misbehaving, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.serve("/between", "<title>App</title><h1>App</h1><div id=root></div><script>1</script>")
    look_again = Visit.rewritten

    async def write_first(visit: Visit, document: Document, limit_ms: int) -> Document | None:
        page = reading.chromium.browser.at(url)
        await anyio.to_thread.run_sync(page.evaluate, "root.textContent = 'Written in between.'")
        return await look_again(visit, document, limit_ms)

    monkeypatch.setattr(Visit, "rewritten", write_first)
    assert load(reading, url).lines[-1] == "Written in between."


def test_redirects_lead_to_the_pages_address(reading: ReadBrowser, site: Misbehaving) -> None:
    site.serve("/b", f"<main><p>{WORDS}</main>")
    assert load(reading, site.serve("/a", status=302, headers={"Location": "/b"})).url == site.url("/b")


def test_a_pdf_is_read(reading: ReadBrowser, site: Misbehaving) -> None:
    page = load(reading, site.serve("/a.pdf", pdf(["Text of a PDF"]), "application/pdf"))
    assert page.lines == ("[Page 1]", "Text of a PDF")


@pytest.mark.parametrize("kind", ["image/png", "application/zip"])
def test_what_has_no_text_is_told_and_not_downloaded(reading: ReadBrowser, site: Misbehaving, kind: str) -> None:
    with pytest.raises(UnsupportedMime):
        load(reading, site.serve("/a", b"PK\x03\x04\0", kind, headers={"Content-Disposition": "attachment"}))
    assert site.paths() == ["/a"]


def test_an_attachment_of_text_is_read_and_not_downloaded(reading: ReadBrowser, site: Misbehaving) -> None:
    url = site.serve("/a", "a,b\n1,2\n", "text/csv", headers={"Content-Disposition": "attachment; filename=a.csv"})
    assert load(reading, url).lines == ("a,b", "1,2")
    assert site.paths() == ["/a"]


def test_a_refusal_is_told_with_its_status(reading: ReadBrowser, site: Misbehaving) -> None:
    with pytest.raises(FetchFailed) as caught:
        load(reading, site.url("/nothing"))
    assert caught.value.data["status"] == 404


def test_a_passing_failure_is_asked_again(reading: ReadBrowser, site: Misbehaving) -> None:
    site.serve("/a", status=429, headers={"Retry-After": "0"})
    url = site.serve("/a", f"<title>Page</title><main><p>{WORDS}</main>")
    assert load(reading, url).title == "Page"


def test_a_server_that_is_not_there_is_told(reading: ReadBrowser) -> None:
    closed = Misbehaving()
    closed.close()
    with pytest.raises(FetchFailed, match="ERR_CONNECTION_REFUSED"):
        load(reading, closed.url("/a"), attempts=1)


def test_a_large_page_is_told(reading: ReadBrowser, site: Misbehaving) -> None:
    with pytest.raises(FetchFailed, match="larger than"):
        load(reading, site.serve("/a", "x" * 20_000, "text/plain"), max_bytes=10_000)


def test_a_page_that_is_given_up_leaves_no_tab(reading: ReadBrowser, site: Misbehaving) -> None:
    asked = threading.Event()

    def keep_waiting(handler: Any) -> None:
        asked.set()
        site.ended.wait(30)

    url = site.act("/a", keep_waiting)

    async def give_up() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(reading.loader().load, url)
            assert await anyio.to_thread.run_sync(asked.wait, 10)
            tasks.cancel_scope.cancel()

    reading.run(give_up)


def test_a_bridge_that_ends_in_the_middle_leaves_no_tab(reading: ReadBrowser) -> None:
    def open_unseen(engine: Engine) -> int:
        opened = reading.run(lambda: send(engine, engine.browsers[0].id, CreateUnseen()))
        return int(opened["tabId"])

    def exists(tab: int) -> bool:
        return tab in {each["tabId"] for each in tabs(reading)}

    with Absence(reading.chromium.browser) as absence:
        with reading.bridge(reading.spare_port) as other:
            reading.join(other)
            left, own = open_unseen(other), open_unseen(reading.engine)
            assert exists(left)
        absence.end()
        until(lambda: not exists(left), within=LEFT_LIMIT_S, says="the tab of a bridge that has left is closed")
    assert exists(own)
    reading.run(lambda: send(reading.engine, reading.engine.browsers[0].id, Close(tabId=own)))


def test_several_pages_are_read_at_once(reading: ReadBrowser, site: Misbehaving) -> None:
    urls = [site.serve(f"/{number}", f"<title>{number}</title><main><p>{WORDS}</main>") for number in range(6)]
    loader = reading.loader(deadline_s=PATIENCE_S)
    titles: list[str] = []

    async def read(url: str) -> None:
        titles.append((await loader.load(url)).title)

    async def read_all() -> None:
        async with anyio.create_task_group() as tasks:
            for url in urls:
                tasks.start_soon(read, url)

    reading.run(read_all)
    assert sorted(titles) == [str(number) for number in range(6)]


def test_the_same_page_is_read_once(reading: ReadBrowser, site: Misbehaving) -> None:
    url = site.serve("/a", f"<main><p>{WORDS}</main>")
    loader = BrowserLoader(reading.engine, Policy(deadline_s=PATIENCE_S), PageCache())
    assert reading.run(lambda: loader.load(url)) is reading.run(lambda: loader.load(url))
    # By a request and by the tab, each time.
    assert site.paths().count("/a") == 4


@pytest.mark.parametrize("url", ["file:///etc/passwd", "chrome://version", "javascript:1", "page.html"])
def test_what_is_no_address_of_a_page_is_not_opened(reading: ReadBrowser, url: str) -> None:
    with pytest.raises(InvalidArgument):
        load(reading, url)


def test_a_machine_that_is_out_of_reach_is_not_asked(reading: ReadBrowser, site: Misbehaving) -> None:
    with pytest.raises(FetchFailed, match="link-local"):
        load(reading, "http://169.254.169.254/latest/meta-data/")
    with pytest.raises(FetchFailed, match="this machine"):
        load(reading, site.url("/a"), reach="public")
    assert not site.hits
