"""Choice among several browsers: which one a call means, and the message if that is none or unclear. No I/O, no clock."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tabwire.errors import EXTENSIONS_PAGE, INSTALL_STEP, InvalidArgument, NotConnected, capitalized, load_step
from tabwire.wire.connection import Refusal, Visit
from tabwire.wire.messages import Browser

_RENAME = "The popup of the extension gives a browser its name."


def matching(wanted: str, browsers: Sequence[Browser]) -> list[Browser]:
    """Browsers that are meant: by id, else by exact name, else by name in any case."""
    rules: tuple[Callable[[Browser], bool], ...] = (
        lambda browser: browser.id == wanted,
        lambda browser: browser.name == wanted,
        lambda browser: browser.name.casefold() == wanted.casefold(),
    )
    found = ([browser for browser in browsers if rule(browser)] for rule in rules)
    return next((some for some in found if some), [])


def label(browser: Browser, among: Iterable[Browser]) -> str:
    """Name of a browser, with the id where another one of these has the same name."""
    names = Counter(other.name.casefold() for other in among)
    return f"{browser.name} (id {browser.id})" if names[browser.name.casefold()] > 1 else browser.name


def ambiguous(wanted: str | None, bound: bool, browsers: Sequence[Browser]) -> InvalidArgument:
    """Several fit.

    Args:
        wanted: name or id, if one was given.
        bound: whether the configuration gave it, not the call.
        browsers: those that fit.
    """
    if wanted is None:
        what = f"Several browsers are connected and none is named: {_listed(browsers)}."
    else:
        what = f"Several browsers are named {wanted!r}{' (set by --browser)' if bound else ''}: {_listed(browsers)}."
    same = len({browser.name.casefold() for browser in browsers}) < len(browsers)
    how = f"its id, or rename one. {_RENAME}" if same else "one of these names."
    return InvalidArgument(what, _data(browsers), f"Pass `browser` with {how}")


def missing(wanted: str, bound: bool, connected: Sequence[Browser], lost: Sequence[Browser]) -> NotConnected:
    """The one that was named is not there.

    Args:
        wanted: name or id.
        bound: whether the configuration gave it, not the call.
        connected: those that are.
        lost: those that were connected to this bridge.
    """
    gone = matching(wanted, lost)
    name = gone[-1].name if gone else wanted
    if bound:
        what = f"The browser {name!r}, which this bridge is bound to by --browser, is not connected"
        how = f"Start it, or change the setting. {_RENAME}"
    elif gone:
        what = f"The browser {name!r} was connected and is gone"
        how = "Start it again (its extension joins by itself)"
        how += ", or pass `browser` with one of these." if connected else "."
    else:
        what = f"No browser named {name!r} is connected"
        how = f"Pass `browser` with one of these. {_RENAME}" if connected else f"Start it. {_RENAME}"
    others = f"; connected: {_listed(connected)}." if connected else "; no other one is."
    return NotConnected(what + others, _data(connected), how)


def moved(used: Browser, here: Browser) -> NotConnected:
    """The calls so far went to a browser that is gone; another one is not taken in its place unasked."""
    return NotConnected(
        f"The browser {used.name!r} that this client used is gone; connected: {here.name}.",
        _data([here]),
        f"Start it again, or pass `browser` with {here.name!r} to go on in that one.",
    )


def succeeded(ended: Browser, here: Browser) -> NotConnected:
    """The launched browser has ended and another one was started: no call goes there before its client knows."""
    return NotConnected(
        f"The browser {ended.name!r} that this client used has ended, and a new one ({here.name!r}) has been started in its "
        "place. This call did nothing.",
        _data([here]),
        "Open the page again: the new browser has none of the old one's tabs, and tab ids and refs of the old one mean nothing "
        "there.",
    )


def lost(browser: Browser, refusal: Refusal | None) -> NotConnected:
    """The only one that was connected is gone."""
    restart = "Start it again (its extension joins by itself), or see the extension's popup if it is running."
    refused = f"One tried and was refused: {refusal}" if refusal else ""
    # A refused one that may be another user's need not be the one that is gone.
    how = refused if refusal and not refusal.is_foreign else f"{restart} {refused}".rstrip()
    return NotConnected(f"The browser {browser.name!r} was connected and is gone.", next_step=how)


def how_to_connect(refusal: Refusal | None, extension_dir: str | Path | None, visit: Visit | None = None) -> str:
    """The next step where no browser has joined.

    Args:
        refusal: why the last one that tried was refused.
        extension_dir: the folder to load in Chrome, where the extension has been put into one.
        visit: when a browser was connected last, to any bridge of this user: that one is set up.
    """
    if refusal and refusal.is_foreign:
        # That of another user: to set it up again would not help.
        return f"{_set_up(extension_dir, visit)} Another browser tried and was refused: {refusal}"
    return f"One tried and was refused: {refusal}" if refusal else _set_up(extension_dir, visit)


def _set_up(extension_dir: str | Path | None, visit: Visit | None) -> str:
    if visit:
        when = _ago(datetime.now(UTC) - visit.at)
        return (
            f"The user's browser is set up, and was connected {when}. Ask them to start it; if it is running, to press Tabwire's "
            f"button in its toolbar, or to switch Tabwire on in {EXTENSIONS_PAGE}. Then call again."
        )
    how = f"in Chrome {load_step(extension_dir)}" if extension_dir else f"{INSTALL_STEP} in {EXTENSIONS_PAGE} (Load unpacked)"
    return f"{capitalized(how)}. An extension that is loaded already connects within 30 seconds: call again then."


def _ago(time: timedelta) -> str:
    minutes = max(0, round(time.total_seconds() / 60))
    units = ((60 * 24, "day"), (60, "hour"), (1, "minute"))
    size, unit = next(((size, unit) for size, unit in units if minutes >= 2 * size or size == 1))
    count = minutes // size
    return f"{count} {unit}s ago" if count > 1 else "a moment ago"


def _listed(browsers: Sequence[Browser]) -> str:
    return ", ".join(label(browser, browsers) for browser in browsers)


def _data(browsers: Sequence[Browser]) -> dict[str, Any]:
    return {"browsers": [{"id": browser.id, "name": browser.name} for browser in browsers]}
