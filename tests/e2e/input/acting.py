"""Cases as rows: a page, acts on targets found by role and name in a fresh snapshot, and what the page says afterwards."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

PATIENCE_S = 1.5
LOG = """<script>globalThis.log = [];
function watch(el, ...types) { for (const type of types) el.addEventListener(type, (e) => log.push(e.type)) }</script>"""


def target(tabwire: Tabwire, name: str) -> str:
    """``button Save`` → the ref of that line of a fresh snapshot; a CSS selector where no ref is to be had (``#id``, ``.class``)."""
    if name[0] in "#.":
        return name
    role, _, label = name.partition(" ")
    lines = [line for line in tabwire.lines() if line.role == role and line.ref]
    found = [line for line in lines if not label or line.name == label or line.text.endswith(f": {label}")]
    assert found, f"no {name} in:\n{tabwire.snapshot()}"
    return found[0].ref


def do(tabwire: Tabwire, tool: str, on: str | None = None, **arguments: Any) -> None:
    """One act; ``on`` and the ``source`` and ``target`` of a drag are found by :func:`target`."""
    if on:
        arguments["selector"] = target(tabwire, on)
    for end in {"source", "target"} & arguments.keys():
        arguments[end] = target(tabwire, arguments[end])
    tabwire.ok(tool, **arguments)


def noted(expression: str) -> tuple[Any, ...]:
    """An act of a case that puts what the page has now into its log."""
    return ("evaluate", None, {"expression": f"void log.push({expression})"})


@dataclass(frozen=True)
class Case:
    """``acts`` are (tool, target, arguments); ``shows`` is an expression of the page that comes to have the value ``value``."""

    name: str
    html: str
    acts: list[tuple[Any, ...]]
    shows: str
    value: Any = True
    style: str = field(default="")

    def run(self, tabwire: Tabwire, site: Site, page: ShownPage) -> None:
        style = f"<style>{self.style}</style>" if self.style else ""
        tabwire.open(site.page(f"{style}{LOG}{self.html}"))
        for tool, on, *more in self.acts:
            do(tabwire, tool, on, **(more[0] if more else {}))
        until(lambda: page.evaluate(self.shows), equals=self.value, within=PATIENCE_S, says=self.shows)


def rows(cases: list[Case]) -> pytest.MarkDecorator:
    """Parametrises a test over cases, each under its own name."""
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])
