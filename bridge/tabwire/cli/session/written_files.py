"""Files that a command writes where the person who typed it wants them."""

import os
import shutil
import stat


def write(text: str, path: str, *, may_replace: bool) -> None:
    """Write the whole file or none.

    Raises:
        OSError: it cannot be written, or is there and may not be replaced.
    """
    draft = f"{path}.{os.getpid()}.part"
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        if may_replace and os.path.lexists(path):
            os.chmod(draft, stat.S_IMODE(os.stat(path).st_mode))
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(text)
        if may_replace:
            os.replace(draft, path)
        else:
            # Unlike a rename, a link never takes the place of a file.
            os.link(draft, path)
    finally:
        if os.path.lexists(draft):
            os.unlink(draft)


def copy(source: str, target: str) -> str:
    """Copy a file over whatever has the name, as programs with -o do; what went wrong, or ""."""
    try:
        if os.path.exists(target) and os.path.samefile(source, target):
            return ""
        with open(source, "rb") as saved, open(target, "wb") as wanted:
            shutil.copyfileobj(saved, wanted)
    except OSError as error:
        return f"{target} could not be written ({error.strerror}); the file is {source}"
    return ""
