"""Pointer, scrolling, drag and files, seen from the page and from the server."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import Join, Launched, ShownPage
from e2e.input.events import RECORD, fields, types
from e2e.site import Site
from polling import until

pytestmark = pytest.mark.same_tab

POINTER = "'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'"


@pytest.mark.conditions
def test_a_click_runs_the_handler_once_with_the_events_of_a_real_one(
    tabwire: Tabwire, site: Site, page: ShownPage, launched: Launched
) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, {POINTER})</script>"))
    tabwire.ok("click", selector="#b")
    assert fields(page, "type", "button", "buttons", "detail", "trusted") == [
        ["pointerdown", 0, 1, 0, not launched.is_own],
        ["mousedown", 0, 1, 1, not launched.is_own],
        ["pointerup", 0, 0, 0, not launched.is_own],
        ["mouseup", 0, 0, 1, not launched.is_own],
        ["click", 0, 0, 1, not launched.is_own],
    ]


@pytest.mark.conditions
def test_a_right_click_opens_the_pages_menu(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, {POINTER})</script>"))
    tabwire.ok("click", selector="#b", button="right")
    assert set(types(page)) == {"pointerdown", "mousedown", "contextmenu", "pointerup", "mouseup", "auxclick"}


@pytest.mark.conditions
def test_a_middle_click_is_an_auxclick(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, {POINTER})</script>"))
    tabwire.ok("click", selector="#b", button="middle")
    assert types(page) == ["pointerdown", "mousedown", "pointerup", "mouseup", "auxclick"]
    assert fields(page, "button", "buttons")[1] == [1, 4]


def test_modifiers_are_held_during_a_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, 'click'); record(window, 'keydown', 'keyup')</script>")
    )
    tabwire.ok("click", selector="#b", modifiers=["Control", "Shift"])
    assert fields(page, "type", "ctrl", "shift")[2] == ["click", True, True]
    assert types(page) == ["keydown", "keydown", "click", "keyup", "keyup"]


@pytest.mark.conditions
def test_a_button_far_below_the_fold_is_scrolled_to(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("<div style='height:6000px'></div><button id=b onclick='globalThis.hit = scrollY + innerHeight'>Go</button>")
    )
    tabwire.ok("click", selector="#b")
    # Chrome's notice of the debugger may make the view lower afterwards.
    assert page.evaluate("hit > 6000")


def test_a_disabled_button_fails_and_does_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("<form action=/post method=post onclick='globalThis.hit = 1'><button id=b disabled>Go</button></form>")
    )
    reply = tabwire.fails("click", selector="#b", timeout=300)
    assert (reply.code, "disabled" in reply.text) == ("element_not_interactable", True)
    assert (page.evaluate("globalThis.hit ?? 0"), site.posts) == (0, [])


@pytest.mark.conditions
def test_a_covered_button_fails_naming_the_cover_and_the_cover_gets_nothing(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(
        site.page(
            "<button id=b>Go</button><div class=veil style='position:fixed;inset:0'>Wait</div>"
            "<script>addEventListener('click', () => globalThis.hit = 1)</script>"
        )
    )
    reply = tabwire.fails("click", selector="#b", timeout=300)
    assert (reply.code, 'class="veil"' in reply.text) == ("element_click_intercepted", True)
    assert page.evaluate("globalThis.hit ?? 0") == 0


@pytest.mark.parametrize("put_up", ["show()", "Promise.resolve().then(show)", "setTimeout(show)", "tasks.port2.postMessage(0)"])
def test_a_veil_that_appears_under_the_pointer_stops_the_click(
    tabwire: Tabwire, site: Site, page: ShownPage, put_up: str
) -> None:
    tabwire.open(
        site.page(
            "<button id=b onclick='globalThis.hit = 1'>Go</button><div id=veil class=veil style='position:fixed;inset:0;"
            "display:none' onclick='globalThis.wrong = 1'></div><script>const tasks = new MessageChannel(); "
            f"const show = tasks.port1.onmessage = () => {{ veil.style.display = 'block' }}; addEventListener('mousemove', () => {put_up})</script>"
        )
    )
    reply = tabwire.fails("click", selector="#b", timeout=400)
    assert (reply.code, page.evaluate("[globalThis.hit ?? 0, globalThis.wrong ?? 0]")) == ("element_click_intercepted", [0, 0])


def test_a_click_at_a_point_hits_what_is_there(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<body style='margin:0'><script>onclick = (e) => globalThis.at = [e.clientX, e.clientY]</script>"))
    tabwire.ok("click", coordinates={"x": 120, "y": 80})
    assert page.evaluate("at") == [120, 80]


@pytest.mark.parametrize("zoom", [0.5, 1.5])
def test_clicks_hit_in_a_zoomed_tab(tabwire: Tabwire, site: Site, page: ShownPage, zoom: float) -> None:
    tabwire.open(
        site.page(
            f"<body style='zoom:{zoom}'><div style='height:300px'></div><button id=b onclick='globalThis.hit = 1'>Go</button>"
        )
    )
    tabwire.ok("click", selector="#b")
    assert page.evaluate("hit") == 1


def test_a_drag_by_pointer_moves_follows_the_steps(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<body style='margin:0'><div id=a style='position:absolute;left:20px;top:20px;width:40px;height:40px;background:red'></div>"
            "<script>globalThis.moves = 0; a.onpointerdown = (e) => { a.setPointerCapture(e.pointerId); a.onpointermove = (m) => {"
            "moves++; a.style.left = m.clientX - 20 + 'px'; a.style.top = m.clientY - 20 + 'px' } }; a.onpointerup = () => a.onpointermove = null</script>"
        )
    )
    tabwire.ok("drag", source="#a", target_coordinates={"x": 300, "y": 200}, steps=5)
    assert page.evaluate("[a.offsetLeft, a.offsetTop]") == [280, 180]
    assert page.evaluate("moves") >= 5


@pytest.mark.conditions
def test_a_page_under_a_nested_scroller_scrolls_itself(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<div id=box style='position:fixed;inset:0;overflow:auto'><div style='height:5000px'></div></div><div style='height:4000px'></div>"
        )
    )
    tabwire.ok("scroll", direction="down", amount=600)
    assert page.evaluate("scrollY") == 600


FRAME_CONTENT = (
    "<body style='margin:0'><div style='height:900px'></div><label>Field <input id=f></label>"
    "<button onclick='globalThis.hit = (globalThis.hit ?? 0) + 1'>Inside</button>"
)


@pytest.mark.conditions
def test_a_button_and_a_field_in_a_cross_origin_frame_work(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page(FRAME_CONTENT)
    tabwire.open(
        site.page(
            f"<div style='height:1500px'></div><iframe src='{inner}' width=400 height=200></iframe><div style='height:1500px'></div>"
        )
    )
    tabwire.ok("click", selector=tabwire.ref("button", "Inside"))
    tabwire.ok("fill", selector=tabwire.ref("textbox", "Field"), value="filled")
    tabwire.ok("type", selector=tabwire.ref("textbox", "Field"), text=" typed", delay=0)
    frame = page.frame(inner)
    assert (frame.evaluate("hit"), frame.evaluate("f.value")) == (1, "filled typed")


@pytest.mark.conditions
def test_a_cover_in_the_page_above_a_frame_stops_the_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<button onclick='globalThis.hit = 1'>Inside</button>")
    tabwire.open(
        site.page(
            f"<iframe src='{inner}' width=400 height=200></iframe><div class=veil style='position:fixed;inset:0' onclick='globalThis.wrong = 1'></div>"
        )
    )
    reply = tabwire.fails("click", selector=tabwire.ref("button", "Inside"), timeout=500)
    assert (reply.code, "veil" in reply.text, page.evaluate("globalThis.wrong ?? 0")) == ("element_click_intercepted", True, 0)


@pytest.mark.conditions
def test_a_button_and_a_field_in_a_shadow_root_work(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    script = """globalThis.hit = {};
    for (const mode of ['open', 'closed']) {
      const root = document.getElementById(mode).attachShadow({ mode });
      root.innerHTML = `<label>${mode} field <input></label><button>${mode} button</button>`;
      root.querySelector('button').onclick = () => { hit[mode] = root.querySelector('input').value };
    }"""
    tabwire.open(site.page(f"<div id=open></div><div id=closed></div><script>{script}</script>"))
    for mode in ("open", "closed"):
        tabwire.ok("fill", selector=tabwire.ref("textbox", f"{mode} field"), value=f"deep in {mode}")
        tabwire.ok("click", selector=tabwire.ref("button", f"{mode} button"))
    assert page.evaluate("hit") == {"open": "deep in open", "closed": "deep in closed"}


@pytest.mark.conditions
def test_input_reaches_a_tab_in_the_background_with_its_focus_events(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    url = site.page("<input id=f onfocus='globalThis.focused = 1'><button id=b onclick='globalThis.hit = 1'>Go</button>")
    tabwire.open(url)
    hidden = next(tab for tab in tabwire.tabs() if tab["url"] == url)
    tab_id = hidden.get("tabId", hidden.get("id"))
    tabwire.ok("tab_new", url=site.url("/blank.html"))
    tabwire.ok("type", selector="#f", text="far", delay=0, tabId=tab_id)
    tabwire.ok("click", selector="#b", tabId=tab_id)
    tabwire.ok("tab_switch", tabId=tab_id)
    assert page.evaluate("[f.value, globalThis.focused, globalThis.hit]") == ["far", 1, 1]


HTML5_DRAG = """<div id=a draggable=true style="width:80px;height:40px;background:#fc0">item</div>
<div id=z style="width:200px;height:100px;margin-top:2500px;background:#cfc">zone</div><script>
globalThis.log = {};
a.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'payload'); e.dataTransfer.effectAllowed = 'move' };
z.ondragover = (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'move' };
z.ondrop = (e) => { e.preventDefault(); log.data = e.dataTransfer.getData('text/plain'); log.trusted = e.isTrusted };
a.ondragend = (e) => { log.effect = e.dataTransfer.dropEffect }</script>"""


@pytest.mark.conditions
def test_a_drop_zone_far_below_is_reached_by_scrolling(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(HTML5_DRAG))
    tabwire.ok("drag", source="#a", target="#z")
    page.wait_for("log.effect")
    assert page.evaluate("log") == {"data": "payload", "trusted": True, "effect": "move"}
    page.evaluate("onclick = () => { globalThis.hit = 1 }; 1")
    tabwire.ok("click", selector="#z")
    assert page.evaluate("globalThis.hit") == 1, "the pointer works after a drag"


def test_a_file_is_uploaded_through_the_button_that_opens_the_chooser(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<button id=u>Choose</button><script>u.onclick = () => { const f = document.createElement('input'); f.type = 'file';"
            "f.onchange = async () => globalThis.got = [f.files[0].name, await f.files[0].text()]; f.click() }</script>"
        )
    )
    tabwire.ok("upload", selector="#u", files=[{"base64": "aGk=", "name": "a.txt"}])
    assert page.wait_for("globalThis.got") == ["a.txt", "hi"]


def test_a_click_that_opens_the_file_chooser_says_what_to_use(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<input id=f type=file>"))
    assert "upload" in tabwire.ok("click", selector="#f").text


@pytest.mark.conditions
def test_an_option_of_a_closed_list_is_chosen_by_a_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<select id=s onchange='globalThis.changed = 1'><option>a<option>b</select>"))
    tabwire.ok("click", selector="css=option:last-child")
    assert page.evaluate("[s.value, changed]") == ["b", 1]


@pytest.mark.conditions
def test_input_reaches_frames_in_frames_that_are_scaled_and_scrolled(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.page(
        "<div style='height:700px'></div><button onclick='top.postMessage(\"hit\", \"*\")'>Deep</button>"
        "<input aria-label=Field oninput='top.postMessage(this.value, \"*\")'>"
    )
    middle = site.cross_page(
        f"<div style='height:900px'></div><iframe src='{inner}' width=300 height=150 style='border:7px solid'></iframe>"
    )
    tabwire.open(
        site.page(
            f"<div style='height:1500px'></div><iframe src='{middle}' width=500 height=300 style='transform:scale(.7)'></iframe>"
            "<script>globalThis.got = []; onmessage = (e) => got.push(e.data)</script>"
        )
    )
    pressed = tabwire.ok("click", selector=tabwire.ref("button", "Deep"))
    if "done" in pressed.data:
        # Chrome may send the press and the release to different frames while these are still scrolling: that is said to be no click.
        assert pressed.data["done"] == "Pressed without a click" and page.evaluate("got") == []
        tabwire.ok("click", selector=tabwire.ref("button", "Deep"))
    tabwire.ok("type", selector=tabwire.ref("textbox", "Field"), text="ab", delay=0)
    until(lambda: page.evaluate("got"), equals=["hit", "a", "ab"])


@pytest.fixture
def by_hand(own: Launched) -> Tabwire:
    """A client of a browser that Tabwire did not start: there the debugger is attached only when it is needed."""
    return own.tabwire


def test_in_the_users_browser_plain_clicks_and_fills_do_without_the_debugger(by_hand: Tabwire, own: Launched, site: Site) -> None:
    by_hand.open(site.page("<button id=b onclick='globalThis.hit = (globalThis.hit ?? 0) + 1'>Go</button><input id=f>"))
    used = [
        by_hand.ok(tool, **args).data["input"]
        for tool, args in (
            ("click", {"selector": "#b"}),
            ("fill", {"selector": "#f", "value": "x"}),
            ("hover", {"selector": "#b"}),
            ("click", {"selector": "#b"}),
        )
    ]
    assert used == ["dom", "dom", "trusted", "trusted"]
    assert own.browser.shown().evaluate("[hit, f.value]") == [2, "x"]


def test_a_dom_click_that_opens_a_dialog_says_that_the_page_does_not_answer(join: Join, site: Site) -> None:
    tabwire = join("--input", "dom")
    tabwire.ok("tab_new", url=site.page("<button id=b onclick='alert(1)'>Go</button>"))
    reply = tabwire.ok("click", selector="#b")
    assert "dialog" in reply.text
    assert reply.elapsed_ms < 5000
