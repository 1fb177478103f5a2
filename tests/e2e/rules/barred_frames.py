"""Pages that hold a document of another site, which runs a script with a secret: in all kinds of frames and workers."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import quote

from e2e.client import Reply, Tabwire
from e2e.rules.ruling import BANK, SECRET, Ruled
from polling import until

JS = "text/javascript"
DESK, TILL = "desk.corp.localhost", "till.corp.localhost"
"""Sites where everything is allowed, in one process: those below corp.localhost. BANK and SHOP are in others."""
VAULT = "vault.corp.localhost"
"""A site that is never touched, beside them."""
LEDGERS = {"another process": "ledger.localhost", "the same process": "ledger.corp.localhost"}
"""Sites that may only be read."""
OWN_NAME = "balance4711"
"""A function and a file of the document with the secret."""
DESK_SAYS = "desk is open"
TURN = """function turn(balance) {
  const told = balance;
  try { throw new Error(told); } catch {}
  return told.length;
}
self.turn = turn;
"""
TICK, TAKEN, ASKED = "/tick", "/taken", "/asked"
"""Requests of the document itself, and those that scripts of the client make it send."""


@dataclass
class Ground:
    """The site with the scripts."""

    ruled: Ruled
    put_in: str = ""
    """Address of a frame that the client puts in itself."""

    @property
    def shared(self) -> str:
        """The script that the page and the document in it load from the same address."""
        return self.ruled.site.serve("/turn.js", TURN, JS, headers={"Access-Control-Allow-Origin": "*"})

    def post(self, path: str, value: str) -> str:
        """An expression that sends a value."""
        return f"fetch('{self.ruled.site.url(path)}', {{ method: 'POST', mode: 'no-cors', body: {value} }})"

    @property
    def work(self) -> str:
        """What the document says at its start, and does all the time."""
        tick = f"fetch('{self.ruled.site.url(TICK)}', {{ mode: 'no-cors' }})"
        busy = f"function {OWN_NAME}() {{ for (const end = performance.now() + 4; performance.now() < end;); }}"
        work = f"{OWN_NAME}(); turn(secret); {tick};"
        return f"var secret = {SECRET!r}; console.log(secret); {busy} setInterval(() => {{ {work} }}, 50);"

    def script(self) -> str:
        note = f"{{ loc: {{ file: '{OWN_NAME}.svelte', line: 1, column: 0 }} }}"
        listen = f"pay.__svelte_meta = {note};\npay.addEventListener('click', () => {OWN_NAME}());"
        return f"<button id=pay>Pay</button><script src='{self.shared}'></script><script>{self.work} {listen}</script>"

    def page(self, host: str, body: str) -> str:
        return self.ruled.page(host, body)

    def frame(self, host: str, body: str) -> str:
        """A frame with a page of a host."""
        return f"<iframe src='{self.page(host, body)}'></iframe>"

    def worker(self) -> str:
        """A script that is a worker."""
        return f"importScripts('{self.shared}'); {self.work}"

    def ran_on(self, turns: int = 6) -> None:
        """Waits until the document has gone on working."""
        site = self.ruled.site
        count = site.hit_count(TICK)
        until(lambda: site.hit_count(TICK) >= count + turns, within=15, says="the document works")

    def posted(self, path: str) -> list[str]:
        return [post.body.decode() for post in self.ruled.site.posts if post.path == path]

    def call(self, tool: str, **arguments: Any) -> Reply:
        return self.ruled.anna.call(tool, **arguments)


Place = Callable[[Ground, str], str]
"""A page, by the site of the document with the secret."""
ADD = "const frame = document.createElement('iframe'); document.documentElement.append(frame);"


def _quoted(text: str) -> str:
    """A text as a string of a script in a page."""
    return json.dumps(text).replace("</", "<\\/")


def _made(body: str, kind: str, use: str) -> str:
    """A script that makes a blob, and uses it as ``made``."""
    return f"<script>const made = URL.createObjectURL(new Blob([{_quoted(body)}], {{ type: '{kind}' }})); {use}</script>"


def _desk(ground: Ground, frame: str = "") -> str:
    """The page around: it has a listener of the shared script, and says something."""
    listen = f"<script>desk.onclick = turn; console.log({DESK_SAYS!r})</script>"
    return ground.page(DESK, f"<button id=desk>Desk</button><script src='{ground.shared}'></script>{listen}{frame}")


def _framed(ground: Ground, host: str, body: str) -> str:
    return _desk(ground, ground.frame(host, body))


def _sandboxed(source: str) -> str:
    return f"<iframe sandbox=allow-scripts {source}></iframe>"


def _served(ground: Ground, path: str) -> str:
    """The script of a worker, at a path of every host."""
    ground.ruled.site.serve(path, ground.worker(), JS)
    return path


def _client_puts_it_in(ground: Ground, host: str) -> str:
    ground.put_in = ground.page(host, ground.script())
    return _desk(ground)


def _in_srcdoc(ground: Ground, host: str) -> str:
    return _framed(ground, host, f'<iframe srcdoc="{escape(ground.script())}"></iframe>')


PLACES: dict[str, Place] = {
    "a frame of another process": lambda g, host: _framed(g, host, g.script()),
    "a frame of the same process": lambda g, host: _framed(g, VAULT if host == BANK else TILL, g.script()),
    "a srcdoc frame": _in_srcdoc,
    "an empty frame that it has written": lambda g, host: _framed(
        g, host, f"<script>{ADD} frame.contentDocument.write({_quoted(g.script())}); frame.contentDocument.close();</script>"
    ),
    "a frame of a blob": lambda g, host: _framed(g, host, _made(g.script(), "text/html", f"{ADD} frame.src = made;")),
    "a frame of a data address": lambda g, host: _framed(g, host, f"<iframe src='data:text/html,{quote(g.script())}'></iframe>"),
    "a frame that went to a data address": lambda g, host: _framed(
        g, host, f"<script>location = 'data:text/html,{quote(g.script())}'</script>"
    ),
    "a sandboxed frame": lambda g, host: _desk(g, _sandboxed(f"src='{g.page(host, g.script())}'")),
    "a sandboxed srcdoc frame": lambda g, host: _framed(g, host, _sandboxed(f'srcdoc="{escape(g.script())}"')),
    "a sandboxed frame of a data address": lambda g, host: _framed(
        g, host, _sandboxed(f"src='data:text/html,{quote(g.script())}'")
    ),
    "a worker": lambda g, host: _framed(g, host, f"<script>new Worker('{_served(g, '/worker.js')}')</script>"),
    "a worker of the same process": lambda g, host: _framed(
        g, VAULT if host == BANK else TILL, f"<script>new Worker('{_served(g, '/worker.js')}')</script>"
    ),
    "a worker of a blob": lambda g, host: _framed(g, host, _made(g.worker(), JS, "new Worker(made);")),
    "a worker of a data address": lambda g, host: _framed(
        g, host, f"<script>new Worker('data:{JS},{quote(g.worker())}')</script>"
    ),
    "a worker in a worker": lambda g, host: _framed(
        g,
        host,
        _made(f"new Worker('{g.page(host, '').partition('/inline')[0]}{_served(g, '/inner.js')}');", JS, "new Worker(made);"),
    ),
    "a service worker": lambda g, host: _framed(
        # Later pages of the same host would have it, too.
        g,
        f"serving.{host}",
        f"<script>navigator.serviceWorker.register('{_served(g, '/serving.js')}')</script>",
    ),
    "a frame that the client puts in": _client_puts_it_in,
}

INSERT = "document.body.append(Object.assign(document.createElement('iframe'), {{ src: '{url}' }}))"


def shown(ground: Ground, place: str, host: str) -> Tabwire:
    """Opens the page, and waits until the document in it works."""
    anna = ground.ruled.anna
    anna.ok("tab_new", url=PLACES[place](ground, host))
    if ground.put_in:
        anna.ok("evaluate", expression=INSERT.format(url=ground.put_in))
    ground.ran_on(2)
    return anna
