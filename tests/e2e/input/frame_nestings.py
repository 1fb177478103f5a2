"""Random nestings of frames, and what Chrome itself says of the places in them.

The innermost page reports where it sees the pointer. DevTools report the corners of the content of a frame's element, in the
viewport of the frame with a process of its own around it; the map of a frame's viewport onto the window is composed of these.
"""

import html
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from e2e.cdp import Browser, Page
from e2e.site import Site

Point = tuple[float, float]

TRANSFORMS = (
    "",
    "",
    "",
    "transform: translate(7.3px, 4.6px)",
    "transform: scale(.8)",
    "transform: scale(.7, 1.2)",
    "scale: -.9 .9",
    "transform: rotate(11deg)",
    "rotate: 180deg",
    "rotate: 90deg",
    "transform: skew(9deg, -4deg)",
    "transform: perspective(700px) rotateY(24deg)",
    "transform: matrix(.8, .2, -.1, .9, 6, 3)",
)
ZOOMS = ("", "", "", "zoom: 1.25", "zoom: .8", "zoom: 1.5")
FLOWS = (
    "",
    "",
    "",
    "direction: rtl",
    "writing-mode: vertical-rl",
    "columns: 2; height: 140px",
    "position: relative; left: 13.7px",
)
KINDS = ("iframe", "iframe", "iframe", "object", "embed", "shadow", "drawn")
SIZES = ((320, 240), (300, 200), (260, 180))

SHELL = """<!doctype html><meta charset=utf-8><title>{name}</title>
<style>html {{ height: 900px; width: 1500px }} body {{ margin: 0 }} </style>
{body}<script>scrollTo({x}, {y})</script>"""
LEAF = """<!doctype html><meta charset=utf-8><title>leaf</title><body style='margin: 0; overflow: hidden'>
<script>addEventListener('pointermove', ({ clientX, clientY }) => top.postMessage({ x: clientX, y: clientY }, '*'))</script>"""
TOP = "<script>addEventListener('message', ({ data }) => { globalThis.seen = data })</script>"


@dataclass(frozen=True)
class Frame:
    """One frame of a nesting.

    Attributes:
        url: Its address, which no other frame has.
        is_root: Whether it is of another site than the page around it, and so the root of a process.
        size: Of its viewport, in its own CSS pixels.
    """

    url: str
    is_root: bool
    size: tuple[int, int]


class Nesting:
    """A page with a frame in it, a frame in that one, and so on. The innermost one tells the page where it sees the pointer."""

    def __init__(self, site: Site, chance: random.Random) -> None:
        count = chance.randint(1, 3)
        inner, is_cross = site.page(LEAF), False
        self.frames: list[Frame] = []
        self.styles: list[str] = []
        for level in range(count - 1, -1, -1):
            was_cross, is_cross = is_cross, chance.random() < 0.5
            inner = inner.replace(site.origin, site.cross_origin) if was_cross else inner
            element, size, style = framed(inner, level, chance)
            # A frame in a frame is scrolled less far, or it would not be seen.
            scrolled = (chance.randint(0, 40), chance.randint(0, 40)) if chance.random() < 0.6 else (0, 0)
            body = SHELL.format(name=f"level {level}", body=(TOP if level == 0 else "") + element, x=scrolled[0], y=scrolled[1])
            is_cross = is_cross and level > 0
            self.frames.insert(0, Frame(inner, was_cross != is_cross, size))
            self.styles.insert(0, style)
            inner = site.page(body)
        self.url = inner

    @property
    def is_mapped_by_devtools(self) -> bool:
        return all(frame.is_root for frame in self.frames[:-1])

    @property
    def process_count(self) -> int:
        """Number of processes that draw its frames, beside that of the page."""
        return sum(frame.is_root for frame in self.frames)

    @property
    def slack(self) -> float:
        """Device pixels by which Chrome may draw the innermost frame elsewhere: it rounds the place of a frame of another process."""
        return 0.5 * self.process_count

    def points(self, chance: random.Random, count: int) -> Iterator[Point]:
        """Points of the innermost viewport."""
        width, height = self.frames[-1].size
        for _ in range(count):
            yield round(chance.uniform(0.04, 0.96) * width, 2), round(chance.uniform(0.04, 0.96) * height, 2)


