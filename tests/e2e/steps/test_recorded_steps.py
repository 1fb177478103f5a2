"""A person acts, trusted input through DevTools; what is recorded becomes tests that do the same again, which the site sees."""

import contextlib
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.wait import WebDriverWait

import tabwire.testing
from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.person import Person as Owner
from e2e.site import Site
from e2e.steps.recorded_flows import FLOWS, Flow, has_got, record, served
from e2e.steps.recorded_person import RECORDED, lines, started
from programs import environment, ran_here
from tabwire.recordings.languages import written

pytestmark = pytest.mark.same_tab
ENDS = {"batch": "txt", "steps": "steps.json"}
"""Language → end of the names of its files, where that is not `py`."""


class Replays:
    """Browsers in which recorded tests run: one for Python, whose WebDriver Selenium has, and one for commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ends = contextlib.ExitStack()
        self._tabwire = self._ends.enter_context(tabwire.testing.launch(driver=True))
        self.driver = self._tabwire.driver
        self.env = environment(folder / "home")
        self._ends.callback(self._shell, "close")

    def close(self) -> None:
        self._ends.close()

    def _shell(self, *words: str, **env: str) -> None:
        done = ran_here(*words, env={**self.env, **env}, cwd=self.folder)
        assert done.returncode == 0, (words, done.stdout, done.stderr)

    def run(self, file: Path, language: str, secrets: dict[str, str]) -> None:
        """Run a test as it was written."""
        if language in ("batch", "steps"):
            self._shell("--launch", "--headless", "batch" if language == "batch" else "replay", str(file), **secrets)
            return
        found = runpy.run_path(str(file))
        if language == "pytest":
            (test,) = (value for name, value in found.items() if name.startswith("test_"))
            test(self._tabwire)
            return
        first = self.driver.current_window_handle
        found["replay"](found["Run"](self.driver))
        for other in {*self.driver.window_handles} - {first}:
            self.driver.switch_to.window(other)
            self.driver.close()
        self.driver.switch_to.window(first)


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replays]:
    found = Replays(tmp_path_factory.mktemp("recorded"))
    with pytest.MonkeyPatch.context() as patch:
        # Selenium looks again after half a second.
        patch.setattr(WebDriverWait.__init__, "__defaults__", (0.02, None))
        yield found
    found.close()


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_what_a_person_does_is_done_again_by_its_test(
    flow: Flow, tabwire: Tabwire, browser: Browser, site: Site, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = record(flow, tabwire, browser, site, replays.folder)
    assert not [step for step in steps if step.get("target", {}).get("unsure")]
    said = json.dumps(steps)
    for name, secret in flow.secrets.items():
        assert secret not in said
        monkeypatch.setenv(name, secret)
    for language in flow.languages:
        file = replays.folder / f"test_{flow.name}_{language}.{ENDS.get(language, 'py')}"
        file.write_text(written(steps, language, file.name))
        site.reset()
        served(flow, site)
        replays.run(file, language, flow.secrets)
        has_got(flow, site)


def test_an_expectation_that_no_longer_holds_fails_in_selenium(
    tabwire: Tabwire, browser: Browser, site: Site, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<h1%s>Order %s</h1><label>Name <input id=name value=%s></label>"
    person = started(tabwire, browser, site.serve("/expected.html", page % ("", "12", "Ada")))
    for label, element in (("Has text", "h1"), ("Has value", "#name"), ("Is visible", "h1")):
        person.expect(label, element)
    opened, *expectations = tabwire.ok("record_steps", action="stop").data["steps"]
    file = replays.folder / "test_expected.py"

    def expect(*steps: dict[str, Any]) -> None:
        file.write_text(written([opened, *steps], "selenium", file.name))
        replays.run(file, "selenium", {})

    expect(*expectations)
    site.serve("/expected.html", page % (" hidden", "13", "Eve"))
    monkeypatch.setenv("PATIENCE", "0.2")
    assert len(expectations) == 3
    for step in expectations:
        with pytest.raises(TimeoutException):
            expect(step)


def test_an_element_that_the_page_replaces_before_the_act_is_looked_for_again_in_selenium(site: Site, replays: Replays) -> None:
    url = site.page("<div id=box><button onclick='document.title = 1'>Buy</button></div>")
    file = replays.folder / "test_replaced.py"
    file.write_text(written([{"method": "navigation.navigate", "params": {"url": url}}], "selenium", file.name))
    found = runpy.run_path(str(file))
    run = found["Run"](replays.driver)
    found["replay"](run)
    button = run.find(role="button", name="Buy", css=["button"])
    replays.driver.execute_script("box.innerHTML = box.innerHTML")
    run.click(button)
    assert replays.driver.title == "1"


def test_a_recording_goes_on_behind_a_link(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    site.serve("/next", "<!doctype html><title>Next</title><button>Buy</button>")
    person = started(tabwire, browser, site.page("<a href=/next>Next</a>"))
    person.click("a")
    person.page.wait_for("document.title === 'Next'")
    person.ready()
    person.click("button")
    assert lines(tabwire.ok("record_steps", action="stop")) == [
        f"""tabwire.click('role:link[name="Next"]'); tabwire.wait("url", url="{site.url("/next")}")""",
        """tabwire.click('role:button[name="Buy"]')""",
    ]


def test_scripts_and_clients_make_no_steps(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page("<label>Name <input id=name></label><button id=b>Buy</button>"))
    person.page.evaluate("b.click(), name.value = 'x', document.getElementById('name').dispatchEvent(new Event('input'))")
    tabwire.ok("click", selector="#b")
    tabwire.ok("fill", selector="#name", value="client")
    tabwire.ok("press", selector="#name", key="Enter")
    person.click("#b")
    assert lines(tabwire.ok("record_steps", action="stop")) == ["""tabwire.click('role:button[name="Buy"]')"""]


ELEMENTS = """<button id=one>Save</button>
<button id=two>Twice</button><button id=three>Twice</button>
<label><input type=checkbox> I agree to <a id=terms href="#terms">the terms</a></label>
<div id=text onclick="1">Just a text</div>
<div id=t data-testid=card onclick="1"></div>
<div><p></p><p id=x4711 onclick="1"></p></div><style>div, p { min-height: 20px }</style>"""


SELECTORS = {
    "#one": 'role:button[name="Save"]',
    "#two": "#two",
    "#terms": 'role:link[name="the terms"]',
    "#text": 'text:"Just a text"',
    "#t": '[data-testid="card"]',
    "#x4711": "#x4711",
}


def test_the_best_locator_that_leads_back(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(ELEMENTS))
    for element in SELECTORS:
        person.click(element)
    targets = [step["target"] for step in tabwire.ok("record_steps", action="stop").data["steps"][1:]]
    assert [target["selector"] for target in targets] == [*SELECTORS.values()]
    assert not [target for target in targets if "unsure" in target]
    for selector in SELECTORS.values():
        tabwire.ok("wait", **{"for": "selector", "selector": selector})


def test_it_ends_with_its_tab_and_keeps_its_steps(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page("<button>Buy</button>"))
    waiting = tabwire.start("record_steps", action="read", after=1)
    person.click("button")
    assert [step["method"] for step in waiting.result(10).data["steps"]] == ["input.click"]
    waiting = tabwire.start("record_steps", action="read", after=2)
    person.page.close()
    assert waiting.result(10).data["ended"] == "its tab was closed"
    assert lines(tabwire.ok("record_steps", action="stop")) == ["""tabwire.click('role:button[name="Buy"]')"""]


@pytest.mark.fresh_tab
def test_it_ends_when_the_person_stops(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    someone = started(tabwire, browser, site.page("<button>Buy</button>"))
    extension = Owner(browser)
    try:
        extension.stop()
        someone.page.wait_for(f"!({RECORDED})")
        someone.click("button")
    finally:
        extension.ask("resume")
    stopped = tabwire.ok("record_steps", action="stop")
    assert stopped.data["ended"] == "the person paused or stopped Tabwire" and lines(stopped) == []


def test_what_is_not_there_to_be_stopped_is_said(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    started(tabwire, browser, site.page(""))
    assert "recorded already" in tabwire.fails("record_steps", action="start").text
    tabwire.ok("record_steps", action="stop")
