"""The measured work. Each function gives the times of its repetitions, in ms, once the page has shown that all were done."""

import base64
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pages.page_state import CHANGE

from servers.measured_pages import FIELDS, MeasuredPage, MeasuredPages
from servers.server import Server, Unverified
from servers.stdio_client import Called
from servers.table import Goal
from servers.tools import Filled

LIMIT_S = 4.0
LEAST = 3
MIN_IMAGE_BYTES = 1_000
IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"RIFF")
NAMES = [f"Field {number}" for number in range(FIELDS)]
_texts = itertools.count(1)


@dataclass(frozen=True)
class Stage:
    """The pages, and how often a piece of work is repeated in one round."""

    pages: MeasuredPages
    times: int

    def repeated(self, work: Callable[[], float], share: float = 1.0) -> list[float]:
        """The results of the repetitions; slow work is repeated less often, but three times.

        Args:
            share: The part of the usual number of repetitions, for work with long preparations.
        """
        wanted = max(1, round(self.times * share))
        began, found = time.perf_counter(), [work()]
        while len(found) < wanted and (len(found) < LEAST or time.perf_counter() - began < LIMIT_S):
            found.append(work())
        return found


Measure = Callable[[Server, Stage], list[float]]


@dataclass(frozen=True)
class Work:
    """Work that is a row of the table."""

    name: str
    measure: Measure
    goal: Goal


def _expect(condition: bool, says: str) -> None:
    if not condition:
        raise Unverified(says)


def _clicks(page: Callable[[MeasuredPages], MeasuredPage]) -> Measure:
    def measure(server: Server, stage: Stage) -> list[float]:
        shown = page(stage.pages)
        server.open(shown)
        (target,) = server.targets(shown, "button", "Press")
        times = stage.repeated(lambda: server.call(server.tools.click(target)).elapsed_ms)
        clicked = server.look("count")
        _expect(clicked == len(times), f"the page saw {clicked} of {len(times)} clicks")
        return times

    return measure


def _fill(server: Server, stage: Stage) -> list[float]:
    server.open(stage.pages.form)
    (target,) = server.targets(stage.pages.form, "textbox", NAMES[0])
    wanted: list[str] = []

    def fill() -> float:
        wanted.append(f"text {next(_texts)}")
        return server.call(server.tools.fill(target, wanted[-1])).elapsed_ms

    times = stage.repeated(fill)
    _expect_seen(server, wanted)
    return times


def _expect_seen(server: Server, wanted: list[str]) -> None:
    """The page had an input event with each of the texts in its field."""
    missing = set(wanted) - set(server.look("seen"))
    _expect(not missing, f"the page did not see {len(missing)} of {len(wanted)} texts")


def _form(fill: Callable[[Server, Filled], float]) -> Measure:
    def measure(server: Server, stage: Stage) -> list[float]:
        server.open(stage.pages.form)
        targets = server.targets(stage.pages.form, "textbox", *NAMES)
        wanted: list[str] = []

        def once() -> float:
            texts = [f"text {next(_texts)}" for _ in NAMES]
            wanted.extend(texts)
            return fill(server, list(zip(NAMES, targets, texts, strict=True)))

        times = stage.repeated(once, 0.5)
        _expect_seen(server, wanted)
        return times

    return measure


def _at_once(server: Server, fields: Filled) -> float:
    return server.call(server.tools.fill_form and server.tools.fill_form(fields)).elapsed_ms


def _one_by_one(server: Server, fields: Filled) -> float:
    return sum(server.call(server.tools.fill(target, text)).elapsed_ms for _, target, text in fields)


def _evaluate(server: Server, stage: Stage) -> list[float]:
    """A script that only reads."""
    server.open(stage.pages.named)
    length = int(server.look("document.title.length"))

    def evaluate() -> float:
        number = next(_texts) * 1_000_003
        called = server.call(server.tools.evaluate(f"document.title.length + {number}"))
        _expect(str(length + number) in called.text, f"the reply lacks the value {length + number}: {called.text[:100]}")
        return called.elapsed_ms

    return stage.repeated(evaluate)


def _evaluate_change(server: Server, stage: Stage) -> list[float]:
    """A script that changes the page."""
    server.open(stage.pages.small)
    number = next(_texts) * 1_000_003

    def evaluate() -> float:
        called = server.call(server.tools.evaluate(f"(globalThis.evaluated = (globalThis.evaluated ?? {number}) + 1)"))
        done.append(number + len(done) + 1)
        _expect(str(done[-1]) in called.text, f"the reply lacks the value {done[-1]}: {called.text[:100]}")
        return called.elapsed_ms

    done: list[int] = []
    times = stage.repeated(evaluate)
    _expect(server.look("globalThis.evaluated") == done[-1], "the page does not hold the value")
    return times


