"""Ctrl-C during a call: it ends a wait, and nothing that is sent or received is lost by it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from signal import SIGINT, default_int_handler, getsignal, signal
    from typing import Self, TypeVar

    T = TypeVar("T")
else:
    # `signal` would import enumerations, which every command would pay for.
    from _signal import SIGINT, default_int_handler, getsignal, signal


class Interrupts:
    """Ctrl-C from entry to exit: raised in a wait, and kept for the next one where the command does something else.

    Python raises it between any two instructions otherwise: a call would be out of which the command knows nothing, or a part of
    a reply read and dropped. Where Ctrl-C is ignored (`nohup`) or belongs to someone else, that stays so.
    """

    def __init__(self) -> None:
        self.is_pending = False
        """Whether it came and was not raised yet."""
        self._may_raise = False
        self._is_ours = False

    def __enter__(self) -> Self:
        if getsignal(SIGINT) is default_int_handler:
            try:
                signal(SIGINT, self._come)
            except ValueError:
                # Only the main thread may set it, and only there is it raised.
                return self
            self._is_ours = True
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            signal(SIGINT, default_int_handler)

    def in_wait(self, wait: Callable[..., T], *args: object) -> T:
        """Result of a function that waits.

        Args:
            wait: loses nothing when it is left at any point.
            args: its arguments.

        Raises:
            KeyboardInterrupt: Ctrl-C has come, in this wait or since the last one.
        """
        self._may_raise = True
        try:
            if self.is_pending:
                self.is_pending = False
                raise KeyboardInterrupt
            return wait(*args)
        finally:
            self._may_raise = False

    def in_output(self, write: Callable[..., T], *args: object) -> T:
        """Result of a function that writes what has come: an earlier Ctrl-C does not keep that from the person.

        Raises:
            KeyboardInterrupt: Ctrl-C has come in this write.
        """
        self._may_raise = True
        try:
            return write(*args)
        finally:
            self._may_raise = False

    def _come(self, *_: object) -> None:
        if self._may_raise:
            self._may_raise = False
            raise KeyboardInterrupt
        self.is_pending = True
