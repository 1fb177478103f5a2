"""Which tools a running server lists, as its options say."""

import json
import subprocess
from pathlib import Path
from typing import Any

from programs import command, environment
from serving import forked
from tabwire.surfaces.tool import load_toolset

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
MESSAGES: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
)


def started(serve: list[str], home: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*serve, "--home", str(home), *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(),
    )  # fmt: skip


def listed(home: Path, *options: str) -> list[str]:
    with started(forked.serve(environment(), home / "pid"), home, *options) as process:
        assert process.stdin and process.stdout
        process.stdin.write("".join(json.dumps(message) + "\n" for message in MESSAGES))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        tools = next(answer["result"]["tools"] for answer in answers if answer.get("id") == 2)
        process.stdin.close()
        process.wait(10)
    return [tool["name"] for tool in tools]


def test_everything_is_listed_unless_groups_are_named(tmp_path: Path) -> None:
    agent = load_toolset("agent")
    assert listed(tmp_path) == [tool.name for tool in agent.only(["all"]).tools]
    assert listed(tmp_path, "--tools", "media,history") == [tool.name for tool in agent.only(["media", "history"]).tools]
    assert listed(tmp_path, "--tools", "core, history") == [*agent.only(["core", "history"]).by_name, "enable_tools"]


def test_an_unknown_group_ends_the_server_with_the_list_of_groups(tmp_path: Path) -> None:
    with started(command("serve"), tmp_path, "--tools", "clicking") as process:
        _, told = process.communicate(timeout=30)
    assert process.returncode == 2
    assert "no group clicking" in told
    assert "emulation" in told
