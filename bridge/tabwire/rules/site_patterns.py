"""Patterns of sites, as the owner of a browser writes them in the configuration.

The extension reads them (`rules/site-pattern.js`); what is accepted here, it understands. A rule that says `never` and is not
understood would be a site that may be worked in.
"""

import ipaddress
import re

FORMS = "example.com (with its subdomains), *.corp, https://example.com:8443, localhost:8000, file:// or *"
_FILES = re.compile(r"file:(///?)?")
_ORIGIN = re.compile(r"(https?://)?(?P<host>\[[^\]]*\]|[^:/]*)(:(?P<port>\d{1,5}))?(?P<end>/?)")
_LABEL = re.compile(r"[\w-]{1,63}")
_NUMBER = re.compile(r"\d+|0x[\da-f]*")


def checked_pattern(written: str) -> str:
    """A pattern as it was written, without white space around it.

    Raises:
        ValueError: it names no site.
    """
    text = written.strip().lower()
    if text == "*" or _FILES.fullmatch(text):
        return text
    parts = _ORIGIN.fullmatch(text)
    if parts is None:
        raise ValueError(f"{written!r} names no site, as a path, a space or a * elsewhere has no meaning there; write {FORMS}")
    host, port = parts["host"], parts["port"]
    has_scheme = text.startswith("http") and "://" in text
    if parts["end"] and not has_scheme:
        raise ValueError(f"{written!r} ends in a path; write {FORMS}")
    if port is not None and not 0 < int(port) < 65536:
        raise ValueError(f"{written!r}: there is no port {port}")
    is_below = host.startswith("*.")
    if is_below and (port is not None or has_scheme):
        raise ValueError(f"{written!r}: a port or scheme together with *. has no meaning; write {FORMS}")
    if not (_is_name(host[2:]) if is_below else _is_name(host) or _is_address(host)):
        raise ValueError(f"{written!r}: {host!r} is no name of a host; write {FORMS}")
    return text


def _is_name(host: str) -> bool:
    labels = host.removesuffix(".").split(".")
    if not all(_LABEL.fullmatch(label) for label in labels) or _NUMBER.fullmatch(labels[-1]):
        return False
    if host.isascii() and "xn--" not in host:
        return True
    import idna

    try:
        # Also what is punycode already must mean something.
        written = idna.encode(host, uts46=True).decode()
    except UnicodeError:
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
