"""The browseagent surface against real pages: every tool, the examples of its document, and its errors."""

import base64
import re
import struct
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, Launched, ShownPage
from e2e.site import Site
from polling import until

OPENED = re.compile(r"Successfully navigated to (\S+) in tab (\d+)")
REF = re.compile(r' ref="([^"]*)"')
FIRST = re.compile(r"^\[(\w+)\] (.*)$", re.MULTILINE)

EXAMPLES = """<style>#sub{display:none} nav:hover #sub{display:block}</style>
<header><button data-action=login onclick="log.push('login')">Log in</button></header>
<nav id=main-menu><a href=#docs onclick="log.push('docs')">Docs</a> <a href=/docs onclick="log.push('/docs'); return false">All docs</a>
  <div id=sub>Hidden menu</div></nav>
<main id=content style="width:300px;height:120px"><button id=submit-btn-1 onclick="log.push('submit')">Submit</button></main>
<form action=/post method=post><input id=search-query><input name=q><input type=email id=email name=mail><button type=submit>Send</button></form>
<div class=file-item data-name=document.pdf draggable=true style="width:80px;height:30px">document.pdf</div>
<div class=upload-dropzone style="width:200px;height:80px;margin-top:20px">Drop here</div>
<script>
globalThis.log = [];
const zone = document.querySelector('.upload-dropzone');
document.querySelector('.file-item').ondragstart = (e) => e.dataTransfer.setData('text/plain', 'document.pdf');
zone.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => { e.preventDefault(); log.push('dropped ' + e.dataTransfer.getData('text/plain')) };
</script>"""
TELLS = """<script>
const tell = (root) => { for (const button of root.querySelectorAll('button')) button.onclick = () => top.postMessage(button.textContent, '*') };
const into = (host, mode, html) => { const root = host.attachShadow({mode}); root.innerHTML = html; tell(root); return root };
tell(document);
</script>"""
KEYS = [
    *("a b Z 1 Enter Escape Tab Space Backspace Delete ArrowUp ArrowDown ArrowLeft ArrowRight Shift Control Alt Meta".split()),
    *(f"F{number}" for number in range(1, 13)),
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launched]:
    launched = Launched(tmp_path_factory.mktemp("browseagent"), "--toolset", "browseagent")
    yield launched
    launched.close()


@pytest.fixture
def agent(served: Launched, site: Site) -> Tabwire:
    return served.tabwire


@pytest.fixture
def page(served: Launched) -> ShownPage:
    return ShownPage(served.browser)


def tab_of(reply: Reply) -> int:
    found = OPENED.match(reply.text)
    assert found, reply.text
    return int(found[2])


def show(agent: Tabwire, url: str) -> int:
    return tab_of(agent.ok("browser_navigate", url=url))


def refused(agent: Tabwire, tool: str, **arguments: Any) -> tuple[int | None, str]:
    reply = agent.call(tool, **arguments)
    assert reply.is_error
    return reply.protocol_code, reply.text


def size_of(reply: Reply) -> tuple[int, int]:
    (image,) = reply.images
    assert image.mime_type == "image/png"
    width, height = struct.unpack(">II", base64.b64decode(image.data)[16:24])
    assert reply.text == f"Screenshot captured successfully ({width}x{height})"
    return width, height


# ---- navigation -----------------------------------------------------------------------------------------------------------


def test_a_page_opens_in_a_new_tab_and_the_next_one_in_the_same(agent: Tabwire, site: Site, page: ShownPage) -> None:
    one, two = site.page("", title="One"), site.page("", title="Two")
    reply = agent.ok("browser_navigate", url=one)
    tab = tab_of(reply)
    assert reply.text == f"Successfully navigated to {one} in tab {tab}"
    assert page.evaluate("document.title") == "One"
    assert show(agent, two) == tab
    assert page.evaluate("document.title") == "Two"


