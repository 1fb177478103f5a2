"""A failed check of a release."""

from __future__ import annotations


class CheckFailed(Exception):
    """A check that does not hold: what was seen, and what to do next."""

    def __init__(self, seen: str, next_step: str) -> None:
        super().__init__(f"{seen}\nNext: {next_step}")
