"""JupyterLab: run a notebook by its menu, add a cell, write into a text file, rename it, make a folder."""

import re

from applications.jupyterlab import JupyterLab, X, Y

from sessions.session import Session


def steps(session: Session) -> None:
    session.wait("sums.ipynb")
    session.look()
    session.on("dblclick", "listitem", re.compile("sums.ipynb"))
    session.wait("Idle")
    session.look()
    _runs_the_notebook(session)
    _adds_a_cell(session)
    _edits_a_file(session)
    _renames_it(session)
    session.click("button", re.compile("^New Folder"))
    session.look()
    session.on("fill", "textbox", re.compile(r"\[active\]|^Untitled Folder"), value="reports")
    session.press("Enter")


def _runs_the_notebook(session: Session) -> None:
    session.click("menuitem", "Run")
    session.look()
    session.click("menuitem", re.compile("^Run All Cells"))
    session.wait(r"/\b46\b/")
    session.look()
    session.click("menuitem", "File")
    session.look()
    session.click("menuitem", re.compile("^Save Notebook(?! As)"))


def _adds_a_cell(session: Session) -> None:
    session.click("button", re.compile("^Insert a cell below"))
    session.on("select", "combobox", re.compile("cell type|^Code", re.IGNORECASE), label="Markdown")
    session.press("Enter")
    session.type("# Done")
    session.press("Shift+Enter", "Control+s")
    session.look(diff=True)


def _edits_a_file(session: Session) -> None:
    session.on("dblclick", "listitem", re.compile("notes.txt"))
    session.wait("milk")
    session.look()
    session.click("textbox", re.compile("^(?!Filter|Search)"))
    session.press("Control+End")
    session.type("bread\neggs\n")
    session.press("Control+s")
    # The list of files tells the new size a moment later.
    session.pause()


def _renames_it(session: Session) -> None:
    session.find("listitem", "notes.txt")
    session.click("listitem", "notes.txt", button="right")
    session.look()
    session.click("menuitem", re.compile("^Rename"))
    session.press("Control+a")
    session.type("shopping.txt")
    session.press("Enter")


def judge(application: JupyterLab) -> None:
    application.until_saved("shopping.txt", "milk\nbread\neggs\n")
    application.until_files("reports", "shopping.txt", "sums.ipynb")
    cells = ("code", X, "23\n"), ("code", Y, "46\n"), ("markdown", "# Done", ""), ("code", "", "")
    application.until_cells("sums.ipynb", *cells)
