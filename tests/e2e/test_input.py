"""Pointer, keyboard, scrolling, drag and files, seen from the page and from the server."""

import base64
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

RECORD = """<script>globalThis.seen = [];
function record(el, ...types) { for (const type of types) el.addEventListener(type, (e) => seen.push({
  type, button: e.button, buttons: e.buttons, detail: e.detail, key: e.key, code: e.code, keyCode: e.keyCode, trusted: e.isTrusted,
  shift: e.shiftKey, ctrl: e.ctrlKey, data: e.data, inputType: e.inputType })) }</script>"""
POINTER = "'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'"


def types(page: ShownPage) -> list[str]:
    return list(page.evaluate("seen.map((e) => e.type)"))


def fields(page: ShownPage, *names: str) -> list[list[Any]]:
    listed = ", ".join(f"e.{name}" for name in names)
    return list(page.evaluate(f"seen.map((e) => [{listed}])"))


def test_a_click_runs_the_handler_once_with_the_events_of_a_real_one(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, {POINTER})</script>"))
    tabwire.ok("click", selector="#b")
    assert fields(page, "type", "button", "buttons", "detail", "trusted") == [
        ["pointerdown", 0, 1, 0, True],
        ["mousedown", 0, 1, 1, True],
        ["pointerup", 0, 0, 0, True],
        ["mouseup", 0, 0, 1, True],
        ["click", 0, 0, 1, True],
    ]


def test_a_right_click_opens_the_pages_menu_and_a_middle_click_is_an_auxclick(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, {POINTER})</script>"))
    tabwire.ok("click", selector="#b", button="right")
    assert set(types(page)) == {"pointerdown", "mousedown", "contextmenu", "pointerup", "mouseup", "auxclick"}
    page.evaluate("seen.length = 0")
    tabwire.ok("click", selector="#b", button="middle")
    assert types(page) == ["pointerdown", "mousedown", "pointerup", "mouseup", "auxclick"]
    assert fields(page, "button", "buttons")[1] == [1, 4]


def test_a_double_click_counts_to_two(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, 'click', 'dblclick')</script>"))
    tabwire.ok("dblclick", selector="#b")
    assert fields(page, "type", "detail") == [["click", 1], ["click", 2], ["dblclick", 2]]


def test_modifiers_are_held_during_a_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(f"<button id=b>Go</button>{RECORD}<script>record(b, 'click'); record(window, 'keydown', 'keyup')</script>")
    )
    tabwire.ok("click", selector="#b", modifiers=["Control", "Shift"])
    assert fields(page, "type", "ctrl", "shift")[2] == ["click", True, True]
    assert types(page) == ["keydown", "keydown", "click", "keyup", "keyup"]


def test_a_button_far_below_the_fold_is_scrolled_to(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<div style='height:6000px'></div><button id=b onclick='globalThis.hit = scrollY'>Go</button>"))
    tabwire.ok("click", selector="#b")
    assert page.evaluate("hit") > 5000


def test_a_disabled_button_fails_and_does_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page("<form action=/post method=post onclick='globalThis.hit = 1'><button id=b disabled>Go</button></form>")
    )
    assert tabwire.fails("click", selector="#b", timeout=300).code == "element_not_interactable"
    assert (page.evaluate("globalThis.hit ?? 0"), site.posts) == (0, [])


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


def test_a_veil_that_appears_under_the_pointer_stops_the_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<button id=b onclick='globalThis.hit = 1'>Go</button><div id=veil class=veil style='position:fixed;inset:0;"
            "display:none' onclick='globalThis.wrong = 1'></div><script>addEventListener('mousemove', "
            "() => setTimeout(() => veil.style.display = 'block', 0))</script>"
        )
    )
    reply = tabwire.fails("click", selector="#b", timeout=400)
    assert (reply.code, page.evaluate("globalThis.wrong ?? 0")) == ("element_click_intercepted", 0)


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


def test_typing_gives_the_five_events_of_each_character(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(f"<input id=f>{RECORD}<script>record(f, 'keydown', 'keypress', 'beforeinput', 'input', 'keyup')</script>")
    )
    tabwire.ok("type", selector="#f", text="ab", delay=0)
    assert types(page) == ["keydown", "keypress", "beforeinput", "input", "keyup"] * 2
    assert fields(page, "key", "code", "keyCode")[0] == ["a", "KeyA", 65]
    assert page.evaluate("f.value") == "ab"


