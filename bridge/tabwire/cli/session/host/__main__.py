"""`python -m tabwire.cli.session.host NAME`, as the first command of a session starts it."""

import sys

from tabwire.cli.session.host.process import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
