"""``python -m tabwire.demo``, the same as ``tabwire demo``."""

import sys

from tabwire.demo.command import main

sys.exit(main(sys.argv[1:]))
