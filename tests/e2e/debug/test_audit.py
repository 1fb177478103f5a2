"""audit: what axe-core finds in each document of a tab, with references that work, and basics of the page."""

from pathlib import Path

import pytest

from e2e.client import Tabwire
from e2e.conftest import Joined, ShownPage
from e2e.site import Site
from e2e.worker import attached

pytestmark = pytest.mark.same_tab

BAD = """<img src=/cat.png><img src=/dog.png alt=Dog width=10 height=10><button id=empty></button>
<p style='color: #bbb; background: #fff'>Too faint to read</p><input id=field>"""
GOOD = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Stall</title><meta name=viewport content='width=device-width'>
<meta name=description content=Fruit><link rel=canonical href=/stall></head><body><main><h1>Stall</h1><p>Fruit</p></main></body></html>"""


def test_findings_have_references_that_acts_take(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(BAD))
    reply = tabwire.ok("audit")
    rules = {rule["rule"]: rule for rule in reply.data["rules"]}
    assert {"image-alt", "button-name", "color-contrast", "label"} <= set(rules), reply
    assert rules["image-alt"]["impact"] == "critical" and rules["color-contrast"]["impact"] == "serious"
    impacts = [rule["impact"] for rule in reply.data["rules"]]
    assert impacts == sorted(impacts, key=["critical", "serious", "moderate", "minor"].index)
    (button,) = [one for one in reply.data["findings"] if one["rule"] == "button-name"]
    ref, _, tag = button["element"].partition(" ")
    assert tag == '<button id="empty">'
    page.evaluate("empty.onclick = () => { document.title = 'pressed'; }")
    tabwire.ok("click", selector=ref)
    assert page.evaluate("document.title") == "pressed"
    assert "https://dequeuniversity.com/rules/axe/" in reply.text and "insufficient color contrast of 1.9" in reply.text
    found = {check["name"]: check["detail"] for check in reply.data["basics"] if check["level"] != "ok"}
    assert {"description", "canonical", "heading", "alternative_texts", "broken_images", "failed_requests"} <= set(found), found
    assert found["alternative_texts"].startswith("images without alt: 1 of 2 (@e")
    assert "images without width and height, so that the layout may shift: 1" in found["image_sizes"]
    # The next page, single rules, a report with all.
    first = tabwire.ok("audit", max_findings=1)
    second = tabwire.ok("audit", max_findings=1, offset=1)
    assert [first.data["findings"], second.data["findings"]] == [reply.data["findings"][:1], reply.data["findings"][1:2]]
    assert f"{reply.data['total'] - 1} more: offset: 1" in first.text
    only = tabwire.ok("audit", rules=["image-alt"])
    assert [rule["rule"] for rule in only.data["rules"]] == ["image-alt"]
    assert "no rule or tag nothing-such" in tabwire.fails("audit", rules=["nothing-such"]).text
    saved = tabwire.ok("audit", report=True, max_findings=1)
    text = Path(saved.data["path"]).read_text(encoding="utf-8")
    assert "### button-name" in text and "### color-contrast" in text and "- **error** images without alt: 1 of 2" in text


def test_a_page_without_faults_has_no_findings(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.serve("/stall.html", GOOD, "text/html"))
    page.evaluate(
        "addEventListener('scroll', () => { document.title = 'scrolled'; }); new MutationObserver(() => "
        "{ document.title = 'changed'; }).observe(document.body, {subtree: true, attributes: true, childList: true})"
    )
    reply = tabwire.ok("audit")
    assert (reply.data["total"], reply.data["findings"]) == (0, []), reply
    assert {check["name"] for check in reply.data["basics"] if check["level"] != "ok"} <= {"failed_requests"}, reply
    assert page.evaluate("document.title") == "Stall"
    assert page.evaluate("typeof axe") == "undefined"


def test_frames_are_audited_each_and_not_as_pages(tabwire: Tabwire, site: Site) -> None:
    inner = site.cross_page("<button id=inner></button><script>console.error('in the frame')</script>")
    shadow = "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<button id=deep></button>'</script>"
    tabwire.open(site.page(f"<main><h1>Till</h1><iframe title=Till src='{inner}'></iframe>{shadow}</main>"))
    reply = tabwire.ok("audit")
    buttons = [one for one in reply.data["findings"] if one["rule"] == "button-name"]
    assert [one["element"].partition(" ")[2] for one in buttons] == ['<button id="deep">', '<button id="inner">'], reply
    assert "frameId" in buttons[1] and reply.data["documents"] == 2
    # What only a whole page must have is not missed in a frame.
    assert not [one for one in reply.data["findings"] if "frameId" in one and one["rule"] != "button-name"], reply
    assert "errors in the console: 1" in reply.text


def test_a_hidden_tab_of_the_users_own_browser_is_audited_without_the_debugger(own: Joined, anna: Tabwire, site: Site) -> None:
    anna.open(site.page(BAD))
    hidden = next(tab["tabId"] for tab in anna.tabs() if tab["url"].startswith(site.origin))
    anna.ok("tab_new", url=site.page("<p>Front"))
    reply = anna.ok("audit", tabId=hidden)
    assert "image-alt" in {rule["rule"] for rule in reply.data["rules"]}
    assert "console_messages" in reply.text and attached(own.browser) == 0