def _told(step: str, expression: str) -> Measure:
    """Work whose reply must have a value that the page itself tells."""

    def measure(server: Server, stage: Stage) -> list[float]:
        server.open(stage.pages.named)
        wanted = str(server.look(expression))

        def ask() -> float:
            called = server.call(getattr(server.tools, step))
            _expect(wanted in called.text, f"the reply lacks {wanted!r}: {called.text[:100]}")
            return called.elapsed_ms

        return stage.repeated(ask)

    return measure


def _first(page: Callable[[MeasuredPages], MeasuredPage]) -> Measure:
    """The first snapshot after a navigation, of a page that has come to rest."""

    def measure(server: Server, stage: Stage) -> list[float]:
        def snapshot() -> float:
            server.open(page(stage.pages))
            return server.snapshot(page(stage.pages)).elapsed_ms

        return stage.repeated(snapshot, 0.4)

    return measure


def _again(page: Callable[[MeasuredPages], MeasuredPage]) -> Measure:
    """Further snapshots; the page has changed before each, so that none can be a kept answer."""

    def measure(server: Server, stage: Stage) -> list[float]:
        server.open(page(stage.pages))
        server.snapshot(page(stage.pages))

        def snapshot() -> float:
            server.look(CHANGE)
            is_changed = server.look("document.getElementById('bench-change') !== null")
            called = server.snapshot(page(stage.pages))
            _expect(("changed" in called.text) == is_changed, "the snapshot does not show the change")
            return called.elapsed_ms

        return stage.repeated(snapshot)

    return measure


def _unchanged(page: Callable[[MeasuredPages], MeasuredPage]) -> Measure:
    def measure(server: Server, stage: Stage) -> list[float]:
        if server.tools.diff is None:
            server.call(None)
        server.open(page(stage.pages))
        server.call(server.tools.snapshot)
        # The first answer may be a whole one, with which those after it are compared.
        server.call(server.tools.diff)

        def ask() -> float:
            called = server.call(server.tools.diff)
            _expect("Buy" not in called.text, f"the reply tells of changes: {called.text[:100]}")
            return called.elapsed_ms

        times = stage.repeated(ask)
        # A change must still be told, or the answers above were none.
        server.look(CHANGE)
        _expect("changed" in server.call(server.tools.diff).text, "a change is not told")
        return times

    return measure


def _screenshot(server: Server, stage: Stage) -> list[float]:
    server.open(stage.pages.real)

    def screenshot() -> float:
        called = server.call(server.tools.screenshot)
        _expect_image(called)
        return called.elapsed_ms

    return stage.repeated(screenshot)


def _expect_image(called: Called) -> None:
    images = [base64.b64decode(image) for image in called.images]
    is_image = any(image.startswith(IMAGES) and len(image) > MIN_IMAGE_BYTES for image in images)
    _expect(is_image, f"the reply has no picture: {called.text[:200]}")


def _snapshots(label: str, page: Callable[[MeasuredPages], MeasuredPage], first: float, again: float) -> Iterator[Work]:
    yield Work(f"snapshot, {label}, first after a navigation", _first(page), Goal(first, first))
    yield Work(f"snapshot, {label}, again", _again(page), Goal(again, again))


WORK: dict[str, Work] = {
    "click": Work("click, with effects", _clicks(lambda pages: pages.pressed), Goal(8, 10)),
    "click_50000": Work("click on a page of 50,000 nodes", _clicks(lambda pages: pages.nodes), Goal(15, 15)),
    "fill": Work("fill", _fill, Goal(8, 8)),
    "form": Work("ten fields in one call", _form(_at_once), Goal(40, 40)),
    "fields": Work("ten fields one by one", _form(_one_by_one), Goal()),
    "title": Work("title", _told("title", "document.title"), Goal(2.5, 2.5)),
    "url": Work("url", _told("url", "location.href"), Goal(2.5, 2.5)),
    **dict(zip(("controls_first", "controls"), _snapshots("2,000 controls", lambda pages: pages.controls, 60, 25), strict=True)),
    **dict(zip(("real_first", "real"), _snapshots("real article", lambda pages: pages.real, 100, 60), strict=True)),
    "diff": Work("unchanged page with diff, 2,000 controls", _unchanged(lambda pages: pages.controls), Goal(3, 3)),
    "diff_50000": Work("unchanged page with diff, 50,000 nodes", _unchanged(lambda pages: pages.nodes), Goal(5, 5)),
    "small": Work("snapshot, small page", _again(lambda pages: pages.small), Goal(floors=1.5)),
    "shadow": Work("snapshot, 20 shadow roots", _again(lambda pages: pages.shadow), Goal(floors=1.5)),
    "screenshot": Work("screenshot", _screenshot, Goal(40, 40)),
    # Last: scripts attach the debugger in the user's own browser, and acts after them would be trusted ones.
    "evaluate": Work("evaluate, a script that reads", _evaluate, Goal(4, 4)),
    "evaluate_change": Work("evaluate, a script that changes the page", _evaluate_change, Goal()),
}
