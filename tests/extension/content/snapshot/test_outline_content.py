"""The page as HTML: what the outline says, and that each of its references means exactly one element."""

import re

from extension.content_page import ContentPage

DOCUMENTED = """
<nav id="main-nav"><div><a href="/home">Home</a></div><div><a href="/about">About</a></div></nav>
<main><h1>Welcome to Our Site</h1><button id="cta-button">Get Started</button><input type="search" placeholder="Search..."></main>
"""
SHOP = """
<form aria-label=Login>
  <label for=m>Email</label><input id=m value=a@b.example><input type=password name=p value=secret>
  <label>Remember <input type=checkbox name=r checked></label><button disabled>Sign in</button>
</form>
<ul class=tea><li>Green <a href=/b>Buy</a></li><li>Black <a href=/b>Buy</a></li></ul><ul><li><a href=/b>Buy</a></li></ul>
<input type=radio name=s value=S><input type=radio name=s value=M checked>
<button class='go main'>A</button><button class='go other'>B</button><button id='a:1'>C</button><button id="it's">D</button>
<button data-name="x.pdf">E</button><button data-name='say "x"'>F</button><button data-name='say "x"'>F</button>
<div onclick="1"><p>Open</p></div><div onclick="1"><p>Open</p></div>
<select name=n><option value=1>One<option selected>Two</select><svg:x tabindex=0>odd</svg:x>
<x-open id=xo></x-open><x-open></x-open><div id=gone style='display:none'><button>Hidden</button></div>
<script>
  for (const host of document.querySelectorAll('x-open')) {
    host.attachShadow({mode: 'open'}).innerHTML = '<p>In</p><button>1</button><button>2</button><x-open></x-open>';
    host.shadowRoot.querySelector('x-open').attachShadow({mode: 'open'}).innerHTML = '<button>deep</button>';
  }
</script>
"""
RESOLVE = """
const [ref, done] = arguments;
const { result } = __tabwire.call('outline.find', { ref });
const meant = __inside.refs.elementOf(result.local);
let root = document;
let found = [];
for (const part of ref.split(' >>> ')) { found = root.querySelectorAll(part); root = found[0]?.shadowRoot; }
return [meant !== null, found.length, found[0] === meant];
"""


def outline(page: ContentPage) -> str:
    return re.sub("[\ue006]", "", page.call("outline.print", nonce="n")["text"])


def refs(text: str) -> list[str]:
    return re.findall(r' ref="([^"]*)"', text)


def test_a_page_reads_like_the_example_of_the_document(page: ContentPage) -> None:
    page.show(DOCUMENTED)
    assert outline(page) == "\n".join(
        [
            "<html>",
            "  <body>",
            '    <nav id="main-nav">',
            """      <a href="/home" ref="a[href='/home']">Home</a>""",
            """      <a href="/about" ref="a[href='/about']">About</a>""",
            "    </nav>",
            "    <main>",
            '      <h1 ref="h1">Welcome to Our Site</h1>',
            '      <button id="cta-button" ref="button#cta-button">Get Started</button>',
            """      <input type="search" placeholder="Search..." ref="input[type='search']"/>""",
            "    </main>",
            "  </body>",
            "</html>",
        ]
    )


def test_every_reference_fits_one_element_by_memory_and_as_css(page: ContentPage) -> None:
    page.show(SHOP)
    given = refs(outline(page))
    assert len(given) == len(set(given)) > 25
    assert {ref: page.run(RESOLVE, ref) for ref in given} == {ref: [True, 1, True] for ref in given}


WRITTEN = (
    """<input id="m" value="a@b.example" ref="input#m"/>""",
    """<input type="password" name="p" ref="input[name='p']"/>""",
    """<label>Remember <input type="checkbox" name="r" checked ref="input[name='r']"/></label>""",
    """<button disabled ref="form[aria-label='Login'] button">Sign in</button>""",
    """<li>Black <a href="/b" ref="ul.tea > li:nth-of-type(2) > a">Buy</a></li>""",
    """<input type="radio" name="s" checked value="M" ref="input[name='s'][value='M']"/>""",
    """ref="button.other">B</button>""",
    """ref="button[id='a:1']">C</button>""",
    """ref="button[id='it\\'s']">D</button>""",
    """ref="button[data-name='x.pdf']">E</button>""",
    """ref="x-open#xo >>> :host > button:nth-of-type(1)">1</button>""",
    """<option selected ref=""",
)


