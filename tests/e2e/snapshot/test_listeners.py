"""Elements that are only listened on: a snapshot shows them with a ref, and the ref works."""

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import Launched, ShownPage
from e2e.site import Site
from polling import until

pytestmark = pytest.mark.same_tab

NOTE = "globalThis.log = []; const note = (event) => log.push(event.currentTarget.id + ' ' + event.type);"


def listening(html: str, **listeners: str) -> str:
    """A body with listeners that note their events; ``id="type type"``."""
    calls = "".join(
        f"document.getElementById('{name}').addEventListener('{kind}', note);"
        for name, kinds in listeners.items()
        for kind in kinds.split()
    )
    return f"{html}<script>{NOTE}{calls}</script>"


def lines(tabwire: Tabwire) -> list[str]:
    """The lines below the document's, without refs."""
    return [line.text.replace(f" [ref={line.ref}]", "") for line in tabwire.lines()[1:]]


def test_a_span_with_a_listener_can_be_clicked_by_its_ref(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(listening("<span id=cell>Cell</span> <b>Text</b>", cell="click")))
    assert lines(tabwire) == ['- generic "Cell" [clickable]', "- text: Text"]
    tabwire.ok("click", selector=tabwire.ref("generic", "Cell"))
    assert page.evaluate("log") == ["cell click"]


def test_listeners_that_come_later_are_seen(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(listening("<span id=a>First</span> <span id=b>Second</span>", a="click")))
    assert lines(tabwire) == ['- generic "First" [clickable]', "- text: Second"]
    page.evaluate("b.addEventListener('click', note)")
    # Where asking for listeners takes longer than the snapshot, as on a busy machine, they come with the next one.
    until(lambda: lines(tabwire), equals=['- generic "First" [clickable]', '- generic "Second" [clickable]'])
    page.evaluate("a.removeEventListener('click', note)")
    until(lambda: lines(tabwire), equals=["- text: First", '- generic "Second" [clickable]'])


NOTE_LISTS = """(() => {
  const { sendCommand } = chrome.debugger;
  const lists = globalThis.lists = [];
  chrome.debugger.sendCommand = async (...given) => {
    const answer = await sendCommand.apply(chrome.debugger, given);
    if (given[1] === "DOMDebugger.getEventListeners") lists.push(answer.listeners.some((one) => "handler" in one));
    return answer;
  };
  lists.rest = () => { chrome.debugger.sendCommand = sendCommand; };
})()"""
"""Run in the worker: of each list of listeners it notes whether their functions are named, which takes most of the time."""


