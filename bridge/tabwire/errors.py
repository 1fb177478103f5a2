"""Every way a call can fail. One class, one code on the wire.

TabwireError
├── asked for the wrong thing
│   ├── InvalidArgument            an argument has the wrong type, value or combination
│   ├── InvalidSelector            a selector cannot be parsed
│   ├── UnknownCommand             the extension does not know the method
│   └── UnsupportedOperation       this browser, page or build cannot do it
├── not there
│   ├── NoSuchTab                  the tab is closed or never existed
│   ├── NoSuchFrame                the frame is gone or never existed
│   ├── NoSuchElement              nothing matches, or the ref was never issued
│   ├── NoSuchAlert                no dialog is open
│   ├── StaleElementReference      the ref's element is no longer the one that was shown
│   ├── AmbiguousSelector          several visible elements match
│   └── FrameUnreachable           the frame exists but cannot be read
├── not possible now
│   ├── ElementNotInteractable     the element is hidden, disabled or has no box
│   ├── ElementClickIntercepted    another element covers the point
│   ├── ElementNotEditable         the element takes no text
│   ├── InvalidElementState        the element is not in a state that allows the act
│   ├── DialogPending              a dialog blocks the page
│   ├── PagePaused                 a breakpoint has paused the page
│   ├── PageCrashed                the page's process is gone
│   ├── TabLeased                  another client is working in the tab
│   └── NavigationFailed           the page did not load
├── not allowed
│   ├── RestrictedPage             the browser lets no extension into the page
│   ├── PermissionDenied           the owner's rules, or the owner, said no
│   └── StoppedByUser              the person in the browser has stopped or paused everything
├── ran and failed
│   ├── JavascriptError            the script threw
│   ├── ResultTooLarge             the result exceeds what clients accept
│   └── Timeout                    the time of the call ran out
└── about the call itself
    ├── NotConnected               no browser took the call
    ├── SessionNotCreated          a browser of our own did not start
    ├── OutcomeUnknown             the act began and its end was not seen
    ├── Cancelled                  the client withdrew the call
    └── UnknownError               anything else
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from tabwire import INSTALL_COMMAND
from tabwire.text.data_addresses import shortened
from tabwire.text.provenance import Words, received

INSTALL_STEP = f"run `{INSTALL_COMMAND}` in a terminal on this computer: it says what is left to do"
WRITABLE_STEP = "Make it writable for you, or set TABWIRE_HOME to a folder that is, and try again."
_PATH_STEP = "Check that it exists and that you may read and write it. TABWIRE_HOME moves Tabwire's own files to another folder."
EXTENSIONS_PAGE = "chrome://extensions"
RELOAD_STEP = f"press the reload button on Tabwire's card in {EXTENSIONS_PAGE}"


def load_step(folder: object) -> str:
    """The way to load an unpacked extension, for a person."""
    return f"open {EXTENSIONS_PAGE}, switch on Developer mode, press Load unpacked and choose {folder}"


def capitalized(step: str) -> str:
    """A step at the beginning of a sentence."""
    return step[:1].upper() + step[1:]


class TabwireError(Exception):
    """Base of all failures a client may see.

    Args:
        message: What happened.
        data: Facts a program can use.
        next_step: What to do about it; leave it out when the message says so already.
    """

    code: ClassVar[str] = "unknown_error"
    """The name of the class as WebDriver writes it: `NoSuchElement` is `no_such_element`."""

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(self, message: str, data: Mapping[str, Any] | None = None, next_step: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data: dict[str, Any] = dict(data or {})
        self.next_step = next_step

    def __str__(self) -> str:
        """The message and the next step: the whole text for the model."""
        return f"{self.message} {self.next_step}" if self.next_step else f"{self.message}"

    @property
    def words(self) -> Words:
        """The same, knowing what of it a page says."""
        return Words(self.message, f" {self.next_step}") if self.next_step else Words(self.message)


class InvalidArgument(TabwireError):
    """An argument has the wrong type, value or combination."""


class InvalidSelector(TabwireError):
    """A selector cannot be parsed."""


class UnknownCommand(TabwireError):
    """The extension does not know the method."""


class NoSuchTab(TabwireError):
    """The tab is closed or never existed."""


class NoSuchFrame(TabwireError):
    """The frame is gone or never existed."""


class NoSuchElement(TabwireError):
    """Nothing matches the selector, or the ref was never issued."""


class NoSuchAlert(TabwireError):
    """No dialog is open."""


class StaleElementReference(TabwireError):
    """The ref's element is no longer the one that was shown; `data["cause"]` says why."""


