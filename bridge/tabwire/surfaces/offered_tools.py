"""The tools of a server that are listed and can be called, where a client may enable more."""

from collections.abc import Collection, Iterable

import anyio


class OfferedTools:
    """Names of tools; they become more while the server runs.

    Args:
        names: the first ones.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._grown = anyio.Event()

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def add(self, names: Collection[str]) -> None:
        """Offer these too; whoever waits for `grown` is told."""
        if self._names.issuperset(names):
            return
        self._names.update(names)
        grown, self._grown = self._grown, anyio.Event()
        grown.set()

    def __len__(self) -> int:
        return len(self._names)

    async def grown(self, known: int) -> int:
        """The number of tools as soon as there are more than are known."""
        while len(self._names) <= known:
            await self._grown.wait()
        return len(self._names)
