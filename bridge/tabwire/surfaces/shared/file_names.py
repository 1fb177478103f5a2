"""Names of files as clients give them: what no file system takes is refused before it is asked, and so is a suffix that lies."""

import ntpath
import os
import posixpath
import re
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import unquote_to_bytes
from urllib.request import url2pathname

from tabwire.errors import InvalidArgument

MAX_NAME_BYTES = 255
MAX_PATH_CHARS = 4_000
SHOWN_CHARS = 80

_FORBIDDEN_ON_WINDOWS = re.compile(r'[<>"|?*]')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_IGNORED_IN_ADDRESSES = re.compile(r"[\t\n\r]")
_ENCODED_SEPARATOR = re.compile(r"%2f|%5c|%00", re.IGNORECASE)


def checked_path(name: str) -> Path:
    """The path that a name stands for, "~" expanded.

    Raises:
        InvalidArgument: no file can have such a name.
    """
    problem = _problem(name)
    if problem is not None:
        raise InvalidArgument(f"{_shown(name)} is no name of a file: {problem}")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise InvalidArgument(f"{_shown(name)} begins with ~ and there is no such user; give the whole path") from None


def _problem(name: str) -> str | None:
    if not name.strip():
        return "it is empty"
    if _CONTROL.search(name):
        return "it holds control characters"
    try:
        longest = max(len(part.encode()) for part in re.split(r"[/\\]" if sys.platform == "win32" else "/", name))
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    if longest > MAX_NAME_BYTES or len(name) > MAX_PATH_CHARS:
        return f"it is too long; a name has at most {MAX_NAME_BYTES} bytes, a path {MAX_PATH_CHARS:,} characters"
    return _problem_on_windows(name) if sys.platform == "win32" else None


def _problem_on_windows(name: str) -> str | None:
    """Reason why Windows refuses a name, or takes it for something else: https://learn.microsoft.com/windows/win32/fileio/naming-a-file."""
    path = PureWindowsPath(name)
    for part in path.parts[1:] if path.anchor else path.parts:
        if ":" in part:
            return "it holds a colon, which Windows takes for a stream of another file"
        if found := _FORBIDDEN_ON_WINDOWS.search(part):
            return f"it holds {found[0]}, which Windows does not allow in names"
        if part not in (".", "..") and part.endswith((".", " ")):
            return "a part of it ends in a dot or a space, which Windows drops"
        if _is_device(part):
            return f"Windows takes {part} for a device"
    return None


def _is_device(part: str) -> bool:
    # From Python 3.13 on the method warns and names its successor, which earlier ones lack.
    if sys.version_info >= (3, 13):
        return ntpath.isreserved(part)
    return PureWindowsPath(part).is_reserved()


def _shown(name: str) -> str:
    return repr(name) if len(name) <= SHOWN_CHARS else f"{name[:SHOWN_CHARS]!r}…"


def suffixed(name: str, suffixes: Sequence[str]) -> str:
    """A name with a suffix that fits; the first of them is added where there is none.

    Raises:
        InvalidArgument: it has another one, or is that of a folder.
    """
    if name.endswith(("/", os.sep)) or PurePath(name).name in ("", ".."):
        raise InvalidArgument(f"{_shown(name)} names a folder; give the name of a file")
    suffix = PurePath(name).suffix.lower()
    if suffix in suffixes:
        return name
    if suffix:
        raise InvalidArgument(f"{_shown(name)} ends in {suffix[:SHOWN_CHARS]}; the name has to end in {' or '.join(suffixes)}")
    return f"{name}{suffixes[0]}"


def path_of_address(address: str) -> Path | None:
    """The path that a browser opens for a `file:` address, links not resolved; None for others, and where that is unsure."""
    # As the URL Standard reads an address: what is around it and inside it is dropped.
    text = _IGNORED_IN_ADDRESSES.sub("", address.strip("".join(map(chr, range(0x21)))))
    scheme, _, rest = text.partition(":")
    rest = re.split("[?#]", rest, maxsplit=1)[0].replace("\\", "/")
    if scheme.lower() != "file" or _ENCODED_SEPARATOR.search(rest):
        return None
    host = ""
    if rest.startswith("//"):
        host, _, rest = rest[2:].partition("/")
    if host.lower() not in ("", "localhost"):
        return None
    dotted = re.sub("%2e", ".", rest, flags=re.IGNORECASE)
    path = "/" + posixpath.normpath(f"/{dotted}").lstrip("/")
    return _decoded(path)


def _decoded(path: str) -> Path | None:
    if sys.platform == "win32":
        return Path(url2pathname(path))
    try:
        return Path(os.fsdecode(unquote_to_bytes(path)))
    except ValueError:
        return None
