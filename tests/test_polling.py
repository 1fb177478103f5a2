"""The waiting of the tests themselves."""

import threading

import pytest

from polling import side_by_side, until, until_async


def test_the_first_value_as_wanted_is_returned() -> None:
    values = iter(["", "a", "b"])
    assert until(lambda: next(values)) == "a"
    numbers = iter(range(9))
    assert until(lambda: next(numbers), lambda number: number > 2) == 3
    assert until(lambda: next(numbers), equals=5) == 5


def test_a_failure_says_what_was_waited_for_and_what_was_seen_last() -> None:
    answer = "yellow"
    with pytest.raises(AssertionError, match=r"(?s)0\.05 s: .*lambda: answer\.upper\(\).*, wanted: 'GREEN'\nlast seen: 'YELLOW'"):
        until(lambda: answer.upper(), equals="GREEN", within=0.05)
    with pytest.raises(AssertionError, match="0 s: the light is green\nlast seen: False"):
        until(lambda: False, within=0, says="the light is green")
    with pytest.raises(AssertionError, match="last seen: None\nthe log of the lights$"):
        until(lambda: None, within=0, says=lambda: "the log of the lights")


def test_only_errors_that_mean_not_yet_are_ignored() -> None:
    doors = iter([0, 1])
    assert until(lambda: 1 / next(doors), ignoring=ZeroDivisionError) == 1
    with pytest.raises(AssertionError, match="last seen: ZeroDivisionError"):
        until(lambda: 1 / 0, within=0, ignoring=ZeroDivisionError)
    with pytest.raises(ZeroDivisionError):
        until(lambda: 1 / 0)


@pytest.mark.anyio
async def test_the_event_loop_goes_on_meanwhile() -> None:
    numbers = iter(range(3))
    assert await until_async(lambda: next(numbers), equals=2) == 2


def test_cases_wait_beside_each_other_and_those_that_fail_are_named() -> None:
    together = threading.Barrier(2, timeout=5)
    side_by_side({"one": together.wait, "other": together.wait})
    with pytest.raises(ExceptionGroup, match="1 of 2 cases failed") as raised:
        side_by_side({"well": lambda: None, "badly": lambda: 1 / 0})
    (error,) = raised.value.exceptions
    assert isinstance(error, ZeroDivisionError) and error.__notes__ == ["case: badly"] and error.__traceback__
