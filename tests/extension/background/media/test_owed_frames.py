"""Frames that a recording at a fixed rate did not take until it ended; run by node."""

from extension.background.tabs.tabs_in_node import CHROME
from extension.in_node import run

# The oldest Node of the tests has none.
NAVIGATOR = 'globalThis.navigator ??= { userAgent: "Chrome/150" };\n'
# (frame due last, ms; whether it was taken; end, ms; longest duration, ms) → frames that are owed, five a second
OWED = {
    (800, True, 1005, 1000): 0,
    (800, False, 1005, 1000): 1,
    (400, False, 1005, 1000): 3,
    (400, True, 1005, 1000): 2,
    (1000, False, 1005, 1000): 0,
    (1000, False, 900, 60_000): 0,
    (800, True, 1050, 60_000): 1,
    (800, False, 850, 60_000): 1,
    (800, True, 1000, 1000): 0,
}


def test_a_frame_that_is_due_with_the_end_is_not_owed() -> None:
    script = """return given.map(([due, isKept, endedAt, max_duration]) =>
        owedAtEnd({ fps: 5, startedAt: 7, endedAt: 7 + endedAt, max_duration }, due, isKept))"""
    owed = run(["background/media/tab-recordings.js"], script, before=CHROME + NAVIGATOR, given=[list(case) for case in OWED])
    assert dict(zip(OWED, owed, strict=True)) == OWED
