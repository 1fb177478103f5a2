"""Pages of the site, made from the Markdown of the repository: the same texts, with links that lead where the reader is."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "scripts/site/zensical.toml"
TOP_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "SECURITY.md": "SECURITY.md",
}
"""Files at the top of the repository → their pages."""
ASSETS = {".gif", ".png", ".svg"}
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s]+)(?=\))")
ITEM = re.compile(r" *(?:[-*+]|\d+\.) +(?=\S)")
FENCE = re.compile(r" *(```+|~~~+)")
CODE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)|`[^`\n]+`", re.MULTILINE | re.DOTALL)


class BadLink(ValueError):
    """A link of a page to a file that the repository does not have."""


def sources() -> dict[str, str]:
    """Path of each file that the site shows → path of its page."""
    found = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*"))]
    kept = [path for path in found if PurePosixPath(path).suffix in {".md", *ASSETS}]
    return {**TOP_PAGES, **{path: path.removeprefix("docs/") for path in kept}}


def repository() -> str:
    """Address of the repository, by the name in the MCP registry, which belongs to the owner of the repository."""
    name: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["tabwire"]["mcp-name"]
    host, _, project = name.partition("/")
    return f"https://github.com/{host.removeprefix('io.github.')}/{project}"


def relinked(text: str, source: str) -> str:
    """The text of a page whose relative links lead to pages of the site, or to the repository for all other files.

    Args:
        text: The Markdown of the page.
        source: Path of its file in the repository.

    Raises:
        BadLink: one of them leads nowhere.
    """
    return "".join(part if is_code else LINK.sub(_towards(source), part) for is_code, part in _parts(text))


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """The text in order: whether a part is code, and the part."""
    at = 0
    for code in CODE.finditer(text):
        yield False, text[at : code.start()]
        yield True, code[0]
        at = code.end()
    yield False, text[at:]


def _towards(source: str) -> Callable[[re.Match[str]], str]:
    pages, here = sources(), PurePosixPath(source)

    def towards(link: re.Match[str]) -> str:
        file, mark, anchor = link["target"].partition("#")
        if "://" in file or not file:
            return link["target"]
        target = os.path.normpath(here.parent / file)
        if target in pages:
            return os.path.relpath(pages[target], PurePosixPath(pages[source]).parent) + mark + anchor
        if not (ROOT / target).exists():
            raise BadLink(f"{source} links to {file}, which does not exist: correct the link or add the file")
        kind = "tree" if (ROOT / target).is_dir() else "blob"
        return f"{repository()}/{kind}/main/{target}{mark}{anchor}"

    return towards


def reindented(text: str) -> str:
    """The text with the parts of list items four columns deeper each level.

    Markdown of the repository is CommonMark, where two or three columns make a part of an item. Python-Markdown, which renders
    the site, counts in fours and would show nested lists flat.
    """
    lines: list[str] = []
    items: list[int] = []
    """Column at which the text of each open list item begins."""
    fence = ""
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        opens = ITEM.match(line) if not fence else None
        if line.strip() and not fence:
            while items and indent < items[-1]:
                items.pop()
        cut = min(indent, items[-1] if items else 0)
        lines.append("    " * len(items) + line[cut:] if line.strip() else "")
        if opens:
            items.append(opens.end())
        if mark := FENCE.match(line):
            fence = "" if mark[1] == fence else fence or mark[1]
    return "\n".join(lines) + "\n"


def write(folder: Path) -> None:
    """Write the pages into a folder that holds nothing else; files that have not changed keep their time.

    Raises:
        BadLink: a page links to a file that does not exist.
    """
    wanted = {folder / page: _content(source) for source, page in sources().items()}
    for path, content in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_bytes() != content:
            path.write_bytes(content)
    for path in folder.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()


def _content(source: str) -> bytes:
    path = ROOT / source
    return reindented(relinked(path.read_text(), source)).encode() if path.suffix == ".md" else path.read_bytes()
