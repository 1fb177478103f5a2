"""Profile folders of launched browsers: fresh ones, kept ones by name, and folders the user chose."""

import json
import os
import re
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import anyio

from tabwire.disk import locks, private_files
from tabwire.errors import InvalidArgument, SessionNotCreated

PATIENCE_SECONDS = 6.0
"""Seconds to wait for a profile that a browser in its end still uses: one of a bridge that was restarted, for example."""
_LOOK_SECONDS = 0.1
_NAME = re.compile(r"[^\W_][\w .-]{0,63}")
_LOCK = "tabwire.lock"
STATE = "Local State"
"""A file that Chromium keeps in each of its profile folders."""


def folder_of(profile: str | Path, home: Path) -> Path:
    """Return the folder of a kept profile.

    Args:
        profile: a plain name, or a path: whatever is a `Path`, has a separator or begins with "~".
        home: named profiles are below it.

    Raises:
        InvalidArgument: neither.
    """
    text = str(profile)
    if not is_name(profile):
        return Path(profile).expanduser().absolute()
    if not _NAME.fullmatch(text) or text.endswith((".", " ")):
        raise InvalidArgument(
            f"{text!r} is no name for a profile: give one of letters, digits, spaces and . _ - (at most 64), the first a letter "
            f"or digit. A folder is named by a path, such as .{os.sep}folder."
        )
    return home / "profiles" / text


def is_name(profile: str | Path) -> bool:
    """Whether a kept profile is given by a name, not by the path of a folder."""
    text = str(profile)
    return not (isinstance(profile, Path) or text.startswith("~") or any(mark and mark in text for mark in (os.sep, os.altsep)))


def is_of_others(folder: Path) -> bool:
    """Whether a folder is the profile of a browser that was never launched from here."""
    return (folder / STATE).exists() and not (folder / _LOCK).exists()


def name_of(profile: str | Path) -> str:
    """Name that people call a kept profile."""
    return Path(profile).expanduser().absolute().name or str(profile)


def prepare(profile: Path, downloads: Path | None) -> Path:
    """Make a profile ready for its first start; one that was used is left as it is.

    In developer mode: without it `chrome.runtime.reload()` disables an unpacked extension for good.
    """
    preferences = profile / "Default" / "Preferences"
    if preferences.exists():
        return profile
    private_files.make_own_folder(profile)
    # Whole or not at all: half of it would be one that was used.
    private_files.write(preferences, json.dumps(_preferences(downloads)))
    return profile


def _preferences(downloads: Path | None) -> dict[str, Any]:
    settings: dict[str, Any] = {"extensions": {"ui": {"developer_mode": True}}}
    if downloads is not None:
        settings["download"] = {"default_directory": str(downloads), "prompt_for_download": False}
        # Else a page's second download without a click waits for an answer, and there is nobody to ask.
        settings["profile"] = {"default_content_setting_values": {"automatic_downloads": 1}}
    return settings


class Claim:
    """A kept profile that is ours until this is closed, or until this process ends."""

    def __init__(self, profile: Path, file: IO[str]) -> None:
        self.profile = profile
        self._file = file

    def close(self) -> None:
        """Free the profile for another browser."""
        self._file.close()


async def claim(profile: Path) -> Claim:
    """Have a kept profile for one browser. Chromium would hand a second one over to the first, in which nobody expects it.

    Raises:
        SessionNotCreated: another browser uses it.
        OSError: there can be no such folder.
    """
    file = _open_lock(profile)
    try:
        with anyio.move_on_after(PATIENCE_SECONDS):
            # Neither a lock nor a socket tells when it is let go.
            while not _lock(file) or _holder(profile):  # noqa: ASYNC110
                await anyio.sleep(_LOOK_SECONDS)
            return Claim(profile, file)
        raise SessionNotCreated(
            f"The profile in {profile} is in use by {_holder(profile) or 'a browser that another Tabwire has launched'}.",
            next_step="End that browser, or launch with another profile.",
        )
    except BaseException:
        file.close()
        raise


def _open_lock(profile: Path) -> IO[str]:
    private_files.make_own_folder(profile)
    lock = profile / _LOCK
    with suppress(FileExistsError):
        os.close(private_files.create(lock))
    return lock.open("r+")


def _lock(file: IO[str]) -> bool:
    """Whether the file is ours alone. Asking again does no harm."""
    try:
        return locks.take(file.fileno())
    except OSError:
        # A file system without locks; Chromium's own sign is left.
        return True


def _holder(profile: Path) -> str | None:
    """The browser that has the profile open, as Chromium itself finds it: by who listens at its socket."""
    if sys.platform == "win32" or not _listens(profile / "SingletonSocket"):
        return None
    with suppress(OSError):
        return f"process {os.readlink(profile / 'SingletonLock').rpartition('-')[2]}"
    return "another browser"


def _listens(link: Path) -> bool:
    try:
        # What it names is short enough for an address.
        address = os.readlink(link)
        with socket.socket(socket.AF_UNIX) as other:
            other.setblocking(False)
            other.connect(address)
    except BlockingIOError:
        # It is there, and slow: others wait for it already.
        return True
    except OSError:
        return False
    return True
