"""The pages of the soak. A desk is a tab's working page; each of its rows is good for one act and tells when it happens."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ledger import Ledger

from e2e.site import Answer, Hit, Post, Site

ROWS = 24
"""Acts a desk is good for; then its tab navigates to the next one."""

SCRIPT = """
function post(id) {
  const request = new XMLHttpRequest();
  // Synchronous: when the act has been answered, its proof has been, too.
  request.open("POST", `/ledger?id=${id}&key=${KEY}`, false);
  request.send();
}
function welcome(guest) {
  guest.addEventListener("input", () => { if (guest.value) post(guest.value); });
}
function row(id, type, when) {
  document.getElementById(id).addEventListener(type, (event) => { if (!when || when(event)) post(id); });
}
"""


@dataclass(frozen=True)
class Row:
    """A kind of act that needs an element: its tool, arguments beside the selector, the element, the script that proves it."""

    tool: str
    arguments: dict[str, Any]
    html: Callable[[str], str]
    proof: str
    takes_timeout: bool = True


def _field(act_id: str) -> str:
    return f'<input id="{act_id}" aria-label="{act_id}">'


def _filled(act_id: str) -> str:
    return f'<input id="{act_id}" aria-label="{act_id}" value="old">'


def _file(act_id: str) -> str:
    return f'<input type="file" id="{act_id}" aria-label="{act_id}">'


def _button(act_id: str) -> str:
    return f'<button id="{act_id}">{act_id}</button>'


def _box(act_id: str) -> str:
    return f'<label><input type="checkbox" id="{act_id}">{act_id}</label>'


def _list(act_id: str) -> str:
    return f'<select id="{act_id}" aria-label="{act_id}"><option>a<option value="b">b</select>'


TYPED = "ok]"
# Not "change": as with a person, that comes when the field is left.
FILLED = '"input", ({ target }) => target.value === "new"'
FILE = {"base64": "c29haw==", "name": "soak.txt"}
KINDS: tuple[Row, ...] = (
    Row("click", {}, _button, '"click"'),
    Row("click", {}, _button, '"click"'),
    Row("fill", {"value": "new"}, _field, FILLED),
    Row("fill", {"value": "new"}, _field, FILLED),
    Row("check", {}, _box, '"change"'),
    Row("select", {"value": "b"}, _list, '"change"'),
    Row("clear", {}, _filled, '"input", ({ target }) => target.value === ""'),
    Row("upload", {"files": [FILE]}, _file, '"change"'),
    Row("press", {"key": "Enter"}, _field, '"keydown", (event) => event.key === "Enter"', False),
    Row("type", {"text": TYPED, "delay": 0}, _field, '"input", ({ target }) => target.value.endsWith("]")', False),
    Row("dblclick", {}, _button, '"dblclick"'),
)


def kind_of(act_id: str) -> Row:
    """The kind of row an id stands for: page and client must agree on it, whenever the page is loaded."""
    return KINDS[hashlib.sha256(act_id.encode()).digest()[0] % len(KINDS)]


def _desk(key: str, ids: list[str]) -> str:
    rows = [(act_id, kind_of(act_id)) for act_id in ids]
    elements = "\n".join(f"<p>{kind.html(act_id)}</p>" for act_id, kind in rows)
    proofs = "\n".join(f"row({json.dumps(act_id)}, {kind.proof});" for act_id, kind in rows)
    return f"""<!doctype html><meta charset="utf-8"><title>Desk {key}</title>
<script>const KEY = {json.dumps(key)}; history.replaceState(null, "", location.pathname);{SCRIPT}</script>
<h1>Desk {key}</h1>
<p><input id="guest" aria-label="guest"></p>
{elements}
<script>welcome(document.getElementById("guest"));
{proofs}</script>"""


class Registry(Site):
    """The site: serves desks and keeps the ledger's column of facts.

    Args:
        ledger: Where what happens is written.
        ids: Key of a desk → the ids of the rows it has to show now.
    """

    def __init__(self, ledger: Ledger, ids: Callable[[str], list[str]]) -> None:
        self.ledger = ledger
        self.ids = ids
        super().__init__()

    def record(self, hit: Hit, post: Post | None) -> None:
        """Only what the ledger needs is kept: the soak must not grow by itself."""
        if hit.path == "/ledger" and hit.method == "POST":
            self.ledger.happened(hit.query["id"], hit.query["key"])
        elif "act" in hit.query and "max-age" not in hit.headers.get("Cache-Control", ""):
            # Chrome marks a reload with max-age=0: the user's is no act of ours.
            self.ledger.happened(hit.query["act"], hit.path.rsplit("/", 1)[1])

    def answer(self, hit: Hit) -> Answer:
        head, _, key = hit.path.rpartition("/")
        if head == "/desk":
            return Answer(_desk(key, self.ids(key)).encode())
        if head == "/brief":
            return Answer(f"<!doctype html><title>Brief {key}</title><h1>Brief</h1>".encode())
        if hit.path == "/ledger":
            return Answer(b"", status=204)
        return super().answer(hit)
