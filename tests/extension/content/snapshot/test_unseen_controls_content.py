"""Controls without words that no one can see: traps for robots are marked, hidden controls that others draw are not."""

from extension.content_page import ContentPage

UNSEEN = {
    "a field far to the left": "<input aria-label=Website style='position:absolute;left:-5000px'>",
    "a field in a box far to the left": "<div style='position:absolute;left:-5000px'><label>Fax <input></label></div>",
    "a field that is clipped": "<input aria-label=Website style='position:absolute;clip-path:inset(100%)'>",
    "a field without size": "<input aria-label=Website style='width:0;height:0;border:0;padding:0'>",
    "a list far above": "<select aria-label=Country style='position:absolute;top:-5000px'><option>A</select>",
    "a link without size": "<a href=/trap aria-label=Next style='display:block;width:0;height:0'></a>",
    "an icon outside the window": (
        "<a href=/trap title=Next style='position:fixed;left:-90px;width:16px;height:16px'><svg width=16 height=16></svg></a>"
    ),
    "a button that has faded": "<button aria-label=Delete style='opacity:0'></button>",
}
SEEN = {
    "a field": "<input aria-label=Website>",
    "a box that its label draws": "<label><input type=checkbox style='position:absolute;left:-9999px'> Agree</label>",
    "a transparent field over what is drawn": "<input type=file aria-label=File style='opacity:0'>",
    "the field of a code editor": (
        "<div class=CodeMirror style='position:relative;height:40px'>"
        "<textarea aria-label=Code style='position:absolute;left:-1000px'></textarea></div>"
    ),
    "an icon": "<button aria-label=Close><svg width=16 height=16></svg></button>",
    "an icon that stands out of its link": (
        "<a href=/x aria-label=Home style='position:relative;display:block;height:0'><i style='position:absolute;width:9px;height:9px'></i></a>"
    ),
    "a place in a map": "<map name=m><area href=/x alt=North coords=0,0,9,9></map><img usemap=#m width=9 height=9>",
    "a link without a box": "<a href=/x aria-label=Home style='display:contents'><img width=9 height=9></a>",
    "a field below the window": "<div style='height:3000px'></div><input aria-label=Website>",
}


def test_controls_that_nobody_sees_are_marked(page: ContentPage) -> None:
    texts = page.texts_of_each({name: (f"<body>{html}", {}) for name, html in UNSEEN.items()})
    assert [name for name, (text,) in texts.items() if text.count("[unseen]") != 1] == []


def test_controls_that_are_seen_are_not(page: ContentPage) -> None:
    texts = page.texts_of_each({name: (f"<body>{html}", {}) for name, html in SEEN.items()})
    assert [name for name, (text,) in texts.items() if "[unseen]" in text] == []
