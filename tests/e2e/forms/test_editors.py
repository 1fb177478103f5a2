"""Fields with a mind of their own: each page imitates, in a few lines, the mechanism of a framework or an editor library."""

from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.input.acting import Case, noted, rows
from e2e.site import Site

pytestmark = pytest.mark.same_tab


def fill(on: str, value: str, **more: Any) -> tuple[Any, ...]:
    return ("fill", on, {"value": value, **more})


def typed(on: str | None, text: str) -> tuple[Any, ...]:
    return ("type", on, {"text": text, "delay": 0})


def press(key: str, on: str | None = None, **more: Any) -> tuple[Any, ...]:
    return ("press", on, {"key": key, **more})


#: React keeps the last value it saw on the element and ignores input events that bring nothing new.
CONTROLLED = """<input id=f aria-label=Todo><ul id=l></ul><script>
const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let seen = ''; let state = '';
Object.defineProperty(f, 'value', { get: () => own.get.call(f), set: (text) => { seen = text; own.set.call(f, text) } });
f.addEventListener('input', () => { const now = own.get.call(f); if (now === seen) return; seen = now; state = now.toUpperCase(); f.value = state });
f.onkeydown = (e) => { if (e.key === 'Enter' && state) { l.insertAdjacentHTML('beforeend', `<li>${state}`); state = ''; f.value = '' } }</script>"""

#: Editors with a model: every edit is taken from beforeinput, and the DOM is drawn from the model (Lexical, Slate).
MODELLED = """<div id=f role=textbox aria-label=Editor contenteditable style="min-height:40px"></div><script>
let lines = ['old text']; const draw = () => { f.innerHTML = lines.map((line) => `<p>${line || '<br>'}</p>`).join('');
  const range = document.createRange(); range.selectNodeContents(f.lastChild); range.collapse(false); getSelection().removeAllRanges(); getSelection().addRange(range) };
const insert = (text) => { if (!getSelection().isCollapsed) lines = [''];
  const [first, ...rest] = text.split('\\n'); lines[lines.length - 1] += first; lines.push(...rest) };
const edits = { insertText: (e) => insert(e.data), insertParagraph: () => lines.push(''), insertLineBreak: () => lines.push(''),
  deleteContentBackward: () => { if (getSelection().isCollapsed) lines[lines.length - 1] = lines.at(-1).slice(0, -1); else lines = [''] } };
edits.deleteContentForward = edits.deleteContentBackward; edits.insertReplacementText = edits.insertText;
f.addEventListener('beforeinput', (e) => { e.preventDefault(); edits[e.inputType]?.(e); draw() });
f.addEventListener('paste', (e) => { e.preventDefault(); insert(e.clipboardData.getData('text/plain')); draw() }); draw(); getSelection().removeAllRanges()</script>"""

#: A code editor: a hidden textarea takes the keys, the text is drawn in the next frame (Ace, CodeMirror 5).
DRAWN = """<div class=ace_editor style="position:relative;height:60px"><textarea id=f aria-label=Code style="position:absolute;width:1px;height:1px;opacity:0;pointer-events:none"></textarea>
<div class=ace_content id=c style="height:60px"></div></div><script>
let text = 'old text'; let all = false; let end = false;
const draw = () => setTimeout(() => { c.innerHTML = text.split('\\n').map((line) => `<div class=ace_line>${line}</div>`).join('') }, 60);
c.onmousedown = (e) => { e.preventDefault(); f.focus() };
f.onkeydown = (e) => { if (e.ctrlKey && e.key === 'a') { all = true; e.preventDefault() } else if (e.ctrlKey && e.key === 'End') { end = true; e.preventDefault() }
  else if ((e.key === 'Backspace' || e.key === 'Delete') && all) { text = ''; all = false; draw() } };
f.oninput = () => { const put = f.value; f.value = ''; text = all ? put : end ? text + put : put + text; all = false; end = true; draw() }; draw()</script>"""

#: A hint inside of the editable box that is no part of the text (Slate).
HINTED = """<div id=f role=textbox aria-label=Editor contenteditable><span id=t>old</span><span contenteditable=false id=h style="display:none">Write here</span></div><script>
f.oninput = () => { if (!f.querySelector('[contenteditable=false]')) f.insertAdjacentHTML('beforeend', '<span contenteditable=false>Write here</span>') }</script>"""

