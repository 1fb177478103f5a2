"""Trail of events, one JSON object a line: enough to explain a failure."""

import json
import threading
import time
from pathlib import Path
from typing import Any


class Trail:
    """A log for many threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._stream = file.open("w", encoding="utf-8", buffering=1)
        self._lock = threading.Lock()
        self._start = time.monotonic()

    def note(self, kind: str, **facts: Any) -> None:
        line = json.dumps({"at": round(time.monotonic() - self._start, 3), "kind": kind, **facts}, default=str)
        with self._lock:
            self._stream.write(line + "\n")
