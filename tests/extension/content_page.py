"""A plain page with the content scripts in it: what they do is pure DOM, so no extension is needed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from selenium import webdriver

from tabwire.wire.text_provenance import unmarked

FOLDER = Path(__file__).resolve().parents[2] / "extension"
LAST = "snapshot/outline"

CALL = """
const [name, args, done] = arguments;
Promise.resolve(globalThis.__tabwire.call(name, args)).then(done);
"""

TELL = """
const [listeners] = arguments;
globalThis.__tabwire.listeners.isPlaced({ name: "told", isLast: true });
for (const [selector, types] of Object.entries(listeners)) {
  for (const element of document.querySelectorAll(selector)) {
    element.dispatchEvent(new CustomEvent("told!", { composed: true, detail: types }));
  }
}
"""
"""Tells the content scripts what is listened on: selector → types of events."""


def content_source(last: str | None = LAST) -> str:
    """The content files in the order in which the worker injects them, up to the pictures of the page in text, or all."""
    listed = re.search(r"const CONTENT = \[(.*?)\]", (FOLDER / "background/page/content-files.js").read_text(), re.DOTALL)
    assert listed
    names = re.findall(r'"([\w/-]+)"', listed[1])
    return "\n".join((FOLDER / f"content/{name}.js").read_text() for name in names[: names.index(last) + 1 if last else None])


class ContentPage:
    """Shows documents and calls content functions in them. Refs read @1, @2 … as the document numbers them."""

    def __init__(self, driver: webdriver.Chrome, last: str | None = LAST) -> None:
        self._driver = driver
        self._source = content_source(last)

    def show(self, html: str) -> None:
        self._driver.get("about:blank")
        document = f"<!doctype html><meta charset=utf-8><title>Page</title>{html}"
        self._driver.execute_script("document.open(); document.write(arguments[0]); document.close()", document)
        self.inject()

    def inject(self) -> None:
        self._driver.execute_script(self._source)

    def run(self, script: str, *arguments: Any) -> Any:
        return self._driver.execute_script(script, *arguments)

    def wait(self) -> None:
        """Lets the tasks that the page has queued run first."""
        self._driver.execute_async_script("setTimeout(arguments[0], 20)")

    def resize(self, width: int, height: int) -> None:
        self._driver.set_window_size(width, height)

    def answer(self, name: str, **args: Any) -> dict[str, Any]:
        answer = self._driver.execute_async_script(CALL, name, args)
        # Who says what in a message is the bridge's concern.
        answer = json.loads(unmarked(json.dumps(answer, ensure_ascii=False)))
        assert isinstance(answer, dict)
        return answer

    def call(self, name: str, **args: Any) -> Any:
        answer = self.answer(name, **args)
        assert "error" not in answer, answer
        return answer.get("result")

    def lines(self, **options: Any) -> list[str]:
        """The lines of a snapshot below the document's own, without their first level of indentation."""
        text = re.sub("\ue000:(\\d+)\ue001", r"@\1", self.call("snapshot.capture", **options)["text"])
        lines = text.split("\n")
        return [line.removeprefix("  ") for line in lines[1:]] if lines[0].startswith("- document") else lines

    def bare_lines(self, **options: Any) -> list[str]:
        """Lines without refs."""
        return [re.sub(r" \[ref=@\d+\]", "", line) for line in self.lines(**options)]

    def ref(self, words: str) -> int:
        """The number on the one line of a fresh snapshot that holds these words."""
        found = [line for line in self.lines() if words in line]
        assert len(found) == 1, found
        match = re.search(r"\[ref=@(\d+)\]", found[0])
        assert match
        return int(match[1])

    def failure(self, ref: int) -> dict[str, Any]:
        """The error of using a ref, or {} when it still holds."""
        error = self.answer("refs.check", ref=ref).get("error", {})
        assert isinstance(error, dict)
        return error