MASKED = "<input id=f aria-label=Card oninput=\"f.value = f.value.replace(/\\D/g, '').replace(/(.{4})(?=.)/g, '$1 ')\">"
SUGGEST = """<input id=f role=combobox aria-label=City aria-expanded=false><ul id=l role=listbox></ul><script>
const cities = ['Rome', 'Roubaix', 'Oslo']; let at = -1;
f.oninput = () => setTimeout(() => { at = -1; l.innerHTML = cities.filter((c) => f.value && c.startsWith(f.value)).map((c) => `<li role=option>${c}`).join('') }, 50);
f.onkeydown = (e) => { if (e.key === 'ArrowDown') { at += 1; e.preventDefault() } if (e.key === 'Enter' && l.children[at]) { f.value = l.children[at].textContent; l.innerHTML = '' } };
l.onclick = (e) => { f.value = e.target.textContent; l.innerHTML = '' }; f.onblur = () => setTimeout(() => { l.innerHTML = '' }, 300)</script>"""
MODEL = "lines.join('|')"

BLUR = ("evaluate", None, {"expression": "void document.activeElement.blur()"})

FIELDS = [
    Case(
        "a controlled field takes fills and keys, is filled and sent twice, and is emptied",
        CONTROLLED,
        [
            *(fill("textbox Todo", "milk"), noted("[state, f.value]"), press("Enter"), typed("textbox Todo", "eggs\n")),
            *(fill("textbox Todo", "a"), press("Enter"), fill("textbox Todo", "a"), press("Enter")),
            *(fill("textbox Todo", "b"), ("clear", "textbox Todo")),
        ],
        "[log, [...l.children].map((i) => i.textContent), state, f.value]",
        [[["MILK", "MILK"]], ["MILK", "EGGS", "A", "A"], "", ""],
    ),
    Case(
        "a masked field",
        MASKED,
        [typed("textbox Card", "12345"), noted("f.value"), fill("textbox Card", "123456789"), noted("f.value")],
        "log",
        ["1234 5", "1234 5678 9"],
    ),
    Case(
        "a maximum length holds", "<input id=f aria-label=Pin maxlength=4>", [typed("textbox Pin", "123456")], "f.value", "1234"
    ),
    Case(
        "a refused key",
        '<input id=f aria-label=N onkeydown="/\\d/.test(event.key) || event.preventDefault()">',
        [typed("textbox N", "1a2b")],
        "f.value",
        "12",
    ),
    Case(
        "one change when left",
        "<input id=f aria-label=A><input aria-label=B><script>watch(f, 'change', 'blur')</script>",
        [typed("textbox A", "x"), press("Tab")],
        "log",
        ["change", "blur"],
    ),
    Case(
        "undo after a fill",
        "<input id=f aria-label=A value=old>",
        [fill("textbox A", "new"), press("Control+z")],
        "f.value",
        "old",
    ),
    Case(
        "a number goes up by a key",
        "<input id=f type=number aria-label=N value=5 step=2 min=1><script>watch(f, 'input')</script>",
        [press("ArrowUp", "spinbutton N", repeat=2)],
        "[f.value, log.length]",
        ["9", 2],
    ),
    Case(
        "a slider made of a box",
        "<div id=f role=slider tabindex=0 aria-label=Vol aria-valuenow=5 aria-valuemin=0 aria-valuemax=9></div><script>f.onkeydown = (e) => {"
        "f.ariaValueNow = +f.ariaValueNow + ({ ArrowRight: 1, ArrowLeft: -1 }[e.key] ?? 0) }</script>",
        [press("ArrowRight", "slider Vol", repeat=3)],
        "f.ariaValueNow",
        "8",
    ),
    Case(
        "a suggestion by keys",
        SUGGEST,
        [
            typed("combobox City", "Ro"),
            ("wait", None, {"for": "text", "text": "Roubaix"}),
            press("ArrowDown", repeat=2),
            press("Enter"),
        ],
        "f.value",
        "Roubaix",
    ),
    Case(
        "a suggestion by click",
        SUGGEST,
        [fill("combobox City", "Ro"), ("wait", None, {"for": "text", "text": "Roubaix"}), ("click", "option Roubaix")],
        "f.value",
        "Roubaix",
    ),
    Case(
        "an entry edited after a double click",
        "<ul><li id=i><label>milk</label></ul><script>i.ondblclick = () => { i.innerHTML = '<input aria-label=Edit value=milk>'; const f = i.firstChild; f.focus();"
        "f.onblur = () => { i.innerHTML = `<label>${f.value}</label>` }; f.onkeydown = (e) => e.key === 'Enter' && f.blur() }</script>",
        [("dblclick", "#i label"), fill("textbox Edit", "ham"), press("Enter")],
        "i.textContent",
        "ham",
    ),
    Case(
        "a field that appears by a click is filled",
        "<button onclick=\"setTimeout(() => this.insertAdjacentHTML('afterend', '<input id=f aria-label=Late>'), 200)\">More</button>",
        [("click", "button More"), ("wait", None, {"for": "selector", "selector": "#f"}), fill("textbox Late", "x")],
        "f.value",
        "x",
    ),
    Case(
        "Escape closes a dialog",
        "<dialog id=d><input aria-label=In></dialog><script>d.showModal()</script>",
        [press("Escape")],
        "d.open",
        False,
    ),
    Case(
        "focus that is moved on",
        "<input id=f aria-label=A><input id=g aria-label=B><script>f.onfocus = () => { log.push('f'); g.focus() }</script>",
        [("focus", "textbox A")],
        "[log, document.activeElement.id]",
        [["f"], "g"],
    ),
]

