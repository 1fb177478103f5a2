"""The end of `tabwire install` at a terminal: what is left to do in the browser, and a wait until it is done."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tabwire import config
from tabwire.cli import doctor_command
from tabwire.cli.extension_command import key_store
from tabwire.errors import EXTENSIONS_PAGE, RELOAD_STEP
from tabwire.install import extension_files
from tabwire.install.desktop import Desktop

if TYPE_CHECKING:
    from tabwire.diagnosis.report import Hop
    from tabwire.wire.connection import Refusal
    from tabwire.wire.messages import Browser

WAIT_S = 900.0
"""Time for a person to find the page and the folder."""
_ASKED = """
Tabwire in a browser asks to be connected with this computer. Code: {code}
  Tabwire's page in your browser must show the same code. If it does, press Allow there.
  If it shows another code, or none, press Don't allow there and Ctrl-C here: another program has asked."""
_OWN_RULES = "[permissions] in config.toml does not count for this browser: make its rules in the extension, under Sites."
TRY = "Open example.com in my browser and tell me what it says."


def tell_steps(folder: Path, desktop: Desktop, *, opens: bool) -> None:
    """Print how the extension is loaded.

    Args:
        folder: To load.
        opens: Whether to open the browser's page, where that is possible.
    """
    is_open = opens and desktop.open_extensions_page()
    print("\nIf Tabwire is in your browser already, from its store: its page asks to be allowed. (It is gone? Press Connect this")
    print("browser behind Tabwire's button.) Otherwise, in Chrome, once:")
    print(f"  1. {f'See the page {EXTENSIONS_PAGE}, which is open now' if is_open else f'Go to {EXTENSIONS_PAGE}'}.")
    if opens and not is_open:
        print("     (No program may open that page here: type its name into the address bar.)")
    print("     (Edge, Brave and other browsers of Chromium's kind take this address, too.)")
    print("  2. Switch on Developer mode: at the top right, in Edge at the left.")
    print("  3. Press Load unpacked and choose this folder:")
    print(f"     {folder}{'   (its path is in the clipboard)' if desktop.copy(str(folder)) else ''}")


def tell_reload() -> None:
    """Print what an update needs."""
    print(f"\nIn Chrome: {RELOAD_STEP}.")


def wait(settings: config.Config, ask: str, limit_s: float = WAIT_S) -> int:
    """Wait until a browser with this version of the extension is connected, and say how all is.

    Args:
        ask: Words for whom to try it with.
        limit_s: How long.

    Returns:
        0 when all works, 1 when it does not.
    """
    import anyio

    from tabwire.diagnosis import doctor
    from tabwire.wire.pairing_desk import Asking

    def say_wait() -> None:
        _say("\nWaiting for Chrome … (Ctrl-C ends the wait; what is done stays done)")

    def say_refused(refusal: Refusal) -> None:
        _say(f"A browser has asked and was refused: {refusal.why} {refusal.fix}")

    def say_joined(browser: Browser) -> None:
        _say(f"{browser.name} connected ✓")
        if settings.permissions.written() and any(key.browser_id == browser.id for key in key_store(settings).all()):
            _say(_OWN_RULES)

    def show_code(code: str) -> None:
        if code:
            _say(_ASKED.format(code=code))

    # The findings say it in their own words.
    logging.disable(logging.CRITICAL)
    hops: list[Hop] = []
    version, identity = extension_files.version(), extension_files.identity()
    person = Asking(_say, show_code, confirm if sys.stdin.isatty() else None)
    arrival = doctor.Arrival(limit_s, say_refused, say_joined, person)
    try:
        found = anyio.run(doctor.examine, settings, None, version, identity, hops.append, say_wait, arrival)
    except KeyboardInterrupt:
        _say("\nThe wait is over. When the extension is loaded, `tabwire doctor` says whether all works.")
        return 1
    finally:
        logging.disable(logging.NOTSET)
    if not found.ok:
        for hop in hops:
            doctor_command.print_hop(hop)
    doctor_command.print_end(found)
    if found.ok:
        _say(f"{ask}: “{TRY}”")
    return 0 if found.ok else 1


async def confirm() -> bool:
    """The person's word that the page shows the code; the thread that reads it ends with the process."""
    import asyncio

    loop = asyncio.get_running_loop()
    answer: asyncio.Future[str] = loop.create_future()

    def settle(line: str) -> None:
        if not answer.done():
            answer.set_result(line)

    def read() -> None:
        line = sys.stdin.readline()
        # The wait may be over.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, line)

    _say("Allow was pressed. Does Tabwire's page show this code? Type yes and press Enter:")
    threading.Thread(target=read, daemon=True).start()
    return (await answer).strip().casefold() in ("yes", "y")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
