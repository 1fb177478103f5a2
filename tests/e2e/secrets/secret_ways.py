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
from e2e.steps.recorded_person import RECORDED
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
  const probe = read(place, id);
  globalThis.last = probe.length;
  return probe;
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
class Probe:
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
        """The reply to a script, in which READ, DROP and SHOW stand for the field."""
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
        """The reply of a tool once it contains something."""

        def look() -> str:
            found = self.call(tool, **arguments)
            return found if known in found else ""

        return until(look)

    def in_detail(self, lists: str, details: str, within: tuple[str, str], known: str) -> str:
        """The replies of a tool that lists, and of the one that gives the details of its only row with a known text.

        Args:
            within: The member of the list, and the field of a row that has the text.
        """
        rows, field = within
        self.until(lists, known)
        listed = self.tabwire.ok(lists)
        (one,) = [row["id"] for row in listed.data[rows] if known in row[field]]
        return all_of(listed) + self.call(details, id=one)


def show(probe: Probe) -> None:
    probe.tabwire.call("breakpoints", action="remove")
    probe.tabwire.call("paused", action="resume")
    probe.tabwire.call("dialog", action="dismiss")
    probe.tabwire.ok("navigate", url=page_of(probe.site))
    until(lambda: probe.launched.browser.at(probe.tabwire.ok("url").data["url"]).evaluate("document.title"), equals="ready")


def by_console(probe: Probe) -> str:
    probe.do(f"console.log('said {probe.name} ' + READ, {{ member: READ }})")
    return probe.until("console", f"said {probe.name} ", max_messages=1)


def by_console_messages(probe: Probe) -> str:
    probe.do(f"console.error(new Error('detail {probe.name} ' + READ))")
    return probe.in_detail("console_messages", "console_message", ("messages", "text"), f"detail {probe.name} ")


def by_page_error(probe: Probe) -> str:
    probe.run("b.onclick = () => { throw new Error('bad ' + READ) }; 1")
    return probe.call("click", selector="#b")


def by_dialog(probe: Probe) -> str:
    probe.run("b.onclick = () => { const value = READ; DROP; alert('see ' + value) }; 1")
    replies = probe.call("click", selector="#b") + probe.call("dialog", action="get_message")
    return replies + probe.call("dialog", action="dismiss")


def by_logpoint(probe: Probe) -> str:
    probe.tabwire.ok("breakpoints", action="set", source="/tell.js", text="globalThis.last", log="probe + '!'")
    assert probe.tabwire.ok("evaluate", expression=probe.of(f"tell('{probe.place}', '{probe.id}'); DROP; 7")).data == 7
    listed = probe.call("breakpoints", action="list")
    probe.tabwire.ok("breakpoints", action="remove")
    return listed


def by_pause(probe: Probe) -> str:
    probe.tabwire.ok("breakpoints", action="set", source="/tell.js", text="globalThis.last")
    probe.tabwire.call("evaluate", expression=f"setTimeout(tell, 0, '{probe.place}', '{probe.id}'); 1")
    state = probe.call("paused", wait=5)
    evaluated = probe.call("paused", action="evaluate", expression="'is ' + probe")
    removed = probe.call("paused", action="evaluate", expression=probe.of("[READ, DROP]"), depth=2)
    probe.tabwire.ok("breakpoints", action="remove")
    probe.tabwire.call("paused", action="resume")
    return state + evaluated + removed


def by_paused_exception(probe: Probe) -> str:
    probe.tabwire.ok("breakpoints", action="set", exceptions="all")
    probe.tabwire.call("evaluate", expression=probe.of("setTimeout(() => { throw new Error('on ' + READ) }); 1"))
    state = probe.call("paused", wait=5)
    probe.tabwire.ok("breakpoints", action="remove")
    probe.tabwire.call("paused", action="resume")
    return state


def by_page(probe: Probe) -> str:
    probe.do("out.textContent = 'On the page: ' + READ; out.title = READ")
    return probe.call("snapshot") + probe.call("query", by="css", value="#out", **{"return": "all"})


def by_field(probe: Probe) -> str:
    """The field itself, turned into one of text."""
    if probe.id == "p":
        frames = "chrome.tabs.query({active: true}).then(([{ id }]) => chrome.webNavigation.getAllFrames({tabId: id}))"
        cross = [
            one["frameId"] for one in probe.launched.browser.in_worker(frames) if one["url"].startswith(probe.site.cross_origin)
        ]
        field = {"same": "frames[0].p", "cross": "p"}.get(probe.place, f"roots.{probe.place}.querySelector('#p')")
        probe.run(f"{field}.type = 'text'; 1", **({"frameId": cross[0]} if probe.place == "cross" else {}))
    return probe.call("snapshot")


def by_title_and_address(probe: Probe) -> str:
    reply = probe.run("document.title = 'T ' + READ; history.pushState(0, '', '?x=' + READ); 1")
    return reply + probe.call("title") + probe.call("url") + probe.call("tab_list")


def by_new_tab(probe: Probe) -> str:
    reply = probe.run("b.onclick = () => open('/blank.html?x=' + READ); 1") + probe.call("click", selector="#b")
    for tab in probe.tabwire.ok("tab_list").data["tabs"]:
        if "blank.html" in tab["url"]:
            probe.tabwire.ok("tab_close", tabId=tab["tabId"])
    return reply


