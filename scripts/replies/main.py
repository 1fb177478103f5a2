"""Makes docs/replies.md: every tool called on real pages, with the text that a model reads of it."""

import argparse
import json
import re
import sys
import tempfile
from functools import reduce
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "bridge"))

from scenes import FOLDER, PAGE, PAGE_WITH_PARTS, PARTS, Call, Ref, scenes

from e2e.client import Line, Reply, Tabwire
from tabwire.demo.app import DemoApp
from tabwire.surfaces.tool import load_toolset

SHOWN = Path(__file__).resolve().parents[2] / "docs" / "replies.md"
ADDRESS = "http://stall.example"
MAX_LINES = 40
HEAD = """# What the tools answer

Every tool of `tabwire serve`, called on the pages of `scripts/demo` and on one with the parts that these lack, with the text that
a model reads. `scripts/replies/run` writes this page; names of hosts and folders, numbers of tabs and of the marks around what a
page says, and times are made the same in every run.
"""


SAME = (
    (r"report-\d{8}-\d{6}-[0-9a-f]{4}", "report-20260101-120000-3f2a"),
    (r"(</?page) \d+>", r"\1 1>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", r"2026-01-01T12:00:00\2"),
    (r"\b\d\d:\d\d:\d\d\.\d{3}(Z?)\b", r"12:00:00.000\1"),
    (r"\b(waited_ms): \d+", r"\1: 7"),
    (r"\b[\d.]+ ms\b", "7 ms"),
    (r"\b(redirect|queued|dns|connect|tls|wait|download) [\d.]+", r"\1 7"),
    (r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "Thu, 01 Jan 2026 12:00:00 GMT"),
    (r"\b\d{13}\b", "1767268800000"),
    (r'("(?:\w*_ms|ms|bytes|transferred|size|port|ended|visits|duration)":)[\d.]+', r"\g<1>7"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "01234567-89ab-cdef-0123-456789abcdef"),
    (r"Chromium [0-9a-f]{4}\b", "Chromium 0123"),
    (r"\bport \d+", "port 17890"),
    (r"127\.0\.0\.1(:\d+)?", "stall.example"),
    (r"Chrome/[\d.]+", "Chrome/156.0.0.0"),
)
"""Patterns of what differs from run to run or from machine to machine, with what the page shows in its place."""


class Odd(Exception):
    """A call that did not do what its scene says."""


class Stage:
    """Makes the calls and keeps what later ones need."""

    def __init__(self, tabwire: Tabwire, app: DemoApp, folder: Path) -> None:
        self._tabwire = tabwire
        self._stands_for = {PAGE: app.url, PARTS: (folder / "parts.html").as_uri(), FOLDER: str(folder)}
        self._lines: list[Line] = []
        self._kept: dict[str, Any] = {}

    def call(self, call: Call) -> tuple[dict[str, Any], Reply]:
        """The arguments as they were sent, and the reply."""
        arguments = {name.rstrip("_"): self._meant(value) for name, value in call.arguments.items()}
        reply = self._tabwire.call(call.tool, **arguments)
        if reply.is_error is not call.fails:
            raise Odd(f"{call.tool} {json.dumps(arguments)}: {reply.text}")
        if call.tool == "snapshot":
            self._lines = [Line(row) for row in reply.text.splitlines()]
        if call.keeps:
            *path, last = call.keeps.split(".")
            value = reduce(lambda found, name: found[int(name) if name.isdigit() else name], path, reply.data)
            self._kept[last] = value[last]
        return arguments, reply

    def _meant(self, value: Any) -> Any:
        """The value with what its words stand for."""
        if isinstance(value, Ref):
            return self._ref(value)
        if isinstance(value, dict):
            return {name: self._meant(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._meant(each) for each in value]
        if not isinstance(value, str):
            return value
        if value.startswith("$"):
            return self._kept[value[1:]]
        for word, meant in self._stands_for.items():
            value = value.replace(word, meant)
        return value

    def _ref(self, wanted: Ref) -> str:
        for line in self._lines:
            if line.role == wanted.role and line.name == wanted.name and line.ref:
                return line.ref
        raise Odd(f'the last snapshot has no {wanted.role} "{wanted.name}"')


class Sameness:
    """Makes the same of what is another in every run."""

    def __init__(self, *names: tuple[str, str]) -> None:
        self._names = sorted(names, key=lambda pair: -len(pair[0]))
        self._ids: dict[str, str] = {}

    def of(self, text: str) -> str:
        """The text as the page shows it."""
        for name, shown in self._names:
            text = text.replace(name, shown)
        for pattern, shown in SAME:
            text = re.sub(pattern, shown, text)
        return re.sub(r"(?<![\w-])\d{8,10}(?![\w-])", self._id, text)

    def _id(self, found: re.Match[str]) -> str:
        return self._ids.setdefault(found[0], str(101 + len(self._ids)))


def written(call: Call, arguments: dict[str, Any], reply: Reply, same: Sameness) -> str:
    """A call and its reply as Markdown."""
    shown = f"{call.tool} {json.dumps(arguments, ensure_ascii=False)}" if arguments else call.tool
    pictures = "".join(f"\n[picture: {image.mime_type}]" for image in reply.images)
    lines = same.of(f"{reply.fenced}{pictures}").splitlines()
    more = [f"… {len(lines) - MAX_LINES} more lines"] if len(lines) > MAX_LINES else []
    said = "\n".join([*lines[:MAX_LINES], *more])
    return f"```\n→ {same.of(shown)}\n{'error: ' if reply.is_error else ''}{said}\n```\n"


def page(work: Path) -> str:
    """The whole page, from a run."""
    folder = work / "files"
    folder.mkdir()
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n")
    (folder / "parts.html").write_text(PAGE_WITH_PARTS)
    home = work / "home"
    server = Tabwire(
        ["--launch", "--headless", "--tools", "all,debug,performance,steps", "--files", str(folder)],
        {"TABWIRE_HOME": str(home)},
        work / "server",
    )
    parts = [HEAD]
    with DemoApp() as app:
        hosts = (app.url, ADDRESS), (app.frame_origin, "http://frame.example")
        same = Sameness(*hosts, (str(home), "~/.tabwire"), (str(folder), "/files"))
        stage = Stage(server, app, folder)
        try:
            for scene in scenes(tool.name for tool in load_toolset("agent").tools):
                parts.append(f"\n## {scene.title}\n")
                parts += [written(call, *stage.call(call), same) for call in scene.calls]
        finally:
            server.close()
    return "\n".join(parts)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/replies/run", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the page would be another one")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="tabwire-replies-") as work:
        text = page(Path(work))
    if chosen.check:
        is_same = SHOWN.exists() and SHOWN.read_text() == text
        print("docs/replies.md is what the tools answer" if is_same else "docs/replies.md is stale: run scripts/replies/run")
        return 0 if is_same else 1
    SHOWN.parent.mkdir(exist_ok=True)
    SHOWN.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
