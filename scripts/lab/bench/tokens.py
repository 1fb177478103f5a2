"""Cost of the tool lists for a conversation, in tokens of a public tokenizer (o200k), against the goals for them."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from row import Row

from tabwire.surfaces.tool import load_toolset

FOLDER = Path(__file__).resolve().parents[3] / "build" / "bench" / "tokens"
TOKENIZER = "gpt-tokenizer@4.0.0"
GOALS = {"all": 12_000, "core": 3_500}
COUNT = """
import { encode } from "gpt-tokenizer/encoding/o200k_base";
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify(JSON.parse(text).map((part) => encode(part).length)));
"""


def measure() -> list[Row]:
    """The lists with a goal, then each group for information."""
    goals = [Row(f"tools/list, --tools {name} (tokens)", _cost(name), goal, "", 1.0) for name, goal in GOALS.items()]
    whole = goals[0].value
    groups = dict.fromkeys(tool.group for tool in load_toolset("agent").tools)
    return [*goals, *(Row(f"  group {name}, part of all", _cost(name), whole, "") for name in groups)]


def _cost(tools: str) -> float:
    """Tokens of the list as it is sent, annotations and schemas of results included."""
    return float(sum(counted([json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in _listed(tools)])))


def counted(texts: list[str]) -> list[int]:
    """The tokens of each text."""
    _fetch()
    done = subprocess.run(
        ["node", "--input-type=module", "-e", COUNT],
        cwd=FOLDER, input=json.dumps(texts), capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    counts: list[int] = json.loads(done.stdout)
    return counts


def _listed(tools: str) -> list[dict[str, Any]]:
    """The list as it travels."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, "-m", "tabwire", "serve", "--home", home, "--tools", tools],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin and process.stdout
        process.stdin.write("".join(json.dumps(message) + "\n" for message in messages))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout)
        found: list[dict[str, Any]] = next(answer["result"]["tools"] for answer in answers if answer.get("id") == 2)
        process.stdin.close()
        process.wait(10)
        process.stdout.close()
    return found


def _fetch() -> None:
    if (FOLDER / "node_modules" / "gpt-tokenizer").is_dir():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run(["npm", "install", "--prefix", str(FOLDER), "--no-audit", "--no-fund", TOKENIZER], check=True, timeout=300)
