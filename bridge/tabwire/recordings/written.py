"""Recorded steps as a file that does them again."""

import os
import re
from collections.abc import Iterable, Mapping

from tabwire.commands.replay import Act
from tabwire.recordings import pytest_test
from tabwire.recordings.batch_file import batch_of
from tabwire.recordings.languages import WRITERS, Writer

_WRITTEN: Mapping[str, Writer] = {**WRITERS, "batch": batch_of}
LANGUAGES = tuple(_WRITTEN)
STEPS = "steps"
"""The language of files that `tabwire replay` runs."""
STEPS_SUFFIX = ".steps.json"
"""End of their names."""


def written(acts: Iterable[Act], language: str, file: str = "") -> str:
    """The test.

    Args:
        acts: the steps.
        language: one of `LANGUAGES`.
        file: the name of the file it is for, which names the test.
    """
    text = _WRITTEN[language](acts)
    return text.replace(f"def {pytest_test.RECORDED}(", f"def {_name(file)}(", 1) if language == "pytest" and file else text


def _name(file: str) -> str:
    stem = re.sub(r"\W+", "_", os.path.splitext(os.path.basename(file))[0]).strip("_").lower()
    return stem if stem.startswith("test_") else f"test_{stem or 'recorded'}"
