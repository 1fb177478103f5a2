"""`python -m tabwire.shellsession NAME`, as the first command of a session starts it."""

import sys

from tabwire.shellsession.process import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
