"""Tools that pages publish (WebMCP): listed for each frame, called by the page's own code, held against the page's schema."""

from pathlib import Path

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.person import Person
from e2e.plain import PlainChromium
from e2e.site import Site

POLYFILL = """<script>
document.modelContext = {
  tools: [],
  registerTool(tool) { this.tools.push(tool) },
  async getTools() { return this.tools.map(({ inputSchema, ...tool }) => ({ ...tool, inputSchema: JSON.stringify(inputSchema) })) },
  async executeTool({ name }, json) {
    return JSON.stringify(await this.tools.find((tool) => tool.name === name).execute(JSON.parse(json)))
  },
}
</script>"""
"""The shape of the polyfill that sites use: schemas and arguments are JSON text."""

ROWS = """<ul id=rows></ul><script>
const text = { type: 'string', minLength: 1 };
const add = async ({ text }) => {
  if (text === 'never') await new Promise(() => {});
  if (text === 'wrong') throw new Error('there is no more room');
  rows.append(Object.assign(document.createElement('li'), { textContent: text }));
  return { rows: rows.children.length };
};
document.modelContext.registerTool({
  name: 'add_row', title: 'Add a row', description: 'Adds a row to the list',
  inputSchema: { type: 'object', properties: { text }, required: ['text'], additionalProperties: false },
  annotations: { readOnlyHint: false }, execute: add,
});
const leave = () => { location.href = '/blank.html'; return new Promise(() => {}) };
document.modelContext.registerTool({ name: 'leave', description: 'Leaves', execute: leave });
</script>"""

SHOWN = "[...rows.children].map((row) => row.textContent)"


