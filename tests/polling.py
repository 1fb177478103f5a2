"""Waiting: for a state that no event reports, a look at it is taken again until its value is as wanted; cases that wait do so at once."""

import inspect
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import anyio

Seen = TypeVar("Seen")
WITHIN_S = 12
STEP_S = 0.02
_TRUE = object()


def until(
    look: Callable[[], Seen],
    is_so: Callable[[Seen], Any] = bool,
    *,
    equals: Any = _TRUE,
    within: float = WITHIN_S,
    says: str | Callable[[], str] = "",
    every: float = STEP_S,
    ignoring: type[Exception] | tuple[type[Exception], ...] = (),
) -> Seen:
    """The value of ``look`` as soon as it is true, satisfies ``is_so``, or equals ``equals``.

    Args:
        within: The limit in seconds; an AssertionError then says what was waited for and what was seen last.
        says: What is waited for, or a function that says more when the wait has failed. Default: the source of ``look``.
        every: Seconds between two looks.
        ignoring: Errors of a look that mean "not yet".
    """
    is_wanted = is_so if equals is _TRUE else lambda seen: seen == equals
    end = time.monotonic() + within
    while True:
        last: Any
        try:
            if is_wanted(last := look()):
                return last
        except ignoring as error:
            last = error
        if time.monotonic() >= end:
            wanted = "" if equals is _TRUE else f", wanted: {equals!r}"
            raise AssertionError(
                f"not within {within:g} s: {says if isinstance(says, str) and says else _source(look)}{wanted}\nlast seen: {last!r}"
                + (f"\n{says()}" if callable(says) else "")
            )
        time.sleep(every)


async def until_async(look: Callable[[], Seen], is_so: Callable[[Seen], Any] = bool, **options: Any) -> Seen:
    """Like ``until``, while the event loop goes on; ``look`` runs in another thread."""
    return await anyio.to_thread.run_sync(partial(until, look, is_so, **options))


def side_by_side(cases: Mapping[str, Callable[[], object]]) -> None:
    """Runs cases that mostly wait, each in a thread.

    Raises:
        BaseExceptionGroup: What each that failed has raised, with its name.
    """
    with ThreadPoolExecutor(len(cases)) as pool:
        running = {name: pool.submit(case) for name, case in cases.items()}
    failed = []
    for name, case in running.items():
        if error := case.exception():
            error.add_note(f"case: {name}")
            failed.append(error)
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases failed", failed)


def _source(look: Callable[[], Any]) -> str:
    """The statement of a lambda, or the name of a function."""
    name = getattr(look, "__qualname__", repr(look))
    return " ".join(inspect.getsource(look).split()) if name.endswith("<lambda>") else name
