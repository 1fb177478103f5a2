"""Reading of the headers that rule the keeping and listing of a page."""

from collections.abc import Mapping

MAX_FRESH_S = 3600.0


def fresh_s(headers: Mapping[str, str]) -> float:
    """Seconds for which a page need not be asked for again, by Cache-Control."""
    words = [word.strip().lower() for word in headers.get("cache-control", "").split(",")]
    if "no-store" in words or "no-cache" in words:
        return 0.0
    ages = [word.partition("=")[2].strip('" ') for word in words if word.startswith("max-age=")]
    age = float(ages[0][:9]) if ages and ages[0].isdecimal() else 0.0
    passed = headers.get("age", "")
    return min(MAX_FRESH_S, max(0.0, age - (float(passed[:9]) if passed.isdecimal() else 0.0)))


def says_noindex(headers: Mapping[str, str]) -> bool:
    """Whether X-Robots-Tag keeps machines from listing the page."""
    words = headers.get("x-robots-tag", "").lower().replace(",", " ").replace(":", " ").split()
    return "noindex" in words or "none" in words
