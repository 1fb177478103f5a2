"""Modules of scripts/, which are no package."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def module(path: str) -> ModuleType:
    """The module in a file of scripts/."""
    spec = importlib.util.spec_from_file_location(path.replace("/", "_"), ROOT / "scripts" / f"{path}.py")
    assert spec and spec.loader
    loaded = importlib.util.module_from_spec(spec)
    # The scripts of a folder import each other by name.
    if str(folder := (ROOT / "scripts" / path).parent) not in sys.path:
        sys.path.append(str(folder))
    # Data classes look for their module by name.
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded
