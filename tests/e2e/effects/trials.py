"""Acts that set something off, each many times over: what the reply tells is compared with what there was to tell."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from e2e.client import Reply, Tabwire
from e2e.site import Site

Effects = dict[str, Any]

PAGE = """
<style>body { margin: 0 } .box { height: 120px; width: 300px; overflow: auto } .tall { height: 4000px }</style>
<button id=sent onclick='note(); fetch(`/ok.json`)'>Sent</button>
<button id=failed onclick='note(); fetch(`/broken.json`)'>Failed</button>
<button id=beacon onclick='note(); navigator.sendBeacon(`/beacon`, `x`)'>Beacon</button>
<button id=late onclick='setTimeout(() => fetch(`/ok.json`))'>Late</button>
<button id=thrown onclick='note(); throw new Error(`Told ${count}`)'>Thrown</button>
<button id=reported onclick='note(); console.error(`Told to the console`)'>Reported</button>
<button id=rejected onclick='fetch(`/broken.json`).then(() => setTimeout(() => { throw new Error(`Told after`) }, 20))'>Rejected</button>
<button id=popup onclick='note(); window.open(`/blank.html?popup`)'>Popup</button>
<button id=dialog onclick='note(); confirm(`Sure?`)'>Dialog</button>
<button id=inside onclick='note(); frames.there.postMessage(`go`, `*`)'>Inside</button>
<a id=download href='/download' onclick='note()'>Download</a>
<button id=saved onclick='save(`one`)'>Saved</button>
<a id=frame href='/blank.html?link' target=there onclick='note()'>Frame</a>
<form action='/blank.html' target=there onsubmit='note()'><button id=form name=q value=1>Form</button></form>
<p id=noted>0</p>
<div class=box id=box tabindex=0><div class=tall>Box<p id=deep style='margin-top:3000px'>Deep</p></div></div>
<iframe name=there src='/frame.html'></iframe><div class=tall>Page</div>
<script>
let count = 0;
const note = () => { noted.textContent = String(count += 1) };
const save = (name) => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([name]));
  link.download = `${name}.txt`;
  link.click();
};
</script>
"""
FRAME = "<script>addEventListener('message', () => { location.search = Math.random() })</script>"


@dataclass(frozen=True)
class Kind:
    """An act, and whether its effects tell what it has set off."""

    name: str
    tool: str
    arguments: dict[str, Any]
    is_told: Callable[[Effects], object]


def _click(name: str, is_told: Callable[[Effects], object]) -> Kind:
    return Kind(name, "click", {"selector": f"#{name}"}, is_told)


def _request(path: str, method: str, status: int) -> Callable[[Effects], object]:
    """A site on a busy computer may take longer to answer than a reply waits."""

    def is_told(effects: Effects) -> bool:
        found = [sent for sent in effects.get("requests", ()) if sent["url"].endswith(path)]
        return any(sent["method"] == method and sent.get("status") in (None, status) for sent in found)

    return is_told


def _error(text: str) -> Callable[[Effects], object]:
    return lambda effects: any(text in error for error in effects.get("errors", ()))


def _has(name: str) -> Callable[[Effects], object]:
    return lambda effects: effects.get(name)


def _scrolled(what: str) -> Callable[[Effects], object]:
    return lambda effects: any(what in each["element"] for each in effects.get("scrolled", ()))


KINDS = (
    _click("sent", _request("/ok.json", "GET", 200)),
    _click("failed", _request("/broken.json", "GET", 500)),
    _click("beacon", _request("/beacon", "POST", 204)),
    _click("late", _request("/ok.json", "GET", 200)),
    _click("thrown", _error("Told")),
    _click("rejected", _error("Told after")),
    _click("reported", _error("console.error: Told to the console")),
    _click("download", _has("downloads")),
    _click("saved", _has("downloads")),
    _click("frame", _has("frames")),
    _click("form", _has("frames")),
    _click("inside", _has("frames")),
    Kind("scroll", "scroll", {"direction": "down", "amount": 30}, _scrolled("page")),
    Kind(
        "scroll of a box",
        "scroll",
        {"selector": "#box", "direction": "down", "amount": 10},
        lambda effects: effects.get("scrolled"),
    ),
    Kind("scroll by a key", "press", {"selector": "#box", "key": "ArrowDown"}, lambda effects: effects.get("scrolled")),
    _click("popup", _has("new_tabs")),
    _click("dialog", _has("dialog")),
)


class Trials:
    """A page for all kinds, in a browser.

    Attributes:
        missing: What a reply did not tell, in words.
        unobserved: Replies that say themselves that the page was too busy to be observed.
    """

    def __init__(self, tabwire: Tabwire, site: Site) -> None:
        self._tabwire = tabwire
        site.serve("/ok.json", "{}", "application/json")
        site.serve("/beacon", "", status=204)
        site.serve("/broken.json", "no", status=500)
        site.serve("/frame.html", FRAME)
        self._url = site.page(PAGE)
        self.missing: list[str] = []
        self.unobserved = 0

    def run(self, kind: Kind, count: int) -> Iterator[Reply]:
        """Does one act so many times."""
        self._tabwire.open(self._url)
        # An act that is the first thing in a page may find it too busy to be observed.
        self._tabwire.snapshot()
        tab = next(tab["tabId"] for tab in self._tabwire.tabs() if tab["active"])
        for number in range(count):
            reply = self._tabwire.call(kind.tool, tabId=tab, **kind.arguments)
            if not reply.is_error and "unobserved" in reply.data["effects"]:
                self.unobserved += 1
            elif reply.is_error or not kind.is_told(reply.data["effects"]):
                self.missing.append(f"{kind.name} {number}: {reply.text[:300]}")
            self._undo(reply)
            yield reply

    def _undo(self, reply: Reply) -> None:
        effects = {} if reply.is_error else reply.data["effects"]
        if "dialog" in effects:
            self._tabwire.ok("dialog", action="dismiss")
        for tab in effects.get("new_tabs", ()):
            self._tabwire.ok("tab_close", tabId=tab["tabId"])
