"""The order of a start: what others wait for comes before what takes long."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from programs import environment
from tabwire.server.sdk import LEFT_OUT

HOLDS_THE_SDK_BACK = """
import sys, time, urllib.request
from pathlib import Path
from tabwire.cli.program import main

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


IS_INTERRUPTED_WHILE_IT_STARTS = """
import os, signal, sys
from tabwire.__main__ import main

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "tabwire.app":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupted())
sys.argv = ["tabwire", "serve", "--home", sys.argv[1]]
sys.exit(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a program cannot send itself Ctrl-C alone there")
def test_ctrl_c_during_the_start_ends_it_without_a_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IS_INTERRUPTED_WHILE_IT_STARTS, str(tmp_path)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment(),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "")


NEEDED = {
    *("annotated_types", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"),
    *("anyio", "sniffio", "mcp", "mcp_types", "opentelemetry", "tabwire", "websockets"),
}
TELLS_WHAT_IS_THERE = """
import atexit, sys
from tabwire.cli.program import main

atexit.register(lambda: sys.stderr.write(" ".join(name for name in sys.modules if not name.startswith("_"))))
sys.exit(main(["serve", "--home", sys.argv[1]]))
"""


def test_a_server_on_a_pipe_imports_no_client_and_nothing_of_http(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TELLS_WHAT_IS_THERE, str(tmp_path)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment(),
    )  # fmt: skip
    loaded = set(done.stderr.split())
    others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names - NEEDED
    assert not others
    assert "mcp.server.runner" in loaded and not loaded & set(LEFT_OUT)


TELLS_WHAT_THE_SDK_DOES = """
import json, sys
import tabwire.server.mcp
from pydantic import BaseModel

def below(model):
    for one in model.__subclasses__():
        yield one
        yield from below(one)

models = [model for model in below(BaseModel) if model.__module__.startswith("mcp")]
print(json.dumps({"modules": sorted(sys.modules), "compiled": sum(model.__pydantic_complete__ for model in models) / len(models)}))
"""


def test_the_sdk_needs_to_be_kept_from_importing_what_is_left_out() -> None:
    """Fails for each name of LEFT_OUT, and for the postponed models, once the SDK does without: `server/sdk.py` shrinks then."""
    done = subprocess.run(
        [sys.executable, "-c", TELLS_WHAT_THE_SDK_DOES],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment(), check=True,
    )  # fmt: skip
    usual = json.loads(done.stdout)
    assert [name for name in LEFT_OUT if name not in usual["modules"]] == []
    assert usual["compiled"] > 0.5