def test_tools_of_all_frames_are_listed_and_called(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    inner = site.cross_page(f"{POLYFILL}{ROWS.replace('add_row', 'add_inside')}")
    tabwire.open(site.page(f"{POLYFILL}{ROWS}<iframe src='{inner}'></iframe>"))
    tools = {tool["name"]: tool for tool in tabwire.ok("page_tools").data["tools"] if tool["name"] != "leave"}
    assert (tools["add_row"]["frameId"], tools["add_row"]["origin"]) == (0, site.origin)
    assert tools["add_row"]["input_schema"]["required"] == ["text"] and tools["add_row"]["read_only"] is False
    assert tools["add_inside"]["frameId"] != 0 and tools["add_inside"]["origin"] == site.cross_origin

    reply = tabwire.ok("call_page_tool", name="add_row", arguments={"text": "tea"})
    assert reply.data == '{"rows":1}', reply
    tabwire.ok("call_page_tool", name="add_inside", arguments={"text": "milk"})
    assert page.evaluate(SHOWN) == ["tea"]
    assert page.frame(site.cross_origin).evaluate(SHOWN) == ["milk"]

    # Nothing of the page runs for what does not fit.
    for arguments in ({}, {"text": 7}, {"text": "x", "more": 1}):
        assert tabwire.fails("call_page_tool", name="add_row", arguments=arguments).code == "invalid_argument"
    assert "page_tools" in tabwire.fails("call_page_tool", name="drop_row").text
    assert "frameId" in tabwire.fails("call_page_tool", name="leave").text
    assert page.evaluate(SHOWN) == ["tea"]

    assert "no more room" in tabwire.fails("call_page_tool", name="add_row", arguments={"text": "wrong"}).text
    late = tabwire.fails("call_page_tool", name="add_row", arguments={"text": "never"}, timeout=300)
    assert late.code == "timeout" and "may go on" in late.text

    left = tabwire.ok("call_page_tool", name="leave", frameId=0)
    assert "was left" in left.text and page.evaluate("location.pathname") == "/blank.html"
    nothing = tabwire.ok("page_tools").data
    assert nothing["tools"] == [] and "document.modelContext" in nothing["note"]


@pytest.mark.parametrize("site_rule", ["never", None])
def test_a_tool_that_leaves_is_answered_when_its_page_is_left(
    tabwire: Tabwire, browser: Browser, page: ShownPage, site: Site, site_rule: str | None
) -> None:
    bank = site.page("<p>Balance 4711</p>").replace("127.0.0.1", "bank.localhost")
    # Chrome keeps this page for going back: its scripts stand still, and never end.
    kept = {"headers": {"Cache-Control": "max-age=60"}}
    noted = "<script>addEventListener('pageshow', (event) => { globalThis.wasKept = event.persisted })</script>"
    url = site.page(noted + POLYFILL + ROWS.replace("/blank.html", bank), **kept)
    person = Person(browser)
    if site_rule:
        person.ask("setSiteRule", pattern="bank.localhost", level=site_rule)
    try:
        tabwire.open(url)
        left = tabwire.ok("call_page_tool", name="leave")
        assert left.elapsed_ms < 10_000 and "nobody knows whether the tool has finished" in left.text, left
        assert page.url == bank and ("Balance" in tabwire.call("snapshot").text) == (site_rule is None)
        assert ("bank.localhost" in left.text) == (site_rule is None), left
        page.evaluate("history.back()")
        page.wait_for("globalThis.wasKept === true")
    finally:
        if site_rule:
            person.ask("forgetSite", pattern="bank.localhost")
    assert tabwire.ok("call_page_tool", name="add_row", arguments={"text": "tea"}).data == '{"rows":1}'


def test_a_tool_that_removes_its_frame_was_called(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    inner = site.page(POLYFILL + ROWS.replace("location.href = '/blank.html'", "top.paid = 1; frameElement.remove()"))
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe>"))
    assert "nobody knows whether" in tabwire.ok("call_page_tool", name="leave").text
    assert page.evaluate("top.paid") == 1


def registry(tools: str, run: str = "return 1") -> str:
    return f"<script>document.modelContext = {{ async getTools() {{ {tools} }}, async executeTool() {{ {run} }} }}</script>"


def test_a_page_that_lies_about_its_tools_harms_nobody(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.url("/blank.html"))
    for hostile in (
        "throw new Error('mine')",
        "throw { toString() { throw 1 } }",
        "return 7",
        "return [{ get name() { throw 1 } }]",
        "return new Promise(() => {})",
    ):
        page.evaluate(f"void (document.modelContext = {{ async getTools() {{ {hostile} }} }})")
        # Both wait for seconds where the page never answers.
        listing, calling = tabwire.start("page_tools"), tabwire.start("call_page_tool", name="add", frameId=0)
        listed, unread = listing.result(20).data, calling.result(20)
        assert listed["tools"] == [] and "could not be read" in listed["note"], hostile
        assert unread.code == "javascript_error" and "could not be read" in unread.text, hostile


def test_frames_that_lie_spoil_nothing_for_the_others(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    forged = "<script>origin = 'https://bank.example'; String.prototype.slice = function () { return `${this}` }</script>"
    forged += registry("return [{ name: 'n'.repeat(300), description: 'd'.repeat(9000) }]")
    patched = "<script>Array.prototype.slice = () => ({ map: () => 7 })</script>" + registry("return [{ name: 'a' }]")
    frames = "".join(f"<iframe src='{site.cross_page(html)}'></iframe>" for html in (forged, patched))
    counting = registry("return [{ name: 'count', description: 'Counts' }]", "globalThis.runs = 1; return 10n")
    tabwire.open(site.page(f"{counting}{frames}"))

    listed = tabwire.ok("page_tools").data
    assert [(tool["origin"], len(tool["name"]), len(tool["description"])) for tool in listed["tools"]] == [
        (site.origin, 5, 6),
        (site.cross_origin, 200, 2000),
    ]
    assert "could not be read" in listed["note"]

    reply = tabwire.ok("call_page_tool", name="count")
    assert "no JSON" in reply.text and page.evaluate("runs") == 1


def test_a_page_goes_on_loading_while_its_tools_are_waited_for(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    """Chrome keeps the load event back while a script lasts that was injected before it."""
    until_loaded = "globalThis.asked = 1; await new Promise((done) => addEventListener('load', done))"
    tools = "return [{ name: 'wait', description: 'Waits' }]"
    for html, tool, arguments, told in (
        (registry(f"{until_loaded}; {tools}"), "page_tools", {}, "Waits"),
        (registry(tools, f"{until_loaded}; return 'loaded'"), "call_page_tool", {"name": "wait"}, "loaded"),
    ):
        site.hold("/gate/picture")
        tabwire.ok("navigate", url=site.page(f"{html}<img src='/gate/picture'>"), wait_until="domcontentloaded")
        under_way = tabwire.start(tool, **arguments)
        page.wait_for("globalThis.asked")
        site.let_go("/gate/picture")
        assert told in under_way.result(20).text


def test_chromiums_own_registry_is_asked_where_it_is_switched_on(tmp_path: Path, site: Site) -> None:
    chromium = PlainChromium(tmp_path, "about:blank", flags=["--enable-features=WebMCP"])
    try:
        tabwire = chromium.join()
        tabwire.open(site.page(ROWS))
        (tool, _) = tabwire.ok("page_tools").data["tools"]
        assert (tool["name"], tool["title"], tool["input_schema"]["required"]) == ("add_row", "Add a row", ["text"])
        tabwire.ok("call_page_tool", name="add_row", arguments={"text": "tea"})
        assert chromium.browser.shown().evaluate(SHOWN) == ["tea"]
    finally:
        chromium.close()
