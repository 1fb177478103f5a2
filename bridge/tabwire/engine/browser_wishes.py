"""Wishes of a browser that the bridge fulfils by itself, without a client: an event comes, an event goes back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread

from tabwire.wire.messages import Browser

if TYPE_CHECKING:
    from tabwire.engine.engine import Engine

MAX_WAITING = 8
"""A person asks for one thing at a time; what a browser sends beyond that is not answered."""

logger = logging.getLogger(__name__)


async def fulfil(
    engine: Engine, wish: str, answer: str, work: Callable[[Mapping[str, Any]], Mapping[str, Any]], may_begin: anyio.Event
) -> None:
    """Answer each event of a kind, one after the other, for as long as the bridge is open.

    Args:
        engine: the way to the browsers.
        wish: the event's method.
        answer: the method of the event that goes back.
        work: makes the answer's parameters; runs in a thread. If it fails, the answer has the wish's `id` and the `problem`.
        may_begin: set when the first of them may be answered. Two threads that import the same modules break each other.
    """
    into, wishes = anyio.create_memory_object_stream[tuple[str, Mapping[str, Any]]](MAX_WAITING)

    def hear(browser: Browser, method: str, params: Mapping[str, Any]) -> None:
        if method != wish:
            return
        try:
            into.send_nowait((browser.id, params))
        except anyio.WouldBlock:
            logger.debug("browser %r sends %s faster than it is answered", browser.name, wish)

    stop = engine.on_event(hear)
    try:
        async with into, wishes:
            await may_begin.wait()
            async for browser_id, params in wishes:
                try:
                    answered = await to_thread.run_sync(work, params)
                except Exception as error:
                    # One wish that cannot be fulfilled does not end the bridge, and the person does not wait for it.
                    logger.exception("a wish of a browser, %s, failed", wish)
                    answered = {
                        "id": params.get("id"),
                        "problem": f"the program failed at it ({type(error).__name__}); see its log",
                    }
                await engine.tell(browser_id, answer, answered)
    finally:
        stop()
