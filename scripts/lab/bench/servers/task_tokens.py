"""Tokens (o200k) of a task of 40 calls by command lines with their skills, and by MCP servers with their lists of tools."""

import argparse
import contextlib
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent_browser import HOME as AGENT_BROWSER_HOME
from pages.real_pages import FOLDER
from playwright_peers import playwright_command
from tokens import counted

from e2e.ports import own_window
from e2e.site import Site
from servers import shells
from servers.stdio_client import StdioClient
from servers.tools import PLAYWRIGHT, TABWIRE, Step, Tools

ROOT = Path(__file__).resolve().parents[4]
GOODS = "Apples Beans Bread Butter Cheese Coffee Eggs Flour Honey Milk Oats Pears Rice Salt Sugar Tea".split()
FIELDS = ["Name", "E-mail", "Street", "House number", "City", "Postcode", "Phone", "Remarks"]
ORDERED = GOODS[::2]
_LINKS = "".join(f"<a href='#{name}'>{name}</a> " for name in ("Home", "Goods", "Account", "Help"))
_ROWS = "".join(f"<li>{name} <span>{number}.50 €</span> <button>Add {name}</button></li>" for number, name in enumerate(GOODS, 1))
_ENTRIES = "".join(f"<p><label>{name} <input></label></p>" for name in FIELDS)
PAGE = f"""<h1>Village shop</h1><nav>{_LINKS}</nav><main><ul>{_ROWS}</ul><p role=status id=cart>The cart is empty</p></main>
<form><h2>Delivery</h2>{_ENTRIES}<button>Place order</button></form><h2>Orders</h2><ol id=orders></ol>
<script>
const goods = [];
document.querySelector("ul").onclick = ({{ target }}) => {{
  if (target.localName !== "button") return;
  goods.push(target.textContent.slice(4));
  cart.textContent = `${{goods.length}} in the cart`;
}};
document.querySelector("form").onsubmit = (event) => {{
  event.preventDefault();
  const entered = [...document.querySelectorAll("input")].map((input) => input.value);
  orders.append(Object.assign(document.createElement("li"), {{ textContent: `Ordered ${{goods}} for ${{entered}}` }}));
}};
</script>"""
SKILLS = {
    "Tabwire": ROOT / "bridge/tabwire/install/skill/SKILL.md",
    "agent-browser": AGENT_BROWSER_HOME / "node_modules/agent-browser/skills/agent-browser/SKILL.md",
    "Playwright CLI": FOLDER / "playwright-cli/node_modules/@playwright/cli/skills/playwright-cli/SKILL.md",
}
TYPED = {"Tabwire": "tabwire", "agent-browser": "agent-browser", "Playwright CLI": "playwright-cli"}
"""Command line → the word that a model types."""


@dataclass
class Spent:
    """Texts that a model reads before the task, and those that it writes and reads in it, one for each call."""

    name: str
    before: list[str]
    written: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)

    def row(self) -> str:
        """A line of the table."""
        texts = [*self.before, *self.written, *self.read]
        tokens = counted(texts)
        ends = [0, len(self.before), len(self.before) + len(self.written), len(texts)]
        before, written, read = (sum(tokens[start:end]) for start, end in zip(ends, ends[1:], strict=False))
        cells = [self.name, len(self.written), *(f"{part:,}" for part in (before, written, read, before + written + read))]
        return f"| {' | '.join(map(str, cells))} |\n"


Do = Callable[..., str]
"""Makes a call by its kind and its arguments; its reply."""


def order(do: Do, url: str, customer: str, ref: Callable[[str, str, str], str]) -> None:
    """An order: 20 calls.

    Raises:
        RuntimeError: The page does not show what was ordered.
    """
    do("navigate", url)
    tree = do("snapshot")
    for name in ORDERED:
        do("click", ref(tree, "button", f"Add {name}"))
    for name in FIELDS:
        do("fill", ref(tree, "textbox", name), f"{name} of {customer}")
    do("click", ref(tree, "button", "Place order"))
    shown = do("snapshot")
    wanted = f"Ordered {','.join(ORDERED)} for {','.join(f'{name} of {customer}' for name in FIELDS)}"
    if wanted not in shown:
        raise RuntimeError(f"the order is not in the snapshot: {shown[-500:]}")


def by_shell(tool: shells.Tool, work: Path, url: str) -> Spent:
    """The task by a command line in a session that runs."""
    shell = shells.Shell(tool, work)
    spent = Spent(f"{tool.name}: shell and skill", [SKILLS[tool.name].read_text()])

    def do(kind: str, *words: str) -> str:
        line = tool.navigate(*words) if kind == "navigate" else [kind, *words]
        text, _ = shell.run(line)
        spent.written.append(shlex.join([TYPED[tool.name], *line]))
        spent.read.append(text)
        return text

    with contextlib.ExitStack() as left:
        left.callback(shell.close)
        shell.is_open = True
        shell.run(tool.start(url))
        for customer in ("Ann", "Bob"):
            order(do, url, customer, lambda tree, role, name: shells.ref_in(tool, tree, role, name))
    return spent


def by_server(name: str, command: list[str], environment: dict[str, str], tools: Tools, work: Path, url: str) -> Spent:
    """The task by an MCP server."""
    client = StdioClient(command, {**os.environ, **environment}, work, work / f"{name}.log")
    try:
        client.initialize()
        spent = Spent(f"{name}: MCP", [json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in client.tools()])

        def do(kind: str, *words: str) -> str:
            made: Step | Callable[..., Step] = getattr(tools, kind)
            step = made(*words) if callable(made) else made
            called = client.call(*step)
            if called.is_error:
                raise RuntimeError(f"{step[0]}: {called.text[:300]}")
            spent.written.append(json.dumps({"name": step[0], "arguments": step[1]}, ensure_ascii=False, separators=(",", ":")))
            spent.read.append(called.text)
            return called.text

        def ref(tree: str, role: str, element: str) -> str:
            found = re.search(tools.target.format(role=role, name=re.escape(element)), tree)
            if found is None:
                raise RuntimeError(f"{name}: no {role} {element} in the snapshot: {tree[:300]}")
            return tools.prefix + found.group(1)

        for customer in ("Ann", "Bob"):
            order(do, url, customer, ref)
        return spent
    finally:
        client.close()


def all_spent(work: Path, url: str) -> Iterator[Spent]:
    """Each way of doing the task, one after the other."""
    for tool in shells.tools(work):
        yield by_shell(tool, work, url)
    serve = [sys.executable, "-m", "tabwire", "serve", "--launch", "--headless", "--tools", "core"]
    core = replace(TABWIRE, snapshot=("snapshot", {}))
    yield by_server("Tabwire core", serve, {"TABWIRE_HOME": str(work / "served")}, core, work, url)
    yield by_server("Playwright MCP", playwright_command(), {}, PLAYWRIGHT, work, url)


def main(arguments: list[str]) -> int:
    """Prints the table; a way that does not lead to both orders ends the run with an error."""
    argparse.ArgumentParser(prog="scripts/lab/bench/run task_tokens", description=__doc__).parse_args(arguments)
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    site = Site()
    print("| way | calls | skill, or tools | written | read | all |\n| --- | --- | --- | --- | --- | --- |")
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for spent in all_spent(Path(folder), site.page(PAGE, title="Village shop")):
                print(spent.row(), end="", flush=True)
    finally:
        site.close()
    return 0
