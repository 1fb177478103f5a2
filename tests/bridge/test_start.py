"""The order of a start: what others wait for comes before what takes long."""

import subprocess
import sys
from pathlib import Path

from programs import environment

HOLDS_THE_SDK_BACK = """
import sys, time, urllib.request
from pathlib import Path
from tabwire.cli import main

home = Path(sys.argv[1])

class Held:
    def find_spec(self, name, path=None, target=None):
        if name == "mcp_types":
            sys.meta_path.remove(self)
            deadline = time.monotonic() + 20
            while not is_open() and time.monotonic() < deadline:
                time.sleep(0.01)
            sys.stderr.write("a browser is answered\\n" if is_open() else "no browser could come in\\n")

def is_open():
    noted = [path.stem for path in (home / "run").glob("*.json")]
    try:
        return bool(noted) and urllib.request.urlopen(f"http://127.0.0.1:{noted[0]}/probe", timeout=5).status == 204
    except OSError:
        return False

sys.meta_path.insert(0, Held())
sys.exit(main(["serve", "--home", str(home)]))
"""


def test_browsers_are_answered_while_the_server_is_imported(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HOLDS_THE_SDK_BACK, str(tmp_path)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "a browser is answered\n")
