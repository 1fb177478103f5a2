"""`tabwire doctor`: try every hop from here to a page, and name the first that fails and what to do about it."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabwire.diagnosis.doctor import Diagnosis
    from tabwire.diagnosis.report import Hop

_MARKS = {True: "ok", False: "FAILS", None: "-"}


def add(parser: argparse.ArgumentParser) -> None:
    """The options; those of the configuration mean what they mean to `serve`."""
    parser.add_argument("--json", action="store_true", help="print what was found as one JSON object")
    parser.add_argument("--home", metavar="DIR", help="keys and run files (default: ~/.tabwire)")
    parser.add_argument("--port", type=int, help="the port that clients pin, if they do")
    parser.add_argument("--browser", metavar="NAME", help="wait for the browser of this name or id")


def run(options: argparse.Namespace) -> int:
    """0 when every hop was seen to work, 1 when one was not, 2 for a wrong configuration."""
    import anyio

    from tabwire import config
    from tabwire.diagnosis import doctor
    from tabwire.errors import TabwireError
    from tabwire.install import extension_files

    # The findings say it in their own words.
    logging.disable(logging.CRITICAL)
    try:
        settings = config.load({"home": options.home, "port": options.port})
    except TabwireError as error:
        sys.stderr.write(f"tabwire: {error}\n")
        return 2
    told, wait = (_keep_quiet, _keep_still) if options.json else (print_hop, _print_wait)
    found = anyio.run(
        doctor.examine, settings, options.browser, extension_files.version(), extension_files.identity(), told, wait
    )
    if options.json:
        sys.stdout.write(json.dumps(found.to_data(), ensure_ascii=False, indent=2) + "\n")
    else:
        print_end(found)
    return 0 if found.ok else 1


def _keep_quiet(hop: Hop) -> None:
    """Print nothing for a single finding: all of them follow as JSON."""


def _keep_still() -> None:
    """Print nothing while the doctor waits: all findings follow as JSON."""


def print_hop(hop: Hop) -> None:
    """Prints a finding as a line."""
    time = f"{hop.ms:g} ms" if hop.ms is not None else ""
    said = hop.detail if hop.detail.startswith(hop.name) else ": ".join(part for part in (hop.name, hop.detail) if part)
    sys.stdout.write(f"{_MARKS[hop.ok]:<6} {time:>9}  {said}\n")
    sys.stdout.flush()


def _print_wait() -> None:
    from tabwire.diagnosis.doctor import JOIN_LIMIT_S

    if sys.stderr.isatty():
        sys.stderr.write(f"waiting up to {JOIN_LIMIT_S:g} s for a browser's extension to find this bridge…\n")


def print_end(found: Diagnosis) -> None:
    """The first thing to mend, or that all is well."""
    first = found.first_fault
    if first:
        sys.stdout.write(f"\nThe first that fails: {first.name}. {first.fix}.\n".replace("..", "."))
    elif found.ok:
        sys.stdout.write("\nEverything that was tried works.\n")