def by_request(probe: Probe) -> str:
    probe.do(f"fetch('/echo?n={probe.name}&x=' + READ, {{ method: 'POST', body: 'y=' + READ }})")
    return probe.in_detail("network_requests", "request_details", ("requests", "url"), f"n={probe.name}")


def by_capture(probe: Probe) -> str:
    probe.tabwire.ok("capture", action="start", include_bodies=True)
    script = "(async () => { await (await fetch('/echo', { method: 'POST', body: 'y=' + READ })).text(); DROP; return 7 })()"
    assert probe.tabwire.ok("evaluate", expression=probe.of(script)).data == 7
    path = probe.launched.work.parent / f"capture-{probe.place}-{probe.id}.har"
    return probe.call("capture", action="stop", har_path=str(path), overwrite=True) + path.read_text()


def by_storage(probe: Probe) -> str:
    probe.do("localStorage.kept = 'is ' + READ")
    return probe.call("storage", action="entries") + probe.call("storage", action="get", key="kept")


def by_report(probe: Probe) -> str:
    probe.do(f"console.error(new Error('report {probe.name} ' + READ)); out.textContent = READ; document.title = 'T ' + READ")
    probe.until("console_messages", f"report {probe.name} ")
    reply = probe.tabwire.ok("debug_report", picture=False)
    folder = Path(reply.data["path"]).parent
    return all_of(reply) + "".join(file.read_text() for file in folder.iterdir())


def by_page_tool(probe: Probe) -> str:
    probe.run(
        "document.modelContext = { getTools: async () => [{ name: 'give', description: 'gives', inputSchema: '{}' }],"
        "executeTool: async () => { const value = READ; DROP; return JSON.stringify({ value }) } }; 1"
    )
    return probe.call("call_page_tool", name="give", frameId=0)


def by_wait(probe: Probe) -> str:
    return probe.call("wait", **{"for": "function", "function": probe.of("(() => { const v = READ; DROP; return { v } })()")})


def by_failed_wait(probe: Probe) -> str:
    script = probe.of("(() => { throw new Error('not yet: ' + READ) })()")
    return probe.call("wait", timeout=400, **{"for": "function", "function": script})


def by_batch(probe: Probe) -> str:
    scripts = ("'is ' + READ", "(() => { throw new Error('is ' + READ) })()")
    calls = [{"tool": "evaluate", "arguments": {"expression": probe.of(script)}} for script in scripts]
    return probe.call("batch", calls=calls)


def by_bytes(probe: Probe) -> str:
    """An answer that Chrome takes for no text, and gives in base64."""
    value = f"{'hidden' if probe.id == 'p' else 'ordinary'}-{probe.place}-4711"
    probe.site.serve(f"/bytes-{probe.name}", b"\x89\xff\0" + value.encode() + b"\0", "application/octet-stream")
    probe.tabwire.ok("capture", action="start", include_bodies=True)
    script = f"(async () => {{ READ; await (await fetch('/bytes-{probe.name}')).arrayBuffer(); return 7 }})()"
    assert probe.tabwire.ok("evaluate", expression=probe.of(script)).data == 7
    path = probe.launched.work.parent / f"bytes-{probe.place}-{probe.id}.har"
    probe.call("capture", action="stop", har_path=str(path), overwrite=True)
    (content,) = [
        entry["response"]["content"]
        for entry in json.loads(path.read_text())["log"]["entries"]
        if entry["request"]["url"].endswith(f"/bytes-{probe.name}")
    ]
    assert content["encoding"] == "base64"
    return base64.b64decode(content["text"]).decode("latin-1")


def by_recorded_steps(probe: Probe) -> str:
    """A person presses a button that bears the value."""
    probe.tabwire.ok("record_steps", action="start")
    page = probe.launched.browser.at(probe.tabwire.ok("url").data["url"])
    page.wait_for(RECORDED)
    probe.do("b.textContent = 'Send ' + READ")
    Hand(page).click("#b")
    return probe.call("record_steps", action="stop")


def by_throw(thrown: str) -> Callable[[Probe], str]:
    return lambda probe: probe.run(f"(() => {{ const v = READ; DROP; throw {thrown} }})()")


WAYS: dict[str, Callable[[Probe], str]] = {
    "a value": lambda probe: probe.run("READ"),
    "a text around it": lambda probe: probe.run("'is ' + READ + '.'"),
    "a member, and its name": lambda probe: probe.run("({ a: [READ], ['k' + READ]: 1 })"),
    "JSON": lambda probe: probe.run("JSON.stringify({ v: READ })"),
    "an address": lambda probe: probe.run("new URL('/x?v=' + encodeURIComponent(READ), 'https://a.example').href"),
    "capitals": lambda probe: probe.run("READ.toUpperCase()").lower(),
    "a field that is shown": lambda probe: probe.run("(() => { SHOW; return 'was ' + READ })()"),
    "a field that goes": lambda probe: probe.run("(() => { const v = READ; DROP; return 'was ' + v })()"),
    "a thrown text": by_throw("'is ' + v"),
    "a thrown error": by_throw("new TypeError('is ' + v)"),
    "a thrown object": by_throw("{ a: v }"),
    "a rejection": lambda probe: probe.run("(async () => { const v = READ; DROP; await 0; throw new Error(v) })()"),
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
