"""A plain page with the content scripts in it: what they do is pure DOM, so no extension is needed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from selenium import webdriver

from tabwire.text.provenance import unmarked

PLACE = "__place_content"

CALL = """
const [name, args, done] = arguments;
Promise.resolve(globalThis.__tabwire.call(name, args)).then(done);
"""

SHOW = """
const [text, place] = arguments;
document.open(); document.write(text); document.close();
delete globalThis.__tabwire;
globalThis[place]();
"""
SCRIPTED = re.compile("<(script|i?frame|object|embed)", re.IGNORECASE)

TELL = """
const [listeners] = arguments;
globalThis.__inside.listeners.isPlaced({ name: "told", isLast: true });
for (const [selector, types] of Object.entries(listeners)) {
  for (const element of document.querySelectorAll(selector)) {
    element.dispatchEvent(new CustomEvent("told!", { composed: true, detail: types }));
  }
}
"""
"""Tells the content scripts what is listened on: selector → types of events."""

CAPTURE_EACH = f"""
const [cases, place, asked] = arguments;
const show = (...arguments) => {{ {SHOW} }};
const tell = (...arguments) => {{ {TELL} }};
return (async () => {{
  const found = [];
  for (const [name, text, listeners] of cases) {{
    show(text, place);
    if (Object.keys(listeners).length) tell(listeners);
    const texts = [];
    for (const options of asked) {{
      const {{ result, error }} = await __tabwire.call("snapshot.capture", options);
      if (error) throw new Error(`${{name}}: ${{error.message}}`);
      texts.push(result.text);
    }}
    found.push([name, texts]);
  }}
  return found;
}})();
"""
"""Takes snapshots of documents, one after another: [name, document, listeners] each."""


@cache
def content_source(entry: str = "page") -> str:
    """The content scripts as pages get them, with what their modules export as `__inside`; with `entry=""` only that."""
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    command = [node, Path(__file__).with_name("content_inside.mjs"), entry]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@dataclass
class _Window:
    """What a browser has in its documents, and whether its window may hold what a document has left there."""

    is_placed: bool = False
    is_used: bool = True

    def keep(self, driver: webdriver.Chrome) -> str:
        """The name of a function of each document that places the content scripts: to send them costs as much as the document."""
        if not self.is_placed:
            source = f"Object.defineProperty(globalThis, {PLACE!r}, {{ value: () => {{{content_source()}\n}} }});"
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
            self.is_placed = self.is_used = True
        return PLACE


def document_of(html: str) -> str:
    return f"<!doctype html><meta charset=utf-8><title>Page</title>{html}"


def lines_of(text: str) -> list[str]:
    """The lines of a snapshot below the document's own, without their first level of indentation."""
    lines = re.sub("\ue000:(\\d+)\ue001", r"@\1", text).split("\n")
    return [line.removeprefix("  ") for line in lines[1:]] if lines[0].startswith("- document") else lines


def without_refs(lines: list[str]) -> list[str]:
    return [re.sub(r" \[ref=@\d+\]", "", line) for line in lines]


_windows: WeakKeyDictionary[webdriver.Chrome, _Window] = WeakKeyDictionary()


class ContentPage:
    """Shows documents and calls content functions in them. Refs read @1, @2 … as the document numbers them."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self._driver = driver
        self._window = _windows.setdefault(driver, _Window())
        self._place = self._window.keep(driver)

    def show(self, html: str) -> None:
        """Shows a document. A navigation costs several times as much: a document without scripts leaves its window to the next one."""
        if self._window.is_used:
            self._driver.get("about:blank")
        self._window.is_used = bool(SCRIPTED.search(html))
        self._driver.execute_script(SHOW, document_of(html), self._place)

    def inject(self) -> None:
        """Places the content scripts once more, as the worker does where it does not know whether they are there."""
        self._driver.execute_script("globalThis[arguments[0]]()", self._place)

    def run(self, script: str, *arguments: Any) -> Any:
        # What is told goes to the content scripts, which go with their document.
        self._window.is_used |= script is not TELL
        return self._driver.execute_script(script, *arguments)

    def wait(self) -> None:
        """Lets the tasks that the page has queued run first."""
        self._window.is_used = True
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
        return lines_of(self.call("snapshot.capture", **options)["text"])

    def bare_lines(self, **options: Any) -> list[str]:
        return without_refs(self.lines(**options))

    def texts_of_each(
        self, cases: Mapping[str, tuple[str, Mapping[str, str]]], *asked: Mapping[str, Any]
    ) -> dict[str, list[str]]:
        """Snapshots of documents by name, with what is listened on in each: one for each of the options asked.

        One script shows them all, as a round trip costs more than most of them; a document with scripts comes alone.
        """
        quiet = {name for name, (html, _) in cases.items() if not SCRIPTED.search(html)}
        found: dict[str, list[str]] = {}
        for names in (quiet, *({name} for name in cases if name not in quiet)):
            self.show("")
            given = [[name, document_of(html), listeners] for name, (html, listeners) in cases.items() if name in names]
            self._window.is_used = names is not quiet
            found |= dict(self._driver.execute_script(CAPTURE_EACH, given, self._place, asked or [{}]))
        return {name: json.loads(unmarked(json.dumps(found[name], ensure_ascii=False))) for name in cases}

    def lines_of_each(
        self, cases: Mapping[str, tuple[str, Mapping[str, str]]], *asked: Mapping[str, Any]
    ) -> dict[str, list[list[str]]]:
        return {name: [lines_of(text) for text in texts] for name, texts in self.texts_of_each(cases, *asked).items()}

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
