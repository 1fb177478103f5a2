"""A text is given to a field once: what refuses, resets or keeps it elsewhere does not get it again in another way."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from e2e.cdp import Page
from e2e.client import Tabwire
from e2e.conftest import Joined, Launched, Launcher
from e2e.site import Site

COUNTED = """<script>globalThis.counts = {};
for (const type of ['beforeinput', 'input', 'paste', 'change'])
  addEventListener(type, () => { counts[type] = (counts[type] ?? 0) + 1 }, true);
</script>"""
RICH = "<div id=f role=textbox aria-label=Message contenteditable style='min-height:30px'>old</div>"
CODE = """<div class=ace_editor style='height:60px'><textarea id=f aria-label=Message style='width:1px;height:1px;opacity:0'></textarea>
<div><div class=ace_line>old</div></div></div>"""
EDITORS = {
    "refuses": f"{RICH}<script>f.addEventListener('beforeinput', (event) => event.preventDefault())</script>",
    "resets": f"{RICH}<script>f.addEventListener('input', () => {{ f.textContent = 'old' }})</script>",
    "sends at once": f"""{RICH}<script>globalThis.sent = [];
f.addEventListener('beforeinput', (event) => {{ event.preventDefault(); if (event.data) sent.push(event.data) }});
f.addEventListener('paste', (event) => {{ event.preventDefault(); sent.push(event.clipboardData.getData('text/plain')) }})</script>""",
    "code that keeps its text": f"{CODE}<script>f.oninput = () => {{ f.value = '' }}</script>",
    "a field that refuses": """<input id=f aria-label=Message value=old>
<script>f.addEventListener('beforeinput', (event) => event.preventDefault())</script>""",
    "a field that resets": "<input id=f aria-label=Message value=old><script>f.oninput = () => { f.value = 'old' }</script>",
    "an area that resets": "<textarea id=f aria-label=Message>old</textarea><script>f.oninput = () => { f.value = 'old' }</script>",
}


@pytest.fixture(params=["launched", "own", "own, dom", "own, trusted"])
def client(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[tuple[Tabwire, Page]]:
    launched: Launched = (launcher if request.param == "launched" else joiner).fresh(site)
    tabwire = launched.tabwire
    _, _, mode = request.param.partition(", ")
    if mode:
        tabwire = cast("Joined", launched).join("--input", mode)
        tabwire.ok("tab_new")
    tabwire.open(site.page("<p>Empty"))
    yield tabwire, launched.browser.shown()
    if tabwire is not launched.tabwire:
        tabwire.close()


def counts(page: Page) -> dict[str, int]:
    counted: dict[str, int] = page.evaluate("counts")
    return counted


@pytest.mark.parametrize("value", ["new text", ""])
def test_an_editor_that_takes_no_text_is_given_it_once(client: tuple[Tabwire, Page], site: Site, value: str) -> None:
    tabwire, page = client
    for name, html in EDITORS.items():
        tabwire.open(site.page(COUNTED + html))
        reply = tabwire.call("fill", selector="#f", value=value, timeout=2000)
        heard = counts(page)
        assert heard and max(heard.values()) == 1 and not {"paste", "beforeinput"} <= {*heard}, (name, heard, reply)
        if name == "sends at once":
            assert page.evaluate("sent") == ([value] if value else []), reply
        assert reply.code == "invalid_element_state", (name, reply)
        assert "given once" in reply.text and '"old"' in reply.text, (name, reply)


def test_a_text_that_the_page_changes_is_not_given_again(client: tuple[Tabwire, Page], site: Site) -> None:
    tabwire, page = client
    tabwire.open(site.page(f"{COUNTED}{RICH}<script>f.oninput = () => {{ f.textContent = 'NEW' }}</script>"))
    reply: Any = tabwire.fails("fill", selector="#f", value="new text", timeout=2000)
    assert max(counts(page).values()) == 1, reply
    assert 'it now holds "NEW"' in reply.text, reply


COMPLETING = f"""{COUNTED}<div class=monaco-editor style='height:60px'><textarea id=f aria-label=Code style='width:1px;height:1px;opacity:0'></textarea>
<div id=lines></div></div><script>globalThis.text = 'old'; let all = false;
const draw = () => {{ lines.innerHTML = text.split('\\n').map(() => '<div class=view-line></div>').join('');
  text.split('\\n').forEach((line, at) => {{ lines.children[at].textContent = line }}) }};
const put = (added) => {{ text = all ? added : text + added; all = false; draw() }};
f.onkeydown = (event) => {{ if (event.key === 'a' && (event.ctrlKey || event.metaKey)) {{ all = true; event.preventDefault() }} }};
f.oninput = () => {{ put(f.value.replaceAll('{{', '{{}}').replaceAll('\\n', '\\n    ')); f.value = '' }};
f.onpaste = (event) => {{ event.preventDefault(); put(event.clipboardData.getData('text/plain')) }}; draw()</script>"""
"""A code editor that adds brackets and indents to what is typed, as Monaco does."""


def test_an_editor_that_completes_what_is_typed_gets_a_text_by_paste_alone(client: tuple[Tabwire, Page], site: Site) -> None:
    tabwire, page = client
    tabwire.open(site.page(COMPLETING))
    code = "if (ok) {\n  run();\n}"
    reply = tabwire.ok("fill", selector="#f", value=code)
    assert (page.evaluate("text"), counts(page)) == (code, {"paste": 1}), reply
