"""Pairing keys on disk: `keys.json` for the bridges of this user, `pairing.json` in a folder Chrome loads the extension from.

Both are readable by their owner only and replaced whole. `keys.json` is read again at each handshake, so that a key that was
taken back stops working at once. There may be several keys: one per Chrome profile or copy of the extension.
"""

import json
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from tabwire import INSTALL_COMMAND
from tabwire.disk import plain_files, private_files
from tabwire.errors import TabwireError, UnsupportedOperation
from tabwire.wire.connection import Visit
from tabwire.wire.messages import MAX_WAKE_S, USUAL_WAKE_S
from tabwire.wire.pairing import KEY_BYTES, decode, encode, key_id

PAIRING_FILE = "pairing.json"
_VERSION = 1
_LOCK_PATIENCE_S = 2.0
_LOCK_STALE_S = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Key:
    """A pairing key."""

    id: str
    secret: bytes = field(repr=False)
    label: str = ""
    """Folder of the key, or the name of its browser."""
    created: str = ""
    browser_id: str = ""
    """The browser that it was agreed on with, by a person's click; "" for the key of a folder."""


class Keys(Protocol):
    """Store where a handshake looks keys up."""

    def find(self, key_id: str) -> bytes | None:
        """The secret of a key that is valid now."""

    def holds(self, key_id: str) -> bool:
        """Whether a key is still valid. Cheap: asked for each frame."""

    def fits(self, key_id: str, browser_id: str) -> bool:
        """Whether the browser that proved to have this key may be the one it says it is."""

    def is_launched(self, key_id: str) -> bool:
        """Whether it was made for a browser that this process starts."""

    def note_use(self, key_id: str, wake_s: int) -> None:
        """A browser has just proved that it has the key; its worker is started at least every `wake_s` seconds."""

    def last_visit(self) -> Visit | None:
        """The last use of a key that is valid now."""


class MemoryKeys:
    """Keys of this process alone: those of browsers it launches."""

    def __init__(self, *keys: Key) -> None:
        self._keys = {key.id: key.secret for key in keys}
        self._browsers: dict[str, str] = {}

    def add(self, key: Key, browser_id: str | None = None) -> None:
        """Let a browser in that holds this key.

        Args:
            browser_id: The only one it is for, and who nobody without it can be: it may run on a computer that others use, too.
        """
        self._keys[key.id] = key.secret
        if browser_id is not None:
            self._browsers[key.id] = browser_id

    def remove(self, key_id: str) -> None:
        """Take a key back: what is still connected with it is refused at its next frame, in either direction."""
        self._keys.pop(key_id, None)
        self._browsers.pop(key_id, None)

    def find(self, key_id: str) -> bytes | None:
        return self._keys.get(key_id)

    def holds(self, key_id: str) -> bool:
        return key_id in self._keys

    def fits(self, key_id: str, browser_id: str) -> bool:
        return all((key == key_id) == (browser == browser_id) for key, browser in self._browsers.items())

    def is_launched(self, key_id: str) -> bool:
        """All of them are."""
        return key_id in self._keys

    def note_use(self, key_id: str, wake_s: int) -> None:
        """Do nothing: the use of these keys is not kept."""

    def last_visit(self) -> Visit | None:
        """None: who launches a browser waits for it anyway."""
        return None


class JoinedKeys:
    """The keys of several places, such as the user's file and those of launched browsers. The first that holds one counts.

    Args:
        places: In the order in which they are asked.
    """

    def __init__(self, *places: Keys) -> None:
        self._places = places

    def find(self, key_id: str) -> bytes | None:
        found = (place.find(key_id) for place in self._places)
        return next((secret for secret in found if secret is not None), None)

    def holds(self, key_id: str) -> bool:
        return any(place.holds(key_id) for place in self._places)

    def fits(self, key_id: str, browser_id: str) -> bool:
        return all(place.fits(key_id, browser_id) for place in self._places)

    def is_launched(self, key_id: str) -> bool:
        return any(place.is_launched(key_id) for place in self._places)

    def note_use(self, key_id: str, wake_s: int) -> None:
        for place in self._places:
            if place.holds(key_id):
                place.note_use(key_id, wake_s)
                return

    def last_visit(self) -> Visit | None:
        visits = [visit for place in self._places if (visit := place.last_visit())]
        return max(visits, key=lambda visit: visit.at, default=None)


