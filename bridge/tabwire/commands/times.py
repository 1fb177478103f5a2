"""Points in time as people write them: ISO dates, `today`, `2 hours ago`."""

import re
from datetime import datetime, time, timedelta

_UNITS = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
_AGO = re.compile(rf"(?P<count>\d{{1,6}}|an?|one) (?P<unit>{'|'.join(_UNITS)})s? ago")
_DAYS_BACK = {"today": 0, "yesterday": 1}
_DATE_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}")
EXAMPLES = "2026-03-01, 2026-03-01T14:30, '2 hours ago', 'yesterday', 'today' or 'now'"


def parse(text: str, *, now: datetime | None = None, is_end: bool = False) -> datetime:
    """The moment a text means, in local time unless it names an offset.

    Args:
        now: what relative texts count from.
        is_end: a day stands for its last moment, not for its first.

    Raises:
        ValueError: it is none of the forms; the message shows them.
    """
    wanted = " ".join(text.lower().split())
    present = now or datetime.now().astimezone()
    if wanted == "now":
        return present
    if wanted in _DAYS_BACK:
        return _edge(present - timedelta(days=_DAYS_BACK[wanted]), is_end)
    ago = _AGO.fullmatch(wanted)
    try:
        if ago:
            count = int(ago["count"]) if ago["count"].isdigit() else 1
            return present - count * _UNITS[ago["unit"]]
        moment = datetime.fromisoformat(text.strip())
        # Of that day and not of today: summer time may lie between.
        local = moment if moment.tzinfo else moment.astimezone()
        edge = _edge(local, is_end) if _DATE_ONLY.fullmatch(text.strip()) else local
        # Years at the ends of the calendar have no time in seconds everywhere.
        edge.timestamp()
        return edge
    except (ValueError, OverflowError):
        raise ValueError(f"not a time: write {EXAMPLES}") from None


def _edge(moment: datetime, is_end: bool) -> datetime:
    return datetime.combine(moment.date(), time.max if is_end else time.min).astimezone()


def epoch_ms(moment: datetime) -> float:
    """Milliseconds since 1970."""
    return moment.timestamp() * 1000
