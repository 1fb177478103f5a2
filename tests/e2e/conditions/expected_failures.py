"""The marked tests that do not pass in a condition, and why. Each of them must fail there: one that passes loses its line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ExpectedFailure:
    """Args:
    case: Id of the test without the condition; without its parameters it means all of them.
    conditions: Names of the conditions in which it fails.
    reason: What makes it fail there.
    """

    case: str
    conditions: tuple[str, ...]
    reason: str


EXPECTED_FAILURES = (
    ExpectedFailure(
        "tests/e2e/test_forms.py::test_a_filled_field_fires_focus_input_and_one_change_when_left",
        ("window-unfocused",),
        "a click by DOM events moves the focus without an event where the window does not have it: `blur` is missing",
    ),
)


def reason_for(case: str, condition: str) -> str | None:
    """Why a test is expected to fail in a condition; None where it has to pass."""
    for failure in EXPECTED_FAILURES:
        if condition in failure.conditions and case in (failure.case, f"{failure.case}[{case.partition('[')[2]}"):
            return failure.reason
    return None
