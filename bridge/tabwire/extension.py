"""The extension's files: where they are, and copying them to where Chrome shall load them from."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from tabwire.errors import UnsupportedOperation
from tabwire.protocol.pairing import extension_id

MANIFEST = "manifest.json"
FOLDER = "extension"


@cache
def source() -> Path:
    """The folder that holds manifest.json: inside the installed package, or the root of the checkout.

    Raises:
        UnsupportedOperation: neither is there.
    """
    package = Path(__file__).resolve().parent
    for root in (package / "_extension", package.parent.parent):
        if (root / MANIFEST).is_file() and (root / FOLDER).is_dir():
            return root
    raise UnsupportedOperation("the extension's files are missing from this installation; install tabwire again")


@cache
def manifest() -> dict[str, Any]:
    """The manifest."""
    loaded: dict[str, Any] = json.loads((source() / MANIFEST).read_text())
    return loaded


def version() -> str:
    """One version for the package and the extension."""
    return str(manifest()["version"])


def identity() -> str:
    """The extension id that follows from the manifest's key."""
    return extension_id(manifest()["key"])


def copy_to(target: Path) -> Path:
    """Copy what Chrome needs, replacing an earlier copy whole."""
    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    shutil.copy2(source() / MANIFEST, fresh / MANIFEST)
    shutil.copytree(source() / FOLDER, fresh / FOLDER, ignore=shutil.ignore_patterns("*.d.ts", "jsconfig.json"))
    shutil.rmtree(target, ignore_errors=True)
    fresh.rename(target)
    return target
