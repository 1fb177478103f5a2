"""Boxes outside the window, and boxes that are cut off: what no one sees in them is counted, not read."""

import pytest

from extension.content_page import ContentPage

TEXT = "Inside <a href=x>Menu</a>"
DRAWER = "position:fixed;top:0;width:280px;height:100%"
UNSEEN = {
    "a drawer at the left": f"<nav style='{DRAWER};left:-280px'>{TEXT}</nav>",
    "a drawer that a class has moved": f"<style>.d {{ {DRAWER}; left:0; transform:translateX(-100%) }}</style><nav class=d>{TEXT}</nav>",
    "a drawer in a layer over the window": (
        f"<div style='position:fixed;inset:0'><div style='width:280px;transform:translateX(-100%)'>{TEXT}</div></div>"
    ),
    "a drawer placed in such a layer": (
        f"<div style='position:fixed;inset:0'><div style='position:absolute;right:-300px;width:280px'>{TEXT}</div></div>"
    ),
    "a drawer of which an empty edge is seen": (f"<nav style='{DRAWER};left:-260px'><div style='width:100px'>{TEXT}</div></nav>"),
    "a sheet below the window": f"<div style='position:fixed;top:100vh;height:200px'>{TEXT}</div>",
    "a box left of the page, in a positioned one": (
        f"<div style='position:relative'><div style='position:absolute;left:-290px;width:280px'>{TEXT}</div></div>"
    ),
    "words that are cut off": (
        f"<div style='overflow:clip;height:20px'><p style='margin:0;height:20px'>First</p><p>{TEXT}</p></div>"
    ),
    "a box beside one that cuts it off": (
        "<div style='overflow:clip;position:relative;width:100px;height:50px'>"
        f"<div style='position:absolute;left:120px'>{TEXT}</div></div>"
    ),
}
SEEN = {
    "an open drawer": f"<nav style='{DRAWER};left:0'>{TEXT}</nav>",
    "what is scrolled to in a fixed box": (
        f"<nav style='{DRAWER};left:0;overflow:auto'><div style='height:3000px'></div><div>{TEXT}</div></nav>"
    ),
    "what is below the window": f"<div style='height:3000px'></div><div>{TEXT}</div>",
    "what a box that cuts off has in it": f"<div style='overflow:clip;height:50px'><p>{TEXT}</p></div>",
    "what escapes such a box": (
        f"<div style='overflow:clip;height:20px'>Less<div style='position:absolute;top:100px'>{TEXT}</div></div>"
    ),
    "what is cut off along the other axis alone": (
        f"<div style='overflow-x:clip;height:20px'><p style='margin:0;height:20px'>First</p><p>{TEXT}</p></div>"
    ),
    "the margin of such a box": (
        "<div style='overflow:clip;overflow-clip-margin:80px;height:20px'><p style='margin:0;height:20px'>First</p>"
        f"<p>{TEXT}</p></div>"
    ),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_nobody_sees_is_not_read(page: ContentPage, name: str) -> None:
    page.show(f"<body>{UNSEEN[name]}")
    answer = page.call("snapshot.capture")
    assert "Inside" not in answer["text"]
    assert "[unseen]" in next(line for line in answer["text"].split("\n") if "Menu" in line)
    assert answer["notes"]["unseen"] == 1


@pytest.mark.parametrize("name", SEEN)
def test_what_can_be_seen_is_read(page: ContentPage, name: str) -> None:
    page.show(f"<body>{SEEN[name]}")
    answer = page.call("snapshot.capture")
    assert "Inside" in answer["text"]
    assert "[unseen]" not in answer["text"]


def test_what_is_no_longer_cut_off_is_read(page: ContentPage) -> None:
    page.show(f"<body>{UNSEEN['words that are cut off']}")
    assert "Inside" not in page.call("snapshot.capture")["text"]
    page.run("document.querySelector('p').animate({ height: ['0', '0'] }, { duration: 1, fill: 'forwards' }).finish()")
    assert "Inside" in page.call("snapshot.capture")["text"]