def test_back_and_forward(agent: Tabwire, site: Site, page: ShownPage) -> None:
    one, two = site.page("", title="One"), site.page("", title="Two")
    tab = show(agent, one)
    assert show(agent, two) == tab
    assert agent.ok("browser_go_back").text == f"Went back to {one} in tab {tab}"
    assert page.evaluate("document.title") == "One"
    assert agent.ok("browser_go_forward", tabId=tab).text == f"Went forward to {two} in tab {tab}"
    assert page.evaluate("document.title") == "Two"
    code, message = refused(agent, "browser_go_forward")
    assert code == -32603
    assert message.startswith("Navigation failed: there is no page to go forward to")


def test_a_tab_is_named_by_its_id(agent: Tabwire, served: Launched, site: Site) -> None:
    first = show(agent, site.page("", title="Mine"))
    made = "chrome.tabs.create({url: 'about:blank', active: false}).then((tab) => tab.id)"
    other = int(served.browser.in_worker(made))
    target = site.page("<button>Press</button>", title="Named")
    assert tab_of(agent.ok("browser_navigate", url=target, tabId=other)) == other
    assert "Press" in agent.ok("browser_snapshot", tabId=other).text
    assert "<!-- Mine (" in agent.ok("browser_snapshot", tabId=first).text
    served.browser.in_worker(f"chrome.tabs.remove({other})")
    assert refused(agent, "browser_snapshot", tabId=other) == (-32603, f"Tab not found: {other}")
    # The tool goes on in a tab of its own.
    assert show(agent, target) not in (first, other)


def test_a_navigation_that_leads_elsewhere_says_so(agent: Tabwire, site: Site) -> None:
    target = site.page("", title="Target")
    asked = site.url(f"/redirect?to={target}")
    assert agent.ok("browser_navigate", url=asked).text.endswith(f", which led to {target}")
    assert agent.ok("browser_navigate", url=site.url("/status/404")).text.endswith("(HTTP 404)")


def test_a_failed_navigation_names_the_error_of_the_network(agent: Tabwire, site: Site) -> None:
    show(agent, site.page("", title="Here"))
    assert refused(agent, "browser_navigate", url="http://nowhere.invalid/") == (
        -32603,
        "Navigation failed: net::ERR_NAME_NOT_RESOLVED",
    )
    assert refused(agent, "browser_navigate", url="http://127.0.0.1:9/")[1] == "Navigation failed: net::ERR_UNSAFE_PORT"


# ---- interaction ----------------------------------------------------------------------------------------------------------


def test_documented_clicks(agent: Tabwire, site: Site, page: ShownPage) -> None:
    show(agent, site.page(EXAMPLES))
    for element, ref in (
        ("Submit button", "button#submit-btn-1"),
        ("Documentation link in navigation", "nav a[href='/docs']"),
        ("Login button in header", "header button[data-action='login']"),
    ):
        assert agent.ok("browser_click", element=element, ref=ref).text.startswith(f"Clicked {element}\nObserved: ")
    assert page.evaluate("log") == ["submit", "/docs", "login"]


def test_documented_hover_and_drag(agent: Tabwire, site: Site, page: ShownPage) -> None:
    show(agent, site.page(EXAMPLES))
    assert agent.ok("browser_hover", element="Main navigation menu", ref="nav#main-menu").text.startswith("Hovering over Main")
    assert page.wait_for("document.querySelector('#sub').checkVisibility()")
    # The menu closes when the pointer leaves it, and the file moves up from under the pointer.
    reply = agent.ok(
        "browser_drag_drop",
        sourceElement="File item in file list",
        sourceRef=".file-item[data-name='document.pdf']",
        targetElement="Upload drop zone",
        targetRef=".upload-dropzone",
    )
    assert reply.text.startswith("Dragged File item in file list to Upload drop zone\n")
    assert page.evaluate("log") == ["dropped document.pdf"]


def test_what_an_act_was_done_to_is_kept_with_it_in_the_browser(agent: Tabwire, served: Launched, site: Site) -> None:
    show(agent, site.page(EXAMPLES))
    words = f"Button {uuid.uuid4()}"
    agent.ok("browser_click", element=words, ref="button#submit-btn-1")
    acts = (
        "chrome.storage.session.get(null).then((all) => Object.entries(all).filter(([key]) => key.startsWith('record:'))"
        f".map(([, act]) => act).filter((act) => act.described === '{words}').map((act) => [act.method, act.state]))"
    )
    until(lambda: served.browser.in_worker(acts), equals=[["input.click", "done"]], within=5)


