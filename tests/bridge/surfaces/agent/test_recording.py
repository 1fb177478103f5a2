"""From frames to a file."""

import io
import struct

import pytest
from PIL import Image, ImageDraw

from tabwire.surfaces.agent.recording import Frame, durations, encode
from tabwire.surfaces.agent.recording.gif import changed


def picture(colour: str, spot: tuple[int, int] | None = None) -> bytes:
    image = Image.new("RGB", (64, 48), colour)
    if spot:
        ImageDraw.Draw(image).rectangle((*spot, spot[0] + 5, spot[1] + 5), fill="white")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def frames(*pictures: bytes) -> list[Frame]:
    return [Frame(content, 100.0 * n) for n, content in enumerate(pictures)]


def test_at_a_fixed_rate_frames_last_until_the_next_one() -> None:
    assert durations([0, 200, 400, 900], "fixed_fps", 5) == [200, 200, 500, 200]


def test_the_last_frame_stands_for_those_that_could_not_be_taken_after_it() -> None:
    assert durations([0, 200, 600], "fixed_fps", 5, 1003) == [200, 400, 400]
    assert durations([0, 200, 400], "fixed_fps", 5, 420) == [200, 200, 200]


def test_rounding_to_hundredths_of_a_second_does_not_add_up() -> None:
    times = [n * 1000 / 30 for n in range(30)]
    shown = durations(times, "fixed_fps", 30)
    assert all(length % 10 == 0 for length in shown)
    assert sum(shown) == 1000


def test_frames_of_acts_are_shown_long_enough_to_see_and_no_longer() -> None:
    assert durations([0, 10, 60_010], "auto_capture", 5) == [1000, 2000, 2000]


def test_a_gif_keeps_frames_that_look_the_same() -> None:
    content = encode("gif", frames(picture("red"), picture("red"), picture("blue")), [100, 200, 300])
    with Image.open(io.BytesIO(content)) as image:
        assert (image.n_frames, image.size, image.info["loop"]) == (3, (64, 48), 0)  # type: ignore[attr-defined]
        seen = []
        for number in range(3):
            image.seek(number)
            seen.append((image.info["duration"], image.convert("RGB").getpixel((9, 9))))
    assert seen == [(100, (255, 0, 0)), (200, (255, 0, 0)), (300, (0, 0, 255))]


def test_a_gif_stores_only_what_changed() -> None:
    one, other = (Image.open(io.BytesIO(picture("red", spot))) for spot in ((10, 10), (20, 12)))
    assert changed(None, one) == (0, 0, 64, 48)
    assert changed(one, other) == (10, 10, 26, 18)
    assert changed(one, one) == (0, 0, 1, 1)
    content = encode("gif", frames(picture("red", (10, 10)), picture("red", (20, 12))), [100, 100])
    with Image.open(io.BytesIO(content)) as image:
        image.seek(1)
        shown = image.convert("RGB")
    assert [shown.getpixel(at) for at in ((12, 12), (22, 14), (40, 40))] == [(255, 0, 0), (255, 255, 255), (255, 0, 0)]


def test_a_webm_has_a_key_frame_for_each_frame() -> None:
    content = encode("webm", frames(picture("red"), picture("red"), picture("blue")), [100, 200, 300])
    assert content.startswith(b"\x1a\x45\xdf\xa3")
    assert b"webm" in content[:96]
    start_code_and_size = b"\x9d\x01\x2a" + struct.pack("<HH", 64, 48)
    assert content.count(start_code_and_size) == 3
    assert struct.pack(">d", 600.0) in content


def test_a_long_webm_is_more_than_one_cluster() -> None:
    content = encode("webm", frames(*[picture("red")] * 5), [20_000] * 5)
    assert content.count(b"\x1f\x43\xb6\x75") == 3
    assert content.count(b"\x9d\x01\x2a") == 5


@pytest.mark.parametrize("kind", ["gif", "webm"])
def test_one_frame_is_enough(kind: str) -> None:
    assert len(encode(kind, frames(picture("red")), [2000])) > 100
