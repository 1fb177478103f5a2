"""Refusals of the operating system, as the errors that tools tell."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tabwire.errors import InvalidArgument, PermissionDenied, TabwireError, UnsupportedOperation

_MEANING: dict[int, tuple[type[TabwireError], str]] = {
    errno.ENOENT: (InvalidArgument, "no such file {path}"),
    errno.EEXIST: (
        InvalidArgument,
        "{path} exists, and tabwire has not written it or it has changed since; give another name, or overwrite: true",
    ),
    errno.EISDIR: (InvalidArgument, "{path} is a folder; give a file name"),
    errno.ENOTDIR: (InvalidArgument, "a part of {path} is no folder, or a link that was put there just now; use another path"),
    errno.ELOOP: (InvalidArgument, "{path} leads through links in a circle, or a link was put there just now; use another path"),
    errno.ENAMETOOLONG: (InvalidArgument, "{path} is too long for its file system; give a shorter name"),
    errno.EACCES: (PermissionDenied, "{path} may not be used: the permissions of its folder forbid it; use another folder"),
    errno.EPERM: (PermissionDenied, "{path} may not be used: the system forbids it; use another folder"),
    errno.EROFS: (PermissionDenied, "{path} is on a disk that cannot be written to; use another folder"),
    errno.ENOSPC: (
        UnsupportedOperation,
        "there is no space left for {path}; delete files on that disk, or use another",
    ),
    errno.EDQUOT: (UnsupportedOperation, "your quota leaves no space for {path}; delete files on that disk, or use another"),
    errno.EFBIG: (UnsupportedOperation, "{path} would be larger than its file system or this process may have"),
}
_OTHER = (UnsupportedOperation, "{path} cannot be used: {reason}; use another file")


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """An error of the system about a file is raised as one that names the file and the next step."""
    try:
        yield
    except OSError as error:
        kind, sentence = _MEANING.get(error.errno or 0, _OTHER)
        raise kind(sentence.format(path=path, reason=error.strerror or error)) from None
