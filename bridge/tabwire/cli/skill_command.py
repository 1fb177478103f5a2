"""`tabwire install --skill` and `tabwire uninstall --skill`: the skill where agents look for it, and nothing else."""

import argparse
from pathlib import Path

from tabwire.install import skill


def put(options: argparse.Namespace) -> int:
    """Put the skill in place; exit code 1 when something else has its name."""
    return max(_put(path, only_print=options.only_print) for path in skill.places(_base(options)))


def remove(options: argparse.Namespace) -> int:
    """Take the skill away; exit code 1 when something else has its name."""
    return max(_remove(path, only_print=options.only_print) for path in skill.places(_base(options)))


def _base(options: argparse.Namespace) -> Path:
    return Path.cwd() if options.project else Path.home()


def _put(path: Path, *, only_print: bool) -> int:
    found = skill.state(path)
    if found == "foreign":
        return _leave(path)
    if found == "same":
        print(f"The skill is in {path} already.")
        return 0
    if not only_print:
        skill.put(path)
    print(f"{'Would put' if only_print else 'Put'} the skill in {path}.")
    return 0


def _remove(path: Path, *, only_print: bool) -> int:
    found = skill.state(path)
    if found == "foreign":
        return _leave(path)
    if found != "absent":
        if not only_print:
            skill.remove(path)
        print(f"{'Would delete' if only_print else 'Deleted'} the skill {path}.")
    return 0


def _leave(path: Path) -> int:
    print(f"{path} is another skill and is left as it is.")
    return 1