def test_any_text_can_be_typed(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    text = "Ab 1!{}~ é ß 日本 👩\u200d👩\u200d👧\nsecond\tline"
    tabwire.open(site.page("<textarea id=f></textarea><button>x</button>"))
    tabwire.ok("type", selector="#f", text=text.replace("\t", ""), delay=0)
    assert page.evaluate("f.value") == text.replace("\t", "")


def test_typing_goes_behind_what_is_there(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=f value=one><div id=r contenteditable>one</div>"))
    tabwire.ok("type", selector="#f", text="two", delay=0)
    tabwire.ok("type", selector="#r", text="two", delay=0)
    assert page.evaluate("[f.value, r.innerText]") == ["onetwo", "onetwo"]


def test_enter_submits_the_form_as_the_browser_does(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<form action=/post method=post><input id=f name=q><button name=go value=1>Go</button></form>"))
    tabwire.ok("type", selector="#f", text="tea", delay=0)
    tabwire.ok("press", key="Enter")
    assert site.wait_for_post("/post").form == {"q": "tea", "go": "1"}


def test_tab_moves_the_focus_in_tab_order(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<input id=c><input id=a tabindex=1><input id=x disabled><input id=y tabindex=-1><button id=d>d</button><input id=b tabindex=2>"
        )
    )
    seen = []
    for key in ("Tab", "Tab", "Tab", "Tab", "Shift+Tab"):
        tabwire.ok("press", key=key)
        seen.append(page.evaluate("document.activeElement.id"))
    assert seen == ["a", "b", "c", "d", "c"]


def test_copy_and_paste_carry_the_text(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<input id=a value='copied text'><input id=b onpaste='globalThis.pasted = event.clipboardData.getData(\"text/plain\")'>"
        )
    )
    tabwire.ok("press", selector="#a", key="Control+a")
    tabwire.ok("press", selector="#a", key="Control+c")
    tabwire.ok("press", selector="#b", key="Control+v")
    assert page.evaluate("[b.value, pasted]") == ["copied text", "copied text"]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Enter", ["Enter", "Enter", 13]),
        ("Escape", ["Escape", "Escape", 27]),
        ("Space", [" ", "Space", 32]),
        ("ArrowLeft", ["ArrowLeft", "ArrowLeft", 37]),
        ("F5", ["F5", "F5", 116]),
        ("F12", ["F12", "F12", 123]),
        ("A", ["A", "KeyA", 65]),
        ("Shift+a", ["A", "KeyA", 65]),
        ("?", ["?", "Slash", 191]),
        ("Control+Shift+p", ["P", "KeyP", 80]),
        ("Meta+Enter", ["Enter", "Enter", 13]),
        ("PageDown", ["PageDown", "PageDown", 34]),
        ("+", ["+", "Equal", 187]),
    ],
)
def test_keys_have_their_names_and_codes(tabwire: Tabwire, site: Site, page: ShownPage, key: str, expected: list[Any]) -> None:
    tabwire.open(site.page(f"<input id=f>{RECORD}<script>record(f, 'keydown')</script>"))
    tabwire.ok("press", selector="#f", key=key)
    assert fields(page, "key", "code", "keyCode")[-1] == expected


def test_an_unknown_key_is_refused(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<input>"))
    assert tabwire.fails("press", key="Entre").code == "invalid_argument"


def test_keys_are_repeated(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=f value=abcdef>"))
    tabwire.ok("press", selector="#f", key="Backspace", repeat=3)
    assert page.evaluate("f.value") == "abc"


def test_a_menu_of_css_hover_opens_and_its_item_can_be_clicked(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<style>.menu ul {display:none} .menu:hover ul {display:block}</style>"
            "<div class=menu><b>File</b><ul><li><button onclick='globalThis.hit = 1'>Open</button></ul></div>"
        )
    )
    tabwire.ok("hover", selector="css=.menu b")
    tabwire.ok("click", selector=tabwire.ref("button", "Open"))
    assert page.evaluate("hit") == 1


HTML5_DRAG = """<div id=a draggable=true style="width:80px;height:40px;background:#fc0">item</div>
<div id=z style="width:200px;height:100px;margin-top:60px;background:#cfc">zone</div><script>
globalThis.log = {};
a.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'payload'); e.dataTransfer.effectAllowed = 'move' };
z.ondragover = (e) => { e.preventDefault(); e.dataTransfer.dropEffect = 'move' };
z.ondrop = (e) => { e.preventDefault(); log.data = e.dataTransfer.getData('text/plain'); log.trusted = e.isTrusted };
a.ondragend = (e) => { log.effect = e.dataTransfer.dropEffect }</script>"""


def test_html5_drag_and_drop_carries_data_and_effect(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(HTML5_DRAG))
    tabwire.ok("drag", source="#a", target="#z")
    page.wait_for("log.effect")
    assert page.evaluate("log") == {"data": "payload", "trusted": True, "effect": "move"}
    page.evaluate("globalThis.log = {}; onclick = () => { globalThis.hit = 1 }; 1")
    tabwire.ok("click", selector="#z")
    assert page.evaluate("globalThis.hit") == 1, "the pointer works after a drag"


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


def test_scrolling_moves_the_page_and_fires_scroll(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<div style='height:5000px'></div><script>onscroll = () => globalThis.fired = 1; onwheel = () => globalThis.wheel = 1</script>"
        )
    )
    tabwire.ok("scroll", direction="down", amount=700)
    assert abs(page.evaluate("scrollY") - 700) <= 2
    assert page.evaluate("[fired, wheel]") == [1, 1]
    tabwire.ok("scroll", direction="up", amount=300)
    assert abs(page.evaluate("scrollY") - 400) <= 2
    tabwire.ok("scroll", position={"x": 0, "y": 50})
    assert page.evaluate("scrollY") == 50


