"""The skill for agents that have a shell, and the folders in which they look for such."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from tabwire.disk import plain_files, private_files
from tabwire.errors import UnsupportedOperation, system_failure_told

FOLDERS = (".claude/skills", ".agents/skills")
"""Below the user's home or a project: where Claude Code looks, and where agents of the open standard (agentskills.io) do."""
_NAME = "tabwire/SKILL.md"
_HEAD = "---\nname: tabwire\n"
"""The beginning of the skill in every version."""

State = Literal["absent", "same", "other", "foreign"]
"""The file that is there: none, this skill, the skill of another version, or something else."""


def text() -> str:
    """The skill."""
    return Path(__file__).with_name("SKILL.md").read_text(encoding="utf-8")


def places(base: Path) -> Sequence[Path]:
    """The files of the skill below the user's home or a project."""
    return [base / folder / _NAME for folder in FOLDERS]


def state(path: Path) -> State:
    """The file that is at one of these places.

    Raises:
        UnsupportedOperation: it cannot be read.
    """
    try:
        # Git and editors of Windows write other ends of lines.
        found = plain_files.read_text(path).replace("\r\n", "\n")
    except FileNotFoundError:
        return "absent"
    except (OSError, UnicodeDecodeError) as error:
        raise UnsupportedOperation(
            f"{path} cannot be read ({getattr(error, 'strerror', None) or error}).", next_step="Move it away and try again."
        ) from None
    if found == text():
        return "same"
    return "other" if found.startswith(_HEAD) else "foreign"


def put(path: Path) -> None:
    """Write the skill.

    Raises:
        UnsupportedOperation: it cannot be written.
    """
    with system_failure_told(f"{path} cannot be written", "Make its folder writable and try again."):
        private_files.write(path, text())


def remove(path: Path) -> None:
    """Delete the skill and its folder, unless there is more in that.

    Raises:
        UnsupportedOperation: it cannot be deleted.
    """
    with system_failure_told(f"{path} cannot be deleted", "Delete it by hand."):
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
