"""Kinds of tests that acts of the log, and steps that were recorded, are written as."""

from collections.abc import Callable, Iterable, Mapping

from tabwire.commands.replay import Act
from tabwire.recordings import pytest_test, selenium_script, steps_file

Writer = Callable[[Iterable[Act]], str]

WRITERS: Mapping[str, Writer] = {
    "pytest": pytest_test.script_of,
    "selenium": selenium_script.script_of,
    "steps": steps_file.text_of,
}
"""Language → what writes the file."""
