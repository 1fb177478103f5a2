"""Languages in which a recorded run is written."""

import os
import re
from collections.abc import Callable, Iterable, Mapping

from tabwire.commands.replay import Act
from tabwire.recordings import batch_file, pytest_test, selenium_script, steps_file

Writer = Callable[[Iterable[Act]], str]

WRITERS: Mapping[str, Writer] = {
    "pytest": pytest_test.script_of,
    "selenium": selenium_script.script_of,
    "steps": steps_file.text_of,
    "batch": batch_file.batch_of,
}
"""Language → its printer."""
LANGUAGES = tuple(WRITERS)
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
    text = WRITERS[language](acts)
    return text.replace(f"def {pytest_test.RECORDED}(", f"def {_name(file)}(", 1) if language == "pytest" and file else text


def _name(file: str) -> str:
    stem = re.sub(r"\W+", "_", os.path.splitext(os.path.basename(file))[0]).strip("_").lower()
    return stem if stem.startswith("test_") else f"test_{stem or 'recorded'}"
