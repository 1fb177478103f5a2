"""components: the components of React, Vue and Svelte that an element is of, with places, props and state."""

import json

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.debug.test_styles import vlq
from e2e.site import Site

pytestmark = pytest.mark.same_tab

JS = "text/javascript"


def lines(reply: Reply) -> list[str]:
    """What is told below the element, without the notes."""
    shown = [line.strip() for line in reply.text.splitlines()[1:] if not line.startswith("Note")]
    return [line.replace(f"@{reply.data['ref'].removeprefix('@')} ", "@ref ") for line in shown]


REACT = """function Row() {} class Cart { constructor() { this.updater = {}; } } function Page() {}
const $ = (id) => document.getElementById(id), stack = (place) => Object.assign(new Error(), { stack: 'Error\\n' +
  `    at exports.jsxDEV (${location.origin}/react.js:1:1)\\n    at Row (${location.origin}/${place})` });
const root = {}, base = { tag: 3, stateNode: root };
const page = { type: Page, return: base, memoizedProps: {}, memoizedState: { next: null, queue: { dispatch() {} }, memoizedState: 7 } };
const cart = { type: Cart, stateNode: new Cart(), return: page, memoizedProps: { children: {}, token: 'shh', get trap() { caught(); } },
  memoizedState: { typed: $('pw').value, open: true }, _debugOwner: page, _debugStack: stack('page.js:9:4') };
const row = { type: Row, key: 'r1', return: cart, memoizedProps: { item: { name: 'Old' } }, _debugOwner: page };
// The row that is shown now is the twin of that which the button's fiber leads to.
const shown = { ...row, memoizedProps: { item: { name: 'Plums' } }, alternate: row };
row.alternate = shown;
const button = { type: 'button', return: row, _debugOwner: row, _debugStack: stack('row.js:5:10') };
Object.assign(root, { current: base });
base.child = page; page.child = cart; cart.child = shown; shown.child = button;
$('go')['__reactFiber$k1'] = button;
function caught() { document.title = 'caught'; }
//# sourceMappingURL=react-app.js.map"""


