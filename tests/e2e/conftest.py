"""A real Chromium, the extension in it, the bridge, and an MCP client: what every end-to-end test runs against.

``tabwire``  the MCP client of a browser shared by the session; each test starts in a fresh tab, the others are closed
``refused``  that browser, for a test of calls that are refused: it does without a fresh tab
``same_tab`` (a mark) lets a test of one page do without a fresh tab as well
``page``     the tab in front, seen through DevTools and not through Tabwire
``browser``  that browser (targets, workers to kill)
``site``     the web site to act on, which records what it is sent
``joiner``   such a browser that Tabwire has not started, as the user's own is; ``TABWIRE_TEST_BROWSER=own`` makes it everybody's
``desk``     a browser with two clients and the user's side panel, which its tests share
``plain``    a browser started by the test, not by Tabwire; bridges join it and may be killed
``condition`` the condition in which all these browsers work: the usual one, or one of e2e/conditions (the mark ``conditions``)
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import pytest
from websockets.exceptions import WebSocketException

from e2e.cdp import Browser, CdpError, Page
from e2e.client import Tabwire
from e2e.conditions import selection
from e2e.conditions.condition import USUAL, Condition
from e2e.person import Person
from e2e.plain import NO_BAR, PlainChromium
from e2e.ports import own_window
from e2e.site import Site
from e2e.surfaces.facade import FacadeBridge
from e2e.ui.desk import Desk
from e2e.ui.own_pages import UNTHROTTLED, WELCOME
from e2e.wire.faults import RECOVERED
from polling import until


class Launched:
    """A ``tabwire serve --launch --headless`` and the browser it started.

    Args:
        options: Further ones of ``serve``.
        condition: The condition in which it works.
    """

    def __init__(self, work: Path, *options: str, condition: Condition = USUAL) -> None:
        self.work = work
        self.condition = condition
        profile = work / "profile"
        self.home = work / "home"
        # The folders of all tests are beside it.
        files = ["--files", str(work.parent)]
        tools = [] if {"--tools", "--toolset"} & {*options} else ["--tools", "all,debug,performance,steps"]
        window = [] if condition.has_window else ["--headless"]
        flags = [f"--browser-arg={flag}" for flag in ("--remote-debugging-port=0", *condition.flags)]
        condition.write_preferences(profile)
        args = ["--launch", *window, *flags, "--profile", str(profile), *tools, *files, *options]
        self.tabwire = Tabwire(args, {"TABWIRE_HOME": str(self.home), **condition.environment}, work)
        self.browser = Browser.of_profile(profile)
        self.tabwire.on_open = self.settle_page

    def settle_page(self) -> None:
        """Does to a page that was opened what the condition asks for."""
        self.condition.settle_page(self.browser)

    @property
    def is_own(self) -> bool:
        """Whether this is the user's browser, in which DOM events do what they can."""
        return False

    def is_running(self) -> bool:
        """Whether bridge and browser still answer; a test may have ended either."""
        try:
            self.browser.call("Browser.getVersion", timeout=5)
        except (OSError, TimeoutError, WebSocketException):
            return False
        return self.tabwire.is_running()

    def start_over(self) -> None:
        """Leaves one fresh, empty tab, which is the client's current one. A page in it would cost each test its loading."""
        before = self.browser.pages()
        self.tabwire.ok("tab_new")
        known = {page.target_id for page in before}
        empty = next(page for page in self.browser.pages() if page.target_id not in known and page.url == "about:blank")
        # Of an empty tab the address field has the focus. In a window without the focus Chrome would tell the page that it has it.
        if self.condition.has_focus:
            empty.call("Page.bringToFront")
        for page in before:
            page.close()

    def close(self) -> None:
        self.browser.close()
        self.tabwire.close()


class Joined(Launched):
    """A ``tabwire serve`` that has joined a browser it did not start, as the user's own is."""

    def __init__(self, work: Path, condition: Condition = USUAL) -> None:
        self.work = work
        self.condition = condition
        self._chromium = PlainChromium(work, "about:blank", condition=condition)
        self.browser = self._chromium.browser
        self.home = self._chromium.home
        self._join()

    def _join(self) -> None:
        self.tabwire = self._chromium.join("--files", str(self.work.parent))
        self.tabwire.on_open = self.settle_page

    @property
    def is_own(self) -> bool:
        return True

    def join(self, *args: str, name: str | None = None) -> Tabwire:
        """One more client of this browser, by a bridge with these options."""
        client = self._chromium.join(*args, name=name)
        client.on_open = self.settle_page
        return client

    def close(self) -> None:
        self._chromium.close()


class NewUser(Joined):
    """A browser that has just been set up: the welcome page is in front, and no client has made a call yet."""

    _count = 0

    def _join(self) -> None:
        """Starts a client and waits until the extension, not a call, says that it is connected."""
        self._count += 1
        name = f"client {self._count} of a new user"
        self.browser.passed_over = WELCOME
        self.tabwire = self._chromium.serve("--files", str(self.work.parent), name=name)
        self.tabwire.on_open = self.settle_page
        until(lambda: name in self.browser.in_worker("chrome.action.getTitle({})"), within=30, ignoring=(CdpError, IndexError))

    def start_over(self) -> None:
        self.tabwire.close()
        welcome = next((target for target in self.browser.targets("page") if target["url"] == WELCOME), None)
        page = Page(self.browser, welcome["targetId"]) if welcome else self.browser.open(WELCOME)
        for other in self.browser.pages():
            if other.target_id != page.target_id:
                other.close()
        page.call("Page.bringToFront")
        self._join()


