"""Common parts of WebDriver sessions, on this computer and on a Grid. Only this module imports `selenium`, which is optional."""

import logging
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from tabwire.browsers.endpoint import Endpoint
from tabwire.browsers.guard import Guard
from tabwire.browsers.running import LaunchOptions
from tabwire.errors import SessionNotCreated, UnsupportedOperation

BLANK = "about:blank"
FIRST_PAGE_SECONDS = 3.0

T = TypeVar("T")


class NoBidi(Exception):
    """The driver cannot install an extension by WebDriver BiDi; the text says why."""


def selenium() -> Any:
    """The module `selenium.webdriver`.

    Raises:
        UnsupportedOperation: Selenium is not installed.
    """
    # The end of a browser is told by us, in one sentence.
    logging.getLogger("websocket").setLevel(logging.CRITICAL)
    try:
        return import_module("selenium.webdriver")
    except ModuleNotFoundError as missing:
        raise UnsupportedOperation(
            f"Browsers are driven through Selenium here, and Python's module {missing.name} is not installed.",
            next_step='Run `pip install "tabwire[testing]"` in the environment of the bridge.',
        ) from None


def refuse(options: LaunchOptions) -> None:
    """Raises: UnsupportedOperation: what is wanted cannot be had with a driver."""
    if options.anti_detect:
        raise UnsupportedOperation(
            "A browser with a WebDriver session says of itself that it is automated; anti_detect wants an ordinary start.",
            next_step="Leave out the driver and the Grid, or anti_detect.",
        )


def options_for(arguments: list[str], *, with_bidi: bool) -> Any:
    """`ChromeOptions`.

    Args:
        arguments: switches of the browser.
        with_bidi: ask for WebDriver BiDi.
    """
    options = selenium().ChromeOptions()
    for argument in arguments:
        options.add_argument(argument)
    options.enable_bidi = with_bidi
    # A dialog is there until somebody answers it, as in any other browser of ours.
    options.unhandled_prompt_behavior = "ignore"
    return options


def install(driver: Any, path: str) -> None:
    """Load an unpacked extension from a folder where the browser is.

    Raises:
        NoBidi: it was not loaded.
    """
    from_selenium = import_module("selenium.common.exceptions").WebDriverException
    if not isinstance(driver.capabilities.get("webSocketUrl"), str):
        raise NoBidi("it has no WebDriver BiDi")
    show_blank(driver)
    try:
        driver.webextension.install(path=path)
    except (from_selenium, OSError, TimeoutError) as error:
        raise NoBidi(first_line(error)) from None


def show_blank(driver: Any) -> None:
    """Go to the page that a browser of ours starts with: the extension must not find the driver's "data:,"."""
    late = import_module("selenium.common.exceptions").TimeoutException
    usual = driver.timeouts.page_load
    driver.set_page_load_timeout(FIRST_PAGE_SECONDS)
    try:
        driver.get(BLANK)
    except late:
        _replace_tab(driver)
    driver.set_page_load_timeout(usual)


def _replace_tab(driver: Any) -> None:
    """Work in another tab, made past chromedriver.

    It can miss that its own first page has loaded. It then waits for that with every command, opening a window included, and a
    time limit ends one command at most.
    """
    (stuck,) = driver.window_handles
    if driver.capabilities.get("webSocketUrl"):
        driver.switch_to.window(driver.browsing_context.create(type="tab"))
        driver.browsing_context.close(stuck)
        return
    devtools = Endpoint(f"http://{driver.capabilities['goog:chromeOptions']['debuggerAddress']}")
    devtools.ask(f"/json/new?{BLANK}", method="PUT")
    (fresh,) = set(driver.window_handles) - {stuck}
    driver.switch_to.window(fresh)
    devtools.ask(f"/json/close/{stuck}")


def put_away(driver: Any) -> None:
    """Close what is open on our side, of a session that is gone. Nobody waits: a Grid lets a socket's end take ten seconds."""
    threading.Thread(target=quit_quietly, args=(driver,), daemon=True).start()


def quit_quietly(driver: Any) -> None:
    """End the session of a driver, if it is still there."""
    with suppress(Exception):
        driver.quit()


def first_line(error: BaseException) -> str:
    """First line of a Selenium exception, without the driver's stack."""
    text = getattr(error, "msg", None) or str(error) or type(error).__name__
    return str(text).strip().splitlines()[0][:300]


async def in_thread(call: Callable[[], T], seconds: float, late: Callable[[], str]) -> T:
    """Run what blocks. It may go on by itself after its time.

    Raises:
        SessionNotCreated: it took longer than `seconds`; says `late()`.
    """
    with anyio.move_on_after(seconds):
        # With a limit of its own: dozens of browsers would use up the threads that others wait for.
        return await anyio.to_thread.run_sync(call, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(math.inf))
    raise SessionNotCreated(late())


def open_guarded(create: Callable[[], Any], url_of: Callable[[Any], str], guard: Guard) -> Any:
    """A driver whose session does not outlive us.

    Raises:
        SessionNotCreated: nobody waited for it any more; the session was ended.
    """
    driver = create()
    try:
        guard.session(url_of(driver))
    except (OSError, ValueError):
        # The guard was released while the session came to be.
        driver.quit()
        raise SessionNotCreated("The browser came too late: its launch had been given up.") from None
    return driver
