"""The pytest plugin: projects of others, run by a pytest of their own."""

import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.client import ROOT
from e2e.processes import until_gone
from e2e.site import Site
from tabwire.recordings.languages import written

PYTEST = (
    sys.executable,
    "-m",
    "pytest",
    "-p",
    "no:tabwire",
    "-p",
    "tabwire.testing.plugin",
    "-p",
    "no:cacheprovider",
    "-o",
    "addopts=",
)
FORM = "<h1>Sign in</h1><form><label>Name <input name=name></label><label>Password <input type=password></label></form>"


@dataclass
class Ran:
    """What a pytest of somebody else said."""

    code: int
    output: str
    outcomes: dict[str, str]
    """Test → passed, failed or error."""


class Project:
    """A folder with tests; whatever they leave behind is in the temporary folder."""

    def __init__(self, folder: Path, temp: Path, site: Site) -> None:
        self.folder = folder
        self.temp = temp
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
            "PYTHONPATH": str(ROOT / "bridge"),
            "TABWIRE_HOME": str(folder / "home"),
            "TMPDIR": str(temp),
            "FORM": site.page(FORM, title="Form"),
            "HANG": site.url("/hang"),
            "COLUMNS": "200",
        }
        (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.py").write_text(text)

    def start(self, *args: str) -> "subprocess.Popen[str]":
        command = [*PYTEST, f"--basetemp={self.folder / 'tmp'}", "--junitxml=report.xml", *args]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def run(self, *args: str) -> Ran:
        with self.start(*args) as process:
            try:
                output, _ = process.communicate(timeout=100)
            finally:
                process.kill()
        return Ran(process.returncode, output, self._outcomes())

    def _outcomes(self) -> dict[str, str]:
        cases = ET.parse(self.folder / "report.xml").getroot().iter("testcase")
        bad = {"failure": "failed", "error": "error", "skipped": "skipped"}
        return {case.get("name", ""): next((bad[part.tag] for part in case if part.tag in bad), "passed") for case in cases}

    def properties(self, test: str) -> dict[str, str]:
        """What the JUnit report has of a test."""
        cases = ET.parse(self.folder / "report.xml").getroot().iter("testcase")
        case = next(case for case in cases if case.get("name") == test)
        return {entry.get("name", ""): entry.get("value", "") for entry in case.iter("property")}

    def leaves_nothing(self) -> None:
        until_gone(self.temp)


@pytest.fixture
def project(tmp_path: Path, temp: Path, site: Site) -> Project:
    return Project(tmp_path, temp, site)


FAILING = """
import os

def test_text(tabwire):
    tabwire.navigate(os.environ["FORM"])
    tabwire.fill("label:Name", "Ann")
    tabwire.fill("label:Password", "open sesame")
    tabwire.evaluate("console.error('something broke')")
    assert "Sign out" in tabwire.snapshot()

def test_two(tabwire, tabwire_launch):
    other = tabwire_launch()
    for one in (tabwire, other):
        one.navigate(os.environ["FORM"])
    other.click("@e999")
"""


HTML = """
import sys, types

# As much of pytest-html as another plugin sees.
extras = types.ModuleType("pytest_html.extras")
extras.png = lambda content, name: {"format_type": "png", "content": content, "name": name}
sys.modules["pytest_html"] = types.ModuleType("pytest_html")
sys.modules["pytest_html.extras"] = extras

def pytest_configure(config):
    config.pluginmanager.register(types.ModuleType("plugin"), "html")

def pytest_runtest_logreport(report):
    if report.when == "call":
        print("EXTRAS", [(extra["name"], extra["content"][:4]) for extra in getattr(report, "extras", [])])
"""


DRIVEN = """
import os
import pytest

@pytest.mark.parametrize("number", {numbers})
def test_both(tabwire, tabwire_driver, number):
    tabwire.navigate(os.environ["FORM"])
    assert tabwire_driver.current_url == os.environ["FORM"]
    tabwire_driver.find_element("name", "name").send_keys("Ann")
    assert '"Ann"' in tabwire.snapshot()
    tabwire.fill("label:Name", "Bea")
    assert tabwire_driver.execute_script("return document.querySelector('input').value") == "Bea"
    tabwire.tab_new(os.environ["FORM"])

def test_without(tabwire):
    assert "Chromium" in tabwire.name
"""


def test_a_failed_test_shows_what_its_browsers_look_like(project: Project) -> None:
    # Each of these tests has browsers of its own, one of them with a WebDriver.
    project.write(test_failing=FAILING, test_driven=DRIVEN.replace("{numbers}", "[1]"), conftest=HTML)
    ran = project.run("-s", "--tabwire-artifacts", "shown")
    passed = {"test_both[1]": "passed", "test_without": "passed"}
    assert ran.outcomes == {"test_text": "failed", "test_two": "failed"} | passed, ran.output
    assert "assert 'Sign out' in the reply" in ran.output, ran.output
    assert "fill(selector='label:Password', value=[hidden])" in ran.output, ran.output
    assert 'heading "Sign in"' in ran.output, ran.output
    assert "something broke" in ran.output, ran.output
    assert "sesame" not in ran.output.split("tabwire calls")[1]

    folder = project.folder / "shown/test_failing.py-test_text"
    assert project.properties("test_text") == {"tabwire_artifacts": str(folder)}
    assert {path.name for path in folder.iterdir()} == {"calls.txt", "console.txt", "screenshot.png", "snapshot.txt"}
    assert (folder / "screenshot.png").read_bytes().startswith(b"\x89PNG")
    assert 'textbox "Name"' in (folder / "snapshot.txt").read_text()

    assert "tabwire.errors.NoSuchElement: " in ran.output, ran.output
    assert "Call: click(selector='@e999')" in ran.output, ran.output
    assert "bridge.py" not in ran.output, "no frame of ours is shown"
    assert "EXTRAS [('screenshot', 'iVBO')]" in ran.output, ran.output
    assert "EXTRAS [('screenshot of browser 1', 'iVBO'), ('screenshot of browser 2', 'iVBO')]" in ran.output, ran.output
    for number in "12":
        assert f"tabwire snapshot of browser {number}" in ran.output, ran.output
        assert (project.folder / f"shown/test_failing.py-test_two/browser-{number}/screenshot.png").is_file()
    project.leaves_nothing()


TRACED = """
import os

def test_fails(tabwire):
    tabwire.navigate(os.environ["FORM"])
    tabwire.snapshot(diff=True)
    tabwire.fill("label:Password", "open sesame")
    tabwire.evaluate("console.error('broken <b>here</b>')")
    assert "[active]" in tabwire.snapshot(diff=True), "compared with the test's own snapshot"
    tabwire.click("text:Nowhere", timeout=200)

def test_passes(tabwire):
    tabwire.navigate(os.environ["FORM"])
"""


def test_a_trace_has_each_call_with_the_page_after_it_and_changes_nothing_for_the_test(project: Project) -> None:
    project.write(test_traced=TRACED)
    ran = project.run("--tabwire-trace=failed", "--tabwire-scope=module", "--tabwire-artifacts", "shown")
    assert ran.outcomes == {"test_fails": "failed", "test_passes": "passed"}, ran.output
    assert "Call: click(selector='text:Nowhere', timeout=200)" in ran.output, ran.output
    trace = (project.folder / "shown/test_traced.py-test_fails/trace.html").read_text()
    assert not (project.folder / "shown/test_traced.py-test_passes").exists()
    assert trace.count("data:image/jpeg;base64,/9j/") == 4
    assert "broken &lt;b&gt;here&lt;/b&gt;" in trace and "<b>here" not in trace
    assert "sesame" not in trace and "textbox &quot;Password&quot;" in trace
    assert trace.count("<details open class=failed>") == 1 and "no_such_element" in trace
    project.leaves_nothing()


SETTINGS = """
from dataclasses import replace
import pytest

@pytest.fixture(scope="session")
def tabwire_options(tabwire_options):
    return replace(tabwire_options, arguments=("--lang=de", "--window-size=700,500"))
"""

SHARED = """
import os, signal
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_fresh(tabwire, number):
    assert len(tabwire.tab_list().data["tabs"]) == 1
    assert tabwire.url().data == {"url": "about:blank"}
    assert tabwire.calls[-1].tool == "url" and len(tabwire.calls) == 2
    tabwire.navigate(os.environ["FORM"])
    seen = tabwire.evaluate("document.cookie", sanitize=False).data
    assert seen == ("" if number == 1 else "visit=1")
    tabwire.evaluate(f"document.cookie = 'visit={number}'")
    tabwire.tab_new(os.environ["FORM"])
    tabwire.window_new(os.environ["FORM"])
    tabwire.evaluate("void setTimeout(() => alert('still here'), 0)")

def test_ends_its_browser(tabwire):
    os.kill(int(tabwire.where.removeprefix("process ")), signal.SIGKILL)

def test_has_another_one(tabwire):
    tabwire.navigate(os.environ["FORM"])
    assert tabwire.evaluate("document.cookie").data == ""
    assert tabwire.evaluate("outerWidth").data == 700

def test_asks_for_a_trace(tabwire, tabwire_trace):
    tabwire.navigate(os.environ["FORM"])
    assert [step.call.tool for step in tabwire_trace.steps] == ["navigate"]
    assert tabwire.calls[-1].tool == "navigate" and len(tabwire.calls) == 1
    assert False
"""


def test_tests_may_share_a_browser_that_the_project_chooses_and_each_has_a_tab_of_its_own(project: Project) -> None:
    project.write(conftest=SETTINGS, test_shared=SHARED)
    ran = project.run("--tabwire-scope=module", "--tabwire-trace=off", "--tabwire-artifacts", "shown")
    assert ran.outcomes == {
        "test_fresh[1]": "passed",
        "test_fresh[2]": "passed",
        "test_ends_its_browser": "passed",
        "test_has_another_one": "passed",
        "test_asks_for_a_trace": "failed",
    }, ran.output
    assert "assert False" in ran.output, ran.output
    assert (project.folder / "shown/test_shared.py-test_asks_for_a_trace/trace.html").is_file()
    project.leaves_nothing()


LOOK = """    seen = tabwire.evaluate("document.querySelector('[type=password]').value", sanitize=False).data
    assert seen == "open sesame"
"""


def test_selenium_works_in_the_same_tab_and_a_recorded_test_is_one(project: Project) -> None:
    project.environment["TABWIRE_RECORDED_PASSWORD"] = "open sesame"
    steps: list[dict[str, Any]] = [
        {"method": "navigation.navigate", "params": {"url": project.environment["FORM"]}, "tab": 1},
        {
            "method": "forms.fill",
            "params": {},
            "tab": 1,
            "target": {"selector": "label:Password"},
            "variable": "PASSWORD",
        },
    ]
    project.write(
        test_driven=DRIVEN.replace("{numbers}", "[1, 2]"), test_recorded=written(steps, "pytest", "test_recorded.py") + LOOK
    )
    ran = project.run("--tabwire-scope=session", "-k", "both or recorded")
    assert ran.outcomes == dict.fromkeys(("test_both[1]", "test_both[2]", "test_recorded"), "passed"), ran.output
    project.leaves_nothing()


ENDLESS = """
import os
import pytest

@pytest.mark.parametrize("number", [1, 2])
def test_endless({fixtures}, number):
    tabwire.navigate(os.environ["HANG"], timeout=60_000)
"""


@pytest.mark.parametrize(
    ("sent", "code", "fixtures"), [(signal.SIGINT, 2, "tabwire"), (signal.SIGKILL, -signal.SIGKILL, "tabwire, tabwire_driver")]
)
def test_nothing_is_left_of_a_run_that_was_ended(
    project: Project, site: Site, sent: signal.Signals, code: int, fixtures: str
) -> None:
    project.write(test_endless=ENDLESS.format(fixtures=fixtures))
    with project.start() as process:
        try:
            # The page is asked for by the first test; the second one's browser is being started ahead.
            site.wait_for(lambda site: site.hit_count("/hang"), timeout=60)
            process.send_signal(sent)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code, output
    project.leaves_nothing()


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("--tabwire-chromium=/nowhere/chromium", "no Chromium at /nowhere/chromium"),
        ("--tabwire-grid=http://127.0.0.1:9", "127.0.0.1:9"),
    ],
)
def test_a_browser_that_cannot_be_started_is_an_error_that_says_why(project: Project, option: str, why: str) -> None:
    project.write(test_none="def test_none(tabwire): pass")
    ran = project.run(option)
    assert ran.outcomes == {"test_none": "error"}
    assert why in ran.output.split("tabwire.errors.", 1)[1]
    assert "bridge.py" not in ran.output, "no frame of ours is shown"
    project.leaves_nothing()


def test_a_run_without_browsers_starts_nothing(project: Project) -> None:
    project.write(test_plain="import sys\ndef test_plain(): assert 'tabwire.engine.engine' not in sys.modules")
    assert project.run().outcomes == {"test_plain": "passed"}
