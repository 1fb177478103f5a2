"""A program: gives the text of a PDF page by page, as far as time and memory go. Imports the standard library and pypdf.

In: a line of JSON with path (where Python looks for packages) and seconds, then the file. Out, a line of JSON each: pages and
title, then the text of each page; or the problem.
"""

import contextlib
import faulthandler
import io
import json
import logging
import sys

MAX_MEMORY = 1 << 30
"""Bytes."""
MAX_TITLE = 300
MAX_CAUSE = 200


def main() -> None:
    """See the module."""
    task = json.loads(sys.stdin.buffer.readline())
    sys.path[:] = task["path"]
    _guard(task["seconds"])
    # Broken files break in ways of every kind.
    try:
        _read(sys.stdin.buffer.read())
    except Exception as error:
        _say({"problem": "broken", "cause": f"{type(error).__name__}: {error}"[:MAX_CAUSE]})


def _guard(seconds: float) -> None:
    # A C thread ends the process: it needs no interpreter lock. What was said until then is heard.
    faulthandler.dump_traceback_later(seconds, exit=True)
    try:
        import resource
    except ImportError:  # Windows
        return
    # A system that sets no such limit still keeps the time.
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))


def _read(body: bytes) -> None:
    import pypdf

    # Says with each odd file how odd it is, to users who cannot mend it.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = pypdf.PdfReader(io.BytesIO(body))
    if reader.is_encrypted and not reader.decrypt(""):
        _say({"problem": "encrypted"})
        return
    title = str(reader.metadata.title or "") if reader.metadata else ""
    _say({"pages": len(reader.pages), "title": " ".join(title.split())[:MAX_TITLE]})
    for page in reader.pages:
        _say({"text": page.extract_text()})


def _say(what: dict[str, object]) -> None:
    sys.stdout.write(f"{json.dumps(what)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
