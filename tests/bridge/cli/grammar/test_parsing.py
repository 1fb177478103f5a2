"""Command lines of all tools, parsed by their declarations."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from programs import ROOT
from tabwire.cli.grammar.completion import SHELLS, script
from tabwire.cli.grammar.fields import tool_of, tools
from tabwire.cli.grammar.help import ABOUT_SESSIONS, SESSION_OPTIONS, help_of, overview
from tabwire.cli.grammar.parsing import UsageError, parse
from tabwire.commands.line_spelling import POSITIONS, SAVED_TO, SHORT_NAMES, command_of, fields_of, positions_of
from tabwire.surfaces.tool import Tool

TOOLS = list(tools().values())
SAMPLES: dict[str, Any] = {"string": "word", "number": 7, "boolean": True, "object": {"a": "b"}, "array": ["word"]}


def arguments(line: str) -> dict[str, Any]:
    return parse(line.split(), "/work").arguments


def sample(schema: dict[str, Any]) -> Any:
    """A value that fits, of the first of its types."""
    one = schema.get("oneOf", [schema])[0]
    if "enum" in one:
        return one["enum"][-1]
    if one.get("type") == "array" and one.get("items"):
        return [sample(one["items"])]
    properties = one.get("properties")
    return {name: sample(inner) for name, inner in properties.items()} if properties else SAMPLES[one.get("type", "string")]


def word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_of_a_tool_has_a_flag_of_its_own(tool: Tool) -> None:
    flags = [field.flag for field in fields_of(tool)]
    ours = [flag.rstrip(",").split(" ")[0] for options, _ in SESSION_OPTIONS for flag in options.split(", ")]
    assert len(set(flags)) == len(flags) and not set(flags) & {*ours, "--output", "--help"}
    for field in fields_of(tool):
        value = sample(field.schema)
        given = parse([command_of(tool.name), *_required(tool, field.name), f"{field.flag}={word(value)}"], "/work").arguments
        expected = [f"/work/{item}" for item in value] if field.name == "files" else value
        assert given[field.name] == expected, field.name


def _required(tool: Tool, but: str) -> list[str]:
    """The arguments without which there is no call, as flags."""
    return [f"{field.flag}={word(sample(field.schema))}" for field in fields_of(tool) if field.is_required and field.name != but]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_what_a_tool_requires_needs_no_flag(tool: Tool) -> None:
    required = tool.input_schema.get("required", [])
    assert set(required) - {SAVED_TO.get(tool.name)} <= set(positions_of(tool))
    words = [word(sample(tool.input_schema["properties"][name])) for name in positions_of(tool) if name in required]
    assert set(required) - {SAVED_TO.get(tool.name)} <= set(parse([command_of(tool.name), *words], "/work").arguments)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_help_of_a_command_says_all_that_it_takes(tool: Tool) -> None:
    told = help_of(tool, command_of(tool.name))
    assert tool.description.split()[0] in told
    assert [field.flag for field in fields_of(tool) if field.usual_flag not in told] == []


def test_the_table_names_tools_and_fields_that_exist() -> None:
    for name, fields in POSITIONS.items():
        assert set(fields) - {"~"} <= tools()[name].input_schema["properties"].keys()
    assert {*SHORT_NAMES.values(), *SAVED_TO} <= tools().keys()
    assert not SHORT_NAMES.keys() & tools().keys()


def test_the_overview_names_every_command() -> None:
    told = overview()
    assert [tool.name for tool in TOOLS if f" {command_of(tool.name)}" not in told] == []
    assert all(command in told for command, _ in ABOUT_SESSIONS)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("open https://example.org", {"url": "https://example.org"}),
        ("click @e12 --button right --force", {"selector": "@e12", "button": "right", "force": True}),
        ("click --coordinates 10,20", {"coordinates": {"x": 10, "y": 20}}),
        ("fill label:E-mail ada@example.org", {"selector": "label:E-mail", "value": "ada@example.org"}),
        ("fill @e1 --value x --tab-id 3", {"selector": "@e1", "value": "x", "tabId": 3}),
        ("fill --selector @e1 x", {"selector": "@e1", "value": "x"}),
        ("fill @e1 -- --force", {"selector": "@e1", "value": "--force"}),
        ("fill @e1 -5", {"selector": "@e1", "value": "-5"}),
        ("fill @e1 2024", {"selector": "@e1", "value": "2024"}),
        ("type hello", {"text": "hello"}),
        ("type @e1 hello", {"selector": "@e1", "text": "hello"}),
        ("press @e1 Enter --repeat 2", {"selector": "@e1", "key": "Enter", "repeat": 2}),
        ("wait text Done --timeout 300", {"for": "text", "text": "Done", "timeout": 300}),
        ("wait selector_hidden #busy", {"for": "selector_hidden", "selector": "#busy"}),
        ("wait --for text Saved", {"for": "text", "text": "Saved"}),
        ("select @e1 [other]", {"selector": "@e1", "value": "[other]"}),
        ('select @e1 ["a","b"]', {"selector": "@e1", "value": ["a", "b"]}),
        (
            "capture start --filter resource_types=xhr --filter resource_types=fetch --filter url_pattern=*/api/*",
            {"action": "start", "filter": {"resource_types": ["xhr", "fetch"], "url_pattern": "*/api/*"}},
        ),
        ("capture start --filter resource_types=xhr", {"action": "start", "filter": {"resource_types": ["xhr"]}}),
        ("requests stop -o x.har", {"action": "stop"}),
        ("wait timeout 500", {"for": "timeout", "duration": 500}),
        ("geolocation -33.8 151.2", {"latitude": -33.8, "longitude": 151.2}),
        ("upload @e3 a.txt /b.txt", {"selector": "@e3", "files": ["/work/a.txt", "/b.txt"]}),
        ("tab-close 3", {"tabId": 3}),
        ("tab_close 3 4", {"tabId": [3, 4]}),
        ("select @e1 --index 2", {"selector": "@e1", "index": 2}),
        ("select @e1 --label A --label B", {"selector": "@e1", "label": ["A", "B"]}),
        ("snapshot --no-include-text --mode interactive", {"include_text": False, "mode": "interactive"}),
        ("eval 1+1 --args 1 --args x", {"expression": "1+1", "args": [1, "x"]}),
        ("request /x --json-body a=b --headers X=y", {"url": "/x", "json": {"a": "b"}, "headers": {"X": "y"}}),
        ("navigate --window-size width=300 --window-size height=200", {"window_size": {"width": 300, "height": 200}}),
        ("click @e1 --reason testing --browser Work", {"selector": "@e1", "reason": "testing", "browser": "Work"}),
    ],
)
def test_a_line_is_a_call(line: str, expected: dict[str, Any]) -> None:
    assert arguments(line) == expected


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("clikc @e1", "there is no command 'clikc'. Did you mean click"),
        ("sesions", "Did you mean sessions"),
        ("click @e1 --buton left", "did you mean --button?"),
        ("click @e1 @e2", "click does not take '@e2'; usage: tabwire click [SELECTOR]"),
        ("fill @e1", "fill needs value; usage: tabwire fill SELECTOR VALUE"),
        ("click @e1 --button", "--button needs a value"),
        ("click @e1 --button up", "button is one of left, right, middle, not 'up'"),
        ("click @e1 --timeout soon", "timeout is a number, not 'soon'"),
        ("click @e1 --force=perhaps", "force is true or false, not 'perhaps'"),
        ("click @e1 --button left --button right", "button was given 2 times"),
        ("click @e1 -o x.png", "click has no option -o"),
        ("record start -o x.gif", "record start saves no file; give -o to: tabwire record stop"),
        ("requests status -o x.har", "requests status saves no file; give -o to: tabwire requests stop"),
        ("capture start --filter url_pattern=a --filter url_pattern=b", "filter was given 2 times for url_pattern"),
        ("route add --response {", "response is no JSON"),
    ],
)
def test_a_wrong_line_says_what_to_type(line: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(line.split(), "/work", ("sessions",))
    assert told in str(caught.value)


def test_json_that_is_nested_too_deeply_is_a_text() -> None:
    assert parse(["select", "@e1", "[" * 100_000], "/work").arguments["value"] == "[" * 100_000


def test_a_file_and_the_form_of_the_reply_are_no_arguments() -> None:
    line = parse(["screenshot", "-o", "x.png", "--json"], "/work")
    assert (line.arguments, line.output, line.as_json) == ({}, "x.png", True)


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_and_flags(shell: str) -> None:
    told = script(shell, ("doctor",))
    assert all(word in told for word in ("tab-list", "open", "doctor", "include-text", "launch"))
    assert tool_of("open") is tool_of("navigate")


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sna", ["snapshot"]),
        ("-s work sna", ["snapshot"]),
        ("-s sna", []),
        ("-s work snapshot --dif", ["--diff"]),
        ("--launch click --for", ["--force"]),
    ],
)
def test_fish_completes_behind_the_name_of_a_session(tmp_path: Path, line: str, offered: list[str]) -> None:
    (tmp_path / "tabwire.fish").write_text(script("fish", ()))
    told = subprocess.run(
        ["fish", "-c", f"source {tmp_path}/tabwire.fish; complete -C 'tabwire {line}'"],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [found.split("\t")[0] for found in told.stdout.splitlines()] == offered, told.stderr


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sna"], ["snapshot"]),
        (["-s", "work", "sna"], ["snapshot"]),
        (["--session", "=", "work", "--launch", "sna"], ["snapshot"]),
        (["-s", "sna"], []),
        (["-s", "work", "snapshot", "--diff"], ["--diff"]),
        (["click", "@e1", "--forc"], ["--force"]),
        (["click", "--button", "l"], ["left"]),
        (["upload", "@e1", "pyproject.to"], ["pyproject.toml"]),
        (["batch", "pyproject.to"], ["pyproject.toml"]),
        (["screenshot", "-o", "pyproject.to"], ["pyproject.toml"]),
    ],
)
def test_completion_knows_the_command_behind_the_name_of_a_session(words: list[str], offered: list[str]) -> None:
    """Bash splits `--session=work` into three words."""
    line = f"{script('bash', ('batch',))}COMP_WORDS=(tabwire {shlex.join(words)}); COMP_CWORD={len(words)}; _shtab_tabwire tabwire {shlex.quote(words[-1])}; echo ${{COMPREPLY[@]}}"
    assert subprocess.run(["bash", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split() == offered


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
@pytest.mark.parametrize("way", ['eval "$(cat tabwire.zsh)"', "source tabwire.zsh"])
def test_zsh_registers_the_script_however_it_is_read(tmp_path: Path, way: str) -> None:
    (tmp_path / "tabwire.zsh").write_text(script("zsh", ()))
    line = f"autoload -U compinit && compinit -u -D; {way}; echo ${{_comps[tabwire]}}"
    done = subprocess.run(["zsh", "-fc", line], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["_shtab_tabwire"], done.stderr
