"""Finding in a page, and cutting pieces out of large ones."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import anyio
import pytest

from tabwire.errors import InvalidArgument, Timeout
from tabwire.surfaces.reader.find import PREVIEW, Matches, find_lines
from tabwire.surfaces.reader.page import PageSnapshot
from tabwire.surfaces.reader.viewport import view_of

pytestmark = pytest.mark.anyio

LARGE = tuple(f"{number:06} The quick brown fox jumps over the lazy dog" for number in range(100_000))
"""5 MB."""


def page(lines: Sequence[str]) -> PageSnapshot:
    return PageSnapshot("https://a.example/", "A", tuple(lines))


async def find(lines: Sequence[str], pattern: str, is_regex: bool = False, *, seconds: float = 10, most: int = 100) -> Matches:
    with anyio.fail_after(60):
        return await find_lines(page(lines), pattern, is_regex, most=most, seconds=seconds)


async def locs(*args: Any, **kwargs: Any) -> list[int]:
    return [match.loc for match in (await find(*args, **kwargs)).listed]


# ---- literal ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "pattern", "expected"),
    [
        (["Alpha", "beta alpha ALPHA", "gamma"], "alpha", [0, 1]),
        (["a.c", "abc"], "a.c", [0]),
        (["(a+)+$", "aaa"], "(A+)+$", [0]),
        (["Straße", "STRASSE"], "straße", [0, 1]),
        (["größer", "GRÖSSER"], "GRÖ", [0, 1]),
        (["one two", "one\u00a0two", "one\ttwo", "one-two"], "one two", [0, 1, 2]),
        (["it ends with one", "two and goes on", "one two"], "one two", [0, 2]),
        (["it ends with one", "two and goes on"], "one\ntwo", [0]),
        (["日本語の文章", "ほか"], "文章", [0]),
        (["a", "", "b"], "b", [2]),
        (["a"], "aa", []),
        ([], "a", []),
    ],
)
async def test_a_literal(lines: list[str], pattern: str, expected: list[int]) -> None:
    assert await locs(lines, pattern) == expected


async def test_a_preview_shows_the_match_in_a_long_line() -> None:
    line = "a " * 500 + "NEEDLE" + " b" * 500
    for lines, pattern, is_regex in (([line], "needle", False), ([line], "NE+DLE", True)):
        (match,) = (await find(lines, pattern, is_regex)).listed
        assert "NEEDLE" in match.preview and match.preview.startswith("…") and match.preview.endswith("…")
        assert len(match.preview) <= PREVIEW + 2
    assert (await find(["NEEDLE" + " b" * 500], "needle")).listed[0].preview.startswith("NEEDLE")
    assert (await find(["  short needle "], "needle")).listed[0].preview == "short needle"


async def test_the_first_matches_are_listed_and_all_are_counted() -> None:
    lines = ["x", "y"] * 50
    for is_regex in (False, True):
        found = await find(lines, "x", is_regex, most=3)
        assert ([match.loc for match in found.listed], found.count) == ([0, 2, 4], 50)


# ---- regular expressions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "pattern", "expected"),
    [
        (["Alpha", "alpha"], "alpha", [1]),
        (["Alpha", "alpha"], "(?i)alpha", [0, 1]),
        (["v1.2", "v10.20", "version"], r"^v\d+\.\d+$", [0, 1]),
        (["", "a", ""], "^$", [0, 2]),
        (["a", "b"], r"a\s*b", []),
        (["größer"], r"\bgrö\w+", [0]),
    ],
)
async def test_a_regular_expression(lines: list[str], pattern: str, expected: list[int]) -> None:
    assert await locs(lines, pattern, True) == expected


@pytest.mark.parametrize("pattern", ["(", "[a", "a**", "(?P<n>a)(?P<n>b)", r"\p{L}", "a{99999999999999999999}", "(?<=a+)b"])
async def test_what_is_no_regular_expression(pattern: str) -> None:
    with pytest.raises(InvalidArgument, match="not a valid regular expression: ") as error:
        await find(["a"], pattern, True)
    assert error.value.next_step and "is_regex false" in error.value.next_step


@pytest.mark.parametrize("pattern", ["", "  ", "\n"])
@pytest.mark.parametrize("is_regex", [False, True])
async def test_nothing_cannot_be_found(pattern: str, is_regex: bool) -> None:
    with pytest.raises(InvalidArgument, match="pattern must not be empty"):
        await find(["a"], pattern, is_regex)


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|aa)+$", r"^(([a-z])+.)+[A-Z]$", "(?:" * 30 + "a?" + "){40}" * 30])
async def test_a_pattern_that_would_take_forever_ends_in_time_and_others_go_on_meanwhile(pattern: str) -> None:
    lines = ["a" * 64 + "!"] * 3
    beats = 0

    async def beat() -> None:
        nonlocal beats
        while True:
            await anyio.sleep(0.02)
            beats += 1

    started = time.monotonic()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat)
        with pytest.raises((Timeout, InvalidArgument)) as error:
            await find(lines, pattern, True, seconds=0.3)
        tasks.cancel_scope.cancel()
    assert time.monotonic() - started < 10
    if isinstance(error.value, Timeout):
        assert beats >= 2, "the bridge was free"
        assert "0.3 s" in error.value.message and error.value.next_step


async def test_a_find_that_is_withdrawn_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = anyio.Event()
    processes = []
    opened = anyio.open_process

    async def noted(*args: Any, **kwargs: Any) -> Any:
        process = await opened(*args, **kwargs)
        processes.append(process)
        begun.set()
        return process

    monkeypatch.setattr("anyio._core._subprocesses.open_process", noted)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            search = partial(find_lines, most=100, seconds=25)
            tasks.start_soon(search, page(["a" * 64 + "!"]), "(a+)+$", True)
            await begun.wait()
            tasks.cancel_scope.cancel()
    assert [process.returncode is not None for process in processes] == [True]


# ---- large pages --------------------------------------------------------------------------------------------------------


async def test_the_viewport_of_a_page_of_5_mb_takes_milliseconds() -> None:
    large = page(LARGE)
    took = []
    for loc in (0, 50_000, 99_990, 10**9) * 5:
        started = time.perf_counter()
        view = view_of(large, loc, 200, 60_000, 100)
        took.append(time.perf_counter() - started)
        assert view.lines == LARGE[view.start : view.end + 1]
    assert min(took) < 0.005


async def test_finding_in_5_mb() -> None:
    assert await locs(LARGE, "099999 the QUICK") == [99_999]
    assert await locs(LARGE, "^0999(98|99) .*dog$", True) == [99_998, 99_999]
