"""The site under test: a shop with a sign-in, a basket in the session and an order form."""

import html
import secrets
from http import HTTPStatus
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qsl

HOME = """<h1>Corner shop</h1>
<p role="status">{basket}</p>
<form method="post" action="/basket"><button name="item" value="tea">Add tea</button></form>
<a href="/sign-in">Sign in</a> <a href="/order">Order</a>"""

SIGN_IN = """<h1>Sign in</h1>
<form method="post"><label>Name <input name="name"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form>"""

ORDER = """<h1>Order</h1><form method="post" onsubmit="late(event)">
<label>Street <input name="street" required></label>
<label>Delivery <select name="delivery"><option>post</option><option>courier</option></select></label>
<label><input type="checkbox" name="gift"> Gift</label><button>Buy</button></form><div id="answer"></div>
<script>
  // The answer comes late, as that of a real site does.
  async function late(event) {
    event.preventDefault();
    const body = new URLSearchParams(new FormData(event.target));
    const answer = await (await fetch("/order", { method: "POST", body })).text();
    setTimeout(() => { document.querySelector("#answer").innerHTML = answer; }, 150);
  }
  console.warn("the map of the streets is not loaded");
</script>"""


class Shop:
    """Runs until it is closed; each visitor is known by a cookie."""

    def __init__(self) -> None:
        self.orders: list[dict[str, str]] = []
        self.baskets: dict[str, int] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._server.shop = self  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/sign-in":
            return self._page(SIGN_IN)
        if self.path == "/order":
            return self._page(ORDER)
        if self.path == "/":
            count = self._shop.baskets.get(self._visitor(), 0)
            return self._page(HOME.format(basket=f"{count} in the basket"))
        return self._page("<h1>There is no such page</h1>", HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        if self.path == "/basket":
            visitor = self._visitor()
            self._shop.baskets[visitor] = self._shop.baskets.get(visitor, 0) + 1
            return self._go("/", visitor)
        if self.path == "/sign-in":
            good = form.get("password") == "open sesame"
            name = html.escape(form.get("name", ""))
            return self._page(f"<h1>Welcome, {name}</h1>" if good else "<h1>Sign in</h1><p role=alert>Wrong password</p>")
        self._shop.orders.append(form)
        return self._page(f"<h2>Thank you</h2><p>We deliver to {html.escape(form['street'])}</p>")

    @property
    def _shop(self) -> Shop:
        return self.server.shop  # type: ignore[attr-defined,no-any-return]

    def _visitor(self) -> str:
        found = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
        return found.value if found else secrets.token_hex(4)

    def _page(self, body: str, status: HTTPStatus = HTTPStatus.OK) -> None:
        content = f"<!doctype html><html lang=en><title>Corner shop</title>{body}".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _go(self, path: str, visitor: str) -> None:
        self.send_response(HTTPStatus.SEE_OTHER)
        self.send_header("Location", path)
        self.send_header("Set-Cookie", f"visitor={visitor}; Path=/; HttpOnly")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """The test's output is about the test."""
