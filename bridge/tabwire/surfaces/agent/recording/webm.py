"""WebM.

The picture inside a lossy WebP file is a VP8 key frame, so Pillow is encoder enough, and this file only puts frames into a
Matroska container. Every frame can be sought to. An encoder that stores differences (WebCodecs in an offscreen document of the
extension, or PyAV, 30 MB to install) would make smaller files of long still scenes; it took longer per frame.
"""

import io
import struct
from collections.abc import Iterator, Sequence

from PIL import Image

QUALITY = 80
METHOD = 2
"""Effort of the encoder, from 0 (fast) to 6 (small)."""
MAX_CLUSTER_MS = 30_000
"""Times in a cluster are 16 bit."""

EBML, VERSION, READ_VERSION, MAX_ID, MAX_SIZE = 0x1A45DFA3, 0x4286, 0x42F7, 0x42F2, 0x42F3
DOC_TYPE, DOC_VERSION, DOC_READ_VERSION = 0x4282, 0x4287, 0x4285
SEGMENT, INFO, SCALE, DURATION, MUXER, WRITER = 0x18538067, 0x1549A966, 0x2AD7B1, 0x4489, 0x4D80, 0x5741
TRACKS, TRACK, NUMBER, UID, KIND, LACING, CODEC = 0x1654AE6B, 0xAE, 0xD7, 0x73C5, 0x83, 0x9C, 0x86
VIDEO, WIDTH, HEIGHT = 0xE0, 0xB0, 0xBA
CLUSTER, TIME, GROUP, BLOCK, BLOCK_DURATION = 0x1F43B675, 0xE7, 0xA0, 0xA1, 0x9B
CUES, CUE, CUE_TIME, CUE_PLACE, CUE_TRACK, CUE_CLUSTER = 0x1C53BB6B, 0xBB, 0xB3, 0xB7, 0xF7, 0xF1
VIDEO_TRACK = 1


def write_webm(pictures: Iterator[bytes], lengths: Sequence[int]) -> bytes:
    """A WebM file of VP8 key frames."""
    frames: list[bytes] = []
    size = (0, 0)
    before = b""
    for picture in pictures:
        if picture == before:
            frames.append(frames[-1])
            continue
        image = Image.open(io.BytesIO(picture)).convert("RGB")
        size = image.size
        frames.append(_key_frame(image))
        before = picture
    return _file(frames, lengths, size)


def _key_frame(image: Image.Image) -> bytes:
    """The VP8 chunk of the image as WebP."""
    out = io.BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=METHOD)
    riff = out.getvalue()
    at = 12
    while at < len(riff):
        name, length = struct.unpack_from("<4sI", riff, at)
        if name == b"VP8 ":
            return riff[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    raise ValueError("the WebP encoder wrote no VP8 frame")


def _file(frames: Sequence[bytes], lengths: Sequence[int], size: tuple[int, int]) -> bytes:
    header = _element(
        EBML,
        *(_number(*entry) for entry in ((VERSION, 1), (READ_VERSION, 1), (MAX_ID, 4), (MAX_SIZE, 8))),
        _element(DOC_TYPE, b"webm"),
        _number(DOC_VERSION, 2),
        _number(DOC_READ_VERSION, 2),
    )
    info = _element(
        INFO,
        _number(SCALE, 1_000_000),
        _element(DURATION, struct.pack(">d", sum(lengths))),
        _element(MUXER, b"tabwire"),
        _element(WRITER, b"tabwire"),
    )
    parts = [info, _tracks(size)]
    cues = []
    for start, cluster in _clusters(frames, lengths):
        place = _element(CUE_PLACE, _number(CUE_TRACK, VIDEO_TRACK), _number(CUE_CLUSTER, sum(map(len, parts))))
        cues.append(_element(CUE, _number(CUE_TIME, start), place))
        parts.append(cluster)
    return header + _element(SEGMENT, *parts, _element(CUES, *cues))


def _tracks(size: tuple[int, int]) -> bytes:
    video = _element(VIDEO, _number(WIDTH, size[0]), _number(HEIGHT, size[1]))
    facts = ((NUMBER, VIDEO_TRACK), (UID, 1), (KIND, 1), (LACING, 0))
    return _element(TRACKS, _element(TRACK, *(_number(*fact) for fact in facts), _element(CODEC, b"V_VP8"), video))


def _clusters(frames: Sequence[bytes], lengths: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Clusters with the time each starts at."""
    start = now = 0
    groups: list[bytes] = []
    for frame, length in zip(frames, lengths, strict=True):
        if now - start > MAX_CLUSTER_MS:
            yield start, _element(CLUSTER, _number(TIME, start), *groups)
            start, groups = now, []
        block = struct.pack(">BhB", 0x80 | VIDEO_TRACK, now - start, 0) + frame
        groups.append(_element(GROUP, _element(BLOCK, block), _number(BLOCK_DURATION, length)))
        now += length
    yield start, _element(CLUSTER, _number(TIME, start), *groups)


def _element(name: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return name.to_bytes((name.bit_length() + 7) // 8) + (len(content) | 1 << 56).to_bytes(8) + content


def _number(name: int, value: int) -> bytes:
    return _element(name, value.to_bytes(max(1, (value.bit_length() + 7) // 8)))
