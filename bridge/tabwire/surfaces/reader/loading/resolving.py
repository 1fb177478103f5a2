"""Names to addresses, with the policy's consent to each.

The address that was looked at is the one that is dialled: a name that answers differently the second time leads nowhere else.
"""

import socket
from dataclasses import dataclass
from urllib.parse import SplitResult
from urllib.request import getproxies, proxy_bypass

import anyio

from tabwire.rules.site_patterns import DEFAULT_PORTS
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.addresses import Zone, admit, zone
from tabwire.surfaces.reader.loading.policy import Reach

MAX_ADDRESSES = 3
"""Number of a name's addresses that are tried."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Addresses of a host, and their zone."""

    addresses: tuple[str, ...]
    """Addresses to dial, in order. Empty: the name goes to a proxy."""
    zone: Zone


async def resolve(parts: SplitResult, reach: Reach, came_from: Zone | None) -> Resolved:
    """Find a host and ask whether it may be read.

    Args:
        parts: Of the address.
        reach: What is allowed.
        came_from: Where the redirect came from; None for the address that was asked for.

    Raises:
        FetchFailed: there is no such host, or it is not allowed.
    """
    host = parts.hostname or ""
    proxied = _has_proxy(parts.scheme, host)
    addresses = (
        [host] if _is_address(host) else [] if proxied else await _look_up(host, parts.port or DEFAULT_PORTS[parts.scheme])
    )
    found = _farthest_in([zone(each) for each in addresses])
    admit(host, found, reach, came_from)
    return Resolved(() if proxied else tuple(addresses[:MAX_ADDRESSES]), found)


def _farthest_in(zones: list[Zone]) -> Zone:
    """Zone that counts for a host: one address too near is enough. A name that only a proxy can resolve counts as Internet."""
    return next((each for each in (Zone.LINK_LOCAL, Zone.OWN) if each in zones), Zone.PUBLIC)


def _has_proxy(scheme: str, host: str) -> bool:
    proxies = getproxies()
    return bool(proxies.get(scheme) or proxies.get("all")) and not proxy_bypass(host)


def _is_address(host: str) -> bool:
    try:
        zone(host)
    except ValueError:
        return False
    return True


async def _look_up(host: str, port: int) -> list[str]:
    try:
        found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchFailed(
            f"The name {host} leads to no machine: {error}.", {"host": host}, next_step="Check the address and the network."
        ) from None
    return list(dict.fromkeys(str(each[4][0]) for each in found))
