"""A script runs once, also when it throws an error of syntax in a page that keeps errors from having a stack."""

import pytest

from e2e.conftest import Launched, Launcher
from e2e.site import Site

STACKLESS = {
    "no stacks": "Error.stackTraceLimit = 0",
    "stacks of its own": "Error.prepareStackTrace = () => ''",
    "an error without a stack": "JSON.parse = () => { const error = new SyntaxError('bad'); error.stack = ''; throw error }",
}
SCRIPTS = (
    "(runs += 1, JSON.parse('{'))",
    "runs += 1; JSON.parse('{')",
    "const text = '{'; runs += 1; return JSON.parse(text)",
    "() => { runs += 1; return JSON.parse('{') }",
    "runs += 1; await null; JSON.parse('{')",
    "runs += 1; await null; return JSON.parse('{')",
)


@pytest.fixture(params=["launched", "own"])
def launched(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Launched:
    return (launcher if request.param == "launched" else joiner).fresh(site)


@pytest.mark.parametrize("name", STACKLESS)
def test_a_script_that_throws_an_error_of_syntax_is_not_run_again(launched: Launched, site: Site, name: str) -> None:
    launched.tabwire.open(site.page(f"<script>globalThis.runs = 0; {STACKLESS[name]}</script>"))
    page = launched.browser.shown()
    for script in SCRIPTS:
        page.evaluate("void (runs = 0)")
        reply = launched.tabwire.fails("evaluate", expression=script)
        assert (page.evaluate("runs"), reply.code) == (1, "javascript_error"), (script, reply)


@pytest.mark.parametrize("name", STACKLESS)
def test_statements_run_there_as_everywhere(launched: Launched, site: Site, name: str) -> None:
    launched.tabwire.open(site.page(f"<script>{STACKLESS[name]}</script>"))
    for script, value in {"const x = 3; x * 2": 6, "return 7": 7, "await Promise.resolve(9)": 9, "() => 5": 5}.items():
        assert launched.tabwire.ok("evaluate", expression=script).data == value, script
    reply = launched.tabwire.fails("evaluate", expression="const = ;")
    assert reply.code == "javascript_error" and "SyntaxError" in reply.text, reply