def test_components_of_react_have_places_owners_and_what_is_shown_now(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    # The class comes from line 12 of a source.
    at = REACT.index("class Cart")
    app_map = {"version": 3, "sources": ["src/cart.tsx"], "names": [], "mappings": f"{vlq(0, 0, 0, 0)},{vlq(at, 0, 11, 4)}"}
    site.serve("/react-app.js.map", json.dumps(app_map), "application/json")
    body = "<main><button id=go>Go</button></main><input id=pw type=password value=hunter22><script src=SCRIPT></script>"
    tabwire.open(site.page(body.replace("SCRIPT", site.serve("/react-app.js", REACT, JS))))
    reply = tabwire.ok("components", selector="css=#go")
    built = f"/react-app.js:1:{REACT.index('() { this.updater') + 1}"
    assert lines(reply) == [
        'React, development build, on @ref <button id="go">:',
        "written at /row.js:5:10",
        "owner Row key=r1 — /src/cart.tsx:1:1 [/react-app.js:1:10]",
        'props: item: {name: "Plums"}',
        f"around Cart — /src/cart.tsx:12:5 [{built}], written at /page.js:9:4",
        "props: token: [redacted], trap: [getter]",
        'state: typed: "[redacted]", open: true',
        f"owner Page — /src/cart.tsx:12:5 [/react-app.js:1:{REACT.index('Page()') + 1}]",
        "state: #1: 7",
    ]
    assert page.evaluate("document.title") != "caught"
    one = tabwire.ok("components", selector="css=#go", max_components=2)
    assert "2 more around them: max_components" in one.text and "Cart" not in one.text
    outside = tabwire.ok("components", selector="css=main")
    assert "no data of React, Vue or Svelte on the element and around it" in outside.text


VUE = """const owner = { parent: null, type: { __name: 'App' }, vnode: {}, props: {}, data: {}, setupState: {} };
const Row = { __file: '/shop/src/Row.vue', setup() {} };
const row = { parent: owner, type: Row, vnode: { key: 3 }, setupState: {}, data: new Proxy({ open: true }, { ownKeys: caught }),
  props: new Proxy({ item: 'Plums' }, { get: caught, ownKeys: caught, getOwnPropertyDescriptor: caught }),
  devtoolsRawSetupState: { count: { __v_isRef: true, _value: 3 }, twice: { __v_isRef: true, _value: undefined }, pick() {} } };
function caught() { document.title = 'caught'; return []; }"""
NOTED = f"<button id=go>Go</button><script>{VUE} document.getElementById('go').__vueParentComponent = row;</script>"
# A build for production notes the tree on the container of the app alone.
WALKED = f"""<div id=app><p><button id=go>Go</button></p></div><script>{VUE}
const app = document.getElementById('app'), go = document.getElementById('go'); delete row.devtoolsRawSetupState;
const inner = {{ type: 'p', el: go.parentNode, children: [{{ type: 'button', el: go }}] }};
owner.subTree = {{ type: Row, component: Object.assign(row, {{ subTree: inner }}) }};
Object.assign(app, {{ __vue_app__: {{}}, _vnode: {{ type: owner.type, component: owner }} }});</script>"""
SVELTE = """<section><button>Go</button></section><script>
const loc = (file, line, char) => ({ file, line, column: 2, ...(char && { char }) });
document.querySelector('section').__svelte_meta = { loc: loc('src/Shop.svelte', 0, 9) };
document.querySelector('button').__svelte_meta = META; </script>"""
FIVE = """{ loc: loc('src/Row.svelte', 5), parent: { type: 'if', ...loc('src/Row.svelte', 4), parent: {
  type: 'component', componentTag: 'Row', ...loc('src/App.svelte', 8), parent: null } } }"""


def test_components_of_vue_are_told_in_frames_and_shadow_trees(tabwire: Tabwire, site: Site) -> None:
    frame = site.cross_page(NOTED)
    shadow = "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<b id=in>in</b>';"
    vue2 = "host.__vue__ = { $options: { name: 'Host', __file: 'src/Host.vue' }, _data: { get count() { return 1; } } };</script>"
    tabwire.open(site.page(f"{shadow}{vue2}<iframe src='{frame}'></iframe>"))
    reply = tabwire.ok("components", selector="css=#go")
    told = lines(reply)
    assert told[0].startswith("Vue, development build, on @ref ") and told[1].startswith("owner Row key=3 — /shop/src/Row.vue [")
    assert told[2:4] == ['props: item: "Plums"', "state: count: 3, open: true"] and told[4].startswith("around App")
    inside = tabwire.ok("components", selector="css=#in")
    assert lines(inside)[1:] == ["owner Host — src/Host.vue", "state: count: [getter]"]
    assert "Vue 2 keeps values behind getters" in inside.text


def test_components_of_a_production_build_of_vue_are_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(WALKED))
    walked = tabwire.ok("components", selector="css=#go")
    assert lines(walked)[0].startswith("Vue, production build, on") and lines(walked)[1].startswith("owner Row key=3 — ")
    assert "around App" in walked.text and "this is a production build of Vue" in walked.text
    assert 'props: item: "Plums"' in walked.text


def test_components_of_svelte_are_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(SVELTE.replace("META", FIVE)))
    five = lines(tabwire.ok("components", selector="css=button"))
    assert five[1:] == [
        "written at src/Row.svelte:5:3",
        "owner Row — src/Row.svelte, written at src/App.svelte:8:3",
        "around App — src/App.svelte",
    ]
    tabwire.open(site.page(SVELTE.replace("META", "{ loc: loc('src/Row.svelte', 4, 30) }")))
    four = tabwire.ok("components", selector="css=button")
    assert lines(four)[1:] == ["written at src/Row.svelte:5:3", "owner Row — src/Row.svelte", "around Shop — src/Shop.svelte"]
    assert "Svelte keeps props and state in closures" in four.text


def test_a_production_build_of_svelte_is_said_to_keep_no_data(tabwire: Tabwire, site: Site) -> None:
    built = "<button>Go</button><script>__svelte = { v: new Set(['5']) }</script>"
    tabwire.open(site.page(built))
    assert "production builds of Svelte keep no data" in tabwire.ok("components", selector="css=button").text
