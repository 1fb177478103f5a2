"""Profile folders of launched browsers: fresh ones, kept ones by name, and folders the user chose."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from tabwire.errors import InvalidArgument

__all__ = ["folder_of", "name_of", "prepare"]

_NAME = re.compile(r"[^\W_][\w .-]{0,63}")


def folder_of(profile: str | Path, home: Path) -> Path:
    """Where a kept profile is.

    Args:
        profile: a plain name, or a path: whatever is absolute, has a separator or begins with "~".
        home: named profiles are below it.

    Raises:
        InvalidArgument: neither.
    """
    text = str(profile)
    if isinstance(profile, Path) or text.startswith("~") or any(mark and mark in text for mark in (os.sep, os.altsep)):
        return Path(profile).expanduser().absolute()
    if not _NAME.fullmatch(text) or text.endswith((".", " ")):
        raise InvalidArgument(
            f"{text!r} is no name for a profile: letters, digits, spaces and . _ - are (at most 64), beginning with a letter or "
            "digit. A folder is named with its separator, such as ./folder."
        )
    return home / "profiles" / text


def name_of(profile: str | Path) -> str:
    """What people call a kept profile."""
    return Path(profile).name


def prepare(profile: Path, downloads: Path | None) -> Path:
    """Make a profile ready for its first start; one that was used is left as it is.

    In developer mode: without it `chrome.runtime.reload()` disables an unpacked extension for good.
    """
    preferences = profile / "Default" / "Preferences"
    if preferences.exists():
        return profile
    preferences.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
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
