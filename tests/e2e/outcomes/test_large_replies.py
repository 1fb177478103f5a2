"""Acts whose reply is too large: they are done, and told as done."""

from pathlib import Path

import pytest

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.page_tools.test_page_tools import POLYFILL
from e2e.site import Site
from e2e.surfaces.facade import FacadeBridge

PAYS = f"""{POLYFILL.replace("JSON.stringify(await", "(await")}<script>
let paid = 0;
const makes = {{ text: (n) => 'x'.repeat(n), list: (n) => Array(n).fill(1), quotes: (n) => ({{ a: '"'.repeat(n) }}) }};
for (const [name, make] of Object.entries(makes))
  document.modelContext.registerTool({{ name, description: 'Pays', execute: ({{ n }}) => {{ paid += 1; return make(n) }} }});
</script>"""
MB = 1_000_000


@pytest.mark.parametrize(
    ("tool", "size", "says"),
    [
        ("text", 3 * MB, "its answer of 3000000 characters was too large"),
        ("list", 3 * MB, "was too large"),
        # Escapes make it too large where its bytes fit.
        ("quotes", 190_000, "Done; its reply was too large"),
        # More than a message to the bridge may have: it ended the connection.
        ("text", 70 * MB, "its answer of 70000000 characters was too large"),
    ],
)
def test_a_page_tool_that_paid_is_done_however_large_its_answer(
    tabwire: Tabwire, page: ShownPage, site: Site, tool: str, size: int, says: str
) -> None:
    tabwire.open(site.page(PAYS))
    reply = tabwire.ok("call_page_tool", name=tool, arguments={"n": size})
    assert says in reply.text and "again for the rest" in reply.text and page.evaluate("paid") == 1
    assert "xxxx" in reply.text or "1,1,1" in reply.text or '\\"' in reply.text, "its beginning is told"

    whole = tabwire.ok("call_page_tool", name=tool, arguments={"n": 20})
    assert "too large" not in whole.text and len(whole.text) < 200 and page.evaluate("paid") == 2


@pytest.mark.parametrize(("size", "most"), [(3 * MB, 5 * MB), (70 * MB, 80 * MB)])
def test_a_script_that_acted_is_done_however_large_its_value(
    tabwire: Tabwire, page: ShownPage, site: Site, size: int, most: int
) -> None:
    tabwire.open(site.page("<script>let paid = 0</script>"))
    script = "(n) => { paid += 1; return 'x'.repeat(n) }"
    text = tabwire.ok("evaluate", expression=script, args=[size], max_output_size=most).data
    assert f"the script ran; the text has {size} bytes, too many for a reply" in text and page.evaluate("paid") == 1
    assert len(text) > 300_000 and "max_output_size" not in text, "no larger one would help"
    assert tabwire.ok("evaluate", expression=script, args=[300_000], max_output_size=most).data == "x" * 300_000


def test_a_wait_that_was_met_is_met_however_large_the_value_of_its_function(
    tabwire: Tabwire, page: ShownPage, site: Site
) -> None:
    tabwire.open(site.page("<script>let asked = 0</script>"))
    arguments = {"for": "function", "function": "() => { asked += 1; return 'x'.repeat(70_000_000) }"}
    assert "(70,000,000 characters)" in tabwire.ok("wait", **arguments).text and page.evaluate("asked") == 1


def test_an_answer_of_escapes_alone_ends_no_connection(tabwire: Tabwire, site: Site) -> None:
    site.serve("/escapes", b"\x01" * 12 * MB, "text/plain; charset=utf-8")
    data = tabwire.ok("request", method="POST", url=site.url("/escapes")).data
    assert Path(data["path"]).read_bytes() == b"\x01" * 12 * MB and len(site.posts) == 1
    site.serve("/text", "é".encode() * MB, "text/plain; charset=utf-8")
    plain = tabwire.ok("request", method="POST", url=site.url("/text")).data
    assert plain["body"].startswith("éé") and Path(plain["path"]).read_text(encoding="utf-8") == "é" * MB


def test_acts_of_a_batch_are_done_where_their_replies_do_not_fit_together(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(PAYS))
    pay = {"tool": "call_page_tool", "arguments": {"name": "text", "arguments": {"n": 240_000}}}
    reply = tabwire.ok("batch", calls=[pay, pay, pay, pay, {"tool": "title"}])
    assert page.evaluate("paid") == 4 and reply.text.count("Done; its reply was too large") == 3
    assert "5. title" in reply.text and "not called" not in reply.text
    small = {"tool": "call_page_tool", "arguments": {"name": "text", "arguments": {"n": 5}}}
    assert tabwire.ok("batch", calls=[small, small]).text.count('"xxxxx"') == 2


def test_the_facade_tells_such_acts_as_done(facade: FacadeBridge, site: Site) -> None:
    facade.show(site, "<script>let paid = 0</script>")
    # As JSON it has six times its size, more than a message to the bridge may have.
    code = "paid += 1; return '\\x01'.repeat(12_000_000)"
    response = facade.ok("browser_execute", action="execute", code=code)
    assert response["truncated"] and response["result"].startswith("\x01") and facade.evaluate("paid") == 1
    assert facade.ok("browser_execute", action="execute", code="return 'x'")["result"] == "x"