def framed(url: str, level: int, chance: random.Random) -> tuple[str, tuple[int, int], str]:
    """A frame's element and what is around it, the size of the frame's viewport, and the styles for messages."""
    width, height = SIZES[min(level, len(SIZES) - 1)]
    edges = [chance.choice((0, 0, 1, 3, 5.5)) for _ in range(4)]
    paddings = [chance.choice((0, 0, 2, 6.25)) for _ in range(4)]
    own = "; ".join(
        style
        for style in (
            f"width: {width}px; height: {height}px; box-sizing: content-box; vertical-align: top",
            f"border-style: solid; border-width: {' '.join(f'{edge}px' for edge in edges)}",
            f"padding: {' '.join(f'{padding}px' for padding in paddings)}",
            chance.choice(TRANSFORMS),
            chance.choice(ZOOMS) if chance.random() < 0.3 else "",
        )
        if style
    )
    around = "; ".join(
        style
        for style in (chance.choice(TRANSFORMS) if chance.random() < 0.5 else "", chance.choice(ZOOMS), chance.choice(FLOWS))
        if style
    )
    kind = chance.choice(KINDS)
    address = html.escape(url)
    tag = {"object": "object data", "embed": "embed src"}.get(kind, "iframe src")
    element = f"<{tag}='{address}' style='{own}'></{tag.split()[0]}>"
    if kind == "shadow":
        element = f"<div><template shadowrootmode=closed>{element}</template></div>"
    if kind == "drawn":
        element = (
            "<svg width=520 height=420 viewBox='0 0 400 320'><foreignObject x=12.5 y=9 width=380 height=300>"
            f"{element}</foreignObject></svg>"
        )
    box = f"position: absolute; left: {chance.uniform(4, 40):.2f}px; top: {chance.uniform(4, 40):.2f}px"
    return f"<div style='{box}'><div style='{around}'>{element}</div></div>", (width, height), f"{kind} [{own}] in [{around}]"


class DevToolsMap:
    """The map of the innermost viewport onto the window, as DevTools know it of a nesting that is shown.

    Chrome leaves transforms and zoom out of the quads of a frame whose parent frame shares its process with another one around it:
    ask only where :attr:`Nesting.is_mapped_by_devtools`.
    """

    def __init__(self, browser: Browser, nesting: Nesting) -> None:
        self._browser = browser
        page = browser.shown()
        self._maps: list[Projection] = []
        for frame in nesting.frames:
            self._maps.append(Projection(frame.size, self._content_quad(page, frame.url)))
            if frame.is_root:
                page = page.frame(frame.url)

    def _content_quad(self, page: Page, url: str) -> list[float]:
        session = self._browser.call("Target.attachToTarget", {"targetId": page.target_id, "flatten": True})["sessionId"]
        try:
            document = self._browser.call("DOM.getDocument", {"depth": -1, "pierce": True}, session)["root"]
            owner = next(node for node in nodes(document) if url in node.get("attributes", ()))
            # DOM.getContentQuads has the border and the padding in its quad. Numbers of nodes end with each document that comes.
            quad: list[float] = self._browser.call("DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]}, session)[
                "model"
            ]["content"]
            return quad
        finally:
            self._browser.call("Target.detachFromTarget", {"sessionId": session})

    def in_frame(self, point: Point) -> Point:
        """The point of the innermost viewport at a point of the window."""
        for step in self._maps:
            point = step.inward(point)
        return point


def nodes(root: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node and all below it, through shadow trees and frames of the same process."""
    yield root
    for child in [*root.get("children", ()), *root.get("shadowRoots", ()), *filter(None, [root.get("contentDocument")])]:
        yield from nodes(child)


class Projection:
    """The projection of a rectangle onto four corners, clockwise from its own upper left one (P. Heckbert, 1989, section 2.2.3)."""

    def __init__(self, size: tuple[int, int], quad: list[float]) -> None:
        self._width, self._height = size
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (quad[at : at + 2] for at in range(0, 8, 2))
        ax, ay, bx, by = x1 - x2, y1 - y2, x3 - x2, y3 - y2
        sx, sy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
        area = ax * by - bx * ay
        g, h = (sx * by - bx * sy) / area, (ax * sy - sx * ay) / area
        self._rows = ((x1 - x0 + g * x1, x3 - x0 + h * x3, x0), (y1 - y0 + g * y1, y3 - y0 + h * y3, y0), (g, h, 1.0))

    def inward(self, point: Point) -> Point:
        (a, b, c), (d, e, f), (g, h, i) = self._rows
        x, y = point
        u = (e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e)
        v = (f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f)
        depth = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d)
        return u / depth * self._width, v / depth * self._height
