"""Cursors of the reader: what they keep, when they end, and rate limits, by a clock of our own."""

from __future__ import annotations

import pytest

from bridge.surfaces.reader.reading import GUIDE, HITS, NOTES
from tabwire.surfaces.reader.cursors import REMEMBERED, Cursors
from tabwire.surfaces.reader.errors import RateLimited, ResultOutOfRange, UnknownCursor
from tabwire.surfaces.reader.limits import RateLimit
from tabwire.surfaces.reader.page import PageSnapshot

HUGE = PageSnapshot("https://a.example/huge", "Huge", ("x" * 600,))


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def cursors(clock: Clock, *, ttl: float = 60, most: int = 10, max_chars: int = 100_000) -> Cursors:
    return Cursors(ttl, most, max_chars, clock)


def test_a_cursor_is_opaque_and_new_each_time(clock: Clock) -> None:
    live = cursors(clock, most=500)
    names = [live.for_page(NOTES).cursor for _ in range(300)]
    assert len(set(names)) == 300
    assert all(name.startswith("c_") and len(name) == 10 for name in names)


def test_a_cursor_lives_its_time_after_its_last_use(clock: Clock) -> None:
    live = cursors(clock, ttl=60)
    used, unused = live.for_page(GUIDE).cursor, live.for_results("how", HITS).cursor
    clock.now += 59
    assert live.get(used).page is GUIDE
    clock.now += 1
    with pytest.raises(UnknownCursor, match="expired after 60 s without use") as error:
        live.get(unused)
    assert error.value.next_step == "Call search again with the query 'how'."
    assert live.get(used).page is GUIDE
    clock.now += 60
    assert len(live) == 0
    with pytest.raises(UnknownCursor, match="expired"):
        live.get(used)


def test_the_least_recently_used_makes_room(clock: Clock) -> None:
    live = cursors(clock, most=3)
    first, second, third = (live.for_page(GUIDE).cursor for _ in range(3))
    live.get(first)
    live.for_page(NOTES)
    with pytest.raises(UnknownCursor, match="made room for newer ones"):
        live.get(second)
    assert live.get(first).page is live.get(third).page is GUIDE


def test_pages_make_room_by_their_text_and_the_newest_stays_however_long(clock: Clock) -> None:
    live = cursors(clock, max_chars=1000)
    small, one = live.for_page(NOTES).cursor, live.for_page(HUGE).cursor
    live.get(small)
    other = live.for_page(HUGE).cursor
    with pytest.raises(UnknownCursor):
        live.get(one)
    assert len(live) == 2 and live.get(small) and live.get(other)
    longest = live.for_page(PageSnapshot("https://a.example/", "", ("x" * 5000,))).cursor
    assert len(live) == 1 and live.get(longest)


def test_numbers_of_results_are_stable_and_begin_with_one(clock: Clock) -> None:
    live = cursors(clock)
    binding = live.for_results("how", HITS)
    for _ in range(2):
        assert [live.get(binding.cursor).result(number) for number in (1, 2, 3)] == list(HITS)
    for number in (0, -1, 4):
        with pytest.raises(ResultOutOfRange, match="which has 3 results"):
            binding.result(number)


def test_a_result_whose_cursor_is_gone_is_opened_anew(clock: Clock) -> None:
    live = cursors(clock, most=3)
    results = live.for_results("how", HITS)
    live.attach(results, 1, GUIDE)
    other = live.attach(results, 2, NOTES)
    assert live.opened(results, 2) is other
    for _ in range(2):
        live.get(results.cursor)
        live.for_page(NOTES)
    assert live.opened(results, 2) is None
    assert live.attach(results, 2, NOTES).cursor != other.cursor


def test_results_that_ended_while_a_page_was_loaded_do_not_come_back(clock: Clock) -> None:
    live = cursors(clock, most=1)
    results = live.for_results("how", HITS)
    live.for_page(NOTES)
    opened = live.attach(results, 1, GUIDE)
    assert opened.cursor != results.cursor and opened.page is GUIDE
    with pytest.raises(UnknownCursor):
        live.get(results.cursor)


def test_what_is_remembered_of_the_gone_is_limited(clock: Clock) -> None:
    live = cursors(clock, most=1)
    names = [live.for_page(NOTES).cursor for _ in range(REMEMBERED + 3)]
    with pytest.raises(UnknownCursor, match="there is no cursor"):
        live.get(names[0])
    with pytest.raises(UnknownCursor, match="made room"):
        live.get(names[-2])


def test_a_rate_is_that_of_any_minute_and_says_how_long_to_wait(clock: Clock) -> None:
    limit = RateLimit("pages", 2, clock)
    limit.take()
    clock.now += 30
    limit.take()
    clock.now += 29.5
    with pytest.raises(RateLimited, match="2 pages in a minute") as error:
        limit.take()
    assert error.value.data == {"retry_after_s": 1}
    clock.now += 0.5
    limit.take()
    with pytest.raises(RateLimited):
        limit.take()
