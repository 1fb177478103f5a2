"""Refs stay with their element and never mean another one."""

import pytest
from selenium.common import JavascriptException

from extension.content_page import ContentPage

ROWS = """
<table id=t></table>
<script>
  // Redraws as a keyed-by-index framework does: the nodes stay, their texts change.
  function draw(names) {
    while (t.rows.length < names.length) t.insertRow().innerHTML = '<td></td><td>3</td><td><button>Delete</button></td>';
    while (t.rows.length > names.length) t.deleteRow(-1);
    names.forEach((name, i) => t.rows[i].cells[0].textContent = name);
  }
  draw(['A', 'B', 'C']);
</script>
"""


def delete_button_of(page: ContentPage, row: str) -> int:
    lines = page.lines()
    start = lines.index(f"    - cell: {row}")
    return int(next(line for line in lines[start:] if "Delete" in line).split("@")[1].rstrip("]"))


def test_a_ref_stays_with_its_element(page: ContentPage) -> None:
    page.show("<button>One</button><button>Two</button>")
    two = page.ref('"Two"')
    page.run("document.body.prepend(document.querySelectorAll('button')[1], document.createElement('p'))")
    assert page.ref('"Two"') == two
    assert page.failure(two) == {}


def test_a_row_redrawn_on_the_same_nodes_refuses_the_old_ref(page: ContentPage) -> None:
    page.show(ROWS)
    second = delete_button_of(page, "B")
    page.run("draw(['A', 'C'])")
    failure = page.failure(second)
    assert failure["code"] == "stale_element_reference"
    assert failure["data"]["cause"] == "renamed"
    assert failure["data"]["item"] == {"was": "B 3 Delete", "is": "C 3 Delete"}


def test_a_row_that_did_not_change_keeps_its_refs(page: ContentPage) -> None:
    page.show(ROWS)
    first = delete_button_of(page, "A")
    page.run("draw(['A', 'C'])")
    assert page.failure(first) == {}


def test_a_counter_in_a_row_may_tick(page: ContentPage) -> None:
    page.show(ROWS)
    first = delete_button_of(page, "A")
    page.run("t.rows[0].cells[1].textContent = '4'")
    assert page.failure(first) == {}


BOXES = """
<style>.row{display:flex}</style>
<div id=list></div>
<script>
  const draw = (names) => names.forEach((name, i) => {
    const html = '<div class=row><div class=c><span></span></div><div class=c><button>Buy</button></div></div>';
    list.children[i] ?? list.insertAdjacentHTML('beforeend', html);
    list.children[i].querySelector('span').textContent = name;
  });
  draw(['Tea', 'Milk']);
</script>
"""


def test_repeated_boxes_are_items_too(page: ContentPage) -> None:
    page.show(BOXES)
    buttons = [int(line.split("@")[1].rstrip("]")) for line in page.lines() if "Buy" in line]
    page.run("draw(['Tea', 'Rice'])")
    assert page.failure(buttons[0]) == {}
    assert page.failure(buttons[1])["data"]["item"] == {"was": "Milk Buy", "is": "Rice Buy"}


def test_a_repeated_box_may_gain_a_message(page: ContentPage) -> None:
    page.show("<div class=g><label>Name <input></label></div><div class=g><label>Mail <input></label></div>")
    mail = page.ref('"Mail"')
    page.run("document.querySelectorAll('.g')[1].insertAdjacentHTML('beforeend', '<em>is not valid</em>')")
    assert page.failure(mail) == {}


def test_another_name_is_a_failure_that_tells_both(page: ContentPage) -> None:
    page.show("<button>Follow</button>")
    button = page.ref("Follow")
    page.run("document.querySelector('button').textContent = 'Unfollow'")
    failure = page.failure(button)
    assert failure["data"]["cause"] == "renamed"
    assert '"Follow"' in failure["message"] and '"Unfollow"' in failure["message"]
    page.lines()
    assert page.failure(button) == {}


def test_another_role_is_a_failure(page: ContentPage) -> None:
    page.show("<div role=button>Go</div>")
    button = page.ref("Go")
    page.run("document.querySelector('div').setAttribute('role', 'link')")
    assert page.failure(button)["data"]["is"] == {"role": "link", "name": "Go"}


def test_a_removed_element_is_told(page: ContentPage) -> None:
    page.show("<button>Go</button>")
    button = page.ref("Go")
    page.run("document.querySelector('button').remove()")
    assert page.failure(button)["data"] == {"cause": "removed"}


def test_a_replaced_element_has_candidates(page: ContentPage) -> None:
    page.show("<button>Go</button>")
    button = page.ref("Go")
    page.run("document.querySelector('button').outerHTML = '<button>Go</button>'")
    failure = page.failure(button)
    assert failure["data"]["cause"] == "replaced"
    (candidate,) = failure["data"]["candidates"]
    assert page.ref("Go") == int(candidate.strip("\ue000:\ue001")) != button


