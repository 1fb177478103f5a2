"""A snapshot is given again only while the page is as it was."""

import pytest

from extension.content_page import ContentPage

HTML = """
<style id=s>.off .box {display: none} @media (max-width: 500px) {.wide {display: none}} #n {color: red} #h:hover + p {display: none}</style>
<div class=box><p id=p>Text</p></div><p class=wide>Wide</p>
<input id=i aria-label=Name><input type=checkbox id=c aria-label=Agree><select id=l aria-label=List><option>A<option>B</select>
<form><input id=r required aria-label=Needed></form>
<select id=m multiple aria-label=Many><option>C<option>D</select><textarea id=t aria-label=Note></textarea>
<details id=e><summary>More</summary>Inside</details><dialog id=d>Asks</dialog><div popover id=o>Popped</div>
<div id=ho></div><div id=hc></div><div id=hm>Assigned</div><div id=plain></div><button id=b>Go</button><div id=n title=x>N</div>
<slot-host></slot-host>
<style id=g>#q::before {content: "Old"} #q {color: black} @media screen {#u::before {content: "Old"}} #v::before {content: "Old"}
my-kind:state(away) {display: none}</style><button id=q>Q</button><button id=u>U</button><button id=w>W</button><my-kind id=kind>Kind</my-kind>
<script>
  globalThis.shared = new CSSStyleSheet();
  shared.replaceSync('#w::before {content: "Old"}');
  document.adoptedStyleSheets = [shared];
  customElements.define('my-kind', class extends HTMLElement { internals = this.attachInternals(); });
  ho.attachShadow({mode: 'open'}).innerHTML = '<b>Open</b><form><input aria-label=Deep required></form><div popover=manual>Popped inside</div>';
  hc.attachShadow({mode: 'closed'}).innerHTML = '<b>Closed</b>';
  hm.attachShadow({mode: 'open', slotAssignment: 'manual'}).innerHTML = '<slot></slot>';
</script>
"""

CHANGES = [
    {
        "text": "p.firstChild.data = 'Other'",
        "a child": "p.append('more')",
        "an attribute": "b.setAttribute('aria-label', 'Named')",
        "a reflected property": "b.disabled = true",
        "an open shadow tree": "ho.shadowRoot.firstChild.textContent = 'New'",
        "a new shadow root": "plain.attachShadow({mode: 'open'}).innerHTML = 'Shadow'",
        "a value set by script": "i.value = 'Ann'",
        # An attempt to submit moves the focus to what is invalid.
        "focus in a shadow tree": "ho.shadowRoot.querySelector('input').focus()",
        "validity in a shadow tree": "ho.shadowRoot.querySelector('form').requestSubmit()",
        "a value in a shadow tree": "ho.shadowRoot.querySelector('input').value = 'x'",
        "a checkbox set by script": "c.checked = true",
        "a mixed checkbox": "c.indeterminate = true",
        "a choice set by script": "l.selectedIndex = 1",
        "one of several choices": "m.options[1].selected = true",
        "a long text": "t.value = 'long'",
        "focus on what is required": "r.focus()",
        "validity after an attempt to submit": "r.form.requestSubmit()",
        "a cursor by a changed rule": "s.sheet.cssRules[2].style.cursor = 'pointer'",
        "generated text by a changed rule": "g.sheet.cssRules[0].style.content = '\"New\"'",
        "letters by a changed rule": "g.sheet.cssRules[1].style.textTransform = 'uppercase'",
        "a transparent text by a changed rule": "g.sheet.cssRules[1].style.opacity = '0'",
        "the inside of a group by a changed rule": "g.sheet.cssRules[2].cssRules[0].style.content = '\"New\"'",
        "another condition of a group": "g.sheet.cssRules[2].media.mediaText = 'print'",
        "a rule for something else": "g.sheet.cssRules[3].selectorText = '#q'",
        "a sheet with as many other rules": "shared.replaceSync('#q::before {content: \"New\"}')",
        "a state of a custom element": "kind.internals.states.add('away')",
        "details": "e.open = true",
        "a dialog": "d.show()",
        "a popover": "o.showPopover()",
        "a popover in a shadow tree": "ho.shadowRoot.lastChild.showPopover()",
        "text given to a slot": "hm.shadowRoot.firstChild.assign(hm.firstChild)",
        "the title": "document.title = 'New'",
        "the address": "location.hash = 'x'",
        "the address without a hash": "history.replaceState(null, '', '#y')",
        "a frame": "document.body.append(document.createElement('iframe'))",
    },
    {
        "a changed rule": "s.sheet.cssRules[0].style.display = 'block'; s.sheet.cssRules[2].style.display = 'none'",
        "a transparent colour by a changed rule": "g.sheet.cssRules[1].style.color = 'transparent'",
        "an inserted rule": "s.sheet.insertRule('#p {display: none}')",
        "a document that is edited": "document.designMode = 'on'",
    },
    {
        "focus": "b.focus()",
        "a rule of a group": "s.sheet.cssRules[1].insertRule('#p {display: none}')",
        "a class of the page": "document.documentElement.className = 'off'",
    },
    {
        "an adopted sheet": "const a = new CSSStyleSheet(); a.replaceSync('#p {display: none}'); document.adoptedStyleSheets.push(a)",
        "a modal dialog": "d.showModal()",
    },
    {
        "a sheet switched off": "s.sheet.disabled = true; s.sheet.disabled",
        "an inline style": "p.style.display = 'none'",
    },
]
"""By document: in one, those that leave each other to be seen."""
UNSEEN = {"a rule of a group", "a rule for something else", "a sheet switched off"}

