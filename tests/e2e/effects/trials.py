"""Acts that set something off, each many times over: what the reply tells is compared with what page, site and Chrome say happened."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from e2e.cdp import Browser, Page
from e2e.client import Reply, Tabwire
from e2e.site import Site
from polling import until

LATE_S = 1.5
"""An effect that has not come by then did not happen."""

Effects = dict[str, Any]

PAGE = """
<style>body { margin: 0 } .box { height: 120px; width: 300px; overflow: auto } .tall { height: 40000px }</style>
<button id=sent onclick='note(); fetch(`/ok.json`)'>Sent</button>
<button id=failed onclick='note(); fetch(`/broken.json`)'>Failed</button>
<button id=beacon onclick='note(); navigator.sendBeacon(`/beacon`, `x`)'>Beacon</button>
<button id=late onclick='setTimeout(() => fetch(`/ok.json`))'>Late</button>
<button id=thrown onclick='note(); throw new Error(`Told ${count}`)'>Thrown</button>
<button id=reported onclick='note(); console.error(`Told to the console`); see(`reported`)'>Reported</button>
<button id=rejected onclick='fetch(`/broken.json`).then(() => setTimeout(() => { throw new Error(`Told after`) }, 20))'>Rejected</button>
<button id=popup onclick='note(); window.open(`/blank.html?popup`) && see(`popup`)'>Popup</button>
<button id=dialog onclick='note(); confirm(`Sure?`); see(`dialog`)'>Dialog</button>
<button id=inside onclick='note(); frames.there.postMessage(`go`, `*`)'>Inside</button>
<a id=download href='/download' onclick='note()'>Download</a>
<button id=saved onclick='save(`one`)'>Saved</button>
<a id=frame href='/linked.html' target=there onclick='note()'>Frame</a>
<form action='/sent.html' target=there onsubmit='note()'><button id=form name=q value=1>Form</button></form>
<p id=noted>0</p>
<div class=box id=box tabindex=0><div class=tall>Box<p id=deep style='margin-top:3000px'>Deep</p></div></div>
<iframe name=there src='/frame.html'></iframe><div class=tall>Page</div>
<script>
let count = 0;
const note = () => { noted.textContent = String(count += 1) };
const seen = {};
const see = (what) => { seen[what] = (seen[what] ?? 0) + 1 };
addEventListener('error', ({ message }) => see(message.includes('after') ? 'rejected' : 'thrown'));
const atRest = async (position) => {
  for (let same = 0, last; ; last = position()) {
    await new Promise(requestAnimationFrame);
    same = position() === last ? same + 1 : 0;
    if (same === 3) return last;
  }
};
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
class Witness:
    """Page, browser and site, which know of an act without Tabwire."""

    page: Page
    browser: Browser
    site: Site


Truth = Callable[[Witness], Any]


@dataclass(frozen=True)
class Kind:
    """An act, and whether its effects tell what it has set off."""

    name: str
    tool: str
    arguments: dict[str, Any]
    is_told: Callable[[Effects], object]
    truth: Truth
    """A value that is another one once the act has set off what it is to set off."""


def _click(name: str, is_told: Callable[[Effects], object], truth: Truth | None = None) -> Kind:
    return Kind(name, "click", {"selector": f"#{name}"}, is_told, truth or _shown(f"seen.{name}"))


def _shown(expression: str) -> Truth:
    return lambda witness: witness.page.evaluate(expression)


def _hits(path: str) -> Truth:
    return lambda witness: witness.site.hit_count(path)


def _files(witness: Witness) -> Any:
    """The number of downloads in Chrome's own list."""
    return witness.browser.in_worker("chrome.downloads.search({}).then((all) => all.length)")


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


def _frame(path: str) -> Callable[[Effects], object]:
    return lambda effects: any(path in frame["url"] for frame in effects.get("frames", ()))


def _saved(effects: Effects) -> object:
    return any(file["url"].startswith("blob:") for file in effects.get("downloads", ()))


def _scrolled(what: str) -> Callable[[Effects], object]:
    return lambda effects: any(what in each["element"] for each in effects.get("scrolled", ()))


BOX = _shown("atRest(() => box.scrollTop)")