def test_an_element_put_back_is_the_same(page: ContentPage) -> None:
    page.show("<button>Go</button>")
    button = page.ref("Go")
    page.run("window.kept = document.querySelector('button'); kept.remove()")
    assert page.failure(button)["code"] == "stale_element_reference"
    page.run("document.body.append(kept)")
    assert page.failure(button) == {}


def test_snapshot_and_query_agree_on_an_item(page: ContentPage) -> None:
    page.show(
        "<ul><li>Tea <progress></progress><button>Buy</button></li><li><select><option>x</select>Milk <button>Buy</button></ul>"
    )
    shown = [int(line.split("@")[1].rstrip("]")) for line in page.lines() if '"Buy"' in line]
    assert [page.failure(ref) for ref in shown] == [{}, {}]
    answers = page.call("selectors.query", by="role", value="button")["answers"]
    assert [int(answer["ref"].strip("\ue000:\ue001")) for answer in answers] == shown
    assert [page.failure(ref) for ref in shown] == [{}, {}]


def test_a_list_item_may_gain_a_message(page: ContentPage) -> None:
    page.show("<ul><li>Mail <input aria-label=Mail></li><li>Name <input aria-label=Name></li></ul>")
    mail = page.ref('textbox "Mail"')
    page.run("document.querySelector('li').insertAdjacentHTML('beforeend', '<em>is not valid</em>')")
    assert page.failure(mail) == {}
    page.run("document.querySelector('li').firstChild.data = 'Phone '")
    assert page.failure(mail)["data"]["cause"] == "renamed"


def test_finding_a_redrawn_element_does_not_revive_its_old_ref(page: ContentPage) -> None:
    page.show(ROWS)
    second, third = delete_button_of(page, "B"), delete_button_of(page, "C")
    page.run("draw(['A', 'C'])")
    (candidate,) = page.failure(third)["data"]["candidates"]
    assert int(candidate.strip("\ue000:\ue001")) not in (second, third)
    assert page.failure(int(candidate.strip("\ue000:\ue001"))) == {}
    assert page.failure(second)["data"]["cause"] == "renamed"
    page.call("selectors.query", by="role", value="button")
    assert page.failure(second)["data"]["cause"] == "renamed"


EVERYTHING = """
<style>em, s, label, td { cursor: pointer }</style>
<canvas></canvas><video></video><em>Em</em> <s>Gone</s> <label>Text</label><div contenteditable title=Ed>x</div><p onclick=0>P</p>
<table><tbody onclick=0><tr><td>Cell<td><b onclick=0>B</b></table><ul><li tabindex=0 title=Li>One<li>Two</ul><summary>No</summary>
<details><summary>Yes</summary></details><iframe></iframe><object data='data:text/html,x'></object><h1 onclick=0>H</h1><a>Plain</a><a onclick=0>Act</a>
<svg role=img aria-label=S><title>t</title></svg><dl><dt tabindex=0>T<dd draggable=true>D</dl><article tabindex=0>A</article>
<select aria-label=Sel><option>1</select><div role=slider aria-valuenow=1 tabindex=0>Text</div><input type=image alt=Im><input type=file>
<div style='overflow:auto;height:9px'><i>tall</i><br><br><br></div><label><input type=checkbox style='display:none'>Stand in</label>
<span role=none onclick=0>n</span><div role=presentation tabindex=0>f</div><button><b>in</b><svg><path/></svg></button><nav title=N>x</nav>
"""


def test_everything_shown_is_found_again(page: ContentPage) -> None:
    page.show(EVERYTHING)
    refs = [int(line.split("[ref=@")[1].split("]")[0]) for line in page.lines() if "[ref=@" in line]
    assert len(refs) == 30
    assert {ref: failure["message"] for ref in refs if (failure := page.failure(ref))} == {}


CLOBBERED = (
    "localName tagName firstChild hasAttributes children id parentElement checkVisibility getAttribute nodeType nextSibling matches closest "
    "parentNode isConnected shadowRoot namespaceURI childNodes style"
).split()


def test_fields_that_hide_the_properties_of_their_form_are_reached(page: ContentPage) -> None:
    fields = "".join(f"<input name={name} aria-label={name}>" for name in CLOBBERED)
    page.show(f"<p>Before</p><form aria-label=Mine data-testid=t>{fields}<button>Send</button></form><p>After</p>")
    lines = page.bare_lines()
    assert lines == [
        '- paragraph: "Before"',
        '- form "Mine"',
        *(f'  - textbox "{name}"' for name in CLOBBERED),
        '  - button "Send"',
        '- paragraph: "After"',
    ]
    for question in ({"by": "testid", "value": "t"}, {"by": "role", "value": "button"}, {"by": "text", "value": "Send"}):
        assert len(page.call("selectors.query", **question)["answers"]) == 1
    assert page.failure(page.ref('"Send"')) == {}


