"""Addresses that hold data (`data:`) fill no reply, and values that are asked for are exact all the same."""

import json

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

SIZE = 40_000
ADDRESS = f"data:text/html;base64,{'PGI+' * (SIZE // 4)}"
PAGE = """<a id=link>Get</a><input id=field aria-label=Link value=x><button id=titled>Title</button>
<button id=opens>Open</button><button id=fails>Fail</button><button id=logs>Log</button><p id=told></p><script>
const address = 'data:text/html;base64,' + 'PGI+'.repeat(%d); link.href = address; field.value = address; told.textContent = address;
titled.onclick = () => { document.title = address }; opens.onclick = () => { open(address) };
fails.onclick = () => { throw new Error('no ' + address) }; logs.onclick = () => { console.log(address) }</script>"""


def size_of(reply: Reply) -> int:
    return len(reply.text) + len(json.dumps(reply.structured))


def test_addresses_of_data_fill_no_reply(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(PAGE % (SIZE // 4)))
    replies = {"snapshot": tabwire.ok("snapshot"), "query": tabwire.ok("query", by="role", value="link", **{"return": "all"})}
    replies |= {name: tabwire.ok("click", selector=f"#{name}") for name in ("fails", "logs", "titled")}
    replies |= {"console": tabwire.ok("console"), "messages": tabwire.ok("console_messages")}
    replies |= {"opens": tabwire.ok("click", selector="#opens"), "tabs": tabwire.ok("tab_list")}
    replies |= {"new tab": tabwire.ok("tab_new", url=ADDRESS)}
    replies |= {"its page": tabwire.call("snapshot"), "tabs at last": tabwire.ok("tab_list")}
    assert {name: size for name, reply in replies.items() if (size := size_of(reply)) > 6000} == {}
    assert "data:text/html… (" in replies["snapshot"].text


def test_values_are_exact(tabwire: Tabwire, page: ShownPage, site: Site) -> None:
    tabwire.open(site.page(PAGE % (SIZE // 4)))
    assert tabwire.ok("evaluate", expression="link.href").data == ADDRESS
    tabwire.ok("fill", selector="#field", value=ADDRESS[:5000])
    assert page.evaluate("field.value") == ADDRESS[:5000]