Kind = TypeVar("Kind", bound=Launched)

LEAVE_NOTHING = """(() => {
  for (let timer = setTimeout(() => {}); timer > 0; timer -= 1) clearTimeout(timer);
  window.stop();
  sessionStorage.clear();
  window.name = "";
  return document.visibilityState === "visible";
})()"""
"""Run in the page of a test that has ended: what a tab keeps for its next page goes, and the page itself sets nothing off any more."""


ANSWER_S = 0.1
"""A tab that says nothing for this long has a dialog or is busy: a fresh one takes about as long."""


def _is_as_before(browser: Browser, page: Page) -> bool:
    """Whether the tab is the only one, in front and answers."""
    if [target["targetId"] for target in browser.targets("page")] != [page.target_id]:
        return False
    with contextlib.suppress(CdpError, TimeoutError):
        return bool(page.evaluate(LEAVE_NOTHING, ANSWER_S))
    return False


class Launcher(Generic[Kind]):
    """Hands out one browser of a kind and starts another one when a test has ended it."""

    def __init__(self, start: Callable[[Path], Kind], tmp: pytest.TempPathFactory) -> None:
        self._start = start
        self._tmp = tmp
        self._current: Kind | None = None
        self._untouched: Kind | None = None
        self._used: tuple[Page, int] | None = None

    def current(self) -> Kind:
        self._used = None
        if self._current and not self._current.is_running():
            self.close()
        if not self._current:
            self._current = self._start(self._tmp.mktemp("browser"))
        return self._current

    def fresh(self, site: Site) -> Kind:
        """The browser with one fresh tab."""
        self._untouched = None
        launched = self.current()
        launched.start_over()
        launched.condition.settle_tab(launched.browser)
        # They know no ports: one test's would be sent to the next one's site.
        launched.browser.call("Storage.clearCookies")
        return launched

    def for_test(self, site: Site, node: pytest.Item) -> Kind:
        """The browser for a test: with a fresh tab, or with the one of the test before if both have the mark ``same_tab``."""
        if not node.get_closest_marker("same_tab") or node.get_closest_marker("fresh_tab"):
            return self.fresh(site)
        used, failures = self._used, node.session.testsfailed
        launched = self.current()
        # To a tab of the user's own browser the debugger may still be attached: acts would go by it and not by DOM events.
        if used and used[1] == failures and not launched.is_own and _is_as_before(launched.browser, used[0]):
            launched.browser.call("Storage.clearCookies")
        else:
            self.fresh(site)
            used = launched.browser.pages()[0], failures
        self._used = used
        return launched

    def untouched(self, site: Site) -> Kind:
        """The browser, in the tab that the test before had, if that one has promised to change nothing either."""
        launched = self.current()
        if self._untouched is not launched:
            self._untouched = self.fresh(site)
        return launched

    def close(self) -> None:
        if self._current:
            self._current.close()
            self._current = None


@pytest.fixture(scope="session")
def condition(request: pytest.FixtureRequest) -> Condition:
    """The condition in which the browsers of this test work."""
    found: Condition = getattr(request, "param", USUAL)
    return found


def own_browser(work: Path, condition: Condition) -> Joined:
    """A browser of the user's own in a condition."""
    return NewUser(work, condition) if condition.is_new_user else Joined(work, condition)


@pytest.fixture(scope="session")
def launcher(condition: Condition, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Launcher[Launched]]:
    def start(work: Path) -> Launched:
        wanted = os.environ.get("TABWIRE_TEST_BROWSER", "own" if condition.is_own else "launched")
        is_own = wanted == "own" or condition.is_new_user
        return own_browser(work, condition) if is_own else Launched(work, condition=condition)

    launcher: Launcher[Launched] = Launcher(start, tmp_path_factory)
    yield launcher
    launcher.close()


@pytest.fixture(scope="session")
def joiner(
    condition: Condition, launcher: Launcher[Launched], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Launcher[Joined]]:
    joiner = Launcher(lambda work: own_browser(work, condition), tmp_path_factory)
    yield joiner
    joiner.close()


@pytest.fixture(scope="session")
def running_site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def site(running_site: Site) -> Iterator[Site]:
    yield running_site
    running_site.reset()


@pytest.fixture
def launched(launcher: Launcher[Launched], site: Site, request: pytest.FixtureRequest) -> Iterator[Launched]:
    """The shared browser with one tab, which is the client's current one; it is a fresh one but for the mark ``same_tab``."""
    launched = launcher.for_test(site, request.node)
    yield launched
    launched.condition.check_focus()


