"""References in pages and answers: the addresses that they mean to a browser (URL Standard)."""

import re
from urllib.parse import quote, urlsplit

from tabwire.rules.site_patterns import DEFAULT_PORTS

_BLANKS = "".join(map(chr, range(0x21)))
_BREAKS = re.compile(r"[\t\n\r]")
_SLASHES = "/\\"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_QUERY_OR_FRAGMENT = re.compile(r"[?#]")
_NOT_IN_ADDRESSES = re.compile(r"[\x00-\x20\"<>`\x7f]")


def joined(base: str, written: str) -> str:
    """The address that a reference means.

    A backslash is a slash, empty parts of a path stay, and blanks are escaped. Letters stay as a reader can read them.

    Args:
        base: Absolute http or https address of the page.
        written: The reference.

    Raises:
        ValueError: there is no such address.
    """
    reference = _BREAKS.sub("", written.strip(_BLANKS))
    scheme, colon, rest = reference.partition(":")
    if colon and _SCHEME.fullmatch(scheme):
        if scheme.lower() not in DEFAULT_PORTS:
            return reference
        is_absolute = rest[:1] in ("/", "\\") or scheme.lower() != urlsplit(base).scheme
        reference = f"{scheme.lower()}://{rest.lstrip(_SLASHES)}" if is_absolute else rest
    written_path, tail = _divided(reference)
    origin, path = _placed(base, written_path.replace("\\", "/"))
    if not written_path and not tail.startswith("?"):
        # A reference to a part of the page keeps its query.
        tail = _divided(base.partition("#")[0])[1] + tail
    parts = urlsplit(origin)
    if not parts.hostname or (parts.port or 0) < 0:
        raise ValueError(f"{written[:200]!r} names no host")
    return _NOT_IN_ADDRESSES.sub(lambda found: quote(found[0]), origin + _without_dots(path or "/") + tail)


def _divided(address: str) -> tuple[str, str]:
    """An address up to its query or fragment, and the rest."""
    found = _QUERY_OR_FRAGMENT.search(address)
    return (address, "") if found is None else (address[: found.start()], address[found.start() :])


def _placed(base: str, path: str) -> tuple[str, str]:
    """Origin and path of a reference that has this path."""
    origin, base_path = _origin_and_path(_divided(base)[0])
    if "://" in path and _SCHEME.fullmatch(path.partition("://")[0]):
        return _origin_and_path(path)
    if path.startswith("//"):
        return _origin_and_path(f"{urlsplit(base).scheme}://{path.lstrip('/')}")
    if path.startswith("/"):
        return origin, path
    return origin, base_path.rpartition("/")[0] + "/" + path if path else base_path


def _origin_and_path(address: str) -> tuple[str, str]:
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host}", slash + path


def _without_dots(path: str) -> str:
    kept: list[str] = []
    for part in path.split("/")[1:]:
        dots = part.lower().replace("%2e", ".")
        if dots == ".." and kept:
            kept.pop()
        elif dots not in (".", ".."):
            kept.append(part)
    is_folder = path.lower().replace("%2e", ".").endswith(("/.", "/.."))
    return "/" + "/".join([*kept, ""] if is_folder else kept)
