"""Programs of Windows under wine: CPython as scripts/setup --windows has put it into build/windows."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread

from programs import ROOT

FOLDER = ROOT / "build/windows"
PREFIX = FOLDER / "prefix"
PYTHON = FOLDER / "cp313/python.exe"
IS_SET_UP = shutil.which("wine") is not None and PYTHON.is_file() and (PREFIX / "ready").is_file()
WITHOUT = "there is no Windows here; scripts/setup --windows makes one with wine"
# CPython takes a write-only file for no stream under wine 8: its stderr is a pipe that is emptied into the file.
PIPED = ["/bin/bash", "-c", 'exec "$@" 2> >(cat >&2)', "bash"]


def environment() -> dict[str, str]:
    """The variables of a Windows program: nothing of the user's of this machine, and letters of every language."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("TABWIRE_", "PYTHON")) and name != "DISPLAY"
    }
    quiet = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=d"}
    return {**kept, **quiet, "WINEPREFIX": str(PREFIX), "LC_ALL": "C.UTF-8", "PYTHONPYCACHEPREFIX": r"C:\pycache"}


def start_services() -> None:
    """Start what a prefix needs. The first process would else keep the pipes it was given, and their readers would wait for ever."""
    for command in (["wineserver", "-p60"], ["wine", "wineboot"]):
        subprocess.run(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )


def command(words: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """The command line that starts a program of Windows with these variables."""
    starter = there(Path(__file__).with_name("as_user.py"))
    return ["wine", str(PYTHON), starter, json.dumps(variables), *words]


class Output:
    """A pipe that is read until a mark which the reader itself writes when the program has ended.

    Wine leaves its standard streams open in each process that a program starts, so that a server left behind would hold them for ever.
    """

    MARK = b"\0the end\0"

    def __init__(self) -> None:
        self._source, self.sink = os.pipe()
        self._read = b""
        self._reader = Thread(target=self._take, daemon=True)
        self._reader.start()

    def text(self) -> str:
        os.write(self.sink, self.MARK)
        self._reader.join()
        os.close(self.sink)
        os.close(self._source)
        return self._read.removesuffix(self.MARK).decode()

    def _take(self) -> None:
        while not self._read.endswith(self.MARK):
            self._read += os.read(self._source, 65536)


def run(words: Sequence[str], variables: Mapping[str, str], timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """A program of Windows that has ended; what it said is read as UTF-8."""
    out, err = Output(), Output()
    line = command(words, variables)
    process = subprocess.Popen(line, env=environment(), stdin=subprocess.DEVNULL, stdout=out.sink, stderr=err.sink)
    try:
        code = process.wait(timeout)
    finally:
        process.kill()
        said = out.text(), err.text()
    return subprocess.CompletedProcess(line, code, *said)


def here(path: str) -> Path:
    """A path of Windows as this system has it."""
    drive, rest = path[:2].upper(), path[2:].replace("\\", "/")
    return Path({"C:": str(PREFIX / "drive_c"), "Z:": ""}[drive] + rest)


def there(path: Path) -> str:
    """A path of this system as a Windows program has it."""
    return "Z:" + str(path).replace("/", "\\")
