"""Old tool names against a real page. What each becomes is in tests/bridge/surfaces/agent/test_former_names.py."""

import re

from e2e.client import Tabwire
from e2e.conftest import Join, Joined, ShownPage
from e2e.site import Site

FORM = """<form>
<label>Name <input id=name></label>
<label>Colour <select id=colour><option value=r>Red<option value=g>Green</select></label>
<label>News <input type=checkbox id=news checked></label>
<button type=button id=go onclick="this.textContent = event.ctrlKey ? 'With control' : 'Plain'">Go</button>
</form><div style='height: 3000px'></div>"""


def test_old_names_work_in_a_page(join: Join, own: Joined, site: Site) -> None:
    old = join("--aliases")
    site_page = site.page(FORM)
    old.ok("tab_new")
    old.ok("chrome_navigate", url=site_page)
    page = own.browser.shown()
    tree = old.ok("chrome_read_page", filter="interactive").text
    refs = dict(re.findall(r'"(\w+)".*?\[ref=@e(\d+)\]', tree))

    old.ok("chrome_fill_or_select", ref=f"ref_{refs['Name']}", value="Ada")
    old.ok("chrome_fill_or_select", selector="#colour", value="Green")
    old.ok("chrome_fill_or_select", selector="#news", value="false")
    assert page.evaluate("[name.value, colour.value, news.checked].map(String)".replace("name.", "document.forms[0][0].")) == [
        "Ada",
        "g",
        "false",
    ]

    old.ok("chrome_computer", action="left_click", ref=f"ref_{refs['Go']}", modifiers={"ctrlKey": True})
    assert page.evaluate("go.textContent") == "With control"
    old.ok("chrome_computer", action="scroll", scrollDirection="down", scrollAmount=2)
    page.wait_for("scrollY > 100")
    old.ok("chrome_keyboard", selector="[id=name]", keys="End")
    old.ok("chrome_keyboard", selector="[id=name]", keys="Lovelace and more")
    assert page.evaluate("document.forms[0][0].value") == "AdaLovelace and more"
    assert "Name" in old.ok("chrome_get_web_content").data
    assert old.ok("chrome_javascript", code="return document.title").data == "Test page"
    tabs = old.ok("get_windows_and_tabs").data["tabs"]
    window = next(tab["windowId"] for tab in tabs if tab["url"] == site_page)
    assert old.ok("chrome_click_element", selector="#go", windowId=window).data["effects"]
    assert page.evaluate("go.textContent") == "Plain"


def test_old_names_are_listed_last(join: Join) -> None:
    old = join("--aliases")
    names = list(old.tools())
    assert names.index("chrome_navigate") > names.index("query")


def test_wrong_arguments_of_old_names_are_explained(join: Join) -> None:
    old = join("--aliases")
    reply = old.fails("chrome_navigate", adress="x")
    assert reply.code == "invalid_argument" and "newWindow" in reply.text and "'adress'" in reply.text


def test_without_the_option_an_old_name_is_unknown_and_its_new_one_is_named(tabwire: Tabwire, page: ShownPage) -> None:
    reply = tabwire.fails("chrome_click_element", selector="body")
    assert "chrome_click_element is now click, dblclick" in reply.text
    assert "chrome_click_element" not in tabwire.tools()