@pytest.fixture
def tabwire(launched: Launched, request: pytest.FixtureRequest) -> Iterator[Tabwire]:
    start = launched.tabwire.log.stat().st_size
    yield launched.tabwire
    log = launched.tabwire.log.read_bytes()[start:].decode(errors="replace")
    if log.strip():
        request.node.add_report_section("teardown", "tabwire serve (stderr)", log[-8000:])


@pytest.fixture
def own(joiner: Launcher[Joined], site: Site) -> Iterator[Joined]:
    """A browser of the user's own, always with a fresh tab: the debugger would still be attached to another one."""
    own = joiner.fresh(site)
    yield own
    own.condition.check_focus()


@pytest.fixture
def join(own: Joined) -> Iterator[Callable[..., Tabwire]]:
    """Lets further clients into the user's own browser, by bridges with the options that are given, until the test ends."""
    joined: list[Tabwire] = []

    def join(*args: str) -> Tabwire:
        joined.append(own.join(*args))
        return joined[-1]

    yield join
    for client in joined:
        client.close()


@pytest.fixture
def anna(own: Launched) -> Tabwire:
    return own.tabwire


@pytest.fixture
def person(own: Launched) -> Iterator[Person]:
    """Who leaves everything as it was."""
    found = Person(own.browser)
    yield found
    found.ask("resume")
    found.ask("setSettings", settings={"signs": None})


@pytest.fixture
def refused(launcher: Launcher[Launched], site: Site) -> Launched:
    """The shared browser for a test whose calls are all refused: such tests share a tab, which spares each a process of Chrome's."""
    return launcher.untouched(site)


@pytest.fixture
def browser(launched: Launched) -> Browser:
    return launched.browser


Join = Callable[..., Tabwire]


class ShownPage:
    """The tab in front at the moment of each call; attributes are those of :class:`e2e.cdp.Page`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def evaluate(self, expression: str, timeout: float = 10) -> Any:
        return self._browser.shown().evaluate(expression, timeout)

    def wait_for(self, expression: str, timeout: float = 5) -> Any:
        return self._browser.shown().wait_for(expression, timeout)

    def frame(self, url_part: str) -> Page:
        return self._browser.shown().frame(url_part)

    @property
    def url(self) -> str:
        return self._browser.shown().url


@pytest.fixture
def page(browser: Browser) -> ShownPage:
    return ShownPage(browser)


@pytest.fixture
def plain(tmp_path: Path, site: Site, condition: Condition) -> Iterator[PlainChromium]:
    """A Chromium with the paired extension and no bridge yet; ``plain.serve()`` starts one."""
    chromium = PlainChromium(tmp_path, site.url("/blank.html"), condition=condition)
    yield chromium
    chromium.close()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """How soon calls succeeded again after each fault."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    rows = [value for report in reports for name, value in report.user_properties if name == RECOVERED and report.when == "call"]
    if rows:
        terminalreporter.section("recovery times")
    for row in rows:
        terminalreporter.write_line(row)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    selection.generate(metafunc)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bridges and browsers of other processes keep out; proxies of the environment must not come between the tests and loopback."""
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"


@pytest.fixture(scope="session")
def facade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FacadeBridge]:
    """A bridge that serves the facade, and the browser it has launched."""
    bridge = FacadeBridge(tmp_path_factory.mktemp("facade"))
    yield bridge
    bridge.close()


@pytest.fixture(scope="session")
def panel_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A browser with two clients and the side panel; the tests of the user's own pages and questions share it."""
    with Desk.started(tmp_path_factory.mktemp("panel"), pairing={"permissions": {}}, flags=[UNTHROTTLED, NO_BAR]) as desk:
        desk.page.wait_for("document.querySelectorAll('#clients > li').length === 2", 30)
        yield desk


@pytest.fixture
def desk(panel_browser: Desk, site: Site) -> Iterator[Desk]:
    """That browser; it is as it was when the test has ended."""
    with panel_browser.for_a_test():
        yield panel_browser
    if panel_browser.page.evaluate("document.querySelector('#view-now').hidden"):
        panel_browser.view("now")
    # What a test has allowed or refused is not the next one's.
    person = panel_browser.person
    for pattern in {
        one.get("pattern", one.get("site")) for part in ("rules", "answers") for one in person.ask("siteRules")[part]
    }:
        person.ask("forgetSite", pattern=pattern)


@dataclass(frozen=True)
class InputMode:
    """A client that acts by trusted input or by DOM events, and the page it works in."""

    name: str
    tabwire: Tabwire
    page: ShownPage
    site: Site

    def show(self, html: str) -> None:
        self.tabwire.open(self.site.page(html))


@pytest.fixture(params=["trusted", "dom"])
def mode(request: pytest.FixtureRequest, site: Site) -> InputMode:
    """A launched browser, then a client that leaves the debugger out in a browser of the user's own."""
    name = request.param
    if name == "trusted":
        return InputMode(name, request.getfixturevalue("tabwire"), request.getfixturevalue("page"), site)
    join: Join = request.getfixturevalue("join")
    own: Joined = request.getfixturevalue("own")
    tabwire = join("--input", "dom")
    tabwire.ok("tab_new", url=site.url("/blank.html"))
    return InputMode(name, tabwire, ShownPage(own.browser), site)
