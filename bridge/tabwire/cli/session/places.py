"""The folder of sessions, and the names in it. One module for both sides; it imports next to nothing."""

import os

DEFAULT = "default"
MAX_NAME = 40


def home() -> str:
    """The folder of everything that Tabwire keeps, as the configuration has it."""
    return os.path.abspath(os.path.expanduser(os.environ.get("TABWIRE_HOME") or "~/.tabwire"))


def folder() -> str:
    """The folder of the sessions' sockets and logs."""
    return os.path.join(home(), "shell")


def is_name(name: str) -> bool:
    """Whether a session may have this name: it becomes one of a file."""
    plain = name.replace("-", "").replace("_", "")
    return plain.isascii() and plain.isalnum() and len(name) <= MAX_NAME and not name.startswith("-")


def socket_name(session: str) -> str:
    """The file of a session's socket, in the folder. It is dialled from there: a path may be too long for an address."""
    return f"{session}.sock"


def log_name(session: str) -> str:
    """The file with a session's warnings."""
    return f"{session}.log"


def lock_name(session: str) -> str:
    """The file that a command holds while it starts or forgets a session."""
    return f"{session}.lock"


def sessions() -> list[str]:
    """The names of the sessions that have a socket, living or not."""
    try:
        names = os.listdir(folder())
    except FileNotFoundError:
        return []
    return sorted(name.removesuffix(".sock") for name in names if name.endswith(".sock"))
