"""Animated GIF.

Pillow finds the colours and compresses; the frames are put together here, one at a time. `Image.save` would hold all of them in
memory and would join frames that look the same, so that fewer would be in the file than were taken.
"""

import io
import struct
from collections.abc import Iterator, Sequence

from PIL import GifImagePlugin, Image, ImageChops

COLOURS = 256
FOREVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
UNCHANGED = (0, 0, 1, 1)


def write_gif(pictures: Iterator[bytes], lengths: Sequence[int]) -> bytes:
    """A GIF that plays forever; of each frame only the rectangle that changed is stored."""
    out = io.BytesIO()
    before: Image.Image | None = None
    for picture, length in zip(pictures, lengths, strict=True):
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        if before is None:
            out.write(b"GIF89a" + struct.pack("<HHBBB", *image.size, 0x70, 0, 0) + FOREVER)
        box = changed(before, image)
        part = image.crop(box).quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        out.writelines(GifImagePlugin.getdata(part, box[:2], duration=length, disposal=1, include_color_table=True))
        before = image
    out.write(b";")
    return out.getvalue()


def changed(before: Image.Image | None, image: Image.Image) -> tuple[int, int, int, int]:
    """The rectangle in which an image differs from the one before; one pixel where it does not."""
    if before is None:
        return (0, 0, *image.size)
    return ImageChops.difference(before, image).getbbox() or UNCHANGED
