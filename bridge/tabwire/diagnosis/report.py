"""Findings of a diagnosis, hop by hop. Plain values: no I/O."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

HopName = Literal["server", "extension", "worker", "page"]
"""The way of a call: this program, the extension that has joined it, its service worker, a script in the page."""


@dataclass(frozen=True, slots=True)
class Hop:
    """Result of a check on one hop."""

    hop: HopName
    ok: bool | None
    """True: it was seen to work. False: it does not. None: it was not tried, or says nothing about whether all is well."""
    detail: str = ""
    fix: str = ""
    """The one thing to do about it."""
    ms: float | None = None
    """Time of its round trip, in milliseconds."""
    browser: str | None = None
    kind: str | None = None
    """State of a page: ok, restricted, dialog, frozen, discarded, loading or none."""
    subject: str = ""
    """The thing that was looked at, where it is not the hop itself: a port, a folder."""

    @property
    def name(self) -> str:
        """The thing that was looked at, for people: different things have different names."""
        return f"{self.hop} of {self.browser}" if self.browser else self.subject or self.hop

    def to_data(self) -> dict[str, Any]:
        """Return the hop as JSON, without its empty fields, but always with `ok`."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "subject"}
        return {name: value for name, value in fields.items() if name == "ok" or value not in (None, "")}


def seen(hop: HopName, detail: str = "", *, ms: float | None = None, browser: str | None = None, subject: str = "") -> Hop:
    """Return a hop that was seen to work."""
    return Hop(hop, True, detail, ms=ms, browser=browser, subject=subject)


def fault(hop: HopName, detail: str, fix: str, *, browser: str | None = None, subject: str = "") -> Hop:
    """Return a hop that does not work."""
    return Hop(hop, False, detail, fix, browser=browser, subject=subject)


def remark(hop: HopName, detail: str, *, subject: str = "") -> Hop:
    """Worth telling; proves nothing."""
    return Hop(hop, None, detail, subject=subject)


def first_fault(hops: Sequence[Hop]) -> Hop | None:
    """The failing hop that comes first on the way: what lies behind it may fail for its sake."""
    return next((hop for hop in hops if hop.ok is False), None)


def to_data(hops: Sequence[Hop], browsers: Sequence[Mapping[str, Any]], port: int | None, client: str) -> dict[str, Any]:
    """The findings as JSON: those of the tool `status`, and those of `tabwire doctor`."""
    first = first_fault(hops)
    return {
        "ok": is_proven(hops),
        **({"failed": first.hop, "fix": first.fix} if first else {}),
        "hops": [hop.to_data() for hop in hops],
        "browsers": list(browsers),
        "port": port,
        "client": client,
    }


def is_proven(hops: Iterable[Hop]) -> bool:
    """Whether all is well: nothing failed, and an extension's worker was seen to answer."""
    hops = tuple(hops)
    return first_fault(hops) is None and any(hop.hop == "worker" and hop.ok for hop in hops)
