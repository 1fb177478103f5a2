"""`tabwire` and `python -m tabwire`: commands for a session go there, and nothing else is imported for them."""

import io
import sys

from tabwire.cli.session.frames import INTERRUPTED
from tabwire.cli.session.options import is_for_session, spelled_out


def main() -> int:
    """Run the command line of this process; the exit code."""
    if sys.platform == "win32":
        _write_utf8()
    words = spelled_out(sys.argv[1:])
    if is_for_session(words):
        from tabwire.cli.session import client

        return client.main(words)
    from tabwire.cli import program

    try:
        return program.main(words)
    except KeyboardInterrupt:
        # While a server starts, and on Windows at any time: elsewhere a running server listens to the signal.
        return INTERRUPTED


def _write_utf8() -> None:
    """Windows gives a pipe or a file the code page of the country, in which most names of files cannot be written."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    sys.exit(main())
