"""The ways by which a value of a field can leave, for ``test_secret_values.py``, and the page with the fields."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from e2e.client import Reply, Tabwire
from e2e.conftest import Launched
from e2e.site import Site
from e2e.testing.recorded_person import RECORDED
from e2e.ui.hand import Hand
from polling import until

PLACES = ("top", "shadow", "closed", "same", "cross")
"""The document itself, shadow trees in it, frames of its own and of another site."""

SCRIPT = """
const roots = { top: document };
const values = {};
globalThis.read = (place, id) => (place === 'same' ? frames[0].document.getElementById(id).value
  : place === 'cross' ? values[id] : roots[place].querySelector('#' + id).value);
globalThis.drop = (place, id) => (place === 'same' ? frames[0].document.getElementById(id).remove()
  : place === 'cross' ? undefined : roots[place].querySelector('#' + id).remove());
globalThis.show = (place, id) => {
  const field = place === 'same' ? frames[0].document.getElementById(id) : roots[place]?.querySelector('#' + id);
  if (field) field.type = 'text';
};
addEventListener('message', ({ data }) => {
  if (data.p) Object.assign(values, data);
  if (data.p) document.title = 'ready';
});
function tell(place, id) {
  const told = read(place, id);
  globalThis.last = told.length;
  return told;
}
"""
TELLING = "<script>addEventListener('load', () => parent.postMessage({ p: p.value, s: s.value }, '*'))</script>"
"""In a frame that the document around it cannot look into."""


def fields(place: str) -> str:
    return f"<input id=p type=password value=hidden-{place}-4711><input id=s value=ordinary-{place}-4711>"


def page_of(site: Site, more: str = "") -> str:
    """The page with the fields in all places."""
    same, cross = site.page(fields("same")), site.cross_page(fields("cross") + TELLING)
    hosts = "".join(
        f"<div id={name}-host></div><script>"
        f"roots.{name} = document.getElementById('{name}-host').attachShadow({{ mode: '{mode}' }});"
        f"roots.{name}.innerHTML = '{fields(name)}'</script>"
        for name, mode in (("shadow", "open"), ("closed", "closed"))
    )
    script = site.serve("/tell.js", SCRIPT, "text/javascript")
    return site.page(
        f"<script src={script}></script><iframe src='{same}'></iframe><iframe src='{cross}'></iframe>"
        f"{fields('top')}{hosts}<p id=out></p><button id=b>Go</button>{more}"
    )


def all_of(reply: Reply) -> str:
    return f"{reply.text}\n{reply.structured}"


@dataclass
class Told:
    """A page with the fields, and a client that looks at it."""

    launched: Launched
    tabwire: Tabwire
    site: Site
    place: str = "top"
    id: str = "p"

    @property
    def name(self) -> str:
        return f"{self.place}-{self.id}"

    def run(self, script: str, **more: Any) -> str:
        """What the client is told of a script, in which READ, DROP and SHOW stand for the field."""
        return all_of(self.tabwire.call("evaluate", expression=self.of(script), **more))

    def of(self, script: str) -> str:
        for word in ("read", "drop", "show"):
            script = script.replace(word.upper(), f"{word}('{self.place}', '{self.id}')")
        return script

    def call(self, tool: str, **arguments: Any) -> str:
        return all_of(self.tabwire.call(tool, **arguments))

    def do(self, script: str) -> None:
        """Has the page do something, after which the field is gone."""
        assert self.tabwire.ok("evaluate", expression=self.of(f"{script}; DROP; 7")).data == 7

    def until(self, tool: str, known: str, **arguments: Any) -> str:
        """What a tool tells once the extension has heard of something."""

        def look() -> str:
            found = self.call(tool, **arguments)
            return found if known in found else ""

        return until(look)


def show(told: Told) -> None:
    told.tabwire.call("breakpoints", action="remove")
    told.tabwire.call("paused", action="resume")
    told.tabwire.call("dialog", action="dismiss")
    told.tabwire.ok("navigate", url=page_of(told.site))
    until(lambda: told.launched.browser.at(told.tabwire.ok("url").data["url"]).evaluate("document.title"), equals="ready")


def by_console(told: Told) -> str:
    told.do(f"console.log('said {told.name} ' + READ, {{ member: READ }})")
    return told.until("console", f"said {told.name} ", max_messages=1)


def by_console_messages(told: Told) -> str:
    told.do(f"console.error(new Error('detail {told.name} ' + READ))")
    told.until("console_messages", f"detail {told.name} ")
    listed = told.tabwire.ok("console_messages")
    (one,) = [one["id"] for one in listed.data["messages"] if f"detail {told.name} " in one["text"]]
    return all_of(listed) + told.call("console_message", id=one)


def by_page_error(told: Told) -> str:
    told.run("b.onclick = () => { throw new Error('bad ' + READ) }; 1")
    return told.call("click", selector="#b")


def by_dialog(told: Told) -> str:
    told.run("b.onclick = () => { const value = READ; DROP; alert('see ' + value) }; 1")
    replies = told.call("click", selector="#b") + told.call("dialog", action="get_message")
    return replies + told.call("dialog", action="dismiss")


def by_logpoint(told: Told) -> str:
    told.tabwire.ok("breakpoints", action="set", source="/tell.js", text="globalThis.last", log="told + '!'")
    assert told.tabwire.ok("evaluate", expression=told.of(f"tell('{told.place}', '{told.id}'); DROP; 7")).data == 7
    listed = told.call("breakpoints", action="list")
    told.tabwire.ok("breakpoints", action="remove")
    return listed


def by_pause(told: Told) -> str:
    told.tabwire.ok("breakpoints", action="set", source="/tell.js", text="globalThis.last")
    told.tabwire.call("evaluate", expression=f"setTimeout(tell, 0, '{told.place}', '{told.id}'); 1")
    state = told.call("paused", wait=5)
    evaluated = told.call("paused", action="evaluate", expression="'is ' + told")
    removed = told.call("paused", action="evaluate", expression=told.of("[READ, DROP]"), depth=2)
    told.tabwire.ok("breakpoints", action="remove")
    told.tabwire.call("paused", action="resume")
    return state + evaluated + removed


def by_paused_exception(told: Told) -> str:
    told.tabwire.ok("breakpoints", action="set", exceptions="all")
    told.tabwire.call("evaluate", expression=told.of("setTimeout(() => { throw new Error('on ' + READ) }); 1"))
    state = told.call("paused", wait=5)
    told.tabwire.ok("breakpoints", action="remove")
    told.tabwire.call("paused", action="resume")
    return state


def by_page(told: Told) -> str:
    told.do("out.textContent = 'On the page: ' + READ; out.title = READ")
    return told.call("snapshot") + told.call("query", by="css", value="#out", **{"return": "all"})


def by_field(told: Told) -> str:
    """The field itself, turned into one of text."""
    if told.id == "p":
        frames = "chrome.tabs.query({active: true}).then(([{ id }]) => chrome.webNavigation.getAllFrames({tabId: id}))"
        cross = [
            one["frameId"] for one in told.launched.browser.in_worker(frames) if one["url"].startswith(told.site.cross_origin)
        ]
        field = {"same": "frames[0].p", "cross": "p"}.get(told.place, f"roots.{told.place}.querySelector('#p')")
        told.run(f"{field}.type = 'text'; 1", **({"frameId": cross[0]} if told.place == "cross" else {}))
    return told.call("snapshot")


def by_title_and_address(told: Told) -> str:
    reply = told.run("document.title = 'T ' + READ; history.pushState(0, '', '?x=' + READ); 1")
    return reply + told.call("title") + told.call("url") + told.call("tab_list")


def by_new_tab(told: Told) -> str:
    reply = told.run("b.onclick = () => open('/blank.html?x=' + READ); 1") + told.call("click", selector="#b")
    for tab in told.tabwire.ok("tab_list").data["tabs"]:
        if "blank.html" in tab["url"]:
            told.tabwire.ok("tab_close", tabId=tab["tabId"])
    return reply


def by_request(told: Told) -> str:
    told.do(f"fetch('/echo?n={told.name}&x=' + READ, {{ method: 'POST', body: 'y=' + READ }})")
    told.until("network_requests", f"n={told.name}")
    listed = told.tabwire.ok("network_requests")
    (one,) = [one["id"] for one in listed.data["requests"] if f"n={told.name}" in one["url"]]
    return all_of(listed) + told.call("request_details", id=one)


def by_capture(told: Told) -> str:
    told.tabwire.ok("capture", action="start", include_bodies=True)
    script = "(async () => { await (await fetch('/echo', { method: 'POST', body: 'y=' + READ })).text(); DROP; return 7 })()"
    assert told.tabwire.ok("evaluate", expression=told.of(script)).data == 7
    path = told.launched.work.parent / f"capture-{told.place}-{told.id}.har"
    return told.call("capture", action="stop", har_path=str(path), overwrite=True) + path.read_text()


def by_storage(told: Told) -> str:
    told.do("localStorage.kept = 'is ' + READ")
    return told.call("storage", action="entries") + told.call("storage", action="get", key="kept")


def by_report(told: Told) -> str:
    told.do(f"console.error(new Error('report {told.name} ' + READ)); out.textContent = READ; document.title = 'T ' + READ")
    told.until("console_messages", f"report {told.name} ")
    reply = told.tabwire.ok("debug_report", picture=False)
    folder = Path(reply.data["path"]).parent
    return all_of(reply) + "".join(file.read_text() for file in folder.iterdir())


def by_page_tool(told: Told) -> str:
    told.run(
        "document.modelContext = { getTools: async () => [{ name: 'give', description: 'gives', inputSchema: '{}' }],"
        "executeTool: async () => { const value = READ; DROP; return JSON.stringify({ value }) } }; 1"
    )
    return told.call("call_page_tool", name="give", frameId=0)


def by_wait(told: Told) -> str:
    return told.call("wait", **{"for": "function", "function": told.of("(() => { const v = READ; DROP; return { v } })()")})


def by_failed_wait(told: Told) -> str:
    script = told.of("(() => { throw new Error('not yet: ' + READ) })()")
    return told.call("wait", timeout=400, **{"for": "function", "function": script})


def by_batch(told: Told) -> str:
    scripts = ("'is ' + READ", "(() => { throw new Error('is ' + READ) })()")
    calls = [{"tool": "evaluate", "arguments": {"expression": told.of(script)}} for script in scripts]
    return told.call("batch", calls=calls)


def by_bytes(told: Told) -> str:
    """An answer that Chrome takes for no text, and gives in base64."""
    value = f"{'hidden' if told.id == 'p' else 'ordinary'}-{told.place}-4711"
    told.site.serve(f"/bytes-{told.name}", b"\x89\xff\0" + value.encode() + b"\0", "application/octet-stream")
    told.tabwire.ok("capture", action="start", include_bodies=True)
    script = f"(async () => {{ READ; await (await fetch('/bytes-{told.name}')).arrayBuffer(); return 7 }})()"
    assert told.tabwire.ok("evaluate", expression=told.of(script)).data == 7
    path = told.launched.work.parent / f"bytes-{told.place}-{told.id}.har"
    told.call("capture", action="stop", har_path=str(path), overwrite=True)
    (content,) = [
        entry["response"]["content"]
        for entry in json.loads(path.read_text())["log"]["entries"]
        if entry["request"]["url"].endswith(f"/bytes-{told.name}")
    ]
    assert content["encoding"] == "base64"
    return base64.b64decode(content["text"]).decode("latin-1")


def by_recorded_steps(told: Told) -> str:
    """A person presses a button that bears the value."""
    told.tabwire.ok("record_steps", action="start")
    page = told.launched.browser.at(told.tabwire.ok("url").data["url"])
    page.wait_for(RECORDED)
    told.do("b.textContent = 'Send ' + READ")
    Hand(page).click("#b")
    return told.call("record_steps", action="stop")


def by_throw(thrown: str) -> Callable[[Told], str]:
    return lambda told: told.run(f"(() => {{ const v = READ; DROP; throw {thrown} }})()")


WAYS: dict[str, Callable[[Told], str]] = {
    "a value": lambda told: told.run("READ"),
    "a text around it": lambda told: told.run("'is ' + READ + '.'"),
    "a member, and its name": lambda told: told.run("({ a: [READ], ['k' + READ]: 1 })"),
    "JSON": lambda told: told.run("JSON.stringify({ v: READ })"),
    "an address": lambda told: told.run("new URL('/x?v=' + encodeURIComponent(READ), 'https://a.example').href"),
    "capitals": lambda told: told.run("READ.toUpperCase()").lower(),
    "a field that is shown": lambda told: told.run("(() => { SHOW; return 'was ' + READ })()"),
    "a field that goes": lambda told: told.run("(() => { const v = READ; DROP; return 'was ' + v })()"),
    "a thrown text": by_throw("'is ' + v"),
    "a thrown error": by_throw("new TypeError('is ' + v)"),
    "a thrown object": by_throw("{ a: v }"),
    "a rejection": lambda told: told.run("(async () => { const v = READ; DROP; await 0; throw new Error(v) })()"),
    "a function that is waited for": by_wait,
    "one that throws": by_failed_wait,
    "the console": by_console,
    "messages in detail": by_console_messages,
    "an error of the page": by_page_error,
    "a dialog": by_dialog,
    "a logpoint": by_logpoint,
    "a pause": by_pause,
    "the exception of a pause": by_paused_exception,
    "text of the page": by_page,
    "the field as one of text": by_field,
    "title and address": by_title_and_address,
    "a new tab": by_new_tab,
    "requests": by_request,
    "a capture and its file": by_capture,
    "storage": by_storage,
    "a report and its files": by_report,
    "a tool of the page": by_page_tool,
    "a batch": by_batch,
    "a body that is no text": by_bytes,
    "recorded steps": by_recorded_steps,
}
