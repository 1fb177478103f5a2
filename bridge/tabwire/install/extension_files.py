"""The extension's files: where they are, copying them to the folder that Chrome loads, and packing them for the store."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tabwire.disk import private_files
from tabwire.errors import UnsupportedOperation
from tabwire.wire.pairing import extension_id

MANIFEST = "manifest.json"
FOLDER = "extension"
DEVELOPMENT_ONLY = (".d.ts", "jsconfig.json")
SOURCES = f"{FOLDER}/content/"
"""Modules that Chrome gets as the scripts in `extension/injected`."""
LAUNCHED = f"{FOLDER}/launched/"
"""The worker as one file, for launched browsers."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


@cache
def source() -> Path:
    """The folder that holds manifest.json: inside the installed package, or the root of the checkout.

    Raises:
        UnsupportedOperation: neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    for root in (package / "_extension", package.parent.parent):
        if (root / MANIFEST).is_file() and (root / FOLDER).is_dir():
            return root
    raise UnsupportedOperation("the extension's files are missing from this installation; install tabwire again")


def is_checkout() -> bool:
    """Whether the files are those of a checkout, which Chrome may load as it is."""
    return source().name != "_extension"


@cache
def manifest() -> dict[str, Any]:
    """The manifest."""
    loaded: dict[str, Any] = json.loads((source() / MANIFEST).read_text())
    return loaded


def version() -> str:
    """Version of the package and of the extension, which are the same."""
    return str(manifest()["version"])


def is_own(extension_version: str) -> bool:
    """Whether an extension of that version is the one made for this package. One that does not say its version passes."""
    return extension_version in ("", version())


def identity() -> str:
    """The extension id that follows from the manifest's key."""
    return extension_id(manifest()["key"])


def contents() -> dict[str, bytes]:
    """Files that Chrome needs: path below the extension's folder → bytes."""
    root = source()
    files = (path for path in (root / FOLDER).rglob("*") if path.is_file() and not path.name.endswith(DEVELOPMENT_ONLY))
    paths = {path.relative_to(root).as_posix(): path for path in files if "__pycache__" not in path.parts}
    found = {name: path.read_bytes() for name, path in paths.items() if not name.startswith((SOURCES, LAUNCHED))}
    return {MANIFEST: (root / MANIFEST).read_bytes(), **found}


def contents_for_launched() -> dict[str, bytes]:
    """The files for a launched browser: its worker is one file, and modules that only the worker needs are not among them.

    Chromium installs a worker module by module: the browser process requests, reads and stores each one, which takes half a
    second of a processor for two hundred of them whenever a profile gets the extension. A launched browser nearly always has a
    new profile.
    """
    folder, worker = source() / LAUNCHED, manifest()["background"]["service_worker"]
    left_out = set(json.loads((folder / "left-out.json").read_text()))
    kept = {name: content for name, content in contents().items() if name not in left_out}
    return {**kept, worker: (folder / "worker.js").read_bytes()}


def write_to(folder: Path, files: Mapping[str, bytes] | None = None) -> Path:
    """Write what Chrome needs into a new folder.

    Args:
        files: what that is; None for all that there is.
    """
    for name, content in (contents() if files is None else files).items():
        path = folder / name
        private_files.make_folder(path.parent)
        with os.fdopen(private_files.create(path), "wb") as file:
            file.write(content)
    return folder


def pack(target: Path, *, keep_key: bool = False) -> int:
    """Write the extension as a zip: the same bytes for the same sources.

    Args:
        target: The zip file.
        keep_key: Leave the key, and with it the extension id, in the manifest; the store gives the extension its own.

    Returns:
        The number of files in it.
    """
    import zipfile

    files = {**contents(), MANIFEST: _manifest_bytes(manifest(), keep_key)}
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = 0o644 << 16
            package.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return len(files)


def _manifest_bytes(fields: Mapping[str, Any], keep_key: bool) -> bytes:
    kept = {name: value for name, value in fields.items() if keep_key or name != "key"}
    return json.dumps(kept, indent=2).encode()
