"""The wait for several things at once, until the first of them is over."""

from collections.abc import Awaitable, Callable

import anyio


async def first_outcome(*waits: Callable[[], Awaitable[str | None]]) -> str | None:
    """The outcome of the wait that is over first; the others are cancelled."""
    outcomes: list[str | Exception | None] = []

    async def run(wait: Callable[[], Awaitable[str | None]]) -> None:
        try:
            outcomes.append(await wait())
        except Exception as error:
            outcomes.append(error)
        tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        for wait in waits:
            tasks.start_soon(run, wait)
    if isinstance(outcomes[0], Exception):
        raise outcomes[0]
    return outcomes[0]
