"""Pages with rich-text editors: Quill and CKEditor."""

import re
from typing import Any

from declaration import Task
from model import Model

from applications.page import PageApplication
from polling import until


class Quill(PageApplication):
    name = "quill"
    page = "quill.html"
    first_state = {"ops": [{"insert": "First line\nSecond line\n"}]}

    def until_ops(self, *wanted: dict[str, Any]) -> None:
        """Waits until the text is of these parts."""
        until(lambda: self.state["ops"], equals=list(wanted), within=5, says="the parts of the text")


class CkEditor(PageApplication):
    name = "ckeditor"
    page = "ckeditor.html"
    first_state = {"html": "<p>Alpha</p><p>Beta</p>"}

    def until_html(self, wanted: str) -> None:
        """Waits until the text is this HTML, whatever its spaces between tags."""
        until(lambda: re.sub(r"&nbsp;", " ", self.state["html"]), equals=wanted, within=5, says="the HTML of the text")


# ---- Quill ----------------------------------------------------------------------------------------------------------------


def quill_text(model: Model) -> None:
    """Puts the caret at the end of the text."""
    model.click("generic", having="[editable]")
    model.press("Control+End")


def types_bold(model: Model, _: Quill) -> None:
    quill_text(model)
    model.press("Enter")
    model.click("button", "bold")
    model.type("Loud")
    model.click("button", "bold")
    model.type(" quiet")


def makes_a_heading(model: Model, _: Quill) -> None:
    quill_text(model)
    model.press("Control+Home")
    model.click("button", re.compile("header|heading|Normal", re.IGNORECASE))
    model.click("button", "Heading 1")


def makes_a_list(model: Model, _: Quill) -> None:
    quill_text(model)
    model.press("Control+a")
    model.click("button", re.compile("list: bullet"))


def makes_a_link(model: Model, _: Quill) -> None:
    quill_text(model)
    model.press("Control+Home", "Shift+End")
    model.click("button", "link")
    model.look()
    model.type("https://example.com/")
    model.press("Enter")


def fills_quill(model: Model, _: Quill) -> None:
    model.on("fill", "generic", having="[editable]", value="One\nTwo")


# ---- CKEditor -------------------------------------------------------------------------------------------------------------

AREA = re.compile("Rich Text Editor. Editing area|Editing area")


def types_a_paragraph(model: Model, _: CkEditor) -> None:
    model.click("textbox", AREA)
    model.press("Control+End", "Enter")
    model.type("Gamma")


def makes_all_bold(model: Model, _: CkEditor) -> None:
    model.click("textbox", AREA)
    model.press("Control+a")
    model.click("button", "Bold")


def chooses_a_heading(model: Model, _: CkEditor) -> None:
    model.click("textbox", AREA)
    model.press("Control+Home")
    model.click("button", re.compile("Heading|Paragraph"))
    model.click("menuitemradio", "Heading 1") if model.look() and model.sees("menuitemradio") else model.click(
        "option", "Heading 1"
    )


def links_a_word(model: Model, _: CkEditor) -> None:
    model.click("textbox", AREA)
    model.press("Control+End", "Shift+Home", "Control+k")
    model.fill("textbox", "Link URL", "https://example.com/")
    model.click("button", "Insert")


def replaces_a_word(model: Model, _: CkEditor) -> None:
    model.click("button", "Find and replace")
    model.fill("textbox", re.compile("^Find in text"), "Beta")
    model.click("button", "Find")
    model.fill("textbox", re.compile("^Replace with"), "Delta")
    model.click("button", "Replace")


def inserts_a_table(model: Model, _: CkEditor) -> None:
    model.click("textbox", AREA)
    model.press("Control+End")
    model.click("button", "Insert table")
    model.look()
    model.click("gridcell", "2 × 2") if model.sees("gridcell", "2 × 2") else model.click("button", "2 × 2")
    model.type("Cell")


LINK = {"link": "https://example.com/"}
TABLE = "<p>Alpha</p><p>Beta</p>" + (
    '<figure class="table"><table><tbody><tr><td>Cell</td><td> </td></tr><tr><td> </td><td> </td></tr></tbody></table></figure>'
)
APPLICATIONS = {
    Quill: (
        Task(
            "type bold, then normal text",
            types_bold,
            lambda app: app.until_ops(
                {"insert": "First line\nSecond line\n"}, {"attributes": {"bold": True}, "insert": "Loud"}, {"insert": " quiet\n"}
            ),
        ),
        Task(
            "make the first line a heading",
            makes_a_heading,
            lambda app: app.until_ops(
                {"insert": "First line"}, {"attributes": {"header": 1}, "insert": "\n"}, {"insert": "Second line\n"}
            ),
        ),
        Task(
            "make the lines a list",
            makes_a_list,
            lambda app: app.until_ops(
                {"insert": "First line"},
                {"attributes": {"list": "bullet"}, "insert": "\n"},
                {"insert": "Second line"},
                {"attributes": {"list": "bullet"}, "insert": "\n"},
            ),
        ),
        Task(
            "make the first line a link",
            makes_a_link,
            lambda app: app.until_ops({"attributes": LINK, "insert": "First line"}, {"insert": "\nSecond line\n"}),
        ),
        Task("fill the editor with two lines", fills_quill, lambda app: app.until_ops({"insert": "One\nTwo\n"})),
    ),
    CkEditor: (
        Task("add a paragraph", types_a_paragraph, lambda app: app.until_html("<p>Alpha</p><p>Beta</p><p>Gamma</p>")),
        Task(
            "make everything bold",
            makes_all_bold,
            lambda app: app.until_html("<p><strong>Alpha</strong></p><p><strong>Beta</strong></p>"),
        ),
        Task("make the first line a heading", chooses_a_heading, lambda app: app.until_html("<h2>Alpha</h2><p>Beta</p>")),
        Task(
            "make a line a link",
            links_a_word,
            lambda app: app.until_html('<p>Alpha</p><p><a href="https://example.com/">Beta</a></p>'),
        ),
        Task("find a word and replace it", replaces_a_word, lambda app: app.until_html("<p>Alpha</p><p>Delta</p>")),
        Task("insert a table and write into it", inserts_a_table, lambda app: app.until_html(TABLE)),
    ),
}
