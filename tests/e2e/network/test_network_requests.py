"""network_requests and request_details: what a tab has asked for since its navigation, though nobody has prepared anything."""

import re
from typing import Any

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.ports import free_port
from e2e.site import Site
from polling import until

PAGE = """<link rel=stylesheet href=/shop.css><img src=/missing.png><p id=p>Shop</p><script src=/shop.js></script><script>
Promise.allSettled([
  fetch('/api/price?item=pear', {method: 'POST', headers: {'X-Api-Key': 'k-4711', 'X-Trace': 't1'}, body: 'n=1'}),
  fetch('/redirect?to=/api/stock'), fetch('/status/500'), fetch('http://127.0.0.1:CLOSED/none'),
].map(async (one) => (await one).text())).then(() => document.title = 'asked')
</script>"""


def shop(site: Site) -> str:
    """The address of a page that asks for things of several kinds."""
    site.serve("/shop.css", "p { color: teal }", "text/css")
    site.serve("/shop.js", "globalThis.shop = 1", "text/javascript")
    site.serve("/api/price", '{"price": 2}', "application/json", headers={"Set-Cookie": "sid=s-4711", "X-Served-By": "till"})
    site.serve("/api/stock", '{"left": 3}', "application/json", delay_ms=40)
    return site.page(PAGE.replace("CLOSED", str(free_port())))


def listed(reply: Reply) -> dict[str, dict[str, Any]]:
    """The requests by what their paths end in."""
    return {re.sub(r"^.*/|\?.*$", "", request["url"]): request for request in reply.data["requests"]}


def test_requests_are_listed_without_preparing_the_failed_ones_first(
    tabwire: Tabwire, site: Site, page: ShownPage, browser: Browser
) -> None:
    tabwire.open(site.page("<img src=/of-the-page-before.png>"))
    tabwire.open(shop(site))
    page.wait_for("document.title === 'asked'")
    # Chrome may tell of the end of a request later than the page.
    until(lambda: "error" in listed(tabwire.ok("network_requests"))["none"], equals=True, within=5)
    reply = tabwire.ok("network_requests")
    found = listed(reply)
    document = page.url.rpartition("/")[2]
    assert set(found) >= {document, "shop.css", "shop.js", "missing.png", "price", "stock", "500", "none"}
    assert "of-the-page-before" not in reply.text
    assert [found[name].get("status") for name in (document, "missing.png", "price", "stock", "500")] == [200, 404, 200, 200, 500]
    assert found["none"]["error"] == "net::ERR_CONNECTION_REFUSED"
    types = {"shop.css": "stylesheet", "shop.js": "script", "missing.png": "image", "price": "fetch", document: "document"}
    assert {name: found[name]["type"] for name in types} == types
    assert (found["price"]["method"], found["stock"]["redirects"]) == ("POST", 1)
    assert found["stock"]["duration_ms"] >= 40 and found["shop.js"]["size"] >= len("globalThis.shop = 1")
    assert [("error" in one or one["status"] >= 400) for one in reply.data["requests"]] == sorted(
        [("error" in one or one["status"] >= 400) for one in reply.data["requests"]], reverse=True
    )
    assert reply.text.splitlines()[0] == f"{reply.data['total']} requests since the navigation, 3 failed"
    # Filters, and the next page of the list.
    assert set(listed(tabwire.ok("network_requests", failed=True))) == {"missing.png", "500", "none"}
    assert set(listed(tabwire.ok("network_requests", types=["script", "stylesheet"]))) == {"shop.css", "shop.js"}
    assert set(listed(tabwire.ok("network_requests", url_pattern="**/api/*"))) == {"price", "stock"}
    second = tabwire.ok("network_requests", max_requests=1, offset=1)
    assert second.data["requests"] == [reply.data["requests"][1]] and f"{reply.data['total'] - 2} more: offset: 2" in second.text

    price = tabwire.ok("request_details", id=found["price"]["id"])
    assert "X-Trace: t1" in price.text and "X-Served-By: till" in price.text and "asked for by fetch" in price.text
    assert not [secret for secret in ("k-4711", "s-4711") if secret in price.text]
    assert set(tabwire.ok("request_details", id=found["stock"]["id"]).data["phases"]) >= {"wait"}
    assert (
        f"redirected from {site.origin}/redirect?to=/api/stock (302)"
        in tabwire.ok("request_details", id=found["stock"]["id"]).text
    )
    assert "globalThis.shop = 1" in tabwire.ok("request_details", id=found["shop.js"]["id"], body=True).text
    assert "capture" in tabwire.ok("request_details", id=found["price"]["id"], body=True).data["body_note"]
    assert tabwire.fails("request_details", id=4711).code == "invalid_argument"

    # A worker that ends takes no request along; what comes meanwhile the page itself knows.
    assert browser.stop_workers() == 1
    page.evaluate("fetch('/shop.css?later').then((answer) => answer.text()).then(() => document.title = 'later')")
    page.wait_for("document.title === 'later'")
    again = tabwire.ok("network_requests")
    assert {name: one["id"] for name, one in listed(again).items() if name in ("500", "price")} == {
        name: found[name]["id"] for name in ("500", "price")
    }
    assert "shop.css?later" in again.text


def test_bodies_are_told_where_a_capture_runs(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    shop(site)
    tabwire.open(site.page("<p>Till"))
    tabwire.ok("capture", action="start", include_bodies=True)
    page.evaluate("fetch('/api/price', {method: 'POST', body: 'n=2'}).then((answer) => answer.text())")
    found = listed(tabwire.ok("network_requests", types=["fetch"]))
    told = tabwire.ok("request_details", id=found["price"]["id"], body=True)
    assert '{"price": 2}' in told.text and "Sent: n=2" in told.text
    assert "s-4711" not in told.text
    tabwire.ok("capture", action="stop")
