"""Functions that are sent to pages as text bring nothing of their file along: each runs in an empty realm, from the file that is made."""

import json
import shutil
import subprocess
from pathlib import Path

from source_tree import ROOT

WORKER = ROOT / "extension/launched/worker.js"
SENT = {
    "runInPage",
    "tellChain",
    "watchListeners",
    "watchErrors",
    "keptPaths",
    "setFiles",
    "reactComponents",
    "objectForms",
    "dispatch",
}
"""By a script of the extension, by the debugger, in the page's own world; by name, in a list, in a template."""
BUNDLE = """
const own = 1;
const __name = (value) => value;
const named = __name((at) => __name(at), "named");
function reads() { return document.title + own; }
function asks() { return (async () => { await chrome.runtime.sendMessage({}); return unheard; })(); }
const run = (func, args) => chrome.scripting.executeScript({ func, args });
run(reads, []);
run(() => { const helped = __name(() => 1); return helped(); });
const all = [asks];
all.map((one) => send({ functionDeclaration: String(one) }));
send(`(${(value) => value + 1})(1)`);
"""


def sent_by(bundle: Path) -> dict[str, tuple[list[str], str]]:
    """Function → names of its file that it uses, and the error of running it where they are not."""
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    command = [node, Path(__file__).with_name("travelling_functions.mjs"), bundle]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return {f"{name} {number}": (uses, error) for number, (name, uses, error) in enumerate(json.loads(done.stdout))}


def test_each_function_that_is_sent_to_pages_runs_in_an_empty_realm() -> None:
    sent = sent_by(WORKER)
    assert {name.split()[0] for name in sent} >= SENT
    assert {name: found for name, found in sent.items() if found != ([], "")} == {}


def test_a_function_that_needs_something_of_its_file_is_found(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.mjs"
    bundle.write_text(BUNDLE)
    assert list(sent_by(bundle).values()) == [
        (["own"], "ReferenceError: own is not defined"),
        (["__name"], "ReferenceError: __name is not defined"),
        (["unheard"], "ReferenceError: unheard is not defined"),
        ([], ""),
    ]
