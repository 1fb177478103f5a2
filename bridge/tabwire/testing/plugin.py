"""The pytest plugin: fixtures for browser tests, and what a browser looked like when a test failed.

``tabwire``          a browser with the extension in it, and its calls (`tabwire.testing.Tabwire`): fresh for each test by default
``tabwire_driver``   the `selenium` WebDriver of the same browser, on the same tab
``tabwire_launch``   starts further browsers, which end with the test: ``other = tabwire_launch(headless=False)``
``tabwire_trace``    a trace of the test for its failure: each call with the page after it (``--tabwire-trace``)
``tabwire_options``  the `LaunchOptions` of all of them; override it in a conftest.py to change them

pytest imports this module in every run of whoever has Tabwire installed: it imports nothing of Tabwire before a test asks for it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tabwire.browsers.running import LaunchOptions
    from tabwire.config import Config
    from tabwire.testing.artifacts import Artifact, Folders
    from tabwire.testing.bridge import Bridge
    from tabwire.testing.browsers import TestedBrowser
    from tabwire.testing.client import Tabwire
    from tabwire.testing.trace import Trace

SCOPES = ("function", "class", "module", "package", "session")
TRACES = ("off", "failed", "all")
NEAREST_LINES = 3
NEAR = 0.5
MIN_PIECE = 3


@dataclass
class _Live:
    """Browser of a test, and its trace where one is kept."""

    browser: Tabwire
    trace: Trace | None = None


_live: pytest.StashKey[list[_Live]] = pytest.StashKey()
_folders: pytest.StashKey[Folders] = pytest.StashKey()
_is_attached: pytest.StashKey[bool] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("tabwire", "browser tests with Tabwire")
    group.addoption("--tabwire-headed", action="store_true", help="show the browsers (default: headless)")
    group.addoption(
        "--tabwire-scope",
        choices=SCOPES,
        default="function",
        help="for how long a browser is kept. Default: function, a fresh one for each test. With another scope its tests share "
        "cookies and storage, and each has a tab of its own",
    )
    group.addoption(
        "--tabwire-artifacts",
        metavar="DIR",
        type=Path,
        help="where files of failures go (default: pytest's temporary folder)",
    )
    group.addoption(
        "--tabwire-trace",
        choices=TRACES,
        default="off",
        help="keep each call of a test with the page after it as trace.html, of tests that failed or of all",
    )
    group.addoption("--tabwire-grid", metavar="URL", help="start the browsers on this Selenium Grid (default: TABWIRE_GRID)")
    group.addoption("--tabwire-chromium", metavar="PATH", help="Chromium to start (default: TABWIRE_CHROMIUM, or one on PATH)")


@pytest.fixture(scope="session")
def tabwire_options(pytestconfig: pytest.Config) -> LaunchOptions:
    """Options that browsers are started with."""
    from tabwire.testing.bridge import launch_options

    return replace(launch_options(_settings(pytestconfig)), headless=not pytestconfig.getoption("tabwire_headed"))


@pytest.fixture(scope="session")
def _tabwire_bridge(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bridge]:
    from tabwire.testing.artifacts import Folders
    from tabwire.testing.bridge import Bridge

    chosen: str | None = pytestconfig.getoption("tabwire_artifacts")
    root = tmp_path_factory.getbasetemp() / "tabwire" if chosen is None else pytestconfig.invocation_params.dir / chosen
    pytestconfig.stash[_folders] = Folders(root)
    with Bridge(_settings(pytestconfig)) as bridge:
        yield bridge


def _scope(fixture_name: str, config: pytest.Config) -> Any:
    return config.getoption("tabwire_scope")


@pytest.fixture(scope=_scope)
def _tabwire_browser(
    request: pytest.FixtureRequest, _tabwire_bridge: Bridge, tabwire_options: LaunchOptions
) -> Iterator[TestedBrowser]:
    from tabwire.testing.browsers import TestedBrowser

    browser = TestedBrowser(_tabwire_bridge, tabwire_options, driver=_wants_driver(request), spare=_wants_spare(request))
    yield browser
    browser.close()


@pytest.fixture
def tabwire(request: pytest.FixtureRequest, _tabwire_browser: TestedBrowser) -> Tabwire:
    """A browser with the extension in it, and its calls."""
    __tracebackhide__ = True
    given = _tabwire_browser.give()
    _note(request, given)
    return given


@pytest.fixture
def tabwire_driver(tabwire: Tabwire) -> Any:
    """The `selenium` WebDriver of the same browser, on the same tab."""
    __tracebackhide__ = True
    return tabwire.driver


@pytest.fixture
def tabwire_trace(request: pytest.FixtureRequest, tabwire: Tabwire) -> Trace:
    """The trace of this test's browser, whatever the options say: trace.html, if the test fails."""
    live = next(one for one in request.node.stash[_live] if one.browser is tabwire)
    trace: Trace = live.trace or _traced(tabwire)
    live.trace = trace
    return trace