KEYS = [
    Case(
        "a line is edited by keys",
        "<input id=f aria-label=Ends value=abc><input id=g aria-label=Mark value=abcd><input id=h aria-label=Word value='one two'>"
        "<textarea id=i aria-label=Lines>one</textarea>",
        [
            *(press("Home", "textbox Ends"), press("Delete"), press("End"), typed(None, "z")),
            *(press("Shift+ArrowLeft", "textbox Mark", repeat=2), typed(None, "x")),
            press("Control+Backspace", "textbox Word"),
            *(press("Enter", "textbox Lines"), typed(None, "two")),
        ],
        "[f.value, g.value, h.value.trim(), i.value]",
        ["bcz", "abx", "one", "one\ntwo"],
    ),
    Case(
        "cut and paste",
        "<input id=f aria-label=A value=cut><input id=g aria-label=B>",
        [press("Control+a", "textbox A"), press("Control+x"), press("Control+v", "textbox B")],
        "[f.value, g.value]",
        ["", "cut"],
    ),
    Case("Enter follows a link", "<a href=#there>Link</a>", [press("Enter", "link Link")], "location.hash", "#there"),
    Case(
        "Space presses a button on keyup",
        "<button id=b>Go</button><script>watch(b, 'keydown', 'keyup', 'click')</script>",
        [press("Space", "button Go")],
        "log",
        ["keydown", "keyup", "click"],
    ),
    Case("Enter opens details", "<details id=d><summary id=s>More</summary>x</details>", [press("Enter", "#s")], "d.open"),
    Case(
        "bold by its shortcut",
        "<div id=f role=textbox aria-label=A contenteditable>word</div>",
        [press("Control+a", "textbox A"), press("Control+b")],
        "Boolean(f.querySelector('b, strong')) || getComputedStyle(f.firstChild.nodeType === 1 ? f.firstChild : f).fontWeight >= 600",
    ),
    Case(
        "keys of a game on the page",
        "<script>onkeydown = (e) => log.push(e.keyCode)</script><p>Game</p>",
        [press("ArrowLeft"), press("w"), press("Space")],
        "log",
        [37, 87, 32],
    ),
    Case(
        "an order of modifiers",
        "<input aria-label=A id=f><script>for (const t of ['keydown', 'keyup']) f.addEventListener(t, (e) => log.push(t[3] + e.key + +e.ctrlKey + +e.shiftKey))</script>",
        [press("Control+Shift+K", "textbox A")],
        "log",
        ["dControl10", "dShift11", "dK11", "uK11", "uShift10", "uControl00"],
    ),
    Case(
        "a shortcut the page takes",
        "<input id=f aria-label=A><script>onkeydown = (e) => { if (e.ctrlKey && e.key === 's') { e.preventDefault(); globalThis.saved = f.value } }</script>",
        [fill("textbox A", "draft"), press("Control+s")],
        "globalThis.saved",
        "draft",
    ),
]

