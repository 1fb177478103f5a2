"""event_listeners: who hears the events of an element, on it and on all that they come by, with the places of the functions."""

import json
import re

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.debug.test_styles import vlq
from e2e.site import Site

pytestmark = pytest.mark.same_tab

JS = "text/javascript"
FORM = """<main id=main><form id=form><button id=pay>Pay</button></form></main><script src=SCRIPT></script>"""
SCRIPT = """const heard = (event) => { document.title += event.type + '.'; event.preventDefault(); };
pay.addEventListener('click', heard, { once: true });
pay.onclick = function named() { document.title += 'named.'; };
form.addEventListener('submit', heard, true);
main.addEventListener('click', heard); main.addEventListener('keydown', heard);
document.addEventListener('wheel', () => {}, { passive: true });
window.addEventListener('click', heard);"""


def under(reply: Reply) -> dict[str, list[str]]:
    """The listeners below the name of what they are on, without references."""
    found: dict[str, list[str]] = {}
    for line in reply.text.splitlines():
        if line.startswith("On "):
            lines = found[re.sub(r"@e\d+ ", "", line[3:-1])] = []
        elif line.startswith("  "):
            lines.append(line.strip())
    return found


def test_listeners_are_told_with_what_they_are_on_and_where_their_functions_are(
    tabwire: Tabwire, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page(FORM.replace("SCRIPT", site.serve("/form.js", SCRIPT, JS))))
    reply = tabwire.ok("event_listeners", selector="css=#pay")
    assert re.fullmatch(r'@e\d+ <button id="pay"> "Pay": 6 listeners on it and around it', reply.text.splitlines()[0]), reply
    first = SCRIPT.splitlines()[0]
    heard = f"/form.js:1:{first.index('(event)') + 1} | {first[:100]}"
    assert under(reply) == {
        '<button id="pay">': [
            f"click (once) — {heard}",
            "click — /form.js:3:29 | pay.onclick = function named() { document.title += 'named.'; };",
        ],
        '<form id="form">': [f"submit (capture) — {heard}"],
        '<main id="main">': [f"click, keydown — {heard}"],
        "document": ["wheel (passive) — /form.js:6:36 | document.addEventListener('wheel', () => {}, { passive: true });"],
        "window": [f"click — {heard}"],
    }
    page.evaluate("document.title = ''; pay.click()")
    assert page.evaluate("document.title") == "click.named.click.click."
    # An act has the page watched for errors: those listeners are not the page's.
    tabwire.ok("click", selector="css=#pay")
    # The listener for one click is gone; single types, and the next page of the list.
    clicks = tabwire.ok("event_listeners", selector="css=#pay", types=["click"])
    assert [len(lines) for lines in under(clicks).values()] == [1, 1, 1]
    second = tabwire.ok("event_listeners", selector="css=#pay", max_listeners=1, offset=1)
    assert list(under(second)) == ['<form id="form">'] and "3 more: offset: 2" in second.text
    assert "0 listeners of drop" in tabwire.ok("event_listeners", selector="css=#pay", types=["drop"]).text


FRAMEWORKS = """<div id=root><button id=go>Go</button></div><script>
const go = document.getElementById('go'), root = document.getElementById('root');
for (const type of ['click', 'input']) root.addEventListener(type, function dispatch() {});
go['__reactProps$k1'] = { onClick: () => 'react', children: 'Go' };
go._vei = { onClick: Object.assign(() => {}, { value: () => 'vue' }) };
go.__zone_symbol__clickfalse = [{ callback: () => 'zone' }, { get callback() { document.title = 'trapped'; } }];
globalThis.jQuery = { _data: (node) => node === root && { click: [{ selector: 'button', handler: () => 'jquery' }] } };
</script>"""


def test_handlers_of_frameworks_are_told_behind_their_listeners(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(FRAMEWORKS))
    found = under(tabwire.ok("event_listeners", selector="css=#go", types=["click"]))
    told = {line.partition(" — ")[0]: line.rpartition("| ")[2] for lines in found.values() for line in lines}
    assert set(told) == {"React onClick", "Vue onClick", "Zone.js click", "jQuery click for button", "click"}
    assert "'react'" in told["React onClick"] and "'vue'" in told["Vue onClick"] and "'zone'" in told["Zone.js click"]
    assert "jQuery click for button" in [line.partition(" — ")[0] for line in found['<div id="root">']]
    assert page.evaluate("document.title") != "trapped"


def test_functions_have_places_in_the_sources_in_frames_and_shadow_trees(tabwire: Tabwire, site: Site) -> None:
    built = "pay.addEventListener('click',()=>{document.title='paid'});"
    # The function comes from line 12 of a source.
    at = built.index("()=>")
    source_map = {"version": 3, "sources": ["src/till.ts"], "names": [], "mappings": f"{vlq(0, 0, 0, 0)},{vlq(at, 0, 11, 4)}"}
    site.serve("/till.js.map", json.dumps(source_map), "application/json")
    site.serve("/till.js", f"{built}\n//# sourceMappingURL=till.js.map", JS)
    inner = site.cross_page("<button id=pay>Pay</button><script src=/till.js></script>")
    shadow = """<div id=host><i id=light>light</i></div><script>
      const tree = host.attachShadow({mode: 'closed'}); tree.innerHTML = '<section><slot></slot></section>';
      tree.addEventListener('click', () => {}); tree.firstChild.addEventListener('click', () => {});</script>"""
    tabwire.open(site.page(f"{shadow}<iframe src='{inner}'></iframe>"))
    light = under(tabwire.ok("event_listeners", selector="css=#light"))
    assert list(light) == ["<section>", 'the shadow root of <div id="host">']
    pay = under(tabwire.ok("event_listeners", selector="css=#pay"))
    place = f"click — {site.cross_origin}/src/till.ts:12:5 [{site.cross_origin}/till.js:1:{at + 1}]"
    assert pay == {'<button id="pay">': [place]}
