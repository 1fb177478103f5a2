"""Saved logins: one private file each, under TABWIRE_HOME, replaced whole and read again each time."""

import json
import re
import sys
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from tabwire.disk import private_files
from tabwire.disk.open_folders import open_folder
from tabwire.errors import InvalidArgument, UnsupportedOperation

MAX_STATE_BYTES = 256 * 1024 * 1024
_VERSION = 1
_SUFFIX = ".json"
_NAME = re.compile(r"\w(?:[\w.@+ -]{0,62}[\w@+-])?")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)

Pairs = list[tuple[str, str]]


class SavedOrigin(BaseModel):
    """Cookies and storage kept of one origin."""

    model_config = ConfigDict(extra="ignore")

    origin: str
    cookies: list[dict[str, Any]] = []
    local_storage: Pairs | None = None
    session_storage: Pairs | None = None

    def counts(self) -> dict[str, Any]:
        """Count the kept items, without naming them."""
        storages = {"local_storage": self.local_storage, "session_storage": self.session_storage}
        return {
            "origin": self.origin,
            "cookies": len(self.cookies),
            **{name: len(items) for name, items in storages.items() if items is not None},
        }


class SavedState(BaseModel):
    """Content of one file."""

    model_config = ConfigDict(extra="ignore")

    version: int
    saved: str
    origins: list[SavedOrigin]


@dataclass(frozen=True, slots=True)
class Summary:
    """A file as a list shows it; a file that cannot be used has a problem instead of a state."""

    name: str
    bytes: int
    state: SavedState | None
    problem: str | None = None


class AuthStates:
    """The saved logins in one folder.

    Args:
        folder: it is made at the first write, for its owner only.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the file of the state of that name.

        Raises:
            InvalidArgument: the name cannot be one of a file in the folder.
        """
        try:
            return self.folder / f"{checked_name(name)}{_SUFFIX}"
        except ValueError as error:
            raise InvalidArgument(str(error)) from None

    def save(self, name: str, origins: list[SavedOrigin]) -> SavedState:
        """Write a state, in place of an earlier one of that name."""
        state = SavedState(version=_VERSION, saved=datetime.now(UTC).isoformat(timespec="seconds"), origins=origins)
        path = self.path(name)
        try:
            # ASCII: what pages store need not be valid Unicode.
            data = (json.dumps(state.model_dump(exclude_none=True)) + "\n").encode()
            private_files.make_own_folder(self.folder)
            with open_folder(self.folder.resolve()) as folder:
                folder.write(path.name, data, lambda status: True, is_durable=True)
        except OSError as error:
            raise UnsupportedOperation(f"{path} cannot be written: {error.strerror}.") from None
        return state

    def load(self, name: str) -> SavedState:
        """The state of that name.

        Raises:
            InvalidArgument: there is none.
            UnsupportedOperation: its file is broken, or others may read it.
        """
        path = self.path(name)
        try:
            return _state_of(path, _read(path))
        except FileNotFoundError:
            raise InvalidArgument(f"no state is saved as {name!r}; {self._known()}") from None
        except OSError as error:
            raise UnsupportedOperation(f"{path} cannot be read: {error.strerror}.") from None

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return self.path(name).is_file()

    def all(self) -> list[Summary]:
        """Every state, by name."""
        return [self._summary(name) for name in self._names()]

    def delete(self, name: str) -> None:
        """Forget a state, usable or not.

        Raises:
            InvalidArgument: there is none.
        """
        try:
            self.path(name).unlink()
        except FileNotFoundError:
            raise InvalidArgument(f"no state is saved as {name!r}; {self._known()}") from None

    def _names(self) -> list[str]:
        if not self.folder.is_dir():
            return []
        names = (path.name.removesuffix(_SUFFIX) for path in self.folder.glob(f"*{_SUFFIX}") if path.is_file())
        return sorted(name for name in names if _NAME.fullmatch(name))

    def _known(self) -> str:
        names = self._names()
        return f"saved: {', '.join(names)}" if names else "none has been saved yet"

    def _summary(self, name: str) -> Summary:
        path = self.path(name)
        try:
            return Summary(name, path.stat().st_size, self.load(name))
        except (UnsupportedOperation, InvalidArgument, OSError) as error:
            return Summary(name, path.stat().st_size if path.exists() else 0, None, str(error))


def _read(path: Path) -> str:
    with open_folder(path.parent.resolve()) as folder:
        data, status = folder.read(path.name, MAX_STATE_BYTES)
    # Windows keeps no such bits; there the folder in the user's profile protects the file.
    if sys.platform != "win32" and status.st_mode & 0o077:
        raise UnsupportedOperation(
            f"{path} may be read by other users of this computer.",
            next_step=f"Run `chmod 600 {path}`; sign out of the sites in it if others could have used it.",
        )
    return data.decode("utf-8", "replace")


def _state_of(path: Path, text: str) -> SavedState:
    """The message names no value: what is in the file is secret."""
    again = 'Save it again, or remove it with action "delete".'
    try:
        state = SavedState.model_validate(json.loads(text))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False, include_input=False)[0]["loc"])
        raise UnsupportedOperation(f"{path} is not a saved state (at {where or 'its top'}).", next_step=again) from None
    except (ValueError, RecursionError):
        raise UnsupportedOperation(f"{path} is not a saved state: it is not JSON.", next_step=again) from None
    if state.version != _VERSION:
        raise UnsupportedOperation(f"{path} has version {state.version}; this tabwire knows {_VERSION}.", next_step=again)
    return state


def checked_name(name: str) -> str:
    """A name that can only be that of a file in the folder.

    Raises:
        ValueError: it could be anything else.
    """
    name = unicodedata.normalize("NFC", name)
    if not _NAME.fullmatch(name) or _RESERVED.fullmatch(name) or len(name.encode()) > 200:
        raise ValueError(
            "a name has 1 to 64 letters, digits, spaces or any of . _ - @ +; it begins with a letter or digit and ends with no "
            "dot or space"
        )
    return name