@pytest.fixture
def tabwire_launch(
    request: pytest.FixtureRequest, _tabwire_bridge: Bridge, tabwire_options: LaunchOptions
) -> Iterator[Callable[..., Tabwire]]:
    """Starts further browsers, which end with the test: `tabwire_launch(**changes)` takes fields of `LaunchOptions`."""
    started: list[Tabwire] = []

    def launch(**changes: Any) -> Tabwire:
        __tracebackhide__ = True
        browser = _tabwire_bridge.launch(tabwire_options, **{"use_pool": False, **changes})
        started.append(browser)
        _note(request, browser)
        return browser

    yield launch
    for browser in started:
        browser.close()


def _note(request: pytest.FixtureRequest, browser: Tabwire) -> None:
    is_traced = request.config.getoption("tabwire_trace") != "off"
    request.node.stash.setdefault(_live, []).append(_Live(browser, _traced(browser) if is_traced else None))


def _traced(browser: Tabwire) -> Trace:
    from tabwire.testing.trace import Trace

    return Trace(browser)


def _settings(pytestconfig: pytest.Config) -> Config:
    from tabwire import config
    from tabwire.errors import InvalidArgument

    try:
        return config.load({name: pytestconfig.getoption(f"tabwire_{name}") for name in ("chromium", "grid")})
    except InvalidArgument as error:
        raise pytest.UsageError(str(error)) from None


def _wants_driver(request: pytest.FixtureRequest) -> bool:
    """Whether the browser needs a WebDriver: its one test, or any that may come, asks for it."""
    items = [request.node] if request.scope == "function" else request.session.items
    return any(_asks_for("tabwire_driver", item) for item in items)


def _wants_spare(request: pytest.FixtureRequest) -> bool:
    """Whether there is more than one browser of this kind to start, so that the next is started ahead."""
    users = [item for item in request.session.items if _asks_for("tabwire", item)]
    if request.scope == "function":
        users = [item for item in users if _asks_for("tabwire_driver", item) == _wants_driver(request)]
    return request.scope != "session" and len(users) > 1


def _asks_for(fixture: str, item: pytest.Item) -> bool:
    return fixture in getattr(item, "fixturenames", ())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed test shows its browsers as they are now."""
    report = yield
    live = item.stash.get(_live, [])
    if report.failed and live:
        _attach(item, report, live)
    if report.when == "teardown":
        if item.config.getoption("tabwire_trace") == "all" and not item.stash.get(_is_attached, False):
            _save_traces(item, live, item.config.stash[_folders].new(item.nodeid))
        live.clear()
    return report


def _folder(top: Path, number: int, live: list[_Live]) -> Path:
    return top / f"browser-{number}" if len(live) > 1 else top


def _save_traces(item: pytest.Item, live: list[_Live], top: Path) -> None:
    for number, one in enumerate(live, 1):
        if one.trace is not None:
            one.trace.save(_folder(top, number, live) / "trace.html", item.nodeid)


def _attach(item: pytest.Item, report: pytest.TestReport, live: list[_Live]) -> None:
    from tabwire.testing.artifacts import collect

    top = item.config.stash[_folders].new(item.nodeid)
    item.stash[_is_attached] = True
    _save_traces(item, live, top)
    for number, one in enumerate(live, 1):
        which = f" of browser {number}" if len(live) > 1 else ""
        found = collect(one.browser, _folder(top, number, live))
        report.sections.extend((f"tabwire {artifact.name}{which}", artifact.text) for artifact in found)
        _attach_to_html(item.config, report, found, which)
    where = ("tabwire_artifacts", str(top))
    report.user_properties.append(where)
    # The writer of JUnit's file looks at the report of the teardown, which is made of what the item has.
    item.user_properties.append(where)


def _attach_to_html(config: pytest.Config, report: Any, found: list[Artifact], which: str) -> None:
    """pytest-html shows the pictures, too."""
    if not config.pluginmanager.hasplugin("html"):
        return
    import base64

    extras = importlib.import_module("pytest_html.extras")
    for one in found:
        if one.path is not None and one.path.suffix == ".png":
            picture = extras.png(base64.b64encode(one.path.read_bytes()).decode(), f"{one.name}{which}")
            report.extras = [*getattr(report, "extras", []), picture]


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """`"Saved" in tabwire.snapshot()` that fails says what comes near: pytest shows the beginning of an explanation only."""
    if op != "in" or type(right).__module__ != "tabwire.testing.reply" or not isinstance(left, str):
        return None
    lines = [line for line in str(right).splitlines() if line.strip()]
    near = sorted((line for line in lines if _likeness(left, line) >= NEAR), key=lambda line: -_likeness(left, line))
    return [f"{left!r} in the reply", *(f"near: {line.strip()}" for line in near[:NEAREST_LINES]), "the reply:", *lines]


def _likeness(text: str, line: str) -> float:
    """Share of the text that is in the line, in pieces that mean something: 0 to 1."""
    import difflib

    matcher = difflib.SequenceMatcher(None, text.casefold(), line.casefold(), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks() if block.size >= MIN_PIECE) / max(len(text), 1)