def test_documented_typing(agent: Tabwire, site: Site, page: ShownPage) -> None:
    show(agent, site.page(EXAMPLES))
    typed = agent.ok("browser_type", element="Search input field", ref="input#search-query", text="browser automation")
    assert typed.text.startswith(
        'Typed 18 characters into Search input field\nObserved: textbox holds "browser automation"; focus on textbox'
    )
    agent.ok("browser_type", element="Search input field", ref="input#search-query", text=" works")
    assert page.evaluate("document.querySelector('#search-query').value") == "browser automation works"
    agent.ok("browser_type", element="Email address input", ref="input[type='email']#email", text="user@example.com")
    agent.ok("browser_type", element="Search box", ref="input[name='q']", text="MCP protocol", submit=True)
    assert site.wait_for_post("/post").form == {"q": "MCP protocol", "mail": "user@example.com"}


def test_documented_form(agent: Tabwire, site: Site) -> None:
    show(agent, site.page(EXAMPLES))
    refs = REF.findall(agent.ok("browser_snapshot").text)
    assert {"input[name='mail']", "input[name='q']", "button[type='submit']"} <= set(refs) | {"input#email", "input[name='mail']"}
    agent.ok("browser_type", element="Email input", ref="input[type='email']", text="user@example.com")
    agent.ok("browser_click", element="Submit button", ref="button[type='submit']")
    assert site.wait_for_post("/post").form == {"q": "", "mail": "user@example.com"}


# ---- inspection -----------------------------------------------------------------------------------------------------------


def test_every_reference_leads_back_to_its_element_through_frames_and_shadow_roots(
    agent: Tabwire, site: Site, page: ShownPage
) -> None:
    innermost = site.page(f"<button>cross 1</button><button>cross 2</button><x-in></x-in>{TELLS}"
                          "<script>into(document.querySelector('x-in'), 'closed', '<p><button>cross closed</button></p>')</script>")  # fmt: skip
    cross = site.cross_page(
        f"<ul><li><button>far 1</button><li><button>far 2</button></ul><iframe src='{innermost}'></iframe>{TELLS}"
    )
    tab = show(
        agent,
        site.page(
            f'<button>top 1</button><button>top 2</button><iframe srcdoc="<button>near</button>{TELLS.replace(chr(34), "&quot;")}">'
            f"</iframe><iframe src='{cross}'></iframe><x-out></x-out><x-out></x-out>{TELLS}<script>globalThis.heard = [];"
            "onmessage = ({data}) => { if (typeof data === 'string') heard.push(data) };"
            "const [one, two] = document.querySelectorAll('x-out'); into(one, 'open', '<button>open</button>');"
            "const deep = into(two, 'closed', '<button>closed</button><x-in></x-in><iframe srcdoc=\"<p>x</p>\"></iframe>');"
            "into(deep.querySelector('x-in'), 'closed', '<button>deep 1</button><button>deep 2</button>');</script>"
        ),
    )
    outline = agent.ok("browser_snapshot", tabId=tab).text
    buttons = re.findall(r'<button ref="([^"]*)">([^<]*)</button>', outline)
    assert [name for _, name in buttons] == [
        "top 1", "top 2", "near", "far 1", "far 2", "cross 1", "cross 2", "cross closed", "open", "closed", "deep 1", "deep 2",
    ]  # fmt: skip
    assert len({ref for ref, _ in buttons}) == len(buttons)
    for ref, name in buttons:
        agent.ok("browser_click", element=name, ref=ref, tabId=tab)
    assert page.wait_for(f"heard.length === {len(buttons)} && heard") == [name for _, name in buttons]


