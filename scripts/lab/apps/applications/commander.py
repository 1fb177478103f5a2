"""Cloud Commander: a file manager. The files on the disk say what was done."""

import re
import shutil
from pathlib import Path

import packages
from declaration import Application, Process, Task
from model import Model

from e2e.ports import free_port
from polling import until


class Commander(Application):
    name = "cloudcmd"

    @staticmethod
    def fetch() -> None:
        packages.fetch_npm(packages.FOLDER, packages.NPM)

    def __init__(self, work: Path) -> None:
        self.files = work / "files"
        self.files.mkdir()
        self._origin = f"http://127.0.0.1:{(port := free_port())}"
        command = [
            "node",
            str(packages.MODULES / "cloudcmd" / "bin" / "cloudcmd.mjs"),
            "--port",
            str(port),
            "--no-auth",
            "--no-open",
        ]
        self._process = Process([*command, "--root", str(self.files), "--one-file-panel"], work, self._origin, HOME=str(work))

    @property
    def url(self) -> str:
        return self._origin + "/"

    def reset(self) -> None:
        for entry in self.files.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        (self.files / "letter.txt").write_text("Dear all\n")
        (self.files / "old.txt").write_text("old\n")
        (self.files / "archive").mkdir()

    def until_files(self, *wanted: str) -> None:
        """Waits until these files and folders are there and no others."""
        until(
            lambda: sorted(entry.relative_to(self.files).as_posix() for entry in self.files.rglob("*")),
            equals=sorted(wanted),
            within=8,
        )

    def until_text(self, name: str, text: str) -> None:
        until(lambda: (self.files / name).read_text(), equals=text, within=8, says=f"{name} has the text")

    def close(self) -> None:
        self._process.close()


def chooses(model: Model, name: str) -> None:
    """Makes a file the current one."""
    model.wait(name, 30)
    model.look()
    model.click("link", name)


def confirms(model: Model, key: str, name: str | None = None) -> None:
    """Presses the key of a command, and answers its dialog: with a name, where it asks for one."""
    model.press(key)
    model.look()
    if name is not None:
        model.fill("textbox", None, name)
    model.click("button", re.compile("^OK", re.IGNORECASE))


def makes_a_folder(model: Model, _: Commander) -> None:
    model.wait("letter.txt", 30)
    confirms(model, "F7", "reports")


def deletes_a_file(model: Model, _: Commander) -> None:
    chooses(model, "old.txt")
    confirms(model, "F8")


def renames_a_file(model: Model, _: Commander) -> None:
    chooses(model, "old.txt")
    confirms(model, "Shift+F6", "older.txt")


def edits_a_file(model: Model, _: Commander) -> None:
    chooses(model, "letter.txt")
    model.press("F4")
    # The editor shows a mark for each space.
    model.wait("/Dear.all/", 20)
    model.press("Control+End")
    model.type("Kind regards\n")
    model.press("Control+s")


def makes_a_file(model: Model, _: Commander) -> None:
    model.wait("letter.txt", 30)
    confirms(model, "Shift+F7", "new.txt")


FIRST = ("archive", "letter.txt", "old.txt")
APPLICATIONS = {
    Commander: (
        Task("make a folder", makes_a_folder, lambda app: app.until_files(*FIRST, "reports")),
        Task("delete a file, confirm", deletes_a_file, lambda app: app.until_files("archive", "letter.txt")),
        Task("rename a file", renames_a_file, lambda app: app.until_files("archive", "letter.txt", "older.txt")),
        Task("edit a file and save", edits_a_file, lambda app: app.until_text("letter.txt", "Dear all\nKind regards\n")),
        Task("make a file", makes_a_file, lambda app: app.until_files(*FIRST, "new.txt")),
    )
}
