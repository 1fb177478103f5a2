"""Acts of the log, and steps that were recorded, as a test for the pytest plugin."""

import keyword
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tabwire.commands.json_schema import input_schema
from tabwire.commands.replay import Act, Secret
from tabwire.recordings.tool_calls import Called, calls_of

RECORDED = "test_recorded"
"""Name of the test."""


@dataclass
class _Test:
    """The lines so far, and what they rely on."""

    lines: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    """Tab in the recorded session → name of the variable with its id."""
    tab: int | None = None
    has_files: bool = False

    def expression(self, value: Any) -> str:
        """A value in Python; one that was not recorded comes from the environment."""
        if isinstance(value, Secret):
            if value not in self.secrets:
                self.secrets.append(str(value))
            return f'os.environ["{value}"]'
        if isinstance(value, list):
            return f"[{', '.join(map(self.expression, value))}]"
        return _literal(value)

    def file(self, path: Any) -> str:
        """A file that is uploaded: beside the test, unless it has a folder."""
        if not isinstance(path, str):
            return self.expression(path)
        self.has_files = True
        return f"HERE / {_literal(path)}"


def _literal(value: Any) -> str:
    """A value in Python, with double quotes where that costs nothing."""
    text = repr(value)
    return f'"{text[1:-1]}"' if isinstance(value, str) and text[0] == "'" and '"' not in text and "\\'" not in text else text


def script_of(acts: Iterable[Act]) -> str:
    """The file with the test."""
    calls = list(calls_of(acts))
    test = _Test()
    has_tabs = len({call.tab for call in calls if isinstance(call, Called)}) > 1
    for call in calls:
        _add(test, call, has_tabs=has_tabs)
    lines = test.lines if any(not line.startswith("#") for line in test.lines) else [*test.lines, "pass"]
    return f'"""{_heading(test)}"""\n{_imports(test)}\n\ndef {RECORDED}(tabwire):\n' + "".join(f"    {line}\n" for line in lines)


def lines_of(act: Act) -> list[str]:
    """An act by itself, for people to read."""
    test = _Test()
    for call in calls_of([act]):
        _add(test, call, has_tabs=False)
    return test.lines


def _heading(test: _Test) -> str:
    needs = "".join(f"    {name}\n" for name in test.secrets)
    more = f"\n\nValues that were not recorded are taken from the environment:\n{needs}" if needs else ""
    files = "\nFiles that are uploaded are looked for beside this one.\n" if test.has_files else ""
    return f'A test recorded by Tabwire. Needs `pip install "tabwire[testing]"`; run it with pytest.{more}{files}'


def _imports(test: _Test) -> str:
    os = "\nimport os\n" if test.secrets else ""
    path = ("" if os else "\n") + "from pathlib import Path\n\nHERE = Path(__file__).parent\n" if test.has_files else ""
    return os + path


def _add(test: _Test, call: Called | str, *, has_tabs: bool) -> None:
    if isinstance(call, str):
        test.lines.append(f"# {call}")
        return
    if has_tabs and test.tab is not None and call.tab not in (None, test.tab) and call.tab in test.names:
        test.lines.append(f"tabwire.tab_switch(tabId={test.names[call.tab]})")
    said = f"tabwire.{call.command.tool}({_arguments(test, call)})"
    if has_tabs and call.tab is not None and call.tab not in test.names:
        said = f'{_name(test, call.tab)} = {said}.data["tabId"]'
    for number, opened in enumerate(call.opened if has_tabs else ()):
        said = f'{_name(test, opened)} = {said}.effects["new_tabs"][{number}]["tabId"]'
    test.tab = call.tab if call.tab is not None else test.tab
    test.lines.append(said)
    if call.arrived and call.command.method != "navigation.navigate":
        test.lines.append(f'tabwire.wait("url", url={_literal(call.arrived)})')


def _name(test: _Test, tab: int) -> str:
    return test.names.setdefault(tab, f"tab_{len(test.names) + 1}")


def _arguments(test: _Test, call: Called) -> str:
    schema = input_schema(call.command)
    positional = schema.get("required") or list(schema["properties"])[:1]
    said, is_positional = [], True
    for name in [*positional, *(name for name in call.arguments if name not in positional)]:
        if name not in call.arguments:
            is_positional = False
            continue
        value = call.arguments[name]
        text = f"[{', '.join(map(test.file, value))}]" if name == "files" else test.expression(value)
        is_place = is_positional and name in positional
        said.append(text if is_place else f"{name}_={text}" if keyword.iskeyword(name) else f"{name}={text}")
    return ", ".join(said)