def test_keys_are_pressed(agent: Tabwire, site: Site, page: ShownPage) -> None:
    tab = show(
        agent, site.page("<script>globalThis.keys = []; onkeydown = (e) => { keys.push(e.key); e.preventDefault() }</script>")
    )
    for key in KEYS:
        assert agent.ok("browser_press_key", key=key, tabId=tab).text.startswith(f"Pressed {key}\n")
    assert page.evaluate("keys") == [" " if key == "Space" else key for key in [*KEYS[:2], "Z", *KEYS[3:]]]
    agent.ok("browser_press_key", key="Control+Shift+p", tabId=tab)
    assert page.evaluate("keys.slice(-3)") == ["Control", "Shift", "P"]
    code, message = refused(agent, "browser_press_key", key="Nokey", tabId=tab)
    assert (code, 'there is no key "Nokey"' in message) == (-32602, True), message


def test_an_element_that_is_not_there_is_named(agent: Tabwire, site: Site) -> None:
    tab = show(agent, site.page("<button id=other>Other</button>"))
    told = refused(agent, "browser_click", element="Submit button", ref="button#submit-btn-1", tabId=tab)
    assert told == (-32603, "Element not found: button#submit-btn-1")
    code, message = refused(agent, "browser_click", element="Submit button", ref="button[", tabId=tab)
    assert (code, '"button[" is not a valid selector' in message) == (-32602, True), message


def test_waiting_takes_its_time(agent: Tabwire) -> None:
    reply = agent.ok("browser_wait", time=0.5)
    assert (reply.text, reply.elapsed_ms >= 500) == ("Waited 0.5 s", True)


def test_without_a_browser_the_extension_is_said_to_be_missing(tmp_path: Path) -> None:
    bare = Tabwire(["--toolset", "browseagent"], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path)
    try:
        told = refused(bare, "browser_navigate", url="https://github.com")
        assert told == (-32603, "Tool browser_navigate requires Chrome extension, but extension is not connected")
        assert refused(bare, "browser_navigate") == (-32602, "Missing required argument: url")
    finally:
        bare.close()


def test_a_snapshot_is_html_with_what_it_leaves_out(agent: Tabwire, site: Site) -> None:
    url = site.page(
        '<nav id="main-nav"><a href="/home">Home</a></nav><main><h1>Welcome</h1>'
        "<input type=search placeholder='Search...' value=tea></main><p hidden><b>x</b></p>",
        title="Welcome",
    )
    show(agent, url)
    assert agent.ok("browser_snapshot").text == "\n".join(
        [
            "Page accessibility snapshot:",
            "",
            "<html>",
            "  <body>",
            '    <nav id="main-nav">',
            """      <a href="/home" ref="a[href='/home']">Home</a>""",
            "    </nav>",
            "    <main>",
            '      <h1 ref="h1">Welcome</h1>',
            """      <input type="search" placeholder="Search..." value="tea" ref="input[type='search']"/>""",
            "    </main>",
            "  </body>",
            "</html>",
            "",
            f"<!-- Welcome ({url}) -->",
            "Not shown: 1 hidden element",
        ]
    )


def test_what_frameworks_listen_on_has_a_reference(agent: Tabwire, site: Site, page: ShownPage) -> None:
    show(agent, site.page("<div class=card>Open</div><script>document.querySelector('.card').addEventListener('click', () => "
                          "{ document.title = 'opened' })</script>"))  # fmt: skip
    assert '<div class="card" clickable ref="div.card">Open</div>' in agent.ok("browser_snapshot").text
    agent.ok("browser_click", element="Card", ref="div.card")
    assert page.evaluate("document.title") == "opened"


def test_a_reference_is_not_used_for_something_else(agent: Tabwire, site: Site, page: ShownPage) -> None:
    rows = "".join(f"<li>Row {name} <button onclick=\"log.push('{name}')\">Delete</button></li>" for name in "ABC")
    show(agent, site.page(f"<ul>{rows}</ul><script>globalThis.log = []</script>"))
    (ref,) = [ref for ref in REF.findall(agent.ok("browser_snapshot").text) if "nth-of-type(2)" in ref]
    page.evaluate("document.querySelector('li').remove()")
    agent.ok("browser_click", element="Delete row B", ref=ref)
    assert page.evaluate("log") == ["B"]
    page.evaluate("document.querySelectorAll('li')[0].firstChild.data = 'Row X '")
    code, message = refused(agent, "browser_click", element="Delete row B", ref=ref)
    assert code == -32603
    assert message.startswith(f"Element not found: {ref}. The page has changed since the snapshot: ")
    assert page.evaluate("log") == ["B"]


