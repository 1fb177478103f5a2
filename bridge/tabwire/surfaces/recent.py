"""Memories that are bounded: what was kept longest ago goes first."""

from collections import OrderedDict
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def keep(memory: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    """Keep a value as the latest one, and no more than so many of them."""
    memory[key] = value
    memory.move_to_end(key)
    while len(memory) > most:
        memory.popitem(last=False)
