"""Tabwire: an MCP server that drives the Chrome you already use, through an extension, on your own machine."""

__all__ = ["INSTALL_COMMAND", "RECORDED_PREFIX", "__version__"]

INSTALL_COMMAND = "tabwire install"
"""The one command that sets everything up and mends it. Commands for experts are named in their own help only."""

RECORDED_PREFIX = "TABWIRE_RECORDED_"
"""Beginning of the variables that recordings take values from. No setting begins so: a page chooses the names of its fields."""


def __getattr__(name: str) -> str:
    # `__version__` is looked up on first use: importlib.metadata would cost every start some 20 ms.
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    version = _read_version()
    globals()["__version__"] = version
    return version


def _read_version() -> str:
    """The version of the extension in this checkout or wheel; the distribution's version is built from the same file."""
    import json
    from pathlib import Path

    package = Path(__file__).resolve().parent
    for manifest in (package / "_extension" / "manifest.json", package.parents[1] / "manifest.json"):
        if manifest.is_file():
            return str(json.loads(manifest.read_text(encoding="utf-8"))["version"])
    from importlib.metadata import version

    return version("tabwire")