def test_a_page_with_many_listeners_is_not_busy_with_their_list(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    many = "for (let n = 0; n < 20_000; n += 1) document.getElementById(`a${n % 100}`).addEventListener(`e${n}`, note);"
    spans = "".join(f"<i id=a{n}>{n}</i> " for n in range(100))
    tabwire.open(site.page(f"{spans}<span id=late>Late</span><script>{NOTE}{many}</script>"))
    tabwire.snapshot()
    browser.in_worker(NOTE_LISTS)
    try:
        for n in range(6):
            page.evaluate(f"document.title = {n}")
            assert f'"{n}"' in tabwire.snapshot()
        assert browser.in_worker("lists.length") <= 2
        page.evaluate("late.addEventListener('click', note)")
        # The next list is due after a rest that is as long as a multiple of the last one.
        until(lambda: '- generic "Late" [clickable]' in lines(tabwire), within=30)
        assert browser.in_worker("lists.length") >= 1 and not browser.in_worker("lists.some(Boolean)")
    finally:
        browser.in_worker("lists.rest()")


def test_a_container_that_listens_for_what_it_holds_gets_no_ref(tabwire: Tabwire, site: Site) -> None:
    body = "<div id=board><button>One</button><button>Two</button></div>"
    tabwire.open(site.page(listening(body, board="click")))
    assert lines(tabwire) == ['- button "One"', '- button "Two"']


def test_shapes_drop_zones_and_hovering(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    body = (
        "<svg width=40 height=40><circle id=dot cx=20 cy=20 r=15 fill=red /></svg>"
        "<div id=zone style='width:90px'>Drop here</div><div id=tip style='width:90px'>Over me</div>"
    )
    tabwire.open(site.page(listening(body, dot="mousedown", zone="dragover drop", tip="mouseenter")))
    shown = lines(tabwire)
    assert any("[clickable]" in line and "[circle at=20,20 fill=red]" in line for line in shown), shown
    assert '- generic "Drop here" [drop zone]' in shown
    assert '- generic "Over me" [hoverable]' in shown
    dot = next(line.ref for line in tabwire.lines() if "[circle at=20,20 fill=red]" in line.text)
    tabwire.ok("click", selector=dot)
    tabwire.ok("hover", selector=tabwire.ref("generic", "Over me"))
    assert page.evaluate("log") == ["dot mousedown", "tip mouseenter"]


def test_frames_and_shadow_trees_too(tabwire: Tabwire, site: Site) -> None:
    inner = listening("<span id=cell>Inside</span>", cell="click")
    shadow = (
        "<div id=host></div><script>const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<i>Shadow</i>';"
        "root.firstChild.addEventListener('click', () => {});</script>"
    )
    tabwire.open(site.page(f"{shadow}<iframe src='{site.page(inner)}'></iframe><iframe src='{site.cross_page(inner)}'></iframe>"))
    assert [line for line in lines(tabwire) if "iframe" not in line] == [
        '- generic "Shadow" [clickable]',
        *['- generic "Inside" [clickable]'] * 2,
    ]


NOTED = {
    "react": "cell['__reactProps$x1y2'] = { onClick: note }",
    "vue": "cell[Symbol('_vei')] = { onClick: note }",
    "preact": "cell.l = { clickfalse: note }",
    "jquery, delegated": (
        "globalThis.jQuery = { expando: 'jQuery36', _data: (element) => "
        "element === cell.parentElement ? { click: [{ selector: '#cell', handler: note }] } : undefined };"
        "cell.parentElement.jQuery361 = {}"
    ),
}


@pytest.mark.parametrize("framework", NOTED)
def test_what_frameworks_note_on_elements_is_read(tabwire: Tabwire, site: Site, framework: str) -> None:
    tabwire.open(site.page(f"<p><span id=cell>Cell</span></p><script>{NOTE}{NOTED[framework]}</script>"))
    assert '- generic "Cell" [clickable]' in lines(tabwire)


GETTERS = """cell['__reactProps$x1y2'] = { onClick: note, get onMouseDown() { called.push('prop'); return note; } };
Object.defineProperty(trap, '__reactProps$x1y2', { enumerable: true, get() { called.push('props'); return {}; } });
const handler = { get selector() { called.push('selector'); return '#cell'; } };
const events = { click: [handler], get mousedown() { called.push('events'); return [handler]; } };
globalThis.jQuery = { expando: 'jQuery36', _data: () => events };
cell.jQuery36 = {};"""


def test_reading_what_frameworks_note_calls_no_getter_of_the_page(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    body = "<p><span id=cell>Cell</span> <i id=trap>Trap</i></p>"
    tabwire.open(site.page(f"{body}<script>{NOTE} globalThis.called = []; {GETTERS}</script>"))
    assert '- generic "Cell" [clickable]' in lines(tabwire)
    assert page.evaluate("called") == []


def attached_tabs(browser: Browser) -> list[int]:
    """The tabs an extension's debugger is attached to, as the extension is told."""
    script = "chrome.debugger.getTargets().then((all) => all.filter((one) => one.attached && one.tabId).map((one) => one.tabId))"
    found: list[int] = browser.in_worker(script)
    return found


def test_in_the_users_browser_a_snapshot_attaches_nothing(own: Launched, site: Site) -> None:
    bridge = own.tabwire
    script = f"{NOTE} cell['__reactProps$x1y2'] = {{ onClick: note }}; other.addEventListener('click', note)"
    bridge.open(site.page(f"<span id=cell>Cell</span> <b id=other>Other</b><script>{script}</script>"))
    assert lines(bridge) == ['- generic "Cell" [clickable]', "- text: Other"]
    assert attached_tabs(own.browser) == []
    bridge.ok("hover", selector="#cell")
    assert len(attached_tabs(own.browser)) == 1
    assert lines(bridge) == ['- generic "Cell" [clickable]', '- generic "Other" [clickable]']