EDITORS = [
    Case(
        "a modelled editor gets keys at its end, is refilled, gets lines and is emptied",
        MODELLED,
        [
            *(typed("textbox Editor", "!"), noted(MODEL), BLUR, fill("textbox Editor", "Hello world"), noted(MODEL)),
            # A line of its own may be two of the editor's.
            *(fill("textbox Editor", "one\ntwo"), noted("lines.filter(Boolean).join('|')")),
            *(BLUR, ("clear", "textbox Editor"), noted(MODEL)),
        ],
        "log",
        ["old text!", "Hello world", "one|two", ""],
    ),
    Case(
        "a drawn editor is added to once, refilled and emptied",
        DRAWN,
        [
            *(fill("textbox Code", " more", clear=False), noted("text"), BLUR),
            *(fill("textbox Code", "new {text}"), noted("text"), BLUR, ("clear", "textbox Code")),
        ],
        "[log, text]",
        [["old text more", "new {text}"], ""],
    ),
    Case(
        "the search of an editor is filled, not the editor",
        DRAWN.replace(
            "</div><script>", "<p><input id=q aria-label=Find><textarea id=r aria-label=Replace></textarea></div><script>", 1
        ),
        [fill("textbox Find", "old"), fill("textbox Replace", "new")],
        "[q.value, r.value, text]",
        ["old", "new", "old text"],
    ),
    Case("a drawn editor is clicked where its text is", DRAWN, [("click", "textbox Code")], "document.activeElement.id", "f"),
    Case("a hint is no text", HINTED, [fill("textbox Editor", "new")], "f.innerText.replace('Write here', '').trim()", "new"),
    Case(
        "an emptied editor with a hint",
        HINTED.replace("f.oninput = () => {", "f.oninput = () => { h.style.display = '';"),
        [("clear", "textbox Editor")],
        "f.innerText.replace('Write here', '').trim()",
        "",
    ),
    Case(
        "plain text only",
        "<div id=f role=textbox aria-label=A contenteditable=plaintext-only>old</div>",
        [fill("textbox A", "a\nb")],
        "f.innerText.trim()",
        "a\nb",
    ),
    Case(
        "rich text is marked and written over",
        "<div id=f role=textbox aria-label=A contenteditable><b>old</b> <i>text</i></div>",
        [press("Control+a", "textbox A"), typed(None, "new")],
        "f.innerText.trim()",
        "new",
    ),
    Case(
        "a whole page that is edited in a frame",
        "<iframe id=i srcdoc='<body contenteditable role=textbox aria-label=Body>old</body>'></iframe>",
        [fill("textbox Body", "new")],
        "i.contentDocument.body.innerText.trim()",
        "new",
    ),
    Case(
        "typing into such a page",
        "<input aria-label=Top><iframe id=i srcdoc='<body contenteditable role=textbox aria-label=Body>old</body>'></iframe>",
        [("click", "textbox Top"), typed("textbox Body", "!")],
        "i.contentDocument.body.innerText.trim()",
        "old!",
    ),
    Case(
        "back to a field of a frame",
        "<input id=f aria-label=Top><iframe id=i srcdoc='<input aria-label=In>'></iframe>",
        [typed("textbox In", "a"), ("click", "textbox Top"), typed("textbox In", "b")],
        "[f.value, i.contentDocument.querySelector('input').value]",
        ["", "ab"],
    ),
    Case(
        "an editor in a shadow root",
        "<x-ed></x-ed><script>const root = document.querySelector('x-ed').attachShadow({ mode: 'open' }); root.innerHTML = '<div role=textbox aria-label=Deep contenteditable>old</div>'</script>",
        [fill("textbox Deep", "new"), typed("textbox Deep", "!")],
        "root.firstChild.innerText.trim()",
        "new!",
    ),
]


@rows(FIELDS)
def test_a_field_with_script_behind_it(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


@rows(KEYS)
def test_keys_do_what_the_browser_does(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


@rows(EDITORS)
def test_an_editor_takes_text(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


NO_FIELDS: dict[str, str] = {
    "<div id=f0 role=slider tabindex=0 aria-valuenow=5>v</div>": "ArrowRight",
    "<select id=f1><option>A</select>": "select",
    "<input id=f2 type=file>": "upload",
}


def test_what_takes_no_text_names_the_tool_that_helps(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("".join(NO_FIELDS)))
    for number, (html, word) in enumerate(NO_FIELDS.items()):
        assert word in tabwire.fails("fill", selector=f"#f{number}", value="7", timeout=200).text, html


def test_a_field_that_is_switched_off_when_entered_says_so(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(
        site.page(
            '<input id=f aria-label=A onfocus="f.disabled = true; p.hidden = false"><div id=p hidden><button>Cancel</button></div>'
        )
    )
    reply = tabwire.fails("fill", selector=tabwire.ref("textbox", "A"), value="x", timeout=500)
    assert reply.code == "element_not_interactable"
    assert "snapshot" in reply.text
    assert page.evaluate("f.value") == ""
