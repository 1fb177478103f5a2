"""Etherpad: a text that several people write at once. Its API says what the pad holds."""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import packages
from declaration import Application, Process, Task, fetched
from model import Model

from e2e.ports import free_port
from polling import until

KEY = "of-this-machine-only"
TEXT = "Agenda\nBudget\n"


class Etherpad(Application):
    name = "etherpad"

    @staticmethod
    def fetch() -> None:
        packages.fetch_npm(packages.ETHERPAD, packages.ETHERPAD_NPM)
        source, installed = packages.ETHERPAD / "src", packages.ETHERPAD / "node_modules" / "ep_etherpad-lite"
        if not source.exists():
            # It finds its root by a folder of that name, as in its own repository.
            installed.rename(source)
            installed.symlink_to("../src", target_is_directory=True)
            for name in packages.ETHERPAD_LIBRARIES:
                shutil.copytree(packages.ETHERPAD / "node_modules" / name, source / "node_modules" / name)

    def __init__(self, work: Path) -> None:
        self._origin = f"http://127.0.0.1:{(port := free_port())}"
        self._number = 0
        settings = {"ip": "127.0.0.1", "port": port, "dbType": "dirty", "dbSettings": {"filename": str(work / "pads.db")}}
        settings |= {"defaultPadText": "", "minify": False, "skinName": "colibris", "suppressErrorsInPadText": True}
        (work / "settings.json").write_text(json.dumps(settings))
        (work / "key.txt").write_text(KEY)
        server = packages.ETHERPAD / "src" / "node" / "server.js"
        command = ["node", str(server), "--settings", str(work / "settings.json"), "--apikey", str(work / "key.txt")]
        self._process = Process(command, work, self._origin)

    @property
    def _pad(self) -> str:
        return f"task{self._number}"

    @property
    def url(self) -> str:
        return f"{self._origin}/p/{self._pad}"

    def reset(self) -> None:
        self._number += 1
        self.ask("createPad", text=TEXT)

    def ask(self, method: str, **values: str) -> Any:
        """An answer of its API about the pad of the task."""
        query = urlencode({"apikey": KEY, "padID": self._pad, **values})
        return json.loads(fetched(f"{self._origin}/api/1.2.15/{method}?{query}"))["data"]

    def until_text(self, wanted: str) -> None:
        until(lambda: self.ask("getText")["text"].rstrip("\n"), equals=wanted, within=8, says="the text of the pad")

    def until_html(self, part: str) -> None:
        until(lambda: self.ask("getHTML")["html"], lambda html: part in html, within=8, says=part)

    def until_chat(self, *wanted: tuple[str, str]) -> None:
        until(
            lambda: [(message["userName"], message["text"]) for message in self.ask("getChatHistory")["messages"]],
            equals=list(wanted),
            within=8,
        )

    def close(self) -> None:
        self._process.close()


def enters_the_text(model: Model) -> None:
    """Puts the caret at the end of the text."""
    model.wait("Agenda", 40)
    model.click("application", having="[editable]")
    model.press("Control+End")


def adds_lines(model: Model, _: Etherpad) -> None:
    enters_the_text(model)
    model.type("Travel\nFood")


def makes_a_line_bold(model: Model, _: Etherpad) -> None:
    enters_the_text(model)
    model.press("Control+Home", "Shift+End")
    model.click("button", re.compile("^Bold"))


def makes_a_list(model: Model, _: Etherpad) -> None:
    enters_the_text(model)
    model.press("Control+Home")
    model.click("button", re.compile("^Unordered list", re.IGNORECASE))


def chats_under_a_name(model: Model, _: Etherpad) -> None:
    model.wait("Agenda", 40)
    model.click("button", re.compile("users", re.IGNORECASE))
    model.fill("textbox", re.compile("Enter your name|name", re.IGNORECASE), "Ada")
    model.press("Enter")
    model.ok("click", selector="#chaticon")
    model.look()
    model.ok("fill", selector="#chatinput", value="Shall we begin?")
    model.press("Enter")


def replaces_the_text(model: Model, _: Etherpad) -> None:
    enters_the_text(model)
    model.press("Control+a")
    model.type("Nothing left")


APPLICATIONS = {
    Etherpad: (
        Task("add two lines", adds_lines, lambda app: app.until_text("Agenda\nBudget\nTravel\nFood")),
        Task("make the first line bold", makes_a_line_bold, lambda app: app.until_html("<strong>Agenda</strong>")),
        Task("make the first line a list", makes_a_list, lambda app: app.until_html('<ul class="bullet"><li>Agenda</ul>')),
        Task("say a name and write into the chat", chats_under_a_name, lambda app: app.until_chat(("Ada", "Shall we begin?"))),
        Task("replace the whole text", replaces_the_text, lambda app: app.until_text("Nothing left")),
    )
}
