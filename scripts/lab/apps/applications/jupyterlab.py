"""JupyterLab: notebooks, text files, the file browser. Its back end says what is saved."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import packages
from declaration import Application, Process, Task, fetched
from model import Model

from e2e.ports import free_port
from polling import until

SETTINGS = {"@jupyterlab/apputils-extension/notification.jupyterlab-settings": {"fetchNews": "false", "checkForUpdates": False}}
SAVED_WITHIN_S = 15


def notebook(*sources: str) -> dict[str, Any]:
    """A notebook of code cells that have not run."""
    cells = [
        {"cell_type": "code", "id": f"cell{number}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for number, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


class JupyterLab(Application):
    name = "jupyterlab"

    @staticmethod
    def fetch() -> None:
        packages.fetch_jupyterlab()

    def __init__(self, work: Path) -> None:
        self.files = work / "files"
        self.files.mkdir()
        self._number = 0
        self._settings, self._workspaces = work / "settings", work / "workspaces"
        for name, values in SETTINGS.items():
            (self._settings / name).parent.mkdir(parents=True, exist_ok=True)
            (self._settings / name).write_text(json.dumps(values))
        self._origin = f"http://127.0.0.1:{(port := free_port())}"
        options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}", "--IdentityProvider.token="]
        options += ["--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={self.files}", "--ServerApp.port_retries=0"]
        options += ["--FileContentsManager.delete_to_trash=False", "--LabApp.extension_manager=readonly"]
        self._process = Process(
            [str(packages.JUPYTER / "bin" / "jupyter-lab"), *options],
            work,
            f"{self._origin}/api",
            HOME=str(work),
            JUPYTERLAB_SETTINGS_DIR=str(self._settings),
            JUPYTERLAB_WORKSPACES_DIR=str(self._workspaces),
        )

    @property
    def url(self) -> str:
        return f"{self._origin}/lab/workspaces/task{self._number}"

    def reset(self) -> None:
        self._number += 1
        for session in json.loads(fetched(f"{self._origin}/api/sessions")):
            fetched(f"{self._origin}/api/sessions/{session['id']}", method="DELETE")
        for entry in self.files.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        shutil.rmtree(self._workspaces, ignore_errors=True)
        (self.files / "notes.txt").write_text("milk\n")
        (self.files / "sums.ipynb").write_text(json.dumps(notebook("x = 20 + 3\nprint(x)", "print(x * 2)")))

    def until_files(self, *names: str) -> None:
        """Waits until these files are there and no others."""
        until(lambda: sorted(entry.name for entry in self.files.iterdir() if entry.name[0] != "."), equals=sorted(names))

    def until_saved(self, name: str, text: str) -> None:
        until(lambda: (self.files / name).read_text(), equals=text, within=SAVED_WITHIN_S, says=f"{name} has the text")

    def until_cells(self, name: str, *wanted: tuple[str, str, str]) -> None:
        """Waits until a saved notebook has cells of these types, sources and printed outputs."""
        until(lambda: self._cells(name), equals=list(wanted), within=SAVED_WITHIN_S, ignoring=(OSError, ValueError), says=name)

    def _cells(self, name: str) -> list[tuple[str, str, str]]:
        return [
            (
                cell["cell_type"],
                "".join(cell["source"]),
                "".join("".join(output.get("text", "")) for output in cell.get("outputs", ())),
            )
            for cell in json.loads((self.files / name).read_text())["cells"]
        ]

    def close(self) -> None:
        self._process.close()


def opens(model: Model, file: str) -> None:
    """Opens a file of the file browser."""
    model.wait(file, 40)
    model.on("dblclick", "listitem", re.compile(f"^(Name: )?{re.escape(file)}"))


def writes_a_notebook(model: Model, _: JupyterLab) -> None:
    model.wait("sums.ipynb", 40)
    model.click("button", re.compile("^Python 3"))
    model.wait("Untitled.ipynb")
    model.wait("Idle", 40)
    model.type("for n in range(3):\nprint(n)")
    model.press("Shift+Enter")
    model.wait("2", 20)
    model.press("Control+s")
    # It asks for a name the first time.
    model.look()
    model.click("button", re.compile("^Rename"))


def runs_all_cells(model: Model, _: JupyterLab) -> None:
    opens(model, "sums.ipynb")
    model.wait("Idle", 40)
    model.click("menuitem", "Run")
    model.click("menuitem", re.compile("^Run All Cells"))
    model.wait("46", 20)
    model.click("menuitem", "File")
    model.click("menuitem", re.compile("^Save Notebook Ctrl"))


def edits_a_text_file(model: Model, _: JupyterLab) -> None:
    opens(model, "notes.txt")
    model.look()
    model.click("textbox", re.compile("^(?!Filter|Search)"), nth=0)
    model.press("Control+End")
    model.type("bread\neggs\n")
    model.press("Control+s")


def renames_a_file(model: Model, _: JupyterLab) -> None:
    model.wait("notes.txt", 40)
    model.on("click", "listitem", re.compile("notes.txt"), button="right")
    model.click("menuitem", re.compile("^Rename"))
    model.press("Control+a")
    model.type("shopping.txt")
    model.press("Enter")


def deletes_a_file(model: Model, _: JupyterLab) -> None:
    model.wait("notes.txt", 40)
    model.on("click", "listitem", re.compile("notes.txt"), button="right")
    model.click("menuitem", re.compile("^Delete"))
    model.click("button", "Delete")


def makes_a_folder(model: Model, _: JupyterLab) -> None:
    model.wait("notes.txt", 40)
    model.click("button", re.compile("^New Folder"))
    model.on("fill", "textbox", having="[active]", value="reports")
    model.press("Enter")


def adds_a_markdown_cell(model: Model, _: JupyterLab) -> None:
    opens(model, "sums.ipynb")
    model.wait("Idle", 40)
    model.click("button", re.compile("^Insert a cell below"))
    model.look()
    model.on("select", "combobox", re.compile("Cell type|Select the cell type|Code", re.IGNORECASE), label="Markdown")
    model.press("Enter")
    model.type("# Done")
    model.press("Shift+Enter", "Control+s")


X, Y = "x = 20 + 3\nprint(x)", "print(x * 2)"
LOOP = "for n in range(3):\n    print(n)"
APPLICATIONS = {
    JupyterLab: (
        Task(
            "write code in a new notebook, run it, save",
            writes_a_notebook,
            lambda app: app.until_cells("Untitled.ipynb", ("code", LOOP, "0\n1\n2\n"), ("code", "", "")),
        ),
        Task(
            "open a notebook, run all cells by the menu, save",
            runs_all_cells,
            lambda app: app.until_cells("sums.ipynb", ("code", X, "23\n"), ("code", Y, "46\n")),
        ),
        Task(
            "add lines to a text file and save",
            edits_a_text_file,
            lambda app: app.until_saved("notes.txt", "milk\nbread\neggs\n"),
        ),
        Task("rename a file by its menu", renames_a_file, lambda app: app.until_files("shopping.txt", "sums.ipynb")),
        Task("delete a file by its menu, confirm", deletes_a_file, lambda app: app.until_files("sums.ipynb")),
        Task("make a folder and name it", makes_a_folder, lambda app: app.until_files("notes.txt", "reports", "sums.ipynb")),
        Task(
            "insert a cell, make it Markdown, write into it",
            adds_a_markdown_cell,
            lambda app: app.until_cells("sums.ipynb", ("code", X, ""), ("markdown", "# Done", ""), ("code", Y, "")),
        ),
    )
}
