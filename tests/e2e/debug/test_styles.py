"""styles: why an element looks as it does, with the places of its rules in the sources that the style sheets were built from."""

import json
import re
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import Joined, ShownPage
from e2e.site import Site
from e2e.worker import Idleness, until_attached

pytestmark = pytest.mark.same_tab

CSS = "text/css"
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(*numbers: int) -> str:
    """Numbers as a segment of a source map."""
    text = ""
    for number in numbers:
        rest = abs(number) << 1 | (number < 0)
        while rest > 31:
            text += DIGITS[rest & 31 | 32]
            rest >>= 5
        text += DIGITS[rest]
    return text


def block(reply: Reply, name: str) -> list[str]:
    """The lines of one property."""
    lines = reply.text.splitlines()
    begin = next((at for at, line in enumerate(lines) if line.startswith(f"{name}:")), None)
    assert begin is not None, reply
    rest = lines[begin + 1 :]
    return [lines[begin], *rest[: next((at for at, line in enumerate(rest) if not line.startswith("  ")), len(rest))]]


def test_each_property_has_the_rule_that_wins_and_those_that_lose(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    built = "@media (min-width:1px){#pay.big{color:var(--ink);colr:red}}\n/*# sourceMappingURL=shop.css.map */"
    # The rule and its first declaration come from line 7 and 8 of a source.
    mappings = [vlq(built.index("#pay"), 0, 6, 2), vlq(built.index("color") - built.index("#pay"), 0, 1, 2)]
    shop_map = {"version": 3, "sources": ["src/shop.scss"], "names": [], "mappings": ",".join(mappings)}
    site.serve("/shop.css.map", json.dumps(shop_map), "application/json")
    sheet = site.serve("/shop.css", built, CSS)
    style = """@layer base, theme;
:root { --ink: var(--navy); --navy: rgb(1, 2, 3); --gap: 4px }
main { font-size: 30px; tab-size: 3 !important }
@layer base { #pay { opacity: .5 !important; margin: var(--gap) 2px } }
@layer theme { button { opacity: 1 !important; color: blue } }
.big { color: green; background: url(data:image/png;base64,AAAA) no-repeat }
button { font: inherit; background-color: pink; padding: 9px; width: var(--nowhere) }"""
    body = "<main><button id=pay class=big style='padding: 1px 3px'>Pay</button></main>"
    tabwire.open(site.page(f"<style>{style}</style><link rel=stylesheet href={sheet}>{body}"))
    reply = tabwire.ok("styles", selector="#pay")
    computed = "getComputedStyle(document.getElementById('pay'))"
    for name in ("color", "opacity", "margin", "padding", "width", "font-size", "tab-size"):
        assert block(reply, name)[0] == f"{name}: {page.evaluate(f'{computed}[{json.dumps(name)}]')}", name
    where = re.escape(page.url.removeprefix(site.origin))
    color = block(reply, "color")
    assert color[1] == "  = color: var(--ink) — #pay.big @media (min-width: 1px) (/src/shop.scss:8:5 [/shop.css:1:33])"
    assert re.fullmatch(rf"    --ink: var\(--navy\) — :root \({where}:3:\d+\), inherited from @e\d+ <html>", color[2]), color
    assert color[3].startswith("    --navy: rgb(1, 2, 3) — :root"), color
    losers = [line.partition(" — ")[::2] for line in color[4:]]
    assert [line[0] for line in losers][:2] == ["  × color: green", "  × color: blue"], color
    assert losers[0][1].endswith("(less specific: 0,1,0 < 1,1,0)"), color
    assert losers[1][1].endswith("(layer theme is weaker than no layer)"), color
    opacity = block(reply, "opacity")
    assert opacity[1].startswith("  = opacity: .5 !important — #pay @layer base"), opacity
    assert opacity[2].endswith("(layer theme is weaker than layer base for !important)"), opacity
    won, *lost = block(reply, "padding")[1:]
    assert won == "  = padding: 1px 3px — style attribute"
    (nine,) = lost
    assert nine.startswith("  × padding: 9px — button (") and nine.endswith("(the style attribute is stronger)"), nine
    assert block(reply, "font-size")[1].startswith("  = font: inherit — button")
    assert re.fullmatch(r"    from font-size: 30px — main \(.*\), inherited from @e\d+ <main>", block(reply, "font-size")[2])
    assert block(reply, "margin")[1].startswith("  = margin: var(--gap) 2px — #pay @layer base")
    assert "    --nowhere is declared nowhere" in block(reply, "width")
    assert "inherited from @e" in block(reply, "tab-size")[1]
    assert "Not understood by Chrome:" in reply.text and "colr: red — #pay.big" in reply.text
    assert "Box: " in reply.text and "padding 1px 3px" in reply.text
    # A short answer for a single property; of one that nobody sets too.
    short = tabwire.ok("styles", selector="#pay", properties=["color", "float", "background"])
    assert [one["name"] for one in short.data["properties"]][:2] == ["color", "float"]
    assert "float: none — declared nowhere" in short.text and "margin:" not in short.text
    background = block(short, "background-color")
    assert background[1].startswith("  = background: url(") and background[2].startswith("  × background-color: pink")
    assert "more propert" in tabwire.ok("styles", selector="#pay", max_properties=1).text


HIDDEN = """<style>.off { display: none } .veil { position: fixed; inset: 0; background: red } .sr { opacity: 0 }
.cut { overflow: hidden; width: 50px; height: 20px; position: relative } .far { position: absolute; left: 90px }</style>
<div class=off><b id=inner>in</b></div><div style='visibility: hidden'><b id=unseen>no</b></div><b id=faint class=sr>faint</b>
<div class=cut><b id=out class=far>out</b></div><details><summary>More</summary><b id=folded>folded</b></details>
<div style='transform: rotate(1deg)'><p style='z-index: 2; position: fixed' id=fixed>fixed</p></div>
<button id=under style='pointer-events: none'>Under</button><button id=covered>Covered</button><div class=veil id=veil></div>"""


def test_what_hides_or_covers_an_element_is_said_with_its_element(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(HIDDEN))

    def said(name: str) -> str:
        return tabwire.ok("styles", selector=f"css=#{name}", properties=["display"]).text

    assert re.search(r'Hidden: display: none on @e\d+ <div class="off">', said("inner"))
    assert re.search(r"Hidden: visibility: hidden, inherited from @e\d+ <div", said("unseen"))
    assert "Hidden: opacity: 0\n" in said("faint")
    assert re.search(r'Hidden: cut off by @e\d+ <div class="cut">.* \(overflow: hidden hidden\)', said("out"))
    assert re.search(r"Hidden: it is in closed @e\d+ <details>", said("folded"))
    fixed = said("fixed")
    assert re.search(r"Containing block: @e\d+ <div>.* \(transform: ", fixed)
    assert "Stacking context: the element itself (position: fixed); z-index 2" in fixed
    assert re.search(r'Covered by @e\d+ <div id="veil"', said("covered"))
    assert "Takes no clicks" in said("under")
    assert "Hidden" not in said("veil") and "Covered" not in said("veil")


def test_styles_reach_into_frames_of_other_sites_and_closed_shadow_trees(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    inner = site.cross_page("<style>#far { color: rgb(9, 8, 7) }</style><b id=far>far</b>")
    shadow = """<div id=host></div><script>host.attachShadow({mode: 'closed'}).innerHTML =
      '<style>:host { color: red } b { border: 1px solid; color: inherit }</style><b>deep</b>'</script>"""
    tabwire.open(site.page(f"<style>#host {{ color: teal }}</style>{shadow}<iframe src='{inner}'></iframe>"))
    tabwire.snapshot()
    far = tabwire.ok("styles", selector="text:far", properties=["color"])
    assert f"  = color: rgb(9, 8, 7) — #far ({inner}:" in far.text, far
    deep = tabwire.ok("styles", selector="text:deep", properties=["color"])
    lines = block(deep, "color")
    assert lines[0] == "color: rgb(0, 128, 128)", lines
    assert lines[1].startswith("  = color: inherit — b") and "color: teal — #host" in lines[2], lines


def test_rules_that_scripts_make_and_maps_that_are_missing_are_said(tabwire: Tabwire, site: Site) -> None:
    site.serve("/lost.css.map", "", status=404)
    sheet = site.serve("/lost.css", "p { color: red }\n/*# sourceMappingURL=lost.css.map */", CSS)
    made = """const one = new CSSStyleSheet(); one.replaceSync('p { margin: 1px }'); document.adoptedStyleSheets = [one];
      s.sheet.insertRule('p { padding: 2px }')"""
    tabwire.open(site.page(f"<link rel=stylesheet href={sheet}><style id=s></style><p>Text</p><script>{made}</script>"))
    reply = tabwire.ok("styles", selector="css=p")
    assert block(reply, "color")[1].endswith("p (/lost.css:1:5)")
    assert "/lost.css is not mapped: its source map" in reply.text and "404" in reply.text
    assert "margin: 1px — p (a style sheet made by a script)" in reply.text
    assert "padding: 2px — p (a rule inserted by a script)" in reply.text


def test_the_debugger_leaves_a_browser_of_the_users_own(own: Joined, anna: Tabwire, site: Site) -> None:
    anna.open(site.page("<style>p { color: red }</style><p>Text</p>"))
    with Idleness(own.browser) as idleness:
        assert "color: red — p" in anna.ok("styles", selector="css=p").text
        idleness.end()
        until_attached(own.browser, 0)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"selector": "css=#nowhere", "timeout": 50}, "no_such_element"),
        ({"selector": "css=p"}, "ambiguous_selector"),
        ({"selector": "css=#p", "properties": []}, "invalid_argument"),
    ],
)
def test_an_element_that_cannot_be_found_is_an_error(tabwire: Tabwire, site: Site, arguments: dict[str, Any], code: str) -> None:
    tabwire.open(site.page("<p id=p>One</p><p>Two</p>"))
    assert tabwire.fails("styles", **arguments).code == code
