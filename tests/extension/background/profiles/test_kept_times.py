"""What of two runs' times of functions is a difference: the worker's module, run by node."""

from typing import Any

from extension.background.rules.test_rules_model import CHROME
from extension.in_node import run

SCRIPT = """
return given.map(({ now, earlier }) => compared(now, earlier).changed.map((one) => [one.name, one.now_ms - one.before_ms]));
"""
Times = dict[str, tuple[float, float]]
"""Function → its own time and that with what it calls, ms."""
BEFORE: Times = {"onPay": (0.2, 150), "burn": (150, 150), "draw": (20, 20)}
CASES: dict[str, tuple[Times, list[Times], list[list[object]]]] = {
    "the same again": (BEFORE, [BEFORE], []),
    "noise": ({**BEFORE, "burn": (160, 160), "onPay": (0.2, 160)}, [BEFORE], []),
    "the engine counts a function as its caller's": ({"onPay": (151, 151), "draw": (20, 20)}, [BEFORE], []),
    "one is slower": ({**BEFORE, "burn": (600, 600), "onPay": (0.2, 600)}, [BEFORE], [["burn", 450]]),
    "one is faster": ({**BEFORE, "draw": (5, 5)}, [BEFORE], [["draw", -15]]),
    "one is new": ({**BEFORE, "new": (40, 40)}, [BEFORE], [["new", 40]]),
    "earlier runs differ by as much": ({**BEFORE, "draw": (45, 45)}, [BEFORE, {**BEFORE, "draw": (40, 40)}], []),
}


def kept(times: Times) -> dict[str, Any]:
    functions = [{"name": name, "source": "/shop.ts", "self": own, "total": total} for name, (own, total) in times.items()]
    return {"interval": 0.2, "whole": sum(own for own, _ in times.values()), "functions": functions}


def test_functions_that_differ_by_more_than_noise_are_told() -> None:
    given = [{"now": kept(now), "earlier": [kept(one) for one in earlier]} for now, earlier, _ in CASES.values()]
    found = run(["background/profiles/kept-times.js"], SCRIPT, before=CHROME, given=given)
    assert dict(zip(CASES, found, strict=True)) == {name: expected for name, (*_, expected) in CASES.items()}
