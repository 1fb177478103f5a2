"""`tabwire` and `python -m tabwire`."""

from __future__ import annotations

import sys

from tabwire.cli import main

if __name__ == "__main__":
    sys.exit(main())
