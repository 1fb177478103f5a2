"""`find` and `batch` in a real page."""

from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

PAGE = """<h2 id=t>Cart</h2><section aria-labelledby=t><button onclick="document.title = 'Sold'">Buy lamp</button>
<div id=host></div></section><iframe srcdoc="<nav aria-label=Inner><a href='#x'>Old lamp</a></nav>"></iframe>
<script>host.attachShadow({mode: "open"}).innerHTML = "<button>Clean lamp</button>"</script><a href=%s>Leave</a>"""


def test_find_sees_frames_and_shadow_roots_and_its_refs_can_be_acted_on(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE % "#"))
    reply = tabwire.ok("find", text="LAMP")
    assert reply.text.startswith("3 lines match")
    for part in ("Buy lamp", 'in region "Cart"', "Clean lamp", 'navigation "Inner"', "Old lamp"):
        assert part in reply.text
    ref = next(line for line in reply.text.splitlines() if "Buy lamp" in line).split("[ref=")[1].split("]")[0]
    calls = [{"tool": "click", "arguments": {"selector": ref}}, {"tool": "find", "arguments": {"regex": "^button .*lamp"}}]
    both = tabwire.ok("batch", calls=calls)
    assert page.evaluate("document.title") == "Sold"
    assert "2. find: 2 lines match" in both.text


def test_a_batch_does_not_go_on_in_a_page_that_its_refs_do_not_belong_to(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    other = site.page("<button onclick='document.title = 1'>Buy lamp</button>")
    tabwire.open(site.page(PAGE % other))
    buy, leave = tabwire.ref("button", "Buy lamp"), tabwire.ref("link", "Leave")
    calls = [{"tool": "click", "arguments": {"selector": ref}} for ref in (leave, buy, "text:Buy lamp")]
    reply = tabwire.fails("batch", calls=calls)
    assert "2. click: stale_element_reference" in reply.text and "not called: click" in reply.text
    assert page.evaluate("document.title") == "Test page"
