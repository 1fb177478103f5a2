"""What acts cause and what is told of it: dialogs, new windows, downloads, nothing."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher, ShownPage
from e2e.site import Site
from e2e.tabs.windows import open_windows

pytestmark = pytest.mark.same_tab

QUICK_MS = 4000
"""Far below the 30 s that a call may take, far above what it takes on a loaded machine."""

CONFIRM = "<button id=b onclick='globalThis.answer = confirm(`Really?`)'>Ask</button><input id=t>"
WHILE_OPEN: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("query", {"by": "role", "value": "button"}),
    ("evaluate", {"expression": "1"}),
    ("screenshot", {"full_page": True}),
    ("click", {"selector": "#b"}),
    ("fill", {"selector": "#t", "value": "x"}),
    ("wait", {"for": "selector", "selector": "#b"}),
]


def effects(reply: Reply) -> dict[str, Any]:
    found: dict[str, Any] = reply.data["effects"]
    return found


# The list comes first: it is the one that is acted on without the debugger.
OPENERS: dict[str, tuple[str, str, dict[str, str]]] = {
    "change": ("select", "<select onchange='alert(`Hi`)'><option>a<option>b</select>", {"label": "b"}),
    "click": ("click", "<button onclick='alert(`Hi`)'>B</button>", {}),
    "dblclick": ("dblclick", "<button ondblclick='alert(`Hi`)'>B</button>", {}),
    "mousedown": ("click", "<button onmousedown='alert(`Hi`)'>B</button>", {}),
    "later": ("click", "<button onclick='setTimeout(() => alert(`Hi`))'>B</button>", {}),
    "keydown": ("press", "<input onkeydown='alert(`Hi`)'>", {"key": "a"}),
    "input": ("fill", "<input oninput='alert(`Hi`)'>", {"value": "x"}),
    "check": ("check", "<input type=checkbox onclick='alert(`Hi`)'>", {}),
    "mouseover": ("hover", "<button onmouseover='alert(`Hi`)'>B</button>", {}),
}


def test_an_act_that_opens_a_dialog_is_answered_at_once(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("".join(f"<p id={name}>{html}</p>" for name, (_, html, _) in OPENERS.items())))
    for name, (tool, _, arguments) in OPENERS.items():
        reply = tabwire.ok(tool, selector=f"#{name} > *", **arguments)
        assert reply.elapsed_ms < QUICK_MS, name
        assert effects(reply)["dialog"] == {"type": "alert", "message": "Hi"}, name
        assert reply.data["ref"].startswith("@e"), name
        assert reply.data["input"] == ("dom" if tool == "select" else "trusted"), name
        tabwire.ok("dialog", action="accept")


def test_while_a_dialog_is_open_every_call_says_so_at_once(tabwire: Tabwire, site: Site) -> None:
    url = site.page(CONFIRM, title="Asks")
    tabwire.open(url)
    tabwire.ok("click", selector="#b")
    for tool, arguments in WHILE_OPEN:
        reply = tabwire.fails(tool, **arguments)
        assert (tool, reply.code) == (tool, "dialog_pending")
        assert "Really?" in reply.text and "tab_close" in reply.text
        assert reply.elapsed_ms < QUICK_MS
    assert tabwire.ok("url").data["url"] == url
    assert tabwire.ok("title").data["title"] == "Asks"
    assert url in {tab["url"] for tab in tabwire.tabs()}


def test_a_page_with_an_open_dialog_can_be_left(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(CONFIRM))
    tabwire.ok("click", selector="#b")
    tabwire.ok("navigate", url=site.page("<p id=next>Next</p>"), timeout=5000)
    assert page.evaluate("next.textContent") == "Next"
    assert not tabwire.call("snapshot").is_error


def test_a_dismissed_confirm_gives_the_page_false(tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser) -> None:
    tabwire.open(site.page(CONFIRM))
    session = browser.call("Target.attachToTarget", {"targetId": browser.shown().target_id, "flatten": True})["sessionId"]
    browser.call("Page.enable", session=session)
    tabwire.ok("click", selector="#b")
    browser.call("Page.handleJavaScriptDialog", {"accept": False}, session)
    page.wait_for("globalThis.answer === false")
    tabwire.ok("fill", selector="#t", value="after")
    assert page.evaluate("t.value") == "after"


def opened_urls(reply: Reply) -> list[str]:
    return [tab["url"] for tab in effects(reply).get("new_tabs", [])]


FEATURES = ("", "width=300,height=200", "noopener", "popup,noopener,noreferrer")


def test_windows_that_the_page_opens_are_reported(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    opening = {f"open {features!r}": f"<button onclick='open(`TARGET`, ``, `{features}`)'>B</button>" for features in FEATURES}
    opening["a link"] = "<a href='TARGET' target=_blank>A</a>"
    opening["a link without an opener"] = "<a href='TARGET' target=_blank rel=noopener>N</a>"
    opening["a form"] = "<form action='TARGET' target=_blank><button>F</button></form>"
    targets = {name: site.page("<p>Opened</p>", title="Opened") for name in opening}
    rows = (f"<p id=p{number}>{html.replace('TARGET', targets[name])}" for number, (name, html) in enumerate(opening.items()))
    tabwire.open(site.page("".join(rows)))
    home = next(tab["tabId"] for tab in tabwire.tabs() if tab["active"])
    for number, (name, target) in enumerate(targets.items()):
        # A form ends its paragraph.
        control = f"#p{number} > *" if name != "a form" else "form > button"
        reply = tabwire.ok("click", selector=control, tabId=home)
        assert [url.rstrip("?") for url in opened_urls(reply)] == [target], name
        assert effects(reply)["new_tabs"][0]["tabId"] in {tab["tabId"] for tab in tabwire.tabs()}, name
        browser.at(opened_urls(reply)[0]).wait_for("document.title === 'Opened'")


def test_a_download_is_told_as_one(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<a id=d href='/download'>Get</a><p id=p>Text</p>"))
    download = tabwire.ok("click", selector="#d")
    assert [file["url"] for file in effects(download)["downloads"]] == [site.url("/download")]
    assert "navigated" not in effects(download) and "navigation_error" not in effects(download)


def test_an_idle_click_is_told_as_one(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<p id=p>Text</p>"))
    tabwire.ok("click", selector="#p")
    assert effects(tabwire.ok("click", selector="#p")) == {"none": True}
    assert page.evaluate("p.textContent") == "Text"


def test_changes_are_counted_once_for_the_document_and_its_frames(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    change = "document.body.append(`x`); document.body.append(`y`)"
    inner = site.cross_page("<p>Frame</p>")
    body = f"<input type=checkbox id=b onclick='{change}'>"
    for html in (body, body + f"<iframe src='{inner}'></iframe>"):
        tabwire.open(site.page(html))
        for press in ("click", "check"):
            page.evaluate("b.checked = false")
            assert effects(tabwire.ok(press, selector="#b"))["mutations"] == 2, (press, html)
            assert page.evaluate("b.checked"), (press, html)


def test_a_button_that_flees_from_the_pointer_gets_no_press_and_neither_does_what_is_behind(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(
        site.page(
            "<button id=b style='position:absolute;left:50px;top:50px' onclick='log.push(`b`)'"
            " onmouseenter='this.style.left = (this.offsetLeft + 200) % 600 + `px`; this.style.top = `${100 + Math.random() * 300}px`'>Flee</button>"
            "<script>globalThis.log = []; for (const t of ['mousedown', 'click']) addEventListener(t, (e) => log.push(t));</script>"
        )
    )
    tabwire.fails("click", selector="#b", timeout=400)
    assert page.evaluate("log") == []


def test_a_button_that_moves_once_under_the_pointer_is_clicked_once(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<button id=b style='position:absolute;left:50px;top:50px' onclick='hits++'"
            " onmouseenter='this.style.left = `300px`'>Moves</button><script>globalThis.hits = 0</script>"
        )
    )
    tabwire.ok("click", selector="#b")
    assert page.evaluate("hits") == 1


# ---- a browser that Tabwire did not start --------------------------------------------------------------------------------


@pytest.fixture
def by_hand(own: Launched) -> Tabwire:
    return own.tabwire


def test_a_dialog_nobody_tells_of_is_noticed_by_the_silence_of_the_page(by_hand: Tabwire, site: Site) -> None:
    asks = "b.addEventListener('click', () => alert(1)); document.currentScript.remove()"
    by_hand.open(site.page(f"<button id=b>Go</button><script>{asks}</script>"))
    reply = by_hand.ok("click", selector="#b")
    assert reply.elapsed_ms < QUICK_MS
    assert (reply.data["input"], effects(reply)["dialog"]["type"]) == ("dom", "unknown")
    assert reply.data["ref"].startswith("@e")
    # A picture waits for longer.
    asking = {tool: by_hand.start(tool, **arguments) for tool, arguments in WHILE_OPEN if tool != "screenshot"}
    for tool, reply in ((tool, call.result(20)) for tool, call in asking.items()):
        assert (reply.code, reply.elapsed_ms < 1000) == ("dialog_pending", True), (tool, reply, reply.elapsed_ms)
    assert by_hand.ok("url").data["url"].startswith(site.origin)
    by_hand.open(site.page("<p>Next</p>"))
    assert "Next" in by_hand.snapshot()


@contextlib.contextmanager
def late_answers(browser: Browser, ms: int) -> Iterator[None]:
    """What scripts in pages answer comes to the extension later, as on a busy machine."""
    browser.in_worker(f"""(() => {{
        const {{ scripting }} = chrome, run = globalThis.inTime = scripting.executeScript;
        scripting.executeScript = async (...args) => {{
            const results = await run.apply(scripting, args);
            await new Promise((resolve) => setTimeout(resolve, {ms}));
            return results;
        }};
    }})()""")
    try:
        yield
    finally:
        browser.in_worker("chrome.scripting.executeScript = inTime")


def test_a_page_that_is_only_busy_is_used_again_when_it_answers(by_hand: Tabwire, own: Launched, site: Site) -> None:
    work = "const end = Date.now() + 2500; while (Date.now() < end); globalThis.done = true"
    by_hand.open(site.page(f"<button id=b onclick='{work}'>Work</button>"))
    with late_answers(own.browser, ms=100):
        assert effects(by_hand.ok("click", selector="#b"))["dialog"]["type"] == "unknown"
        own.browser.shown().wait_for("globalThis.done")
        assert "Work" in by_hand.snapshot()


def test_a_click_known_to_need_a_user_is_a_trusted_one(by_hand: Tabwire, site: Site) -> None:
    target = site.page("<p>Opened</p>")
    by_hand.open(site.page(f"<button id=b onclick='window.open(`{target}`)'><i>Open</i></button><p id=p>Text</p>"))
    reply = by_hand.ok("click", selector="i")
    assert reply.data["input"] == "trusted"
    assert opened_urls(reply) == [target]
    site.wait_for(lambda seen: seen.hit_count(target.removeprefix(seen.origin)))


def test_a_dom_click_without_effect_says_what_it_cannot_do(by_hand: Tabwire, own: Launched, site: Site) -> None:
    target = site.page("<p>Opened</p>")
    opens = f"b.addEventListener('click', () => window.open('{target}')); document.currentScript.remove()"
    by_hand.open(site.page(f"<button id=b>Open</button><script>{opens}</script>"))
    reply = by_hand.ok("click", selector="#b")
    assert reply.data["input"] == "dom"
    assert "new_tabs" not in effects(reply)
    assert "popup" in reply.data["note"]
    assert target not in {found["url"] for found in own.browser.targets("page")}
    by_hand.ok(
        "click", coordinates=own.browser.shown().evaluate("(({x, y}) => ({x: x + 5, y: y + 5}))(b.getBoundingClientRect())")
    )
    site.wait_for(lambda seen: seen.hit_count(target.removeprefix(seen.origin)))


KEPT = {"Cache-Control": "max-age=60"}
# The button is covered: the click scrolls to it and then waits in the page, which leaves.
LEAVING = """<p style='height:3000px'>Leaving</p><button id=b>Go</button><div style='position:fixed;inset:0'></div><script>
addEventListener('scroll', () => { top.location = '/arrived.html' }, { once: true })</script>"""


@pytest.mark.parametrize("where", ["page", "frame"])
def test_an_act_waiting_in_a_document_that_is_kept_for_going_back_ends_with_it(
    where: str, tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    """Chrome freezes such a document and never answers a script that was still running in it."""
    site.serve("/arrived.html", "<title>Arrived</title><h1>Arrived</h1>", headers=KEPT)
    leaving = LEAVING if where == "page" else f"<iframe src='{site.page(LEAVING, headers=KEPT)}'></iframe>"
    note = "<script>addEventListener('pageshow', (event) => { globalThis.wasKept = event.persisted })</script>"
    tabwire.open(site.page(note + leaving, headers=KEPT))
    reply = tabwire.fails("click", selector="#b", timeout=10_000)
    assert (reply.code, reply.elapsed_ms < 3000) == ("stale_element_reference", True)
    assert tabwire.ref("heading", "Arrived")
    page.evaluate("history.back()")
    tabwire.ok("wait", **{"for": "function", "function": "globalThis.wasKept"}, timeout=5000)


def test_looking_for_an_element_scrolls_nothing(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    """A page that leaves as it is scrolled would take the answer along, and the element would be looked for in the next page."""
    tabwire.open(site.page("<p style='height:3000px'>Above</p><button id=b onclick='document.title = `Clicked`'>Go</button>"))
    tabwire.ok("snapshot")
    page = browser.shown()
    page.evaluate_in_extension("""(() => {
        const given = __tabwire;
        globalThis.scrolledTo = {};
        const call = async (name, args) => {
            const answer = await given.call(name, args);
            scrolledTo[name] ??= scrollY;
            return answer;
        };
        Object.defineProperty(globalThis, "__tabwire", { value: Object.create(given, { call: { value: call } }) });
    })()""")
    tabwire.ok("click", selector="#b")
    page.wait_for("document.title === 'Clicked'")
    scrolled = page.evaluate_in_extension("scrolledTo")
    assert scrolled["input.find"] == 0 < scrolled["input.aim"]


LATE: dict[str, tuple[str, dict[str, str], str]] = {
    "fill": ("<input id=f disabled>", {"value": "late"}, "f.disabled = false"),
    "select": ("<select id=f><option>A</select>", {"label": "late"}, "f.insertAdjacentHTML('beforeend', '<option>late')"),
}


def test_an_act_that_ended_with_its_document_is_not_done_when_the_user_goes_back(joiner: Launcher, site: Site) -> None:
    launched = joiner.fresh(site)
    tabwire = launched.tabwire
    site.serve("/arrived.html", "<title>Arrived</title>", headers=KEPT)
    urls = {}
    for tool, (html, _, make_fit) in LATE.items():
        script = f"if (!event.persisted) return; globalThis.wasKept = true; {make_fit}"
        urls[tool] = site.page(f"{html}<script>addEventListener('pageshow', (event) => {{ {script} }})</script>", headers=KEPT)
    windows = open_windows(tabwire, launched.browser, urls)
    acting = {tool: tabwire.start(tool, selector="#f", timeout=9000, tabId=windows[tool].tab, **LATE[tool][1]) for tool in LATE}
    for window in windows.values():
        window.page.evaluate("setTimeout(() => { location = '/arrived.html' }, 500)")
    assert {tool: reply.result(5).code for tool, reply in acting.items()} == dict.fromkeys(LATE, "stale_element_reference")
    for window in windows.values():
        window.page.evaluate("history.back()")
        tabwire.ok("wait", **{"for": "function", "function": "globalThis.wasKept"}, timeout=5000, tabId=window.tab)
    tabwire.ok("wait", **{"for": "timeout", "duration": 500})
    assert {tool: window.page.evaluate("f.value") == "late" for tool, window in windows.items()} == dict.fromkeys(LATE, False)


@pytest.mark.parametrize("where", ["page", "frame"])
def test_a_click_that_replaces_its_document_ends_with_the_navigation(where: str, tabwire: Tabwire, site: Site) -> None:
    links = "".join(f"<a href='/go/{where}/{number}.html'>Go {number}</a> " for number in range(4))
    for number in range(4):
        site.serve(f"/go/{where}/{number}.html", f"<title>{number}</title><p>Page {number}</p>{links}", headers=KEPT)
    first = site.url(f"/go/{where}/0.html")
    tabwire.open(first if where == "page" else site.page(f"<iframe src='{first}'></iframe>"))
    for number in range(1, 4):
        reply = tabwire.ok("click", selector=tabwire.ref("link", f"Go {number}"))
        assert reply.elapsed_ms < 4000
        tabwire.ok("wait", **{"for": "text", "text": f"Page {number}"}, timeout=5000)
        assert f'paragraph: "Page {number}"' in tabwire.snapshot()


def test_an_act_in_a_busy_page_is_not_said_to_have_changed_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    work = "const work = () => { const x = new XMLHttpRequest(); x.open('GET', '/slow?ms=2000', false); x.send() }"
    tabwire.open(site.page(f"<button id=b onclick='this.textContent = `Done`'>Go</button><script>{work}</script>"))
    tabwire.ok("snapshot")
    page.evaluate("setTimeout(work), 0")
    reply = tabwire.ok("click", selector="#b")
    assert page.evaluate("b.textContent") == "Done"
    seen = effects(reply)
    assert seen.get("unobserved") or seen.get("mutations"), reply
    assert ("the page was too busy to show what changed" in reply.text) == bool(seen.get("unobserved")), reply


CHANGED: list[tuple[str, str, object]] = [
    ("<button onclick='document.title = `New`'>Act</button>", "title", {"from": "Test page", "to": "New"}),
    ("<input aria-label=Name id=i><button onclick='i.focus()'>Act</button>", "focus", 'textbox "Name"'),
    ("<button onclick='l.append(1); l.append(2)'>Act</button>", "mutations", 2),
    ("<button onclick='setTimeout(() => l.append(1))'>Act</button>", "mutations", 1),
    (
        "<x-box></x-box><script>customElements.define('x-box', class extends HTMLElement { connectedCallback() {"
        "const root = this.attachShadow({mode: 'closed'}); root.innerHTML = '<button>Act</button><p></p>';"
        "root.firstChild.onclick = () => root.lastChild.append(1) } })</script>",
        "mutations",
        1,
    ),
    ("<button onclick='confirm(`Sure?`)'>Act</button>", "dialog", {"type": "confirm", "message": "Sure?"}),
    ("<button onclick='window.open(`/blank.html?opened`)'>Act</button>", "new_tabs", None),
]


def test_effects_name_what_an_act_changed(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<ul id=l></ul>" + "".join(html for html, _, _ in CHANGED)))
    for ref, (html, key, value) in zip(tabwire.refs("button", "Act"), CHANGED, strict=True):
        told = tabwire.ok("click", selector=ref).data["effects"][key]
        if key == "new_tabs":
            assert [tab["url"] for tab in told] == [site.url("/blank.html?opened")]
        else:
            assert told == value, html
        if key == "dialog":
            tabwire.ok("dialog", action="accept")


def test_a_history_change_by_script_counts_as_an_address(tabwire: Tabwire, site: Site) -> None:
    url = site.page("<button onclick='history.pushState(0, ``, `/there`)'>Act</button>")
    tabwire.open(url)
    effects = tabwire.ok("click", selector=tabwire.ref("button", "Act")).data["effects"]
    assert effects["url"] == {"from": url, "to": site.url("/there")}
    assert "navigated" not in effects
