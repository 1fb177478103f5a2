"""Elements, attributes and texts of a page, and how they read: as HTML, or as lines of text. No I/O.

They come as rows in document order: `[depth, text]`, and `[depth, tag, attributes, left]`, where `left` counts the elements below
that were too deep to come along.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, TypeAlias

ELLIPSIS = "..."
SHADOW = "#shadow-root"
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
RAW = frozenset({"script", "style"})
"""Elements whose text is no markup: it is written as it is."""
TEXTLESS = frozenset("script style noscript template head title textarea select iframe object datalist".split())
"""Elements whose text is not the page's."""
FORMATTING = frozenset(
    "abbr b bdi bdo cite code data dfn em font i kbd mark q s samp small span strong sub sup time tt u var wbr ruby".split()
)
"""Elements that are a part of the text around them unless they have a name of their own."""
NAMING = ("id", "class")
MAX_CLASSES = 3

Node: TypeAlias = "Element | str"


@dataclass(eq=False, slots=True)
class Element:
    """An element of the page."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    left: int = 0
    """Elements below that were not read."""
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """Yield this element and all below, in document order."""
        yield self
        yield from (node for node in self.walk_nodes() if isinstance(node, Element))

    def text(self, without: Collection[str] = ()) -> str:
        """Text of the element, white space as it stands; not that of elements with the tags `without`."""
        return "".join(node for node in self.walk_nodes(without) if isinstance(node, str))

    def walk_nodes(self, without: Collection[str] = ()) -> Iterator[Node]:
        """Elements and texts below, in document order; nothing that is inside elements with the tags `without`."""
        stack: list[Node] = list(reversed(self.children))
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node, Element) and node.tag not in without:
                stack.extend(reversed(node.children))

    def label(self) -> str:
        """`div#main`, `p.intro`, `h1`."""
        if identity := self.attributes.get("id", "").strip():
            return f"{self.tag}#{identity}"
        return ".".join([self.tag, *self.attributes.get("class", "").split()[:MAX_CLASSES]])

    def has_name(self) -> bool:
        """Whether its label says more than its tag."""
        return any(self.attributes.get(name, "").strip() for name in NAMING)


def parse(rows: str) -> Element:
    """The first element of the rows, with the others in it."""
    path: list[Element] = []
    for depth, what, *more in json.loads(rows):
        node: Node = Element(what, more[0], more[1]) if more else what
        del path[depth:]
        if path:
            path[-1].children.append(node)
        if isinstance(node, Element):
            path.append(node)
    return path[0]


def shorten(text: str, limit: int | None) -> str:
    """The text, or its first `limit` characters and an ellipsis."""
    return text if limit is None or len(text) <= limit else text[:limit] + ELLIPSIS


@dataclass(frozen=True, slots=True)
class _Written:
    """Text that waits for its turn: ends of elements, and replacements of parts that are left out."""

    html: str


def as_html(root: Element, *, collapse_depth: int | None = None, limit: int | None = None) -> str:
    """The element as HTML; shadow roots as templates that declare them.

    Args:
        collapse_depth: elements of this depth (the root has 0) say in a comment how much is in them, instead of it.
        limit: texts are shortened after so many characters.
    """
    parts: list[str] = []
    stack: list[tuple[int, Node | _Written, bool]] = [(0, root, False)]
    while stack:
        depth, node, raw = stack.pop()
        if isinstance(node, _Written):
            parts.append(node.html)
        elif isinstance(node, str):
            shown = shorten(node, limit)
            parts.append(shown if raw else escape(shown, quote=False))
        else:
            parts.append(_start(node))
            stack.extend((depth + 1, inner, node.tag in RAW) for inner in reversed(_inside(node, depth == collapse_depth)))
    return "".join(parts)


def _inside(element: Element, is_collapsed: bool) -> list[Node | _Written]:
    """Nodes that follow the start of an element."""
    if element.tag in VOID:
        return []
    end = _Written(f"</{'template' if element.tag == SHADOW else element.tag}>")
    if is_collapsed and (element.children or element.left):
        return [_Written(_summary(element)), end]
    left = [_Written(f"<!-- {_count(element.left, 'element')} deeper -->")] if element.left else []
    return [*element.children, *left, end]


def _start(element: Element) -> str:
    if element.tag == SHADOW:
        return f'<template shadowrootmode="{element.attributes["mode"]}">'
    attributes = "".join(f' {name}="{_quoted(value)}"' for name, value in element.attributes.items())
    return f"<{element.tag}{attributes}>"


def _quoted(value: str) -> str:
    return escape(value, quote=False).replace('"', "&quot;")


def _summary(element: Element) -> str:
    below = list(element.walk())
    elements = sum(1 for each in below if each.tag != SHADOW) - 1 + sum(each.left for each in below)
    return f"<!-- {_count(elements, 'element')}, {_count(len(element.text().strip()), 'character')} of text -->"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


class _Lines:
    """Texts as they come, one line for each run of text of one element."""

    def __init__(self, limit: int | None, tagged: bool) -> None:
        self.done: list[str] = []
        self._limit = limit
        self._tagged = tagged
        self._owner: Element | None = None
        self._run: list[str] = []

    def add(self, owner: Element, text: str) -> None:
        if owner is not self._owner:
            self.end()
            self._owner = owner
        self._run.append(text)

    def end(self) -> None:
        text = " ".join("".join(self._run).split())
        if text and self._owner is not None:
            shown = shorten(text, self._limit)
            self.done.append(f"{self._owner.label()}: {shown}" if self._tagged else shown)
        self._run.clear()
        self._owner = None


def as_lines(root: Element, *, limit: int | None = None, tagged: bool = True) -> str:
    """The text of an element, one line for each run of text of each element in it.

    Args:
        limit: each line's text is shortened after so many characters.
        tagged: whether a line begins with the element it is of.
    """
    lines = _Lines(limit, tagged)
    stack: list[tuple[Node, Element]] = [(root, root)]
    while stack:
        node, owner = stack.pop()
        if isinstance(node, str):
            lines.add(owner, node)
        elif node.tag == "br":
            lines.add(owner, " ")
        elif node.tag not in TEXTLESS or node is root:
            if _is_button(node):
                lines.add(node, node.attributes["value"])
            is_part = node.tag in (SHADOW, "slot") or (node.tag in FORMATTING and not node.has_name())
            inner = owner if is_part and node is not root else node
            if inner is node:
                lines.end()
            stack.extend((child, inner) for child in reversed(node.children))
    lines.end()
    return "\n".join(lines.done)


def _is_button(element: Element) -> bool:
    """An input that shows its value as its caption."""
    kind: Any = element.attributes.get("type", "").lower()
    return element.tag == "input" and kind in ("submit", "button", "reset") and bool(element.attributes.get("value"))
