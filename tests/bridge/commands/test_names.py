"""One operation keeps one name: its class, the file that declares it, its method, its handler and the handler's file."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tabwire.commands import COMMANDS, WIRE
from tabwire.commands.declaration import Command, Reading

HANDLERS = Path(__file__).parents[3] / "extension/background/handlers"
REGISTERED = re.compile(r"^export const handlers = \{(.*?)\};$", re.DOTALL | re.MULTILINE)
"""The table at the end of a file of handlers."""
METHOD = re.compile(r'(?:^|[{,])\s*"([^"]+)":', re.MULTILINE)
NO_DOMAIN = {"index"}


def registered() -> dict[str, list[str]]:
    """File of handlers, spelled as a domain → the methods that it registers."""
    return {
        path.stem.replace("-", "_"): [
            method for table in REGISTERED.findall(path.read_text()) for method in METHOD.findall(table)
        ]
        for path in HANDLERS.glob("*.js")
        if path.stem not in NO_DOMAIN
    }


def misnamed(commands: Iterable[type[Command]], handlers: Mapping[str, list[str]]) -> list[str]:
    """Sentences about commands and handlers that break the rule."""
    found, handled = [], {method for methods in handlers.values() for method in methods}
    commands = list(commands)
    for command in commands:
        domain, _, verb = command.method.partition(".")
        file, name = command.__module__.rpartition(".")[2], re.sub(r"\B([A-Z])", r"_\1", command.__name__).lower()
        if file != domain:
            found.append(f"{command.method} is declared in commands/{file}.py")
        if name != verb:
            found.append(f"{command.method} is class {command.__name__}")
        if command.in_browser != (command.method in handled):
            found.append(f"{command.method} has {'no handler' if command.in_browser else 'a handler, but the bridge runs it'}")
    methods = {command.method for command in commands}
    for file, names in handlers.items():
        found += [f"{method} is handled in handlers/{file}.js" for method in names if method.partition(".")[0] != file]
        found += [f"{method} is handled, but not declared" for method in names if method not in methods]
    return found


def test_each_method_has_one_name_from_its_declaration_to_its_handler() -> None:
    handlers = registered()
    assert misnamed(WIRE, handlers) == []
    assert sum(map(len, handlers.values())) == sum(command.in_browser for command in WIRE) > 70
    assert set(COMMANDS) <= set(WIRE) and len({command.method for command in WIRE}) == len(WIRE)


def test_each_file_of_handlers_is_in_the_index() -> None:
    index = (HANDLERS / "index.js").read_text()
    imported = dict(re.findall(r'^import \* as (\w+) from "\./([\w-]+)\.js";$', index, re.MULTILINE))
    (table,) = re.findall(r"^const DOMAINS = \[(.*?)\];$", index, re.DOTALL | re.MULTILINE)
    listed = re.findall(r"\w+", table)
    assert sorted(listed) == sorted(imported)
    assert sorted(name.replace("-", "_") for name in imported.values()) == sorted(registered())


class Look(Reading, method="shop.look", title="Look"):
    """A command as it should be, but for the file that it is in."""


class Watch(Reading, method="shop.look_at", title="Look at"):
    """A command of another name than its class."""


@pytest.mark.parametrize(
    ("command", "file", "handlers", "complaint"),
    [
        (Look, "shop", {"shop": ["shop.look"]}, []),
        (Look, "market", {"shop": ["shop.look"]}, ["shop.look is declared in commands/market.py"]),
        (Watch, "shop", {"shop": ["shop.look_at"]}, ["shop.look_at is class Watch"]),
        (Look, "shop", {"shop": []}, ["shop.look has no handler"]),
        (Look, "shop", {"market": ["shop.look"]}, ["shop.look is handled in handlers/market.js"]),
        (Look, "shop", {"shop": ["shop.look", "shop.buy"]}, ["shop.buy is handled, but not declared"]),
    ],
    ids=["right", "file", "class", "no handler", "handler's file", "no declaration"],
)
def test_another_name_at_one_place_is_found(
    monkeypatch: pytest.MonkeyPatch, command: type[Command], file: str, handlers: dict[str, list[str]], complaint: list[str]
) -> None:
    monkeypatch.setattr(command, "__module__", f"tabwire.commands.{file}")
    assert misnamed([command], handlers) == complaint
