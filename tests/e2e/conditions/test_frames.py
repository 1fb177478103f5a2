"""Acts, pictures and places in frames of each kind: same-site, cross-site, nested, turned, zoomed, and in a zoomed box."""

import base64
import io
import re

import pytest
from PIL import Image

from e2e.client import Tabwire
from e2e.conditions.framed import KINDS, UPRIGHT, ZOOMS, Frames
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = [pytest.mark.conditions, pytest.mark.same_tab]

BOX = re.compile(r"\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]")


@pytest.fixture
def frames(tabwire: Tabwire, site: Site, page: ShownPage) -> Frames:
    return Frames(tabwire, site, page)


def test_a_click_is_one_press_and_one_click_of_the_button_it_names(frames: Frames) -> None:
    frames.each(frames.call("click", "Press"), "click press")
    assert {kind: frames.got(kind).count("pointerdown press") for kind in KINDS} == dict.fromkeys(KINDS, 1)


def test_a_button_below_the_fold_of_its_frame_is_clicked(frames: Frames) -> None:
    frames.each(frames.call("click", "Low"), "click low")


def test_a_double_click_and_a_click_with_the_right_button_arrive(frames: Frames) -> None:
    frames.each(frames.call("dblclick", "Press"), "dblclick press")
    frames.each(frames.call("click", "Rest", button="right"), "contextmenu rest")


def test_a_hover_is_over_the_element_it_names(frames: Frames) -> None:
    frames.each(frames.call("hover", "Rest"), "pointerover rest")


def test_a_box_is_checked_and_an_option_chosen(frames: Frames) -> None:
    frames.each(frames.call("check", "Box"), "change box")
    frames.each(frames.call("select", "List", value="two"), "change list")


def test_a_field_is_filled_and_typed_into(frames: Frames, tabwire: Tabwire) -> None:
    frames.each(frames.call("fill", "Field", value="tea"), "input field")
    frames.forget()
    frames.each(frames.call("type", "Field", text="s", delay=0), "input field")
    values = {line.name: line.text for line in tabwire.lines() if line.role == "textbox"}
    assert [kind for kind in KINDS if "teas" not in values[f"Field {kind}"]] == []


def test_the_focus_moves_into_the_frame_and_keys_go_where_it_is(frames: Frames, tabwire: Tabwire) -> None:
    def focus_and_press(kind: str) -> None:
        frames.call("focus", "Field")(kind)
        tabwire.ok("press", key="a")

    frames.each(focus_and_press, "input field")
    assert [kind for kind in KINDS if "focusin field" not in frames.got(kind)] == []


def test_the_wheel_turns_what_it_is_over(frames: Frames) -> None:
    frames.each(frames.call("scroll", "Scroller", direction="down", amount=120), "scrolled to 120 of scroller")


def test_a_knob_is_dragged_to_its_zone(frames: Frames, tabwire: Tabwire) -> None:
    frames.each(
        lambda kind: tabwire.ok("drag", source=frames.refs[f"Knob {kind}"], target=frames.refs[f"Zone {kind}"]),
        "dropped on zone",
    )


def test_the_bounds_of_a_button_are_where_it_is_hit(frames: Frames, tabwire: Tabwire) -> None:
    """A click at the middle of the bounds, as a client makes it that knows nothing but them."""

    def click_at_bounds(kind: str) -> None:
        frames.call("scroll", "Press", into_view=True)(kind)
        line = next(line for line in tabwire.lines(include_bounds=True) if line.name == f"Press {kind}")
        box = BOX.search(line.text)
        assert box, line.text
        x, y, width, height = map(float, box.groups())
        tabwire.ok("click", coordinates={"x": x + width / 2, "y": y + height / 2})
        if kind in UPRIGHT:
            assert (width, height) == pytest.approx((90 * ZOOMS.get(kind, 1), 20 * ZOOMS.get(kind, 1)), abs=1), kind

    frames.each(click_at_bounds, "click press")


def test_a_picture_of_an_element_shows_it_and_nothing_else(frames: Frames) -> None:
    pictures = {}
    for kind in UPRIGHT:
        (shot,) = frames.call("screenshot", "Red")(kind).images
        picture = Image.open(io.BytesIO(base64.b64decode(shot.data))).convert("RGB")
        # Where an edge lies between two device pixels it has a colour between the two.
        inside = picture.crop((2, 2, picture.width - 2, picture.height - 2))
        pictures[kind] = (picture.size, inside.getcolors())
    for kind, (size, colours) in pictures.items():
        zoom = ZOOMS.get(kind, 1)
        assert size == pytest.approx((40 * zoom, 20 * zoom), abs=1), pictures
        assert [colour for _, colour in colours or []] == [(255, 0, 0)], pictures


def test_a_picture_of_the_full_page_shows_what_is_in_each_frame(tabwire: Tabwire, frames: Frames) -> None:
    """Some of them are below the fold, and one is in a frame there: the window has shown nothing of it yet."""
    reply = tabwire.ok("screenshot", full_page=True)
    picture = Image.open(io.BytesIO(base64.b64decode(reply.images[0].data))).convert("RGB")
    reds = {
        (x // 400, y // 290)
        for x in range(0, picture.width, 8)
        for y in range(0, picture.height, 8)
        if picture.getpixel((x, y)) == (255, 0, 0)
    }
    assert len(reds) == len(KINDS), sorted(reds)


def test_a_picture_of_an_element_in_a_turned_frame_has_it_in_its_middle(frames: Frames) -> None:
    (shot,) = frames.call("screenshot", "Red")("turned").images
    picture = Image.open(io.BytesIO(base64.b64decode(shot.data))).convert("RGB")
    middle = picture.crop((picture.width // 2 - 8, picture.height // 2 - 4, picture.width // 2 + 8, picture.height // 2 + 4))
    assert middle.getcolors() == [(128, (255, 0, 0))]
