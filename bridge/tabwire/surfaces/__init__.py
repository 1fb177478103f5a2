"""The surfaces. One per process; each is imported only when chosen."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwire.surfaces.tool import Toolset

TOOLSETS = {
    "agent": "tabwire.surfaces.agent.toolset",
    "browseagent": "tabwire.surfaces.browseagent.toolset",
    "facade": "tabwire.surfaces.facade.toolset",
    "instrument": "tabwire.surfaces.instrument.toolset",
    "reader": "tabwire.surfaces.reader.toolset",
}
"""Surface → module with a `TOOLSET`."""


def load_toolset(name: str) -> Toolset:
    """The toolset of that name.

    Raises:
        KeyError: no such toolset.
    """
    toolset: Toolset = import_module(TOOLSETS[name]).TOOLSET
    return toolset
