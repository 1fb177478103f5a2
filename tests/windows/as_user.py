"""Run by CPython for Windows: starts a program with other variables. Wine overrides the profile of the first process.

as_user.py VARIABLES PROGRAM WORD …   VARIABLES: an object in JSON
"""

import json
import os
import subprocess
import sys

sys.exit(subprocess.call(sys.argv[2:], env={**os.environ, **json.loads(sys.argv[1])}))
