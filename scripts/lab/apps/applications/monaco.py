"""A page with Monaco, the editor of VS Code."""

import re

from declaration import Task
from model import Model

from applications.page import PageApplication

TEXT = "const greeting = 'hello';\nconst subject = 'world';\nconsole.log(greeting, subject);\n"
EDITOR = re.compile("Editor content")


class Monaco(PageApplication):
    name = "monaco"
    page = "monaco.html"
    first_state = {"text": TEXT}

    def until_text(self, text: str) -> None:
        self.until_kept({"text": text})


def writes_a_function(model: Model, _: Monaco) -> None:
    model.click("textbox", EDITOR)
    model.press("Control+End")
    model.type("function add(a, b) {\nreturn a + b;")
    model.click("button", "Save")


def replaces_everything(model: Model, _: Monaco) -> None:
    model.click("textbox", EDITOR)
    model.press("Control+a")
    model.type("let x = 1;\n")
    model.press("Control+s")
    model.wait("Saved")


def finds_and_replaces(model: Model, _: Monaco) -> None:
    model.click("textbox", EDITOR)
    model.press("Control+h")
    model.fill("textbox", "Find", "greeting")
    model.fill("textbox", "Replace", "salute")
    model.click("button", re.compile("^Replace All"))
    model.click("button", "Save")


def uses_the_command_palette(model: Model, _: Monaco) -> None:
    model.click("textbox", EDITOR)
    model.press("Control+a", "F1")
    model.type("Transform to Uppercase")
    model.click("option", re.compile("^Transform to Uppercase"))
    model.click("button", "Save")


def fills_the_editor(model: Model, _: Monaco) -> None:
    model.fill("textbox", EDITOR, "if (ok) {\n  run();\n}\n")
    model.click("button", "Save")


def deletes_a_line_by_key(model: Model, _: Monaco) -> None:
    model.click("textbox", EDITOR)
    model.press("Control+Home", "ArrowDown", "Control+Shift+k")
    model.click("button", "Save")


FUNCTION = "function add(a, b) {\n    return a + b;\n}"
APPLICATIONS = {
    Monaco: (
        Task("write a function at the end and save", writes_a_function, lambda app: app.until_text(TEXT + FUNCTION)),
        Task("replace the whole text, save by key", replaces_everything, lambda app: app.until_text("let x = 1;\n")),
        Task("replace a word everywhere", finds_and_replaces, lambda app: app.until_text(TEXT.replace("greeting", "salute"))),
        Task("transform the text by the command palette", uses_the_command_palette, lambda app: app.until_text(TEXT.upper())),
        Task("fill the editor with another text", fills_the_editor, lambda app: app.until_text("if (ok) {\n  run();\n}\n")),
        Task(
            "delete the second line by key",
            deletes_a_line_by_key,
            lambda app: app.until_text("\n".join(line for n, line in enumerate(TEXT.split("\n")) if n != 1)),
        ),
    )
}
