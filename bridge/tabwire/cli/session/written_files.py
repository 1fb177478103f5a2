"""Files of text that a command writes: whole or not at all."""

import os
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