class KeyStore:
    """The keys in one file.

    Args:
        path: `keys.json`; it and its folder are made at the first write.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: tuple[tuple[int, ...], frozenset[str]] | None = None

    def find(self, key_id: str) -> bytes | None:
        """The secret of a key; None as well when the file cannot be used, which the log says."""
        try:
            return next((key.secret for key in self.all() if key.id == key_id), None)
        except TabwireError as error:
            logger.error("%s", error)
            return None

    def holds(self, key_id: str) -> bool:
        """Whether a key is still valid. The file is read only when it is another one than at the last time."""
        try:
            status = self.path.stat()
        except OSError:
            return False
        mark = (status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode)
        if self._held is None or self._held[0] != mark:
            try:
                self._held = mark, frozenset(key.id for key in self.all())
            except TabwireError as error:
                logger.error("%s", error)
                self._held = mark, frozenset()
        return key_id in self._held[1]

    def fits(self, key_id: str, browser_id: str) -> bool:
        """Always: a browser of the user's own makes its id itself."""
        return True

    def is_launched(self, key_id: str) -> bool:
        """None of them is."""
        return False

    def note_use(self, key_id: str, wake_s: int) -> None:
        """Remember when a key was used last. Failing to is no reason to refuse a browser."""
        note = self._last_use(key_id)
        try:
            write_private(note, f"{wake_s}\n")
        except OSError as error:
            logger.warning("cannot note the use of a key in %s: %s", note, error)

    def last_used(self, key_id: str) -> datetime | None:
        """Time when a browser has proved last that it has the key; None if it is not known."""
        try:
            return datetime.fromtimestamp(self._last_use(key_id).stat().st_mtime, UTC)
        except OSError:
            return None

    def last_visit(self) -> Visit | None:
        """The last use of a key that is valid now; None as well when the file of keys cannot be used."""
        try:
            visits = [Visit(at, self._wake_s(key.id)) for key in self.all() if (at := self.last_used(key.id))]
        except TabwireError:
            return None
        return max(visits, key=lambda visit: visit.at, default=None)

    def _wake_s(self, key_id: str) -> int:
        try:
            return min(int(plain_files.read_text(self._last_use(key_id))), MAX_WAKE_S)
        except (OSError, ValueError):
            return USUAL_WAKE_S

    def _last_use(self, key_id: str) -> Path:
        # Not in the file of keys: bridges that connect at once would take turns to rewrite the secrets.
        return self.path.with_name("last_used") / key_id

    def all(self) -> tuple[Key, ...]:
        """All keys, oldest first.

        Raises:
            UnsupportedOperation: The file is broken, or others may read it.
        """
        try:
            text = private_files.read(self.path)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise UnsupportedOperation(f"{self.path} cannot be read: {error.strerror}.") from None
        try:
            return tuple(_key_of(entry) for entry in json.loads(text)["keys"])
        except (ValueError, KeyError, TypeError) as error:
            raise UnsupportedOperation(
                f"{self.path} is not a file of keys ({error!r}).", next_step=f"Move it away and run `{INSTALL_COMMAND}`."
            ) from None

    def create(self, label: str = "") -> Key:
        """Make a key and keep it. A label stands for one copy of the extension: its earlier key stops working."""
        key = new_key(label)
        self._replace(lambda other: bool(label) and not other.browser_id and other.label == label, key)
        return key

    def add(self, key: Key) -> None:
        """Keep a key that was agreed on with a browser; an earlier one of that browser stops working."""
        self._replace(lambda other: other.browser_id == key.browser_id, key)

    def remove(self, key_id: str) -> bool:
        """Take a key back; whether there was one."""
        return self._replace(lambda key: key.id == key_id)

    def _replace(self, is_replaced: Callable[[Key], bool], *new: Key) -> bool:
        """Drop the keys that new ones replace; whether there were any."""
        with locked(self.path):
            keys = self.all()
            replaced = [key for key in keys if is_replaced(key)]
            if replaced or new:
                kept = [key for key in keys if key not in replaced]
                entries = [_entry_of(key) for key in (*kept, *new)]
                write_private(self.path, json.dumps({"version": _VERSION, "keys": entries}, indent=2) + "\n")
        for key in replaced:
            self._last_use(key.id).unlink(missing_ok=True)
        return bool(replaced)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a file or folder of ours against other writers: reading, changing and replacing it is one step.

    Raises:
        UnsupportedOperation: Another program holds it for too long.
    """
    lock = path.with_name(path.name + ".lock")
    private_files.make_own_folder(lock.parent)
    give_up = time.monotonic() + _LOCK_PATIENCE_S
    while not _take(lock):
        if time.monotonic() > give_up:
            raise UnsupportedOperation(
                f"{path} is being changed by another program.", next_step=f"Try again; if none runs, delete {lock}."
            )
        time.sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def new_key(label: str = "", *, secret: bytes = b"") -> Key:
    """A new key: of fresh random bytes, where it was not agreed on with a browser."""
    secret = secret or secrets.token_bytes(KEY_BYTES)
    return Key(key_id(secret), secret, label, datetime.now(UTC).isoformat(timespec="seconds"))


def write_pairing(
    folder: Path,
    key: Key,
    *,
    ports: Sequence[int] | None = None,
    address: str | None = None,
    token: str | None = None,
    browser: Mapping[str, str] | None = None,
    permissions: Mapping[str, Any] | None = None,
) -> Path:
    """Give the extension in a folder its key.

    Args:
        folder: Where its manifest.json is.
        ports: The only ports of this computer to look at; default: the whole window.
        address: The only bridge to dial instead, `wss://HOST:PORT`.
        token: What the listener there wants to see before it talks.
        browser: `id` and `name` of the browser, where they are known before it starts; default: it makes an id of its own. A
            name its owner gave it goes before this one.
        permissions: What is allowed ahead, see `Grants`; default: what the folder's pairing says already.
    """
    path = folder / PAIRING_FILE
    allowed = kept_permissions(folder) if permissions is None else dict(permissions)
    pairing: dict[str, Any] = {"version": _VERSION, "key": encode(key.secret), "key_id": key.id}
    given = {"ports": list(ports or ()), "address": address, "token": token, "browser": dict(browser or {})}
    given["permissions"] = allowed
    pairing |= {name: value for name, value in given.items() if value}
    private_files.write(path, json.dumps(pairing, indent=2) + "\n")
    return path


def kept_permissions(folder: Path) -> dict[str, Any]:
    """Permissions that the pairing of a folder gives ahead; empty where it has none."""
    found = plain_files.read_object(folder / PAIRING_FILE).get("permissions")
    return found if isinstance(found, dict) else {}


def write_private(path: Path, text: str) -> None:
    """Replace a file whole, readable by its owner only, in a folder of ours."""
    private_files.make_own_folder(path.parent)
    private_files.write(path, text)


def _take(lock: Path) -> bool:
    try:
        os.close(private_files.create(lock))
        return True
    except FileExistsError:
        with suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > _LOCK_STALE_S:
                lock.unlink()
        return False
    except PermissionError:
        # Windows says so of a file that is being deleted.
        if sys.platform != "win32":
            raise
        return False


def _entry_of(key: Key) -> dict[str, str]:
    entry = {"key_id": key.id, "key": encode(key.secret), "label": key.label, "created": key.created}
    return {**entry, "browser_id": key.browser_id} if key.browser_id else entry


def _key_of(entry: dict[str, str]) -> Key:
    secret = decode(entry["key"])
    if len(secret) != KEY_BYTES:
        raise ValueError("a key has the wrong length")
    told = (str(entry.get(name, "")) for name in ("label", "created", "browser_id"))
    return Key(key_id(secret), secret, *told)
