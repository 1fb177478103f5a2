"""A program that is one page with a package in it; the back end is ours."""

from pathlib import Path
from typing import Any, ClassVar

import packages
from back_end import BackEnd
from declaration import Application

from polling import until

SAVED_WITHIN_S = 5


class PageApplication(Application):
    """See the module docstring."""

    page: ClassVar[str]
    first_state: ClassVar[Any]

    @staticmethod
    def fetch() -> None:
        packages.fetch_npm(packages.FOLDER, packages.NPM)

    def __init__(self, work: Path) -> None:
        self._back_end = BackEnd(self.page, packages.MODULES)

    @property
    def url(self) -> str:
        return self._back_end.url

    @property
    def state(self) -> Any:
        """The state that the page sent last."""
        return self._back_end.state

    def reset(self) -> None:
        self._back_end.state = self.first_state

    def until_kept(self, wanted: Any) -> None:
        """Waits until the page has sent this state."""
        until(lambda: self.state, equals=wanted, within=SAVED_WITHIN_S, says="the state that the page has sent")

    def close(self) -> None:
        self._back_end.close()
