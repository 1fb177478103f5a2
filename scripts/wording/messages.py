"""Messages of errors that clients read: where they are made, their code, their text, and whether they name a next step."""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tabwire import errors

ROOT = Path(__file__).resolve().parents[2]
CODES = {name: kind.code for name, kind in vars(errors).items() if hasattr(kind, "code")}
SPECIFIED = ("browseagent", "facade", "instrument", "reader")
"""Surfaces whose messages their specifications fix."""

STEPS = """
    add allow answer ask attach begin bring call change check choose clear click close connect correct create delete do drag drop
    enable end fill focus follow give go install leave list load look lower make mend move name navigate open pass pick press
    print put raise read record reload remove rename renew repeat replace restart resume retry run save say scroll see select send
    set show snapshot split start stop switch take tell try turn type undo unlock update use wait work write
""".split()
"""Verbs that a next step begins with."""
NAMES_STEP = re.compile(
    rf"(?:^|[;:.,(] |\b(?:or|and|then|to|first|instead|please|it|there) )(?:{'|'.join(STEPS)})\b"
    r"|\bneeds? |\b(?:takes?|must|has to|have to|can be|are|is) (?!no\b|not\b)[^;.]*\{|\b(?:\w{3,}s|are|schema): \{|`tabwire "
    r"|; \{(?:WAY_OUT|next|reason|there)\}|: \{ELSEWHERE\}|\{hint\}|; capture \{",
    re.IGNORECASE,
)
"""Form of a message that says what to do: an imperative at the beginning of a clause, a command, what is needed or valid, or a
part with such words. A pattern knows no sense: a new message still has to be read."""


@dataclass(frozen=True, order=True)
class Message:
    """Text of an error, and the place that makes it."""

    path: str
    line: int
    code: str
    text: str
    step_beside: bool = False
    """Whether the next step stands beside the message, as an argument of its own."""

    @property
    def is_made_elsewhere(self) -> bool:
        """Whether nothing of the text stands at this place."""
        return not re.sub(r"\{.*\}|[\s.:]", "", self.text)

    @property
    def names_step(self) -> bool:
        """Whether a reader learns what to do next."""
        return self.step_beside or bool(NAMES_STEP.search(self.text))


def of_python(files: Mapping[str, ast.Module]) -> Iterator[Message]:
    """Messages of errors that Python files make: path → parsed file."""
    for path, module in files.items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and node.args and (code := CODES.get(ast.unparse(node.func).rpartition(".")[2])):
                beside = len(node.args) > 2 or any(keyword.arg == "next_step" for keyword in node.keywords)
                for text in _texts(node.args[0]):
                    yield Message(path, node.lineno, code, text, beside)


def _texts(node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=value):
            return [str(value)]
        case ast.JoinedStr(values=values):
            return ["".join(parts) for parts in product(*map(_texts, values))]
        case ast.FormattedValue(value=ast.IfExp() as value):
            return _texts(value)
        case ast.IfExp(body=body, orelse=other):
            return [*_texts(body), *_texts(other)]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return [start + end for start in _texts(left) for end in _texts(right)]
        case ast.Call(func=ast.Name(id="Words"), args=args):
            return ["".join(parts) for parts in product(*map(_texts, args))]
        case ast.FormattedValue(value=value):
            return [f"{{{ast.unparse(value)}}}"]
        case _:
            return [f"{{{ast.unparse(node)}}}"]


def of_javascript(files: Mapping[str, str]) -> Iterator[Message]:
    """Messages of errors that JavaScript files make: path → text."""
    command = ["node", str(ROOT / "scripts/wording/javascript_messages.mjs")]
    run = subprocess.run(command, input=json.dumps(files), capture_output=True, text=True, timeout=60, check=True, cwd=ROOT)
    for one in json.loads(run.stdout):
        yield from (Message(one["path"], one["line"], one["code"], text) for text in one["texts"])


def of_repository() -> list[Message]:
    """All messages of bridge and extension, but for those that specifications fix."""
    python = [path for path in (ROOT / "bridge/tabwire").rglob("*.py") if not set(SPECIFIED) & set(path.parts)]
    made = {ROOT / "extension/injected", ROOT / "extension/launched"}
    javascript = (path for path in (ROOT / "extension").rglob("*.js") if path.parent not in made)
    return sorted(
        {
            *of_python({path.relative_to(ROOT).as_posix(): ast.parse(path.read_text()) for path in python}),
            *of_javascript({path.relative_to(ROOT).as_posix(): path.read_text() for path in javascript}),
        }
    )