CHANGING = """
const [changes] = arguments;
const { hop } = __inside.turns;
const capture = async (options) => {
  const { result: { stamp, title, url, viewport, text } } = await __tabwire.call("snapshot.capture", options);
  return { stamp, text: [title, url, viewport, text].join("\\n") };
};
let depth = 1000;
const outcomeOf = async (change) => {
  const before = await capture({});
  await hop();
  if ((await capture({})).stamp !== before.stamp) return "not kept while nothing changes";
  new Function(change)();
  await hop();
  const after = await capture({});
  // Other options, the same outcome: it cannot have been kept.
  if ((await capture({ depth: depth += 1 })).text !== after.text) return "kept although it changed";
  if (after.text === before.text) return "nothing to see";
  return after.stamp === before.stamp ? "seen under the stamp before" : "seen";
};
return (async () => {
  const outcomes = [];
  for (const [name, change] of changes) outcomes.push([name, await outcomeOf(change)]);
  return outcomes;
})();
"""


def text_of(page: ContentPage) -> str:
    captured = page.call("snapshot.capture")
    return f"{captured['title']} {captured['url']} {captured['viewport']}\n{captured['text']}"


def stamp_of(page: ContentPage) -> str:
    return str(page.call("snapshot.capture")["stamp"])


def test_nothing_changed(page: ContentPage) -> None:
    page.show(HTML)
    first = stamp_of(page)
    assert stamp_of(page) == first
    assert page.call("snapshot.capture", known=[first]) == {"same": first, "path": []}
    assert page.call("snapshot.capture", mode="interactive")["stamp"] != first
    assert stamp_of(page) == first


def test_the_order_of_the_options_is_no_change(page: ContentPage) -> None:
    page.show(HTML)
    first = page.call("snapshot.capture", mode="full", depth=9)["stamp"]
    assert page.call("snapshot.capture", depth=9, mode="full")["stamp"] == first
    assert page.call("snapshot.capture", depth=8, mode="full")["stamp"] != first


@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: next(iter(changes)))
def test_changes_are_seen(page: ContentPage, changes: dict[str, str]) -> None:
    page.show(HTML)
    outcomes = dict(page.run(CHANGING, list(changes.items())))
    assert outcomes == {name: "nothing to see" if name in UNSEEN else "seen" for name in changes}


def test_a_change_in_a_closed_shadow_tree_is_seen(page: ContentPage) -> None:
    """Only an extension sees closed roots; here one is shown to the content scripts by hand."""
    page.show(
        "<div id=h></div><script>globalThis.root = h.attachShadow({mode: 'closed'}); root.innerHTML = '<b>Old</b>';"
        "globalThis.chrome ??= {}; chrome.dom = {openOrClosedShadowRoot: (e) => e === h ? root : e.shadowRoot}</script>"
    )
    assert "Old" in text_of(page)
    page.run("root.firstChild.textContent = 'New'")
    assert "New" in text_of(page)


def test_few_listeners_are_put_on_a_shadow_root(page: ContentPage) -> None:
    """The debugger lists them with those of the page."""
    page.show(
        "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<b>In</b>'; globalThis.added = [];"
        "const { addEventListener } = EventTarget.prototype; EventTarget.prototype.addEventListener = function (...given) {"
        "if (this instanceof ShadowRoot) added.push(given[0]); return addEventListener.apply(this, given)}</script>"
    )
    stamp = stamp_of(page)
    assert stamp_of(page) == stamp
    assert 1 <= len(page.run("return added")) <= 4


def test_a_viewport_of_another_size_is_seen(page: ContentPage) -> None:
    page.show(f"<iframe id=f style='width:600px' srcdoc='{HTML}'></iframe>")
    page.show(HTML)
    stamp = stamp_of(page)
    page.resize(900, 700)
    assert stamp_of(page) != stamp
    page.resize(1280, 800)


def test_what_moves_is_not_kept(page: ContentPage) -> None:
    page.show("<style>@keyframes k {to {opacity: 0}} p {animation: k 9s infinite}</style><p>Text</p>")
    assert stamp_of(page) != stamp_of(page)
