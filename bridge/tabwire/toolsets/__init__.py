"""The surfaces. One per process; each is imported only when chosen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwire.tool import Toolset

TOOLSETS = {
    "agent": "tabwire.toolsets.agent",
    "browseagent": "tabwire.toolsets.browseagent",
    "facade": "tabwire.toolsets.facade",
    "instrument": "tabwire.toolsets.instrument",
    "reader": "tabwire.toolsets.reader",
}
"""Surface → module with a `TOOLSET`."""


def load_toolset(name: str) -> Toolset:
    """The toolset of that name.

    Raises:
        KeyError: no such toolset.
    """
    toolset: Toolset = import_module(TOOLSETS[name]).TOOLSET
    return toolset
