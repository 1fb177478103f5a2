"""Extension and bridge of different versions, as between an update of the one and a reload of the other."""

import re
from dataclasses import dataclass

from tabwire import INSTALL_COMMAND
from tabwire.errors import RELOAD_STEP


@dataclass(frozen=True, slots=True)
class VersionGap:
    """An extension that is not the one made for this bridge."""

    fact: str
    """The two versions, as a sentence without its full stop."""
    step: str
    """The step that ends it, for a person."""


def version_gap(extension: str, bridge: str) -> VersionGap | None:
    """The gap between the versions of the two; None where they are the same.

    Args:
        extension: What the extension says of itself; "" where it does not.
        bridge: The version of this package.
    """
    if extension == bridge:
        return None
    fact = f"Chrome runs version {extension or 'unknown'} of Tabwire's extension, this is Tabwire {bridge}"
    if _numbers(extension) > _numbers(bridge):
        return VersionGap(fact, "update Tabwire on this computer if it is not of that version yet, then restart the MCP client")
    return VersionGap(fact, f"run `{INSTALL_COMMAND}`, then {RELOAD_STEP}")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
