"""Hosts as rules compare them: read as browsers read them (URL Standard, "Host parsing"), in one spelling each."""

import ipaddress
import re
from contextlib import suppress
from urllib.parse import unquote

from tabwire.rules.addresses import OWN_ADDRESSES, THIS_COMPUTER

_NUMBER = re.compile(r"0x[\da-f]*|\d+")
_MAPPED = 0xFFFF
_EMBEDDING = (0, 0x64FF9B << 64)
"""The first 96 bits of IPv6 addresses that mean an IPv4 one: mapped, and compatible or NAT64."""
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_JOINERS = re.compile("[\u200c\u200d]")
_OWN = re.compile(OWN_ADDRESSES)


def plain_host(written: str) -> str | None:
    """A host in lower case and punycode, without a dot at its end, an address in its usual notation; None where it is no host.

    Args:
        written: as an address has it: an IPv6 address in brackets.
    """
    if written.startswith("["):
        return _plain_v6(written)
    name = ascii_name(unquote(written))
    if name is None or _FORBIDDEN.search(name):
        return None
    bare = name.rstrip(".")
    if not _NUMBER.fullmatch(bare.rpartition(".")[2]):
        return bare or None
    return _v4_of(bare)


def ruled_host(written: str) -> str | None:
    """The same, with one name for all addresses of this computer."""
    host = plain_host(written)
    return THIS_COMPUTER if host is not None and _OWN.search(host) else host


def ascii_name(name: str) -> str | None:
    """A name of a host in small ASCII letters, as browsers ask for it (UTS #46); None where it is none."""
    if name.isascii() and "xn--" not in name.lower():
        return name.lower()
    import idna

    with suppress(UnicodeError):
        return idna.encode(name, uts46=True).decode()
    # Browsers take symbols, which the standard for new names (IDNA 2008) leaves out.
    with suppress(UnicodeError):
        labels = idna.uts46_remap(name, std3_rules=False).split(".")
        return ".".join(map(_symbol_label, labels))
    return None


def _symbol_label(label: str) -> str:
    import idna

    if not label.startswith("xn--") and label.isascii():
        return label
    meant = label.removeprefix("xn--").encode().decode("punycode") if label.isascii() else label
    idna.check_bidi(meant)
    is_mapped = idna.uts46_remap(meant, std3_rules=False) == meant
    if not is_mapped or meant.isascii() or meant.startswith("xn--") or _JOINERS.search(meant):
        raise UnicodeError(f"{label!r} stands for no name")
    return f"xn--{meant.encode('punycode').decode()}"


def _plain_v6(written: str) -> str | None:
    try:
        address = ipaddress.IPv6Address("" if "%" in written else written[1:-1])
    except ValueError:
        return None
    value = int(address)
    front, last = value >> 32, value & 0xFFFFFFFF
    # The first addresses of all are no IPv4 ones: ::1 is this computer.
    if front == _MAPPED or (front in _EMBEDDING and last > 0xFFFF):
        return str(ipaddress.IPv4Address(last))
    return f"[{address}]"


def _v4_of(name: str) -> str | None:
    """An IPv4 address that is written in one to four numbers, each of them decimal, octal or hexadecimal."""
    numbers = [_number(part) for part in name.split(".")]
    known = [number for number in numbers if number is not None]
    if len(known) != len(numbers) or len(known) > 4:
        return None
    *first, last = known
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(known)):
        return None
    return str(ipaddress.IPv4Address(sum(number << (24 - 8 * at) for at, number in enumerate(first)) + last))


def _number(text: str) -> int | None:
    if not _NUMBER.fullmatch(text):
        return None
    with suppress(ValueError):
        if text.startswith("0x"):
            return int(text[2:] or "0", 16)
        return int(text, 8 if text.startswith("0") and len(text) > 1 else 10)
    return None
