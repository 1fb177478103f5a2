"""Acts with `force` skip the checks, not the truth: they reach the element they name, or fail."""

from itertools import product
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

UNDER = "<button id=under style='position:fixed;inset:0;width:100%'>Under</button>"
GOT = """<script>globalThis.got = [];
document.addEventListener("click", (event) => got.push(event.composedPath()[0].id), true);
document.addEventListener("pointerdown", (event) => got.push(`down on ${event.composedPath()[0].id}`), true);
const taken = () => { const all = [...new Set(got.map((one) => one.split(" ").at(-1)))]; got.length = 0; return all }</script>"""
UNREACHABLE = {
    "no-box": "<b id=no-box></b>",
    "display-none": "<button id=display-none style='display:none'>x</button>",
    "invisible": "<button id=invisible style='visibility:hidden'>x</button>",
    "scaled-away": "<button id=scaled-away style='transform:scale(0)'>x</button>",
    "clipped": "<div style='width:0;height:0;overflow:hidden'><button id=clipped>x</button></div>",
    "clip-path": "<button id=clip-path style='clip-path:inset(50%)'>x</button>",
    "switched-off": "<button id=switched-off style='pointer-events:none'>x</button>",
    "through": "<p id=through style='pointer-events:none'>x</p>",
    "inert": "<div inert><button id=inert>x</button></div>",
    "outside": "<button id=outside style='position:fixed;left:-500px'>x</button>",
    "covered": "<button id=covered style='position:fixed;top:200px;left:200px;z-index:-1'>x</button>",
}


