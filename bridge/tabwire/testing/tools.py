"""The tools as methods. What type checkers and editors know of them is in `tools.pyi`, generated from the declarations."""

import difflib
from typing import Any

from tabwire.testing.methods import method, toolset


class Tools:
    """Calls `self.call(tool, **arguments)` for each tool."""

    def __getattr__(self, name: str) -> Any:
        tool = toolset().by_name.get(name)
        if tool is None:
            close = difflib.get_close_matches(name, toolset().by_name, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise AttributeError(f"{type(self).__name__!r} has no attribute and no tool {name!r}{hint}")
        return method(tool, self.call)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *toolset().by_name]