KINDS = (
    _click("sent", _request("/ok.json", "GET", 200), _hits("/ok.json")),
    _click("failed", _request("/broken.json", "GET", 500), _hits("/broken.json")),
    _click("beacon", _request("/beacon", "POST", 204), _hits("/beacon")),
    _click("late", _request("/ok.json", "GET", 200), _hits("/ok.json")),
    _click("thrown", _error("Told")),
    _click("rejected", _error("Told after")),
    _click("reported", _error("console.error: Told to the console")),
    _click("download", _has("downloads"), _files),
    _click("saved", _saved, _files),
    _click("inside", _frame("/frame.html"), _hits("/frame.html")),
    _click("frame", _frame("/linked.html"), _hits("/linked.html")),
    _click("form", _frame("/sent.html"), _hits("/sent.html")),
    Kind("scroll", "scroll", {"direction": "down", "amount": 30}, _scrolled("page"), _shown("atRest(() => scrollY)")),
    Kind("scroll of a box", "scroll", {"selector": "#box", "direction": "down", "amount": 10}, _has("scrolled"), BOX),
    Kind("scroll by a key", "press", {"selector": "#box", "key": "ArrowDown"}, _has("scrolled"), BOX),
    _click("popup", _has("new_tabs")),
    _click("dialog", _has("dialog")),
)


class Trials:
    """A page for all kinds, in a browser.

    Attributes:
        missing: What happened and a reply did not tell, in words.
        false: What a reply told and did not happen.
        absent: Acts whose effect neither happened nor was told.
        unobserved: Replies that say themselves that the page was too busy to be observed.
    """

    def __init__(self, tabwire: Tabwire, browser: Browser, site: Site) -> None:
        self._tabwire = tabwire
        self._browser = browser
        self._site = site
        site.serve("/ok.json", "{}", "application/json")
        site.serve("/beacon", "", status=204)
        site.serve("/broken.json", "no", status=500)
        site.serve("/frame.html", FRAME)
        for path in ("/linked.html", "/sent.html"):
            site.serve(path, "There")
        self._url = site.page(PAGE)
        self.missing: list[str] = []
        self.false: list[str] = []
        self.absent: list[str] = []
        self.unobserved: list[str] = []

    def run(self, kind: Kind, count: int, *, in_fresh_page: bool = True) -> Iterator[Reply]:
        """Does one act so many times."""
        if in_fresh_page:
            self._tabwire.open(self._url)
            # An act that is the first thing in a page may find it too busy to be observed.
            self._tabwire.snapshot()
        tab = next(tab["tabId"] for tab in self._tabwire.tabs() if tab["active"])
        witness = Witness(self._browser.at(self._url), self._browser, self._site)
        for number in range(count):
            before = kind.truth(witness)
            reply = self._tabwire.call(kind.tool, tabId=tab, **kind.arguments)
            effects = {} if reply.is_error else reply.data["effects"]
            is_told = bool(kind.is_told(effects))
            self._undo(effects, tab, is_told)
            verdict = self._verdict("unobserved" in effects, is_told, _differs(lambda: kind.truth(witness), before))
            if verdict is not None:
                verdict.append(f"{kind.name} {number}: {reply.text[:300]}")
            yield reply

    def _verdict(self, is_unobserved: bool, is_told: bool, has_happened: bool) -> list[str] | None:
        """The list in which a reply belongs that did not just tell what happened."""
        if is_told:
            return None if has_happened else self.false
        if is_unobserved:
            return self.unobserved
        return self.missing if has_happened else self.absent

    def _undo(self, effects: Effects, tab: int, is_told: bool) -> None:
        if "dialog" in effects:
            self._tabwire.ok("dialog", action="dismiss")
        elif not is_told:
            # One that no reply has told of holds the page up all the same.
            self._tabwire.call("dialog", action="dismiss")
        opened = effects.get("new_tabs", ()) if is_told else [other for other in self._tabwire.tabs() if other["tabId"] != tab]
        for other in opened:
            self._tabwire.ok("tab_close", tabId=other["tabId"])


def _differs(look: Callable[[], Any], before: Any) -> bool:
    try:
        until(look, lambda value: value != before, within=LATE_S)
    except AssertionError:
        return False
    return True
