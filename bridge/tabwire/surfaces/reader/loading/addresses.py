"""Addresses: which may be asked, and which are the same."""

import ipaddress
import re
from enum import Enum
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from tabwire.errors import InvalidArgument
from tabwire.rules.addresses import gives_credentials
from tabwire.rules.hosts import ascii_name
from tabwire.rules.site_patterns import DEFAULT_PORTS
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.policy import Reach

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_PATH_SAFE = "/:@!$&'()*+,;=~-._%"
_TRACKING = re.compile(r"^(utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|igshid)$", re.IGNORECASE)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class Zone(Enum):
    """Distance of a machine from the user."""

    PUBLIC = "on the Internet"
    OWN = "this machine or one of its networks"
    LINK_LOCAL = "a link-local or cloud metadata address"


def checked(url: str) -> str:
    """An absolute http or https address as it goes on the wire, without its fragment.

    Raises:
        InvalidArgument: it is something else.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise InvalidArgument(f"url: {url[:200]!r} is not an address: {error}.") from None
    # The name that browsers ask for, and that rules are held against.
    host = ascii_name(parts.hostname or "")
    if host is None:
        raise InvalidArgument(f"url: {url[:200]!r} is not an address: {parts.hostname!r} is no name of a host.")
    if parts.scheme not in DEFAULT_PORTS:
        given = f"not {parts.scheme}:" if parts.scheme else "and this has no scheme"
        raise InvalidArgument(f"url: only http and https addresses can be read, {given}; give the whole address of a web page.")
    if not host:
        raise InvalidArgument(f"url: {url[:200]!r} names no host; give the whole address of a web page.")
    if parts.username is not None:
        raise InvalidArgument("url: an address with a user name or password is not read; leave them out.")
    written = f"[{host}]" if ":" in host else host
    location = written if port is None or port == DEFAULT_PORTS[parts.scheme] else f"{written}:{port}"
    path = quote(parts.path, safe=_PATH_SAFE) or "/"
    return urlunsplit((parts.scheme, location, path, quote(parts.query, safe=_PATH_SAFE + "?"), ""))


def canonical(url: str) -> str:
    """Canonical spelling of a page's address: for caches and for telling pages apart, not for asking.

    Host in lower case, no default port, no fragment, no tracking parameters, escapes in one form.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url.strip()
    host = (parts.hostname or "").rstrip(".")
    location = host if port is None or port == DEFAULT_PORTS.get(parts.scheme) else f"{host}:{port}"
    path = quote(unquote(parts.path), safe=_PATH_SAFE.replace("%", ""))
    kept = [pair for pair in parts.query.split("&") if pair and not _TRACKING.match(pair.partition("=")[0])]
    return urlunsplit((parts.scheme, location, path or "/", "&".join(kept), ""))


def zone(address: str) -> Zone:
    """Zone of an IP address. Raises: ValueError when it is none."""
    found = _inner(ipaddress.ip_address(address.partition("%")[0]))
    if found.is_link_local or gives_credentials(str(found)):
        return Zone.LINK_LOCAL
    return Zone.PUBLIC if found.is_global and not found.is_multicast else Zone.OWN


def _inner(address: IpAddress) -> IpAddress:
    """The IPv4 address that an IPv6 address leads to, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def admit(host: str, found: Zone, reach: Reach, came_from: Zone | None) -> None:
    """Refuse a machine that the policy keeps out.

    Args:
        host: As the address names it.
        found: Where that is.
        reach: What is allowed.
        came_from: Where the redirect came from; None for the address that was asked for.

    Raises:
        FetchFailed: it is not read.
    """
    if reach == "all" or found is Zone.PUBLIC:
        return
    if found is Zone.LINK_LOCAL or reach == "public":
        raise FetchFailed(
            f"{host} is not read: it is {found.value}.", {"host": host}, next_step='Only reach = "all" of the reader allows it.'
        )
    if came_from is Zone.PUBLIC:
        raise FetchFailed(
            f"The page redirects from the Internet to {host}, {found.value}: that is not followed.",
            {"host": host},
            next_step="If you know that address, open it directly.",
        )
