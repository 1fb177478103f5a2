"""Find a Chromium that can load an unpacked extension, and the arguments to start it with."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from tabwire.browsers.running import LaunchOptions
from tabwire.errors import UnsupportedOperation

NAMES = ("chromium", "chromium-browser", "chrome-for-testing", "google-chrome-for-testing")
"""Program names looked for on PATH. Branded Chrome ignores --load-extension since version 137."""

INSTALLED = {
    "darwin": ("/Applications/Chromium.app/Contents/MacOS/Chromium",),
}

ON_WINDOWS = (
    ("LOCALAPPDATA", "Chromium/Application/chrome.exe"),
    ("ProgramFiles", "Chromium/Application/chrome.exe"),
    ("USERPROFILE", ".cache/puppeteer/chrome/*/*/chrome.exe"),
    ("USERPROFILE", ".cache/selenium/chrome/*/*/chrome.exe"),
)
"""Variables of Windows and the places below them where installers put Chromium, and others Chrome for Testing."""

DISABLED_FEATURES = (
    # After trusted input Chromium holds the tasks of the page back until the next frame: 12 ms an act; hidden tabs have none.
    "DeferRendererTasksAfterInput",
    # With these two, suggestions below the address bar are pages in a process of their own: more than half of the processor time
    # of a start without extensions (1.25 s, 0.55 s without them).
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
)
FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-quic",
    "--password-store=basic",
    "--use-mock-keychain",
    "--window-size=1280,800",
    # No "is debugging this browser" bar: nobody is surprised in a browser we started, and the bar moves the page.
    "--silent-debugger-extension-api",
    f"--disable-features={','.join(DISABLED_FEATURES)}",
)

ORDINARY = ("--no-first-run",)
"""Flags that remain for a browser that must look like an ordinary user's."""

NOT_JOINED = (
    "Google Chrome itself loads no extension in this way: launch Chromium or Chrome for Testing (--chromium, TABWIRE_CHROMIUM). "
    "A very busy computer may need another try."
)
_ADVICE: tuple[tuple[str, str], ...] = (
    (r"Missing X server|cannot open display|platform failed to initialize", "There is no screen here: launch it headless."),
    (
        r"existing browser session|ProcessSingleton|SingletonLock|profile appears to be in use",
        "Another browser uses the profile: end it, or launch with another profile.",
    ),
    (r"running as root without --no-sandbox|No usable sandbox", "Let an ordinary user run the bridge, or pass --no-sandbox."),
    (r"error while loading shared libraries", "Install the libraries that this Chromium needs."),
    (r"No space left on device", "Make room for the profile."),
)
"""Pairs of a pattern in the last output of Chromium and the step that mends its cause."""


def advice(words: str) -> str:
    """Return the next step after a start that failed.

    Args:
        words: how it ended, and its last words.
    """
    fits = (step for sign, step in _ADVICE if re.search(sign, words, re.IGNORECASE))
    return next(fits, "Start that Chromium by hand to see what is wrong with it, or name another one in --chromium.")


def find(chosen: Path | None) -> Path:
    """The Chromium to start.

    Args:
        chosen: what the user asked for, if anything (`--chromium`, `TABWIRE_CHROMIUM`).

    Raises:
        UnsupportedOperation: there is none, with how to get one.
    """
    if chosen is not None:
        found = shutil.which(str(chosen))
        if found is None:
            raise UnsupportedOperation(
                f"no Chromium at {chosen}; give the path of its executable in --chromium or TABWIRE_CHROMIUM"
            )
        return Path(found)
    for name in (*NAMES, *INSTALLED.get(sys.platform, ()), *(_places_on_windows() if sys.platform == "win32" else ())):
        if found := shutil.which(name):
            return Path(found)
    raise UnsupportedOperation(
        f"no Chromium found (looked for {', '.join(NAMES)} on PATH); install Chromium or Chrome for Testing, "
        "or name one in --chromium or TABWIRE_CHROMIUM"
    )


def _places_on_windows() -> list[str]:
    """Paths: the registered chrome.exe, unless it is Google Chrome, then the usual places, later versions first."""
    if sys.platform != "win32":
        return []
    from tabwire.windows import app_paths

    registered = app_paths.path_of("chrome.exe")
    is_wanted = registered is not None and "Google" not in registered.parts
    folders = [(Path(os.environ[name]), place) for name, place in ON_WINDOWS if os.environ.get(name)]
    usual = [path for folder, place in folders for path in sorted(folder.glob(place), reverse=True)]
    return [str(path) for path in ([registered] if is_wanted else []) + usual]


def command(options: LaunchOptions, *, profile: Path, extension: Path, spki: str | None = None) -> list[str]:
    """The executable and its arguments.

    Raises:
        UnsupportedOperation: there is no Chromium to start.
    """
    folders = [f"--user-data-dir={profile}", f"--load-extension={extension}"]
    return [str(find(options.chromium)), *folders, *switches(options, spki), "about:blank"]


def environment(profile: Path) -> dict[str, str]:
    """Environment variables of a browser. Without the first one Chromium puts its folder for crashes into the user's home."""
    return {"BREAKPAD_DUMP_LOCATION": str(profile / "Crash Reports"), **os.environ}


def switches(options: LaunchOptions, spki: str | None = None, *, is_here: bool = True) -> list[str]:
    """Return the switches that do not depend on where the browser's folders are.

    Args:
        spki: fingerprint of the one certificate to trust beyond the usual ones.
        is_here: it runs on this computer, as this user.
    """
    # Chromium refuses to start for root without --no-sandbox.
    root = is_here and hasattr(os, "geteuid") and os.geteuid() == 0
    return [
        *(ORDINARY if options.anti_detect else FLAGS),
        *(["--headless=new"] if options.headless else []),
        *(["--disable-gpu"] if options.headless and not options.anti_detect else []),
        *(["--no-sandbox"] if root else []),
        *([f"--ignore-certificate-errors-spki-list={spki}"] if spki else []),
        *options.arguments,
    ]