FRAMES = """
<div id=root><header><h1>Notes</h1></header><main><p id=status>Saving draft</p><button>Publish</button><a href=#x>Help</a></main></div>
<div id=portal></div>
"""
WIDGETS = """
<div class='lm-Widget' id=top><div class=lm-Widget><button>File</button></div></div>
<div class='lm-Widget' id=middle><div class=lm-Widget><p id=status>Saving draft</p><button>Publish</button></div><div class=lm-Widget>x</div></div>
<div class='lm-Widget' id=bottom><div class=lm-Widget><span>Ready</span></div></div>
"""
ONE_ARTICLE = "<article><h1>Notes</h1><p id=status>Saving draft</p><button>Publish</button></article><aside>More</aside>"
ANONYMOUS = "<div><h1>Notes</h1></div><div><p id=status>Saving draft</p><button>Publish</button></div><div><p>Foot</p></div>"
BIG = f"""<ul><li><p id=status>Saving draft</p><button>Publish</button>{"<div>A line</div>" * 80}<li>Other</ul>"""


@pytest.mark.parametrize(
    "html", [FRAMES, WIDGETS, ONE_ARTICLE, ANONYMOUS, BIG], ids=["portal", "widgets", "article", "no-class", "big"]
)
def test_the_frame_of_a_page_is_no_row(page: ContentPage, html: str) -> None:
    page.show(html)
    refs = [int(line.split("[ref=@")[1].split("]")[0]) for line in page.lines() if "[ref=@" in line]
    assert refs
    page.run("document.querySelector('#status').textContent = 'All saved'")
    assert {ref: failure for ref in refs if (failure := page.failure(ref))} == {}


SIMILAR = """
<div id=list></div>
<script>
  const draw = (names) => { list.replaceChildren(...names.map((name, i) => list.children[i] ?? document.createElement('div')));
    names.forEach((name, i) => { const row = list.children[i]; row.id ||= 'user-' + name; row.className = 'row' + (i % 2 ? ' odd' : '');
      row.firstChild ?? row.insertAdjacentHTML('beforeend', `<span></span>${i == 1 ? '<b class=new>new</b>' : ''}<button>Remove</button>`);
      row.firstChild.textContent = name; }) };
  draw(['Ann', 'Ben', 'Cat', 'Dan']);
</script>
"""


def test_rows_need_not_be_built_quite_alike(page: ContentPage) -> None:
    page.show(SIMILAR)
    buttons = [int(line.split("@")[1].rstrip("]")) for line in page.lines() if "Remove" in line]
    page.run("draw(['Ann', 'Cat', 'Dan'])")
    assert [page.failure(ref).get("data", {}).get("cause") for ref in buttons] == [None, "renamed", "renamed", "replaced"]


ICONS = """<style>.material-icons{font-family:'Material Icons'}</style>
<table><tr><td><i class=material-icons>star_border</i><td>Tea<td><button><i class=material-icons>favorite</i> Like</button>
<tr><td>x<td>Milk<td><button class=material-icons>delete</button></table><button>word</button>"""


def test_a_picture_of_an_icon_font_is_no_part_of_a_name(page: ContentPage) -> None:
    page.show(ICONS)
    like, delete, word = page.ref("Like"), page.ref('"delete"'), page.ref('"word"')
    page.run(
        "document.querySelectorAll('.material-icons').forEach((icon, i) => icon.textContent = ['star', 'heart_plus', 'undo'][i])"
    )
    assert [page.failure(ref) for ref in (like, delete)] == [{}, {}]
    page.run(
        "document.querySelector('td:nth-child(2)').textContent = 'Rice'; document.querySelector('body > button').textContent = 'other'"
    )
    assert page.failure(like)["data"]["item"]["is"] == "star Rice heart_plus Like"
    assert page.failure(word)["data"]["cause"] == "renamed"


def test_content_scripts_that_are_injected_again_do_not_run_again(page: ContentPage) -> None:
    page.show("<button>Go</button>")
    page.run("globalThis.before = [__tabwire, __inside]")
    page.inject()
    assert page.run("return [__tabwire === before[0], __inside === before[1], Object.isFrozen(__tabwire)]") == [True] * 3
    assert page.run("return Object.keys(__tabwire)") == ["call", "isQuery", "seal", "tell", "ask"]


def test_content_scripts_that_failed_run_again_until_they_have_run(page: ContentPage) -> None:
    page.show("<button>Go</button>")
    page.run("""delete globalThis.__tabwire;
        const given = globalThis.addEventListener;
        globalThis.addEventListener = () => { globalThis.addEventListener = given; throw new Error('halfway'); };""")
    with pytest.raises(JavascriptException, match="halfway"):
        page.inject()
    page.inject()
    assert page.bare_lines() == ['- button "Go"']
