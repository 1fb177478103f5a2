"""Rules that pick the answer from the replies of a session: one for each kind of bug, for both servers.

None knows an expected answer.
"""

import re
from collections.abc import Callable

from bugs.tabwire_sessions import ROUNDS

PLACE = re.compile(r"((?:[\w@.-]*/)*)([\w.-]+\.(?:jsx?|tsx?|css)):(\d+)")
URL = r"https?://[^/\s]+(/[^\s\",]*)"
PLATFORM = re.compile(
    r"(?:HTML|SVG|CSS|DOM|Performance|Node|Event)\w*|\w*(?:Element|Event|EventListener|Paint|Timing|Observer|Controller|List|Error)|"
    r"Object|Array|Map|Set|WeakMap|WeakSet|RegExp|Function|Promise|Text|Range|Document|Window|Date|String|Symbol|Iterator"
)
"""Classes of the language and of browsers, as everybody knows them who looks for a leak."""
NAME_LENGTH = 4
"""Shorter names are those of a minifier."""


def pick(kind: str, replies: list[str]) -> str | None:
    """The answer that a reader takes from the replies, None where they have none."""
    return RULES[kind](replies) if replies else None


def _place(replies: list[str]) -> str | None:
    """The first place in the last reply that lies in no package."""
    own = (found for found in PLACE.finditer(replies[-1]) if "node_modules/" not in found[1])
    return next((f"{found[2]}:{found[3]}" for found in own), None)


def _place_in(mark: str) -> Callable[[list[str]], str | None]:
    """The first place on the lines with a mark, where there are any."""

    def rule(replies: list[str]) -> str | None:
        marked = "\n".join(line for line in replies[-1].splitlines() if mark in line)
        return _place([marked]) or _place(replies)

    return rule


def _failed_request(replies: list[str]) -> str | None:
    """Method, path and status of the request that the last reply is about; the console may give the cause."""
    path = re.search(URL, replies[-1])
    status = re.search(r"(?m)^(?:Status: )?(\d{3})\b", replies[-1])
    is_cors = any("blocked by CORS policy" in text for text in replies)
    if not path or not (status or is_cors):
        return None
    method = re.search(rf"\b([A-Z]+) https?://[^/\s]+{re.escape(path[1])}", "\n".join(replies))
    return f"{method[1] if method else '?'} {path[1]} {'CORS' if is_cors or not status else status[1]}"


def _slow_request(replies: list[str]) -> str | None:
    """The path that took longest."""
    found = re.findall(URL + r' fetch[^"\n]*?([\d.]+) ms', replies[-1])
    return max(found, key=lambda one: float(one[1]), default=(None,))[0]


def _leak(replies: list[str]) -> str | None:
    """The first class of the page that has grown by one object, or several, for each act."""
    grown = re.findall(r"(?m)^(\w+): \+(\d+)", replies[-1]) or re.findall(r"(?m)^\d+,(\w+),\d+,\d+,(\d+),", replies[-1])
    for name, growth in grown:
        is_own = name[0].isupper() and len(name) >= NAME_LENGTH and not PLATFORM.fullmatch(name)
        if is_own and int(growth) and int(growth) % ROUNDS == 0:
            return str(name)
    return None


def _covered(replies: list[str]) -> str | None:
    found = re.search(r'[Cc]overed by [^<\n]*<[^>\n]*?id=\\?"([\w-]+)', replies[-1])
    return found[1] if found else None


def _shift(replies: list[str]) -> str | None:
    """The id, or else the tag, of the first element that is told as moved."""
    _, _, shifts = replies[-1].partition("ayout shift")
    found = re.search(r'@e\d+ <(\w+)(?: id="([\w-]+)")?|(?:elements|cause)\S*\s+- (\w+)(?:#([\w-]+))?', shifts)
    return next((group.lower() for group in (found[2], found[4], found[1], found[3]) if group), None) if found else None


def _blocking(replies: list[str]) -> str | None:
    """The path of the request that blocked longest."""
    told = re.findall(rf"Blocked the first paint: {URL} ([\d,]+) ms", replies[-1])
    urls = dict(re.findall(rf"\b(\d+): {URL}", replies[-1].replace("]", " ]")))
    rows = re.findall(r"(?m)^(\d+);(?:[^;\n]*;){5}([\d,]+) ms", replies[-1])
    told += [(urls[number], ms) for number, ms in rows if number in urls]
    return max(told, key=lambda one: int(one[1].replace(",", "")), default=(None,))[0]


def _audit(replies: list[str]) -> str | None:
    """The first failed rule and the id of its first element."""
    rule = re.search(r"(?m)^(?:- )?([a-z]+(?:-[a-z]+)+) [(\[]", replies[-1])
    element = rule and re.search(r'id=\\?"([\w-]+)', replies[-1][rule.end() :])
    return f"{rule[1]} {element[1]}" if rule and element else None


RULES: dict[str, Callable[[list[str]], str | None]] = {
    "error": _place,
    "timer": _place,
    "requests": _place,
    "failed-request": _failed_request,
    "slow-request": _slow_request,
    "leak": _leak,
    "slow-click": _place,
    "listener": _place_in("(capture)"),
    "style": _place_in("  = "),
    "hidden": _place_in("  = "),
    "covered": _covered,
    "shift": _shift,
    "blocking": _blocking,
    "audit": _audit,
}
