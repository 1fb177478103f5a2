"""`python -m tabwire.shellsession NAME`, as the first command of a session starts it."""

from __future__ import annotations

import sys

from tabwire.shellsession.process import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
