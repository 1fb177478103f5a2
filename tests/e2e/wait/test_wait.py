"""wait: every kind of condition, across frames, shadow trees and navigations, and what is said when time is up."""

from concurrent.futures import Future

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def wait(tabwire: Tabwire, kind: str, **arguments: object) -> Reply:
    return tabwire.ok("wait", **{"for": kind, "timeout": 5000, **arguments})


def begun(tabwire: Tabwire, kind: str, **arguments: object) -> Future[Reply]:
    return tabwire.start("wait", **{"for": kind, "timeout": 5000, **arguments})


def fails(tabwire: Tabwire, kind: str, **arguments: object) -> Reply:
    return tabwire.fails("wait", **{"for": kind, "timeout": 250, **arguments})


def later(script: str, after: int = 250) -> str:
    return f"<script>setTimeout(() => {{ {script} }}, {after})</script>"


def test_a_page_goes_on_loading_while_something_in_it_is_waited_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Chrome keeps the load event back while a script lasts that was injected before it."""
    url = site.page(
        "<button id=b disabled onclick='this.textContent = `Clicked`'>B</button><img src='/gate/picture'>"
        "<script>onload = () => { document.body.append('Loaded'); b.disabled = false }</script>"
    )
    for tool, arguments in (("wait", {"for": "text", "text": "Loaded", "timeout": 5000}), ("click", {"selector": "#b"})):
        site.hold("/gate/picture")
        tabwire.ok("navigate", url=url, wait_until="domcontentloaded")
        assert page.evaluate("document.readyState") == "interactive"
        under_way = tabwire.start(tool, **arguments)
        assert "Test page" in tabwire.ok("title").text
        site.let_go("/gate/picture")
        assert not under_way.result().is_error
    assert page.evaluate("b.textContent") == "Clicked"


SELECTED: list[tuple[str, str, dict[str, str]]] = [
    ("", "box.append(document.createElement('hr'))", {"selector": "hr"}),
    ("<p id=a hidden>x</p>", "a.hidden = false", {"selector": "#a"}),
    ("<p id=b>x</p>", "b.style.visibility = 'hidden'", {"selector": "#b", "state": "hidden"}),
    ("<p id=c>x</p>", "c.remove()", {"selector": "#c", "state": "detached"}),
    ("", "box.insertAdjacentHTML('beforeend', '<i hidden></i>')", {"selector": "i", "state": "attached"}),
    ("", "box.insertAdjacentHTML('beforeend', '<button>Go</button>')", {"selector": 'role:button[name="Go"]'}),
    (
        "<style>#d { visibility: hidden; transition: visibility .2s } #d.on { visibility: visible }</style><p id=d>x</p>",
        "d.className = 'on'",
        {"selector": "#d"},
    ),
]


def test_a_selector_is_waited_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    """Each row alone brings about what it waits for, while the others wait."""
    tabwire.open(site.page("".join(html for html, _, _ in SELECTED) + "<p id=e>Loading</p><div id=box></div>"))
    waiting = [begun(tabwire, "selector", timeout=15_000, **arguments) for _, _, arguments in SELECTED]
    absence = begun(tabwire, "selector_hidden", selector="#e")
    # Each has looked at the page before.
    wait(tabwire, "timeout", duration=100)
    assert [call for call in [*waiting, absence] if call.done()] == []
    for (_, script, arguments), call in zip(SELECTED, waiting, strict=True):
        page.evaluate(f"void ({script})")
        assert not (reply := call.result(5)).is_error, (arguments, reply)
    assert not absence.done()
    page.evaluate("e.remove()")
    assert not absence.result(10).is_error


def test_every_frame_and_closed_shadow_tree_counts(tabwire: Tabwire, site: Site) -> None:
    cross = site.cross_page(later("document.body.innerHTML = '<h3>Cross</h3>'"))
    shadow = later(
        "const d = document.createElement('div'); document.body.append(d); d.attachShadow({mode: 'closed'}).innerHTML = '<h4>Shadow</h4>'"
    )
    tabwire.open(site.page(f"<iframe src='{cross}'></iframe>{shadow}"))
    wait(tabwire, "selector", selector="h3")
    wait(tabwire, "text", text="Shadow")


def test_a_frame_that_appears_during_the_wait_counts(tabwire: Tabwire, site: Site) -> None:
    inner = site.cross_page("<h5>Inside</h5>")
    tabwire.open(site.page(later(f"document.body.insertAdjacentHTML('beforeend', `<iframe src='{inner}'></iframe>`)")))
    wait(tabwire, "selector", selector="h5")


def test_a_wait_goes_on_through_a_navigation(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    target = site.page("<h1>Old</h1>" + later("document.body.innerHTML = '<h2>Arrived</h2>'", 400))
    tabwire.open(site.page(later(f"location.href = '{target}'")))
    wait(tabwire, "text", text="Arrived")
    assert page.url == target


def test_a_reference_is_waited_for_until_it_goes(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<button>Go</button>"))
    ref = tabwire.ref("button", "Go")
    wait(tabwire, "selector", selector=ref)
    page.evaluate("setTimeout(() => document.querySelector('button').remove(), 200)")
    wait(tabwire, "selector", selector=ref, state="detached")
    assert fails(tabwire, "selector", selector=ref).code == "stale_element_reference"
    tabwire.open(site.url("/blank.html"))
    wait(tabwire, "selector", selector=ref, state="hidden")


def test_text_is_waited_for_however_it_is_laid_out(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p id=p>Loading</p>" + later("p.innerHTML = 'All <b>done</b>!'")))
    texts = [("text", "all  done"), ("text", "/all\\s+d[o]ne/i"), ("text", "ALL DONE"), ("text_hidden", "Loading")]
    waiting = {text: begun(tabwire, kind, text=text) for kind, text in texts}
    assert {text: reply for text, call in waiting.items() if (reply := call.result(10)).is_error} == {}


def test_hidden_text_does_not_count(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p style='display: none'>Secret</p>"))
    assert fails(tabwire, "text", text="Secret").code == "timeout"
    wait(tabwire, "text_hidden", text="Secret")


def test_an_address_is_waited_for_by_pattern(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(later("history.pushState(0, '', '/shop/cart?id=1')")))
    url = site.url("/shop/cart?id=1")
    patterns = ("**/shop/**", "*/shop/cart*", "/shop/cart?*", "/sh.p\\/cart/", "/shop/cart", url)
    waiting = {pattern: begun(tabwire, "url", url=pattern) for pattern in patterns}
    assert {pattern: (call.result(10).data or {}).get("url") for pattern, call in waiting.items()} == dict.fromkeys(patterns, url)


def test_an_address_is_waited_for_across_documents(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(later("location.href = '/slow?ms=300'")))
    assert wait(tabwire, "url", url="*/slow?*").data["url"] == site.url("/slow?ms=300")


def test_load_states_are_waited_for(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    site.hold("/gate/picture")
    tabwire.ok("navigate", url=site.page("<img src='/gate/picture'>"), wait_until="domcontentloaded")
    wait(tabwire, "load_state", load_state="domcontentloaded")
    assert page.evaluate("document.readyState") == "interactive"
    loading = begun(tabwire, "load_state", load_state="load")
    wait(tabwire, "timeout", duration=100)
    assert not loading.done()
    site.let_go("/gate/picture")
    assert not loading.result(10).is_error
    assert page.evaluate("document.readyState") == "complete"
    page.evaluate("void setTimeout(() => fetch('/slow?ms=200').then(() => document.title = 'Fetched'), 100)")
    wait(tabwire, "load_state", load_state="networkidle")
    assert page.evaluate("document.title") == "Fetched"


FUNCTIONS = ("return window.ready", "window.ready", "() => window.ready", "async () => (await window.ready) > 0")


def test_a_function_is_asked_until_it_is_true(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(later("ready = 7")))
    waiting = {source: begun(tabwire, "function", function=source, polling=20) for source in FUNCTIONS}
    told = {source: call.result(20).data for source, call in waiting.items()}
    assert {source: data["waited_for"] for source, data in told.items()} == dict.fromkeys(FUNCTIONS, "function")
    assert [data["value"] for data in told.values()] == [7, 7, 7, True]


def test_a_function_is_asked_again_after_a_navigation(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(later("location.href = '/slow?ms=200'")))
    wait(tabwire, "function", function="document.title === 'Slow'", polling=20)


def test_a_hidden_tab_is_watched_as_fast_as_a_shown_one(tabwire: Tabwire, site: Site) -> None:
    hidden = tabwire.ok("tab_new", url=site.page("<p id=p>Waiting</p>", title="Hidden")).data["tabId"]
    tabwire.ok("tab_new", url=site.url("/blank.html"))
    future = begun(tabwire, "text", text="Changed", tabId=hidden)
    tabwire.ok("evaluate", expression="p.textContent = 'Changed'", tabId=hidden)
    reply = future.result(10)
    assert (reply.is_error, reply.elapsed_ms < 3000) == (False, True), reply


def test_a_wait_goes_on_when_the_service_worker_is_killed(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    tabwire.open(site.page("<p id=p>Waiting</p>"))
    wait(tabwire, "text", text="Waiting")
    future = begun(tabwire, "text", text="Changed", timeout=15_000)
    assert browser.stop_workers()
    page.evaluate("p.textContent = 'Changed'")
    assert not future.result(15).is_error


def test_a_wait_ends_with_its_tab(tabwire: Tabwire, site: Site) -> None:
    tab = tabwire.ok("tab_new", url=site.page("<p>Here</p>")).data["tabId"]
    future = tabwire.start("wait", **{"for": "text", "text": "Never", "tabId": tab})
    tabwire.ok("tab_close", tabId=tab)
    assert future.result(5).code == "no_such_tab"


def test_a_pause_lasts_as_long_as_it_says(tabwire: Tabwire) -> None:
    reply = tabwire.ok("wait", **{"for": "timeout", "duration": 200})
    assert 200 <= reply.elapsed_ms < 2000


UNMET: list[tuple[str, dict[str, str], str]] = [
    ("selector", {"selector": ".none"}, "nothing matches .none"),
    ("selector", {"selector": "i"}, "1 element matches, 0 of them visible"),
    ("selector", {"selector": "p", "state": "hidden"}, "2 elements match, 2 of them visible"),
    ("text", {"text": "Nowhere"}, "does not contain it"),
    ("text_hidden", {"text": "one"}, "still shows it"),
    ("url", {"url": "*/other"}, "the address is http"),
    ("function", {"function": "return 0"}, "its value is 0"),
    ("function", {"function": "nothing.here"}, "nothing is not defined"),
]


def test_a_timeout_says_what_is_there_instead(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>one</p><p>two</p><i hidden>three</i>"))
    waiting = [tabwire.start("wait", **{"for": kind, "timeout": 250, **arguments}) for kind, arguments, _ in UNMET]
    for (kind, arguments, told), call in zip(UNMET, waiting, strict=True):
        reply = call.result(20)
        if "could not be read" in reply.text:
            # A busy machine takes longer for the first look.
            reply = fails(tabwire, kind, **arguments, timeout=3_000)
        assert reply.code == "timeout", (kind, arguments, reply)
        assert told in reply.text, (kind, arguments)


HOPELESS: list[tuple[str, dict[str, str], str]] = [
    ("selector", {"selector": "p:nonsense"}, "invalid_selector"),
    ("selector", {"selector": "role:buton"}, "invalid_selector"),
    ("text", {"text": "/(/"}, "invalid_argument"),
    ("url", {"url": "/(/"}, "invalid_argument"),
    ("function", {"function": "return ("}, "javascript_error"),
    ("selector", {}, "invalid_argument"),
    ("nonsense", {}, "invalid_argument"),
]


def test_a_condition_that_can_never_be_met_fails_at_once(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<p>one</p>"))
    for kind, arguments, code in HOPELESS:
        reply = tabwire.fails("wait", **{"for": kind, **arguments})
        assert (reply.code, reply.elapsed_ms < 5000) == (code, True), (kind, arguments, reply)


def test_a_wait_in_a_browser_page_is_refused(tabwire: Tabwire) -> None:
    tabwire.ok("navigate", url="chrome://version")
    assert fails(tabwire, "selector", selector="body").code == "restricted_page"
