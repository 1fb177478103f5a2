"""A mutation run over the extension; see scripts/lab/mutations."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINKED = (".venv", "node_modules")
ONE_FAILED = 1
"""The exit code of pytest after tests that ran and failed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A defect of the extension."""

    name: str
    path: str
    """The file below `extension/`."""
    sound: str
    """Text that stands in it once."""
    faulty: str
    test: str
    """The test that catches it, below `tests/e2e/`."""


FAULTS = (
    Fault(
        "the press is dropped",
        "background/input/pointer.js",
        "const pressed = () => press(send, place.at, { ...options, bits, signal: call.signal });",
        "const pressed = async () => {};",
        "input/test_main_loop.py",
    ),
    Fault(
        "the press lands elsewhere and is let through",
        "content/act/pointer-guard.js",
        "if (now && hit && (accepts(now, hit) ||",
        "if (now && hit && (true || accepts(now, hit) ||",
        "input/test_click_ledger.py",
    ),
    Fault(
        "a click is done twice",
        "background/input/pointer.js",
        "for (let clickCount = 1; clickCount <= count; clickCount += 1) {",
        "for (let clickCount = 1; clickCount <= count + 1; clickCount += 1) {",
        "input/test_click_semantics.py",
    ),
    Fault(
        "a press that the page has heard is made again",
        "background/input/pointer.js",
        "if (why) throw heard(element, cover, why);",
        "",
        "once/test_press.py",
    ),
    Fault(
        "an act under which the debugger was lost is done again by DOM events",
        "background/input/trusted-input.js",
        "      parts += 1;",
        "",
        "once/test_lost_debugger.py",
    ),
    Fault(
        "a click by DOM events stays without its click",
        "content/act/input.js",
        'firePointer(el, options.button === "left" ? "click" : "auxclick", { ...up, detail });',
        "",
        "debugger/test_own_browser.py",
    ),
    Fault(
        "the change event is lost",
        "content/act/edits.js",
        'const fields = { bubbles: true, composed: type !== "change" };',
        'const fields = { bubbles: true, composed: type !== "change" };\n    if (type === "change") return true;',
        "forms/test_select_radio.py",
    ),
    Fault(
        "the last character of a text is lost",
        "content/act/filling.js",
        "text: isWhole ? whole : value, clear:",
        "text: (isWhole ? whole : value).slice(0, -1), clear:",
        "forms/test_forms.py",
    ),
    Fault(
        "an option is chosen by its place alone",
        "content/act/forms.js",
        "else found[0].selected = true;",
        "else list.selectedIndex = Math.max(0, found[0].index - 1);",
        "forms/test_select_radio.py",
    ),
    Fault(
        "a dialog that is accepted is dismissed",
        "background/debugger/attachment.js",
        "return { accept, ...(accept && promptText",
        "return { accept: false, ...(accept && promptText",
        "dialog/test_dialog.py",
    ),
    Fault(
        "a ref leads to whatever its element has become",
        "content/find/refs.js",
        "if (now) throw renamed(shown, now);",
        "",
        "snapshot/test_snapshot.py",
    ),
    Fault(
        "points of frames are taken for those of the page",
        "background/page/projection.js",
        "return { x: (a * x + b * y + c) / depth, y: (d * x + e * y + f) / depth };",
        "return { x, y };",
        "input/test_input.py",
    ),
    Fault(
        "only the first of several files is given",
        "content/act/upload.js",
        "for (const file of files) transfer.items.add(toFile(file));",
        "transfer.items.add(toFile(files[0]));",
        "input/test_upload.py",
    ),
    Fault(
        "modifier keys are not held",
        "background/input/typing.js",
        "      bits |= MODIFIER_BITS[key.key];",
        "      bits |= 0 * MODIFIER_BITS[key.key];",
        "input/test_keyboard.py",
    ),
    Fault(
        "scrolling goes half of the way",
        "content/act/scrolling.js",
        "const distance = sign * (amount ?? Math.round(page * PAGE_SHARE));",
        "const distance = sign * (amount ?? Math.round(page * PAGE_SHARE)) / 2;",
        "input/test_hover_scroll.py",
    ),
)


def copied(work: Path) -> Path:
    """A copy of the project whose extension may be changed."""
    copy = work / "tabwire"
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    for name in LINKED:
        (copy / name).symlink_to(ROOT / name)
    return copy


def bundle(copy: Path) -> None:
    """Bundle the modules of the copy, as browsers get them."""
    subprocess.run(["node", copy / "scripts/bundle_extension.mjs"], cwd=copy, check=True)


def failed(copy: Path, test: str) -> tuple[int, str]:
    """The exit code of a test in the copy, with the last lines of its output."""
    command = [str(ROOT / ".venv/bin/python"), "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"tests/e2e/{test}"]
    # The installed package is that of the project, and the copy's is found before it.
    environment = {**os.environ, "PYTHONPATH": str(copy / "bridge")}
    ended = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout[-600:]


def is_caught(copy: Path, fault: Fault) -> bool:
    """Run the test of a fault, put in for that time, and print what became of it."""
    path = copy / "extension" / fault.path
    sound = path.read_text()
    if sound.count(fault.sound) != 1:
        print(f"NO FIT   {fault.name}: {fault.path} has {sound.count(fault.sound)} times {fault.sound!r}")
        return False
    began = time.monotonic()
    path.write_text(sound.replace(fault.sound, fault.faulty))
    try:
        bundle(copy)
        code, told = failed(copy, fault.test)
    finally:
        path.write_text(sound)
        bundle(copy)
    caught = code == ONE_FAILED and " error" not in told.splitlines()[-1]
    by = next((line.split()[1] for line in told.splitlines() if line.startswith("FAILED")), fault.test)
    print(f"{'caught ' if caught else 'NOT CAUGHT'}  {fault.name} ({time.monotonic() - began:.0f} s): {by}")
    if not caught:
        print(told)
    return caught


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/lab/mutations", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true", help="show the faults")
    parser.add_argument("--sound", action="store_true", help="run the tests without any fault first")
    chosen = parser.parse_args()
    faults = [fault for fault in FAULTS if not chosen.names or fault.name in chosen.names]
    if chosen.list:
        print(*(fault.name for fault in FAULTS), sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="tabwire-mutations-") as work:
        copy = copied(Path(work))
        if chosen.sound:
            for test in sorted({fault.test for fault in faults}):
                code, told = failed(copy, test)
                if code:
                    print(f"{test} fails without a fault:\n{told}")
                    return 1
        caught = sum(is_caught(copy, fault) for fault in faults)
    print(f"{caught} of {len(faults)} faults caught")
    return 0 if caught == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
