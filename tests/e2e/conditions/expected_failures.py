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


FRAMES = "tests/e2e/conditions/test_frames.py"
PINCHED = ("pinch-150",)
BESIDE = (
    "in a pinched page Chrome gives the pointer to a frame within a frame of another process beside where it draws that frame"
)
EXPECTED_FAILURES = (
    *(
        ExpectedFailure(case, PINCHED, BESIDE)
        for case in (
            f"{FRAMES}::test_a_click_is_one_press_and_one_click_of_the_button_it_names",
            f"{FRAMES}::test_a_button_below_the_fold_of_its_frame_is_clicked",
            f"{FRAMES}::test_a_double_click_and_a_click_with_the_right_button_arrive",
            f"{FRAMES}::test_a_hover_is_over_the_element_it_names",
            f"{FRAMES}::test_a_box_is_checked_and_an_option_chosen",
            f"{FRAMES}::test_the_bounds_of_a_button_are_where_it_is_hit",
            f"{FRAMES}::test_a_knob_is_dragged_to_its_zone",
            "tests/e2e/input/test_transformed_frames.py::test_frames_out_of_view_are_scrolled_to",
            "tests/e2e/input/test_input.py::test_input_reaches_frames_in_frames_that_are_scaled_and_scrolled",
        )
    ),
    ExpectedFailure(
        "tests/e2e/media/test_element_pictures.py::test_a_picture_behind_a_dialog_has_css_pixels",
        ("new-user",),
        "Chrome draws nothing of a tab behind others while a dialog holds its page: the call is refused and names the dialog",
    ),
    ExpectedFailure(
        "tests/e2e/media/test_screenshot.py::test_a_fixed_header_is_on_the_full_page_once",
        PINCHED,
        "Chrome ends the pinch for a picture of the full page, and scrolls the page by what the view was moved",
    ),
    ExpectedFailure(
        "tests/e2e/snapshot/test_picker.py::test_in_a_frame_of_another_site",
        PINCHED,
        "nothing is chosen in a frame of another site of a pinched page; the cause is not known",
    ),
)


def reason_for(case: str, condition: str) -> str | None:
    """Why a test is expected to fail in a condition; None where it has to pass."""
    for failure in EXPECTED_FAILURES:
        if condition in failure.conditions and case in (failure.case, f"{failure.case}[{case.partition('[')[2]}"):
            return failure.reason
    return None
