"""Start a Chromium with the extension loaded and paired; it ends with its owner."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio

from tabwire import extension
from tabwire.browsers import chromium
from tabwire.browsers.guard import Guard
from tabwire.keys import Key, write_pairing

log = logging.getLogger(__name__)

CLOSE_SECONDS = 1.5


@dataclass(frozen=True)
class Launched:
    """A running browser of ours."""

    process: subprocess.Popen[bytes]
    profile: Path

    async def ended(self) -> int:
        """Wait for the browser to end; its exit code."""
        return await anyio.to_thread.run_sync(self.process.wait, abandon_on_cancel=True)


@asynccontextmanager
async def launched(
    *,
    key: Key,
    ports: Sequence[int],
    binary: Path | None,
    headless: bool,
    profile: Path | None,
    extra: Sequence[str],
    downloads: Path | None = None,
) -> AsyncIterator[Launched]:
    """A browser for as long as the block runs.

    Args:
        key: the pairing key it gets; nobody else has it.
        ports: the only ports its extension will look at.
        profile: kept profile folder; None for a temporary one.
        extra: further command-line arguments for the browser.
        downloads: where a new profile saves what pages offer; None for the browser's own choice, the user's folder.

    Raises:
        UnsupportedOperation: no Chromium to start.
    """
    executable = chromium.find(binary)
    scratch = Path(tempfile.mkdtemp(prefix="tabwire-"))
    process: subprocess.Popen[bytes] | None = None
    guard = Guard()
    guard.folder(scratch)
    try:
        staged = extension.copy_to(scratch / "extension")
        write_pairing(staged, key, ports=ports)
        folder = _profile_folder(profile, scratch, downloads)
        command = [str(executable), *chromium.arguments(profile=folder, extension=staged, headless=headless, extra=extra)]
        process = subprocess.Popen(  # noqa: ASYNC220  # returns at once, and anyio's variant cannot outlive a cancelled scope
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=None if log.isEnabledFor(logging.DEBUG) else subprocess.DEVNULL,
            start_new_session=True,
        )
        guard.group(process.pid)
        yield Launched(process, folder)
    finally:
        with anyio.CancelScope(shield=True):
            await _close(process, guard)


async def _close(process: subprocess.Popen[bytes] | None, guard: Guard) -> None:
    """Have the guard do its work, as it would after our death.

    Only the browser itself is waited for: clients kill a server that takes long to end, and the guard outlives us anyway.
    """
    guard.release()
    if process is not None:
        with anyio.move_on_after(CLOSE_SECONDS):
            await anyio.to_thread.run_sync(process.wait, abandon_on_cancel=True)


def _profile_folder(chosen: Path | None, scratch: Path, downloads: Path | None) -> Path:
    """The profile, in developer mode: without it `chrome.runtime.reload()` disables an unpacked extension for good."""
    profile = chosen.expanduser().absolute() if chosen else scratch / "profile"
    preferences = profile / "Default" / "Preferences"
    if preferences.exists():
        return profile
    preferences.parent.mkdir(parents=True, exist_ok=True)
    preferences.write_text(json.dumps(_preferences(downloads)))
    os.chmod(profile, 0o700)
    return profile


def _preferences(downloads: Path | None) -> dict[str, Any]:
    settings: dict[str, Any] = {"extensions": {"ui": {"developer_mode": True}}}
    if downloads is not None:
        settings["download"] = {"default_directory": str(downloads), "prompt_for_download": False}
        # Else a page's second download without a click waits for an answer, and there is nobody to ask.
        settings["profile"] = {"default_content_setting_values": {"automatic_downloads": 1}}
    return settings