class AmbiguousSelector(TabwireError):
    """Several visible elements match the selector."""


class ElementNotInteractable(TabwireError):
    """The element is hidden, disabled or has no box."""


class ElementClickIntercepted(TabwireError):
    """Another element covers the point that would be clicked."""


class ElementNotEditable(TabwireError):
    """The element takes no text."""


class InvalidElementState(TabwireError):
    """The element is not in a state that allows the act."""


class Timeout(TabwireError):
    """The time of the call ran out."""


class JavascriptError(TabwireError):
    """The script threw."""


class DialogPending(TabwireError):
    """A dialog blocks the page."""


class PagePaused(TabwireError):
    """A breakpoint has paused the page; `data["place"]` says where."""


class PageCrashed(TabwireError):
    """The page's process is gone; loading it again helps."""


class RestrictedPage(TabwireError):
    """The browser lets no extension into the page."""


class NavigationFailed(TabwireError):
    """The page did not load."""


class UnsupportedOperation(TabwireError):
    """The browser, page or build cannot do this."""


class PermissionDenied(TabwireError):
    """The owner's rules, or the owner, said no."""


class StoppedByUser(TabwireError):
    """The person in the browser has stopped or paused everything; only they resume it, in the browser.

    `data["cause"]` is `stopped` (this call was under way; `data["begun"]` says what became of it) or `paused` (it was refused).
    """


class TabLeased(TabwireError):
    """Another client is working in the tab."""


class FrameUnreachable(TabwireError):
    """The frame exists but cannot be read."""


class ResultTooLarge(TabwireError):
    """The result exceeds what clients accept."""


class OutcomeUnknown(TabwireError):
    """The act began and its end was not seen; it is never run again."""


class NotConnected(TabwireError):
    """No browser took the call; nothing was done."""


class SessionNotCreated(TabwireError):
    """A browser of our own did not start, or did not join."""


class Cancelled(TabwireError):
    """The client withdrew the call."""


class UnknownError(TabwireError):
    """Failure of any other kind."""


@contextmanager
def system_failure_told(what: str, next_step: str, *, after: str = "") -> Iterator[None]:
    """Tell a failure of the system in here as what cannot be done, with the system's reason in brackets.

    Args:
        what: The beginning of the sentence, such as "FILE cannot be written".
        next_step: What to do about it.
        after: The end of the sentence, behind the reason.

    Raises:
        UnsupportedOperation: In place of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise UnsupportedOperation(f"{what} ({error.strerror or error}){after}.", next_step=next_step) from None


_BY_CODE = {cls.code: cls for cls in TabwireError.__subclasses__()}

ERROR_CODES: tuple[str, ...] = tuple(_BY_CODE)
"""Every code that may appear on the wire, WebDriver's words first."""


def from_wire(code: str, message: str, data: Mapping[str, Any] | None = None) -> TabwireError:
    """The exception an error message stands for; a code this version does not know is kept in `data["code"]`."""
    message = received(shortened(message))
    cls = _BY_CODE.get(code)
    if cls is not None:
        return cls(message, data)
    return UnknownError(Words(message, f" ({code})"), {**(data or {}), "code": code})


def only_told(error: BaseException) -> TabwireError | None:
    """An error that users are told, or the first of a group that has no others than such; None for any other."""
    if isinstance(error, BaseExceptionGroup) and error.split((TabwireError, OSError))[1] is not None:
        return None
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OSError):
        return _of_path(error)
    return error if isinstance(error, TabwireError) else None


def _of_path(error: OSError) -> TabwireError | None:
    """The error to show for a failed file operation; None if it names no path."""
    if not isinstance(error.filename, str):
        return None
    # If the path could not be created, the folder above it is the one to look at.
    path = error.filename if os.path.lexists(error.filename) else os.path.dirname(error.filename)
    return UnsupportedOperation(f"{path} cannot be used ({error.strerror or error}).", next_step=_PATH_STEP)


__all__ = ["ERROR_CODES", "TabwireError", "from_wire", "only_told", *(cls.__name__ for cls in _BY_CODE.values())]
