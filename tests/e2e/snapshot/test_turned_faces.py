"""Cards with a front and a back: the face that the page paints is read, and the other one is not."""

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

STYLE = """<style>.card { width: 200px; height: 80px; perspective: 600px }
.inner { position: relative; height: 80px; transform-style: preserve-3d }
.face { position: absolute; inset: 0; background: #ccc; backface-visibility: hidden }
.back { transform: rotateY(180deg) } .turned, [data-turned] { transform: rotateY(180deg) }</style>"""
FACES = (
    "<div class=face>Question<button onclick='pressed = 1'>Show</button></div>"
    "<div class='face back'>Solution<button onclick='pressed = 2'>Hide</button></div>"
)
FRONT = {
    "a card": f"<div class=inner>{FACES}</div>",
    "a card that is turned twice": f"<div class='inner turned'><div class='inner turned'>{FACES}</div></div>",
    "a card on its head": f"<div class=inner style='transform: rotateZ(180deg)'>{FACES}</div>",
    "a card that is tilted": f"<div class=inner style='transform: rotateX(30deg) rotateY(20deg)'>{FACES}</div>",
    "a turned card whose faces lie on its plane": f"<div class='inner turned' style='transform-style: flat'>{FACES}</div>",
    "a turned card that fades": f"<div class='inner turned' style='opacity: .9'>{FACES}</div>",
}
BACK = {
    "a turned card": f"<div class='inner turned'>{FACES}</div>",
    "a card turned upwards": f"<div class=inner style='transform: rotateX(180deg)'>{FACES}</div>",
    "a card turned by an attribute": f"<div class=inner>{FACES}</div><div class=inner data-turned>{FACES}</div>",
    "a card turned by `rotate`": f"<div class=inner style='rotate: y 180deg'>{FACES}</div>",
    "a card turned about an axis": f"<div class=inner style='rotate: 0 1 0 180deg'>{FACES}</div>",
    "a turned card in a card": f"<div class=inner><div class='inner turned'>{FACES}</div></div>",
}


def painted(page: ShownPage) -> str:
    """The face that the last card shows, as Chrome finds it."""
    return str(
        page.evaluate(
            "(() => { const box = [...document.querySelectorAll('.card > .inner')].at(-1).getBoundingClientRect();"
            " return document.elementFromPoint(box.x + box.width / 2, box.y + box.height * 0.7).closest('.face').textContent })()"
        )
    )


@pytest.mark.parametrize("card", [*FRONT, *BACK])
def test_the_face_that_is_seen_is_read(tabwire: Tabwire, page: ShownPage, site: Site, card: str) -> None:
    tabwire.open(site.page(f"{STYLE}<script>pressed = 0</script><div class=card>{({**FRONT, **BACK})[card]}</div>"))
    shown, hidden = ("Question", "Solution") if card in FRONT else ("Solution", "Question")
    assert painted(page).startswith(shown)
    text = tabwire.ok("snapshot").text.rpartition("text:")[2]
    assert shown in text
    assert hidden not in text
    line = next(line for line in tabwire.lines()[::-1] if line.name == ("Show" if card in FRONT else "Hide"))
    assert "[unseen]" not in line.text
    tabwire.ok("click", selector=line.ref)
    assert page.evaluate("pressed") == (1 if card in FRONT else 2)


def test_a_card_is_read_again_after_it_was_turned(tabwire: Tabwire, site: Site) -> None:
    turn = "onclick='this.nextElementSibling.firstChild.classList.toggle(\"turned\")'"
    tabwire.open(site.page(f"{STYLE}<button {turn}>Turn</button><div class=card><div class=inner>{FACES}</div></div>"))
    for shown, hidden in (("Question", "Solution"), ("Solution", "Question"), ("Question", "Solution")):
        text = tabwire.ok("snapshot").text
        assert shown in text
        assert hidden not in text
        tabwire.ok("click", selector="text:Turn")


def test_a_card_without_a_back_still_shows_the_back_of_its_faces(tabwire: Tabwire, site: Site) -> None:
    # Chrome paints it, though a pointer goes through it.
    card = f"<div class='inner turned' style='backface-visibility: hidden'>{FACES}</div>"
    tabwire.open(site.page(f"{STYLE}<div class=card>{card}</div>"))
    text = tabwire.ok("snapshot").text
    assert "Solution" in text
    assert "Question" not in text
