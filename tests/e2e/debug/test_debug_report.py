"""debug_report: a page of a bug report that a person opens, with the console and the requests beside it, without secrets."""

import json
from pathlib import Path

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

PAGE = """<h1>Till</h1><p id=shown onclick='this.title = 1'>Total: 4711 pears</p><input id=pw type=password><script>
console.log('<img src=x onerror=alert(1)>', { token: 'hidden-token-1' });
fetch('/status/500?access_token=hidden-token-2', { method: 'POST', headers: { 'X-Api-Key': 'hidden-key-3' }, body: 'pin=hidden-4' })
  .finally(() => { document.title = 'asked'; });
</script><script src=/till.js></script>"""
SCRIPT = "function total(cart) {\n  return cart.rows.length;\n}\ntotal({ password: 'hidden-5' });\n"


@pytest.fixture
def till(tabwire: Tabwire, site: Site, page: ShownPage) -> Tabwire:
    """A client whose page has had an error and a failed request, and of which both are known."""
    site.serve("/till.js", SCRIPT, "text/javascript")
    tabwire.ok("navigate", url="about:blank")
    tabwire.ok("console_messages")
    tabwire.open(site.page(PAGE))
    page.wait_for("document.title === 'asked'")
    # The extension hears of message and request a moment after the page.
    until(lambda: "token" in tabwire.ok("console_messages").text)
    until(lambda: "500" in tabwire.ok("network_requests").text)
    return tabwire


def test_a_report_has_errors_and_requests_and_no_secrets(till: Tabwire, site: Site) -> None:
    till.ok("fill", selector="css=#pw", value="hidden-6-word")
    reply = till.ok("debug_report", note="The total is missing.\nOpen the till. <b>Bold</b>")
    report = Path(reply.data["path"])
    files = {file.name: file.read_text() for file in report.parent.iterdir()}
    assert set(files) == {"report.html", "requests.har", "console.json"} and "missing" not in reply.data, reply
    html = files["report.html"]
    assert [name for name, text in files.items() if "hidden-" in text] == []
    assert "access_token=[redacted]" in html and "token: &quot;[redacted]&quot;" in html and "X-Api-Key: [redacted]" in html
    assert "The total is missing.\nOpen the till. &lt;b&gt;Bold&lt;/b&gt;" in html and "<img src=x" not in html
    assert "Cannot read properties of undefined" in html and "&gt; 2 |   return cart.rows.length;" in html
    assert f"POST {site.origin}/status/500" in html and "Layout shifts: " in html and str(report) in reply.text
    requests = {
        one["request"]["url"].partition("?")[0]: one["response"]["status"]
        for one in json.loads(files["requests.har"])["log"]["entries"]
    }
    assert (requests[f"{site.origin}/status/500"], requests[f"{site.origin}/till.js"]) == (500, 200)
    (error,) = [one for one in json.loads(files["console.json"])["messages"] if one.get("kind") == "exception"]
    assert error["stack"][0]["place"].startswith("/till.js:2:")


def test_a_person_sees_the_picture_of_a_report_and_nothing_in_its_file_runs(till: Tabwire, browser: Browser) -> None:
    report = Path(till.ok("debug_report").data["path"])
    opened = browser.open(report.as_uri())
    assert opened.evaluate("document.images.length === 1 && document.images[0].naturalWidth > 100") is True
    assert opened.evaluate("document.title") == "Debugging report: asked"
    opened.close()


def test_a_tab_that_is_not_there_has_no_report(tabwire: Tabwire) -> None:
    assert tabwire.fails("debug_report", tabId=999_999).code == "no_such_tab"


def test_of_a_page_that_is_paused_what_can_be_read_is_saved_and_the_rest_named(till: Tabwire) -> None:
    till.ok("breakpoints", action="set", event="click")
    assert "paused" in till.ok("click", selector="css=#shown").text
    held = till.ok("debug_report", picture=False)
    assert any(one.startswith("performance: ") and "paused" in one for one in held.data["missing"]), held
    assert (
        "What could not be read" in Path(held.data["path"]).read_text(encoding="utf-8")
        and "Could not be read: performance" in held.text
    )
    till.ok("breakpoints", action="remove")
    till.ok("paused", action="resume")
