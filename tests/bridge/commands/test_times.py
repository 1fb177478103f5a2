"""Times as people write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tabwire.commands.times import epoch_ms, parse

NOW = datetime(2026, 3, 10, 15, 30, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("now", timedelta()),
        ("2 hours ago", timedelta(hours=2)),
        ("1 day ago", timedelta(days=1)),
        ("a week ago", timedelta(weeks=1)),
        ("An  Hour ago", timedelta(hours=1)),
        ("3 months ago", timedelta(days=90)),
    ],
)
def test_relative_times_count_from_now(text: str, ago: timedelta) -> None:
    assert parse(text, now=NOW) == NOW - ago


def test_a_day_begins_at_midnight_and_ends_with_its_last_moment() -> None:
    present = datetime.now().astimezone()
    for text, day in [("today", present), ("yesterday", present - timedelta(days=1)), (present.date().isoformat(), present)]:
        begin, end = parse(text), parse(text, is_end=True)
        assert (begin.date(), begin.hour, begin.minute) == (day.date(), 0, 0)
        assert (end.date(), end.hour, end.minute, end.second) == (day.date(), 23, 59, 59)


def test_a_moment_is_local_unless_it_names_an_offset() -> None:
    assert parse("2026-03-01T14:30+02:00") == datetime(2026, 3, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    assert parse("2026-03-01T14:30") == datetime(2026, 3, 1, 14, 30).astimezone()
    assert parse("2026-03-01T14:30", is_end=True) == datetime(2026, 3, 1, 14, 30).astimezone()


@pytest.mark.parametrize("text", ["", "soon", "ago", "2 fortnights ago", "2026-13-01", "99999 years ago"])
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(ValueError, match="2 hours ago"):
        parse(text, now=NOW)


def test_the_browser_counts_in_milliseconds() -> None:
    assert epoch_ms(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)) == 1000