def test_a_container_and_an_element_are_scrolled(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<div id=box style='height:200px;overflow:auto'><div style='height:2000px'>x</div><p id=p>end</p></div>"
            "<div style='height:3000px'></div><p id=far>far</p>"
        )
    )
    tabwire.ok("scroll", selector="#box", direction="down", amount=250)
    assert (page.evaluate("box.scrollTop"), page.evaluate("scrollY")) == (250, 0)
    tabwire.ok("scroll", selector="#far", into_view=True)
    assert page.evaluate("far.getBoundingClientRect().top < innerHeight && scrollY > 1000")


def test_a_page_under_a_nested_scroller_scrolls_itself(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            "<div id=box style='position:fixed;inset:0;overflow:auto'><div style='height:5000px'></div></div><div style='height:4000px'></div>"
        )
    )
    tabwire.ok("scroll", direction="down", amount=600)
    assert page.evaluate("scrollY") == 600


def test_a_file_is_uploaded_with_name_type_and_content(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    content = "Grüße, 世界\n".encode()
    tabwire.open(
        site.page(
            "<form action=/post method=post enctype=multipart/form-data><label>File <input id=f name=doc type=file></label><button>Send</button></form>"
            "<script>f.onchange = async () => globalThis.text = await f.files[0].text()</script>"
        )
    )
    tabwire.ok(
        "upload",
        selector="#f",
        files=[{"base64": base64.b64encode(content).decode(), "name": "grüße.txt", "mime_type": "text/plain"}],
    )
    page.wait_for("globalThis.text")
    assert page.evaluate("text").encode() == content
    tabwire.ok("click", selector="css=button")
    (sent,) = site.wait_for_post("/post").uploads
    assert (sent.field, sent.filename, sent.content_type, sent.content) == ("doc", "grüße.txt", "text/plain", content)


FRAME_CONTENT = (
    "<body style='margin:0'><div style='height:900px'></div><label>Field <input id=f></label>"
    "<button onclick='globalThis.hit = (globalThis.hit ?? 0) + 1'>Inside</button>"
)


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


def test_a_cover_in_the_page_above_a_frame_stops_the_click(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<button onclick='globalThis.hit = 1'>Inside</button>")
    tabwire.open(
        site.page(
            f"<iframe src='{inner}' width=400 height=200></iframe><div class=veil style='position:fixed;inset:0' onclick='globalThis.wrong = 1'></div>"
        )
    )
    reply = tabwire.fails("click", selector=tabwire.ref("button", "Inside"), timeout=500)
    assert (reply.code, "veil" in reply.text, page.evaluate("globalThis.wrong ?? 0")) == ("element_click_intercepted", True, 0)


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_a_button_and_a_field_in_a_shadow_root_work(tabwire: Tabwire, site: Site, page: ShownPage, mode: str) -> None:
    tabwire.open(
        site.page(
            "<div id=host></div><script>const root = host.attachShadow({mode: '" + mode + "'}); root.innerHTML ="
            "'<label>Field <input></label><button>Inside</button>'; root.querySelector('button').onclick = () => "
            "globalThis.hit = root.querySelector('input').value</script>"
        )
    )
    tabwire.ok("fill", selector=tabwire.ref("textbox", "Field"), value="deep")
    tabwire.ok("click", selector=tabwire.ref("button", "Inside"))
    assert page.evaluate("hit") == "deep"


def test_a_click_that_opens_a_confirm_returns_while_it_is_open(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=b onclick='confirm(\"Sure?\")'>Go</button>"))
    reply = tabwire.ok("click", selector="#b")
    assert "Sure?" in reply.text
    assert reply.elapsed_ms < 2000
    assert tabwire.fails("click", selector="#b").code == "dialog_pending"


def test_a_target_blank_link_opens_a_tab(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    other = site.page("<button onclick='globalThis.hit = 1'>There</button>", title="Other")
    tabwire.open(site.page(f"<a href='{other}' target=_blank>Open</a>"))
    tabwire.ok("click", selector="css=a")
    opened = next(tab for tab in tabwire.tabs() if tab["url"] == other)
    tabwire.ok("tab_switch", tabId=opened["tabId"] if "tabId" in opened else opened["id"])
    tabwire.ok("click", selector=tabwire.ref("button", "There"))
    assert page.evaluate("hit") == 1


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
