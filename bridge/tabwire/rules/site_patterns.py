"""Patterns of sites, as the owner of a browser writes them in the configuration.

The extension reads them, too (`rules/site-pattern.js`): it understands all that is accepted here, and as the same sites. A rule
that says `never` and is not understood would be a site that may be worked in.
"""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from tabwire.rules.addresses import THIS_COMPUTER
from tabwire.rules.hosts import ascii_name, plain_host, ruled_host

FORMS = "example.com (with its subdomains), *.corp, https://example.com:8443, localhost:8000, file:// or *"
DEFAULT_PORTS = {"http": 80, "https": 443}
_FILES = re.compile(r"file:(///?)?")
_ORIGIN = re.compile(r"((?P<scheme>https?)://)?(?P<host>\[[^\]]*\]|[^:/]*)(:(?P<port>\d{1,5}))?(?P<end>/?)")
_LABEL = re.compile(r"[\w-]{1,63}")
_NUMBER = re.compile(r"\d+|0x[\da-f]*")


class Site(NamedTuple):
    """The origin of a page of the web, as patterns compare it."""

    scheme: str
    host: str
    port: int


def site_of(url: str) -> Site | None:
    """The site of a http or https address; None for any other address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    name = parts.hostname or ""
    host = ruled_host(f"[{name}]" if ":" in name else name)
    if parts.scheme not in DEFAULT_PORTS or host is None:
        return None
    return Site(parts.scheme, host, DEFAULT_PORTS[parts.scheme] if port is None else port)


@dataclass(frozen=True, slots=True)
class SitePattern:
    """A pattern that stands for sites of the web; one for files matches none."""

    key: str
    """The same for all patterns that stand for the same sites."""
    weight: int
    """The more specific, the more."""
    matches: Callable[[Site], bool]


def checked_pattern(written: str) -> str:
    """A pattern as it was written, without white space around it.

    Raises:
        ValueError: it names no site.
    """
    site_pattern(written)
    return written.strip().lower()


def site_pattern(written: str) -> SitePattern:
    """Read a pattern.

    Raises:
        ValueError: it names no site.
    """
    text = written.strip().lower()
    if text == "*":
        return SitePattern(text, 0, lambda site: True)
    if _FILES.fullmatch(text):
        return SitePattern("file://", 10_000, lambda site: False)
    parts = _ORIGIN.fullmatch(text)
    if parts is None:
        raise ValueError(f"{written!r} names no site, as a path, a space or a * elsewhere has no meaning there; write {FORMS}")
    scheme, host, port = parts["scheme"], parts["host"], None if parts["port"] is None else int(parts["port"])
    if parts["end"] and not scheme:
        raise ValueError(f"{written!r} ends in a path; write {FORMS}")
    if port is not None and not 0 < port < 65536:
        raise ValueError(f"{written!r}: there is no port {port}")
    is_below = host.startswith("*.")
    if is_below and (port is not None or scheme):
        raise ValueError(f"{written!r}: a port or scheme together with *. has no meaning; write {FORMS}")
    if not (_is_name(host[2:]) if is_below else _is_name(host) or _is_address(host)):
        raise ValueError(f"{written!r}: {host!r} is no name of a host; write {FORMS}")
    if is_below:
        return _below(plain_host(host[2:]) or "")
    return _at(scheme, ruled_host(host) or "", port)


def _below(parent: str) -> SitePattern:
    return SitePattern(f"*.{parent}", _labels(parent) * 10 + 1, lambda site: site.host.endswith(f".{parent}"))


def _at(scheme: str | None, host: str, port: int | None) -> SitePattern:
    # Names below localhost lead to this computer, too.
    below = f".{host}"
    is_below_too = host == THIS_COMPUTER

    def is_here(site: Site) -> bool:
        return site.host == host or (is_below_too and site.host.endswith(below))

    if scheme is not None:
        usual = DEFAULT_PORTS[scheme]
        number = usual if port is None else port
        key = f"{scheme}://{host}" if number == usual else f"{scheme}://{host}:{number}"
        return SitePattern(
            key, 10_000 + (not is_below_too), lambda site: (site.scheme, site.port) == (scheme, number) and is_here(site)
        )
    if port is not None:
        return SitePattern(f"{host}:{port}", 5_000 + (not is_below_too), lambda site: site.port == port and is_here(site))
    takes_below = not _is_number(host)
    return SitePattern(host, _labels(host) * 10, lambda site: site.host == host or (takes_below and site.host.endswith(below)))


def _is_number(host: str) -> bool:
    return host.startswith("[") or bool(_NUMBER.fullmatch(host.rpartition(".")[2]))


def _labels(host: str) -> int:
    return 1 if _is_number(host) else host.count(".") + 1


def _is_name(host: str) -> bool:
    labels = host.removesuffix(".").split(".")
    # Signs other than letters and digits are no word characters, but some are names of hosts.
    is_ascii_name = all(_LABEL.fullmatch(label) for label in labels if label.isascii())
    if not is_ascii_name or not all(labels) or _NUMBER.fullmatch(labels[-1]):
        return False
    # What is punycode already must mean something.
    written = ascii_name(host)
    if written is None or not all(_LABEL.fullmatch(label) for label in written.removesuffix(".").split(".")):
        return False
    return not _NUMBER.fullmatch(written.removesuffix(".").rpartition(".")[2])


def _is_address(host: str) -> bool:
    try:
        if host.startswith("["):
            ipaddress.IPv6Address("" if "%" in host else host[1:-1])
        else:
            ipaddress.IPv4Address(host)
    except ValueError:
        return False
    return True
