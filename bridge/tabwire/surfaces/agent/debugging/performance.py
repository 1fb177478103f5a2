"""Performance of a page in words: what took long, and the element, request or function to blame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tabwire.commands.performance import (
    BlamedScript,
    Insights,
    InsightsResult,
    Interaction,
    LargestContent,
    LayoutShift,
    LongFrame,
)
from tabwire.surfaces.agent.debugging.phrases import cut, foot_of, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined

LARGEST_MS = (2500.0, 4000.0)
"""Largest content: good up to the first, poor beyond the second (https://web.dev/articles/vitals)."""
SHIFT_SCORES = (0.1, 0.25)
"""Layout shifts: the same."""
INTERACTION_MS = (200.0, 500.0)
"""Interactions: the same."""
LATE_REQUEST_MS = 300.0
"""A request for the largest content that begins so long after the first byte was not found in the document at once."""
MAX_ADDRESS = 120
WITHIN = "Functions of long frames are those that Chrome called; code_profile measures the ones that they call"
PARTS = ("first byte", "until its request", "its request", "waiting", "listeners", "until painted")
"""Parts of times in the order in which they come."""


def _text(command: Insights, result: InsightsResult) -> Words:
    """The reply: our own verdicts outside the fence of what the page has named."""
    since = f"{_ms(result['since'])} after the navigation" if "since" in result else "the navigation"
    inner = [WITHIN] if any(frame["scripts"] for frame in result["frames"]["worst"]) else []
    return joined("\n", [f"Measured since {since}:", PageText("\n".join(insight_lines(result))), *inner, *foot_of(result)])


def insight_lines(result: InsightsResult) -> Iterator[str]:
    """The measurements, a line each."""
    load = result.get("load", {})
    if load:
        yield "Load: " + ", ".join(f"{name} {_ms(time)}" for name, time in sorted(load.items(), key=lambda one: one[1]))
    if "largest" in result:
        yield from _largest(result["largest"])
    for request in result.get("blocking", []):
        size = f", {request['size'] / 1000:.1f} kB" if "size" in request else ""
        yield f"Blocked the first paint: {cut(request['url'], MAX_ADDRESS)} {_ms(request['ms'])}{size}"
    yield from _shifts(result)
    yield from _interactions(result["interactions"])
    yield from _frames(result)


def _largest(largest: LargestContent) -> Iterator[str]:
    parts = largest["parts"]
    what = " ".join(filter(None, [largest.get("element", "(an element that is gone)"), cut(largest.get("url", ""), MAX_ADDRESS)]))
    yield f"Largest content: {_ms(largest['at'])} ({_verdict(largest['at'], LARGEST_MS)}), {what}: {_sum(parts)}"
    if parts.get("until its request", 0) >= LATE_REQUEST_MS:
        yield "  Its request began late: name it in the document itself (no lazy loading, or a preload link)"


def _shifts(result: InsightsResult) -> Iterator[str]:
    shifts = result["shifts"]
    verdict = f" ({_verdict(shifts['score'], SHIFT_SCORES)})" if shifts["count"] else ""
    yield f"Layout shifts: {shifts['count'] or 'none'}" + (f", score {shifts['score']:g}{verdict}" if verdict else "")
    for shift in shifts["worst"]:
        yield f"  {shift['score']:g} at {_ms(shift['at'])}{_causes(shift)}: {_moved(shift)}"


def _causes(shift: LayoutShift) -> str:
    causes = " or ".join(f"{one['element']} ({one['height']:g} px high)" for one in shift.get("causes", []))
    return f", perhaps pushed by {causes}" if causes else ""


def _moved(shift: LayoutShift) -> str:
    return "; ".join(
        f"{one.get('element', '(an element that is gone)')} {_change(one['before'], one['after'])}" for one in shift["moved"]
    )


def _change(before: list[float], after: list[float]) -> str:
    if not any(before):
        return f"appeared at {after[0]:g},{after[1]:g}"
    if not any(after):
        return f"went from {before[0]:g},{before[1]:g}"
    moved = f"moved from {before[0]:g},{before[1]:g} to {after[0]:g},{after[1]:g}" if before[:2] != after[:2] else ""
    sized = f"became {after[2]:g}×{after[3]:g} ({before[2]:g}×{before[3]:g} before)" if before[2:] != after[2:] else ""
    return " and ".join(filter(None, [moved, sized])) or "moved"


def _interactions(interactions: list[Interaction]) -> Iterator[str]:
    yield "Slow interactions: " + ("none" if not interactions else str(len(interactions)))
    for one in interactions:
        where = f" on {one['element']}" if "element" in one else ""
        verdict = _verdict(one["ms"], INTERACTION_MS)
        yield f"  {one['type']}{where}{_frame(one)} at {_ms(one['at'])}: {_ms(one['ms'])} ({verdict}) = {_sum(one['parts'])}"


def _frames(result: InsightsResult) -> Iterator[str]:
    frames = result["frames"]
    if not frames["count"]:
        yield "Long frames: none"
        return
    yield f"Long frames: {frames['count']}, which blocked the page for {_ms(frames['blocked_ms'])}"
    for frame in frames["worst"]:
        yield f"  at {_ms(frame['at'])}{_frame(frame)}: {_ms(frame['ms'])}, blocked {_ms(frame['blocked_ms'])}{_rendering(frame)}"
        yield from (f"    {_script(script)}" for script in frame["scripts"])
    if frames["by_site"]:
        told = sorted(frames["by_site"].items(), key=lambda one: -one[1])
        yield "  Script time in them by site: " + ", ".join(f"{site} {_ms(time)}" for site, time in told)


def _rendering(frame: LongFrame) -> str:
    return f", {_ms(frame['rendering_ms'])} of it rendering" if "rendering_ms" in frame else ""


def _script(script: BlamedScript) -> str:
    name, place = script.get("name", ""), script.get("place", "")
    where = f"{name} ({place})" if name and place else name or place
    layout = f", {_ms(script['layout_ms'])} of it layout that the script forced" if "layout_ms" in script else ""
    invoker = cut(script["invoker"], MAX_ADDRESS)
    return f"{_ms(script['ms'])} {invoker}{f' → {where}' if where and where != invoker else ''}{layout}"


def _sum(parts: Mapping[str, float]) -> str:
    return " + ".join(f"{_ms(parts[name])} {name}" for name in PARTS if name in parts)


def _frame(one: Mapping[str, object]) -> str:
    return f" in frame {one['frameId']}" if "frameId" in one else ""


def _verdict(value: float, bounds: tuple[float, float]) -> str:
    good, poor = bounds
    return "good" if value <= good else f"poor, good is {good:g} at most" if value > poor else f"good is {good:g} at most"


def _ms(time: float) -> str:
    return f"{time:,.0f} ms" if time >= 10 else f"{time:g} ms"


RUNS: Runs = {Insights: tells(_text)}
