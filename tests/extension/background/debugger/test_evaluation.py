"""Scripts of the caller, as the worker reads them; run by node."""

from extension.in_node import run


def _only_reads(*sources: str) -> list[bool]:
    answers: list[bool] = run(["background/debugger/evaluation.js"], "return given.map(onlyReads);", given=sources)
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
