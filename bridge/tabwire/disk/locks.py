"""Locks on open files, which the system frees whatever ends their holder."""

import sys


def take(descriptor: int, *, is_shared: bool = False) -> bool:
    """Whether the lock of an open file could be had, without a wait. To ask again does no harm, except on Windows, which refuses
    its holder, too.

    Args:
        descriptor: the open file.
        is_shared: whether others may hold the lock too, if they share it. Windows has no such locks.

    Raises:
        OSError: the file system has no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def wait(descriptor: int) -> None:
    """Take the lock of an open file, after those who hold it for a moment.

    Raises:
        OSError: the file system has no locks, or on Windows somebody holds it for ten seconds.
    """
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX)
