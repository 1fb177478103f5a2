"""Scripts of the caller, as the worker reads them; run by node."""

import json
import shutil
import subprocess
from pathlib import Path

MODULE = Path(__file__).parents[2] / "extension" / "background" / "debugger" / "evaluation.js"


def _only_reads(*sources: str) -> list[bool]:
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    program = f"const {{ onlyReads }} = await import({json.dumps(MODULE.as_uri())}); " + (
        f"console.log(JSON.stringify({json.dumps(sources)}.map(onlyReads)))"
    )
    done = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, text=True, timeout=30, check=True)
    answers: list[bool] = json.loads(done.stdout)
    return answers


def test_a_script_of_names_and_members_only_reads() -> None:
    reading = ("document.title", "1 + 1", "a?.b['c d'].length > 0", "window.x !== undefined && y >= 2", '"text"', "p.hidden\n")
    assert _only_reads(*reading) == [True] * len(reading)


def test_a_script_of_many_signs_is_read_at_once() -> None:
    many = ("=" * 400, "a " + "=" * 400 + "(", "a " + ">=" * 400 + "(", "a" * 20_000 + "(")
    assert _only_reads(*many) == [False] * len(many)


def test_a_script_that_calls_or_assigns_does_more() -> None:
    doing = (
        "b.click()",
        "a = 1",
        "a += 1",
        "a ??= b",
        "a <<= 1",
        "a >>>= 1",
        "a++",
        "--a",
        "new A",
        "delete a.b",
        "tag`x`",
        "() => 1",
        "throw a",
        "await a",
        "debugger",
        "{ a }",
        "import('x')",
        "'it' + \"\\u0041\"",
    )
    assert _only_reads(*doing) == [False] * len(doing)