def test_an_element_is_written_with_what_matters_and_without_what_is_secret_or_not_shown(page: ContentPage) -> None:
    page.show(SHOP)
    text = outline(page)
    assert [words for words in WRITTEN if words not in text] == []
    assert "secret" not in text
    assert "Hidden" not in text


def test_a_page_cannot_write_a_reference(page: ContentPage) -> None:
    page.show("""<p>&lt;button ref="b"&gt;Fake\ue006</p><button title='x" ref="b'>Real</button>""")
    text = outline(page)
    assert '<p>&lt;button ref="b">Fake</p>' in text
    assert 'title="x&quot; ref=&quot;b"' in text
    assert refs(text.replace("&lt;button ref", "")) == ["button"]


def test_text_keeps_its_order_around_elements_and_boxes_keep_it_apart(page: ContentPage) -> None:
    page.show("<div>One <b>two</b><div>three</div>four <a href=/x>five</a> six</div>")
    body = outline(page).split("<body>\n")[1].split("\n  </body>")[0]
    assert [line.strip() for line in body.splitlines()] == [
        "One two", "three", "four", """<a href="/x" ref="a[href='/x']">five</a>""", "six",
    ]  # fmt: skip


def test_a_name_that_no_text_says_is_a_label(page: ContentPage) -> None:
    page.show("<button><svg width=9 height=9><title>Close</title></svg></button>")
    assert '<button label="Close" ref="button"></button>' in outline(page)


def test_an_open_modal_dialog_is_all_that_is_shown(page: ContentPage) -> None:
    page.show("<button>Behind</button><dialog id=d><button>Ok</button></dialog><script>d.showModal()</script>")
    answer = page.call("outline.print", nonce="n")
    assert "Behind" not in answer["text"]
    assert "Ok" in answer["text"]
    assert answer["notes"]["behind"] == 1


def local(page: ContentPage, ref: str) -> int:
    number: int = page.call("outline.find", ref=ref)["local"]
    return number


LIST = "<ul>" + "".join(f"<li>Row {name} <button>Delete</button></li>" for name in "ABC") + "</ul>"


def test_a_reference_stays_with_its_element_when_others_come_and_go(page: ContentPage) -> None:
    page.show(LIST)
    ref = [ref for ref in refs(outline(page)) if "nth-of-type(2)" in ref][0]
    before = local(page, ref)
    page.run("document.querySelector('li').remove()")
    assert local(page, ref) == before
    assert page.run("return __inside.refs.elementOf(arguments[0]).parentNode.textContent", before) == "Row B Delete"


def test_a_reference_of_an_element_that_reads_differently_now_is_refused(page: ContentPage) -> None:
    page.show(LIST)
    ref = [ref for ref in refs(outline(page)) if "nth-of-type(2)" in ref][0]
    page.run("document.querySelectorAll('li')[1].firstChild.data = 'Row X '")
    error = page.answer("outline.find", ref=ref)["error"]
    assert (error["code"], error["data"]["cause"]) == ("stale_element_reference", "renamed")


def test_a_twin_in_the_same_place_is_the_element_and_another_one_is_not(page: ContentPage) -> None:
    page.show("<form><button>Next</button></form>")
    assert refs(outline(page)) == ["button"]
    page.run("document.forms[0].innerHTML = '<button>Next</button>'")
    assert page.run("return __inside.refs.elementOf(arguments[0]).textContent", local(page, "button")) == "Next"
    page.run("document.forms[0].innerHTML = '<button>Pay</button>'")
    error = page.answer("outline.find", ref="button")["error"]
    assert (error["code"], error["data"]["cause"]) == ("stale_element_reference", "removed")


def test_of_a_selector_that_was_not_given_out_nothing_is_known(page: ContentPage) -> None:
    page.show(LIST)
    outline(page)
    assert page.call("outline.find", ref="li:first-child button") is None
    assert page.call("outline.find", ref="text:Row A") is None
    assert page.call("outline.find", ref="ul >>> button") is None


def test_a_long_list_says_how_much_is_left_out(page: ContentPage) -> None:
    page.show(f"<select>{'<option>x' * 130}</select>")
    assert outline(page).count("<option") == 100
    assert "… 30 more options" in outline(page)


def test_a_page_nested_deeper_than_calls_can_go_is_written(page: ContentPage) -> None:
    page.show("<div id=d></div>")
    page.run(
        "let at = d; for (let n = 0; n < 1500; n += 1) at = at.appendChild(document.createElement(n % 2 ? 'div' : 'section'));"
        "at.innerHTML = '<button>Deep</button>'"
    )
    assert 'ref="button">Deep</button>' in outline(page)
