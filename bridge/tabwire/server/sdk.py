"""The MCP SDK without what a server on a pipe never uses.

With the whole SDK a client's first snapshot came 340 to 480 ms later (1,550 and 1,360 ms as it is), and the server took 74 MB in
place of 59 (PSS, 29 November 2026, mcp 2.3). `tests/bridge/test_start.py` fails once the SDK does without these modules.

`import mcp` brings along the clients, servers of other kinds, and what serves HTTP. While `on_a_pipe` is entered these modules
are empty: each of their names is a class that does nothing, and only annotations and defaults of the SDK use them. The models
of all messages of all versions are compiled when a first message needs them, and most are never needed.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ConfigDict

LEFT_OUT = (
    "mcp.client",
    "mcp.server.auth",
    "mcp.server.mcpserver",
    "mcp.server.streamable_http",
    "mcp.server.streamable_http_manager",
    "mcp.server.transport_security",
    "starlette",
)


class _Absent:
    """Stand-in for every name of a module that is left out."""

    def __init__(self, *values: object, **named: object) -> None:
        raise RuntimeError("this part of the MCP SDK is left out of a server on a pipe (see tabwire.server.sdk)")


class _EmptyModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        # Those are questions about the module: it has no such thing.
        if name.startswith("__"):
            raise AttributeError(name)
        return _Absent


class _EmptyModules(MetaPathFinder, Loader):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        is_left_out = any(name == left_out or name.startswith(f"{left_out}.") for left_out in LEFT_OUT)
        return ModuleSpec(name, self, is_package=True) if is_left_out else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _EmptyModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module empty."""


@contextmanager
def on_a_pipe() -> Iterator[None]:
    """Imports of the SDK go without those modules. No effect where it has been imported already."""
    empty, usual = _EmptyModules(), BaseModel.model_config
    sys.meta_path.insert(0, empty)
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        yield
    finally:
        BaseModel.model_config = usual
        sys.meta_path.remove(empty)
        # A copy: another thread may import in the meantime.
        for name in [name for name, module in sys.modules.copy().items() if isinstance(module, _EmptyModule)]:
            del sys.modules[name]
