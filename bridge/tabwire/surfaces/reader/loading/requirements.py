"""The libraries of the extra `reader`, which not every installation has."""

from importlib import import_module
from typing import Any

from tabwire.errors import UnsupportedOperation


def required(module: str, purpose: str) -> Any:
    """Import a library of the extra.

    Args:
        module: Its name in Python.
        purpose: What needs it, for the message.

    Raises:
        UnsupportedOperation: it is not installed.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.split(".")[0]:
            raise
        raise UnsupportedOperation(
            f"{purpose} needs the Python package {error.name}, which is not installed.",
            {"package": error.name},
            next_step='Run `pip install "tabwire[reader]"` and start the server again.',
        ) from None