def test_screenshots(agent: Tabwire, site: Site) -> None:
    show(
        agent,
        site.page("<body style='margin:0'><main id=content style='width:300px;height:120px'></main><p style='height:1500px'>"),
    )
    width, height = size_of(agent.ok("browser_screenshot"))
    assert size_of(agent.ok("browser_screenshot", fullPage=True)) == (width, 1652)
    assert height < 1652
    assert size_of(agent.ok("browser_screenshot", element="Main content area", ref="main#content")) == (300, 120)


def test_console_logs(agent: Tabwire, site: Site) -> None:
    show(agent, site.page("<script>console.info('Page loaded successfully'); console.warn('Deprecated API usage detected');"
                          "console.debug('User interaction tracked'); console.log('Said', {a: 1}); console.error('Bad')</script>"
                          "<img src=/status/404>"))  # fmt: skip
    text = until(lambda: agent.ok("browser_get_console_logs").text, lambda text: "Failed to load" in text, within=5)
    assert text.startswith("Console logs:\n\n")
    assert set(FIRST.findall(text)) == {
        ("INFO", "Page loaded successfully"),
        ("WARNING", "Deprecated API usage detected"),
        ("DEBUG", "User interaction tracked"),
        ("INFO", "Said {a: 1}"),
        ("ERROR", "Bad"),
        ("ERROR", "Failed to load resource: the server responded with a status of 404 (Not Found)"),
    }


# ---- utility and errors ---------------------------------------------------------------------------------------------------


def test_dialogs_are_dismissed_and_told(agent: Tabwire, site: Site, page: ShownPage) -> None:
    asks = "b.addEventListener('click', () => { globalThis.answers = [confirm('Sure?'), prompt('Who?')] })"
    show(agent, site.page(f"<button id=b>Ask</button><p id=p></p><script>{asks}</script>"))
    told = agent.ok("browser_click", element="Ask", ref="button").text
    assert all(f"a dialog opened ({said}) and was dismissed" in told for said in ('confirm: "Sure?"', 'prompt: "Who?"')), told
    assert page.evaluate("answers") == [False, None]
    # One that opens between two calls.
    page.evaluate("setTimeout(() => { p.textContent = `later ${confirm('Later?')}` })")
    until(lambda: "later false" in agent.ok("browser_snapshot").text)


def test_the_page_its_user_looks_at_stays_where_it_is(own: Joined, site: Site, tmp_path: Path) -> None:
    url = site.page("", title="Mine")
    mine = own.browser.open(url)
    mine.wait_for("document.title === 'Mine'")
    before = len(own.browser.pages())
    agent = Tabwire(["--toolset", "browseagent"], {"TABWIRE_HOME": str(own.home)}, tmp_path)
    try:
        target = site.page("<button onclick=\"this.textContent = 'done'\">Do</button>")
        until(lambda: agent.call("browser_navigate", url=target), lambda reply: not reply.is_error, within=15)
        agent.ok("browser_click", element="Do", ref="button")
        assert "done</button>" in agent.ok("browser_snapshot").text
        assert mine.url == url
        assert len(own.browser.pages()) == before + 1
    finally:
        agent.close()


def test_a_page_no_extension_may_read_is_named(agent: Tabwire, served: Launched) -> None:
    browser: Browser = served.browser
    tab = int(browser.in_worker("chrome.tabs.create({url: 'chrome://version', active: false}).then((tab) => tab.id)"))
    code, message = refused(agent, "browser_snapshot", tabId=tab)
    browser.in_worker(f"chrome.tabs.remove({tab})")
    assert (code, message) == (
        -32603, "Chrome lets no extension into this page (chrome://version/); browser_navigate opens another one",
    )  # fmt: skip
