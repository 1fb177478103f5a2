"""Wishes of browsers, answered by events."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import anyio
import pytest

from tabwire.engine.browser_wishes import fulfil
from tabwire.engine.engine import Engine
from tabwire.wire.messages import Browser


class Events:
    """The part of an engine that hears and sends events."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Mapping[str, Any]]] = []
        self.hear: Callable[[Browser, str, Mapping[str, Any]], None] | None = None

    def on_event(self, hear: Callable[[Browser, str, Mapping[str, Any]], None]) -> Callable[[], None]:
        self.hear = hear
        return lambda: setattr(self, "hear", None)

    async def tell(self, browser_id: str, method: str, params: Mapping[str, Any]) -> None:
        self.sent.append((browser_id, method, params))


def doubled(params: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"id": params["id"], "text": params["number"] * 2}


@pytest.mark.anyio
async def test_a_wish_that_fails_is_answered_and_the_next_one_is_fulfilled() -> None:
    events, browser, may_begin = Events(), Browser("b1", "Chrome"), anyio.Event()
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fulfil, cast(Engine, events), "wish", "answer", doubled, may_begin)
            await anyio.wait_all_tasks_blocked()
            assert events.hear
            for wish in ({"id": "1"}, {"id": "2", "number": 21}):
                events.hear(browser, "wish", wish)
            events.hear(browser, "another", {"id": "3"})
            await anyio.wait_all_tasks_blocked()
            # Nothing is answered before the bridge has all that it needs for that.
            assert events.sent == []
            may_begin.set()
            while len(events.sent) < 2:
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
    failed, done = events.sent
    assert failed == ("b1", "answer", {"id": "1", "problem": "the program failed at it (KeyError); see its log"})
    assert done == ("b1", "answer", {"id": "2", "text": 42})
    assert events.hear is None
