"""Copies of what a session has saved, where the person who typed the command wants them."""

import os
import shutil


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