def test_a_forced_press_that_cannot_reach_its_element_reaches_no_other(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    style = "<style>body > :not(#under, #covered) { position: relative; z-index: 1 }</style>"
    tabwire.open(site.page(f"{style}{UNDER}{''.join(UNREACHABLE.values())}{GOT}"))
    wrong = {}
    for name, count in product(UNREACHABLE, (1, 2)):
        reply = tabwire.call("click", selector=f"#{name}", force=True, click_count=count)
        told = (reply.data.get("input"), reply.data.get("note", "")) if not reply.is_error else reply.code
        taken = page.evaluate("taken()")
        if taken != [name] or told[0] != "dom" or "cannot reach" not in told[1]:
            wrong[name, count] = (taken, told)
    assert wrong == {}


def test_a_forced_press_on_what_takes_it_is_a_press(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    styles = {
        "still": "",
        "turning": "margin:150px;animation:turn 2s linear infinite",
        "clear": "opacity:0",
        "below": "margin-top:3000px",
    }
    html = "".join(f"<button id={name} style='display:block;{style}'>{name}</button>" for name, style in styles.items())
    keyframes = "<style>@keyframes turn { to { transform: rotate(360deg) } }</style>"
    tabwire.open(site.page(f"{keyframes}{html}<button id=off disabled>off</button>{GOT}"))
    for name in [*styles, "off"]:
        reply = tabwire.ok("click", selector=f"#{name}", force=True)
        assert (page.evaluate("taken()"), reply.data["input"], reply.text.startswith("Click")) == (
            [name],
            "trusted",
            name != "off",
        )
    assert "no click reached it" in reply.text and "it is disabled" in reply.text


def test_a_press_counts_only_where_it_arrives(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.page(f"<body style='margin:0;height:3000px' id=inner>{GOT}")
    tabwire.open(
        site.page(
            f"<iframe id=frame src='{inner}' style='position:fixed;top:-900px;width:100%;height:800px;border:0'></iframe>"
            f"<button id=b onmousemove='frame.style.top = 0'>Go</button>{GOT}"
        )
    )
    # The frame comes over it with the pointer.
    reply = tabwire.fails("click", selector="#b", timeout=400)
    assert (reply.code, page.evaluate("taken()")) == ("element_click_intercepted", [])
    assert page.evaluate("frame.contentWindow.eval(`taken()`)") == []


def test_the_second_press_of_a_double_click_reaches_no_other_element(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(f"{UNDER}<button id=b style='position:fixed;z-index:1' onclick='this.remove()'>Go</button>{GOT}"))
    reply = tabwire.ok("dblclick", selector="#b")
    assert page.evaluate("taken()") == ["b"]
    assert "only the first press" in reply.data["note"] and "Under" in reply.data["note"]


def test_what_a_press_has_drawn_anew_gets_the_second_one(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    draw = "<script>const draw = () => { list.innerHTML = '<li class=row id=row>Row</li>' }; list.onclick = draw; draw()</script>"
    tabwire.open(site.page(f"<ul id=list></ul>{draw}{GOT}<script>list.ondblclick = () => list.title = 'double'</script>"))
    reply = tabwire.ok("dblclick", selector=".row")
    assert ("no double click" in reply.text) == (page.evaluate("list.title") != "double"), reply
    assert page.evaluate("got.filter((one) => one === 'row').length") == 2


def test_a_drag_takes_its_source_or_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    veil = "<div id=veil hidden style='position:fixed;inset:0'></div>"
    tabwire.open(
        site.page(
            f"<p id=a>Source</p><p id=z>Target</p>{veil}{GOT}"
            "<script>let moves = 0; a.onmousemove = () => { veil.hidden = ++moves < 2 }</script>"
        )
    )
    reply = tabwire.fails("drag", source="#a", target="#z", timeout=400)
    assert (reply.code, page.evaluate("taken()")) == ("element_click_intercepted", [])


def test_a_press_of_the_middle_button_pastes_nothing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page("<input id=a value=private><input id=b onpaste='globalThis.pasted = true'>"))
    tabwire.ok("press", selector="#a", key="Control+a")
    tabwire.ok("click", selector="#b", button="middle")
    box = page.evaluate("(({ x, y }) => ({ x: x + 9, y: y + 9 }))(b.getBoundingClientRect())")
    tabwire.ok("click", coordinates=box, button="middle")
    assert page.evaluate("[b.value, globalThis.pasted ?? false, a.selectionEnd]") == ["", False, 7]


FIELDS: dict[str, Any] = {
    "read-only": "<input id=read-only value=old readonly>",
    "disabled": "<input id=disabled value=old disabled>",
    "lines": "<textarea id=lines readonly>old</textarea>",
    "date": "<input id=date type=date value=2020-01-01 readonly>",
    "hidden": "<input id=hidden value=old style='display:none'>",
}


def test_a_forced_fill_writes_into_what_takes_no_typing(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    script = "<script>globalThis.heard = []; addEventListener('input', (event) => heard.push(event.target.id))</script>"
    tabwire.open(site.page(f"{''.join(FIELDS.values())}{script}"))
    for name in FIELDS:
        value = "2021-02-03" if name == "date" else "new"
        assert tabwire.fails("fill", selector=f"#{name}", value=value, timeout=100).is_error
        reply = tabwire.ok("fill", selector=f"#{name}", value=value, force=True)
        assert page.evaluate(f"document.getElementById('{name}').value") == value, (name, reply)
        assert name == "date" or (reply.data["input"], "by script" in reply.data["note"]) == ("dom", True), (name, reply)
    assert page.evaluate("heard") == list(FIELDS)


def test_a_forced_check_reaches_a_box_that_nobody_sees(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    boxes = {"gone": "display:none", "unseen": "visibility:hidden", "flat": "transform:scale(0)"}
    html = "".join(f"<input type=checkbox id={name} style='{style}'>" for name, style in boxes.items())
    tabwire.open(site.page(f"{UNDER}{html}{GOT}"))
    for name in boxes:
        reply = tabwire.ok("check", selector=f"#{name}", force=True)
        assert (reply.data["checked"], page.evaluate(f"document.getElementById('{name}').checked")) == (True, True)
        assert page.evaluate("taken()") == [name] and "cannot reach" in reply.data["note"]
