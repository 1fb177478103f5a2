"""A page that is as it was is said to be, without its text on the wire; one that differs in anything a snapshot tells is not."""

import json
from collections.abc import Iterator

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

NOTE = """(() => {
  const { send } = WebSocket.prototype;
  const sent = globalThis.messages = [];
  WebSocket.prototype.send = function (text) {
    sent.push(String(text));
    return send.call(this, text);
  };
  sent.rest = () => { WebSocket.prototype.send = send; };
})()"""


@pytest.fixture
def messages(browser: Browser) -> Iterator[Browser]:
    """The worker of the browser, which notes in `messages` what it sends."""
    browser.in_worker(NOTE)
    yield browser
    browser.in_worker("messages.rest()")


def told(worker: Browser) -> list[str]:
    found: list[str] = json.loads(worker.in_worker("JSON.stringify(messages.splice(0))"))
    return found


BUTTONS = """<input id=i aria-label=Name><input type=checkbox id=c aria-label=Agree><style id=s>#p {color: black}</style>
<p id=p>Text</p><button id=g>Go</button><div id=host></div><details id=d><summary>More</summary>Inside</details><select id=l><option>A<option>B</select>
<iframe id=f srcdoc='<p id=inner>Framed</p><input id=j aria-label=Deep>'></iframe><canvas id=v></canvas>
<script>
  globalThis.root = host.attachShadow({ mode: 'closed' });
  root.innerHTML = '<p>Shadow</p>';
  for (let n = 0; n < 400; n += 1) document.body.append(Object.assign(document.createElement('button'), { textContent: `B${n}` }));
</script>"""
UNCHANGED = "No changes since the last snapshot."
CHANGES = {
    "a value set by script": ("i.value = 'Ann'", "Ann"),
    "a box ticked by script": ("c.checked = true", "checked"),
    "a choice set by script": ("l.selectedIndex = 1", "B"),
    "text": ("p.firstChild.data = 'Other'", "Other"),
    # The text that is hidden is the one from above.
    "a changed rule": ("s.sheet.cssRules[0].style.display = 'none'", "Other"),
    "generated text": ("s.sheet.insertRule('#g::before {content: \"New\"}')", "New"),
    "a closed shadow tree": ("root.firstChild.textContent = 'Dark'", "Dark"),
    "text of a frame": ("f.contentDocument.getElementById('inner').textContent = 'Reframed'", "Reframed"),
    "a value in a frame": ("f.contentDocument.getElementById('j').value = 'Bob'", "Bob"),
    "a document of a frame": ("(f.srcdoc = '<p>Another', new Promise((done) => { f.onload = () => done() }))", "Another"),
    "an opened part": ("d.open = true", "Inside"),
    "the title": ("document.title = 'Named'", "Named"),
    "the address": ("history.replaceState(null, '', '#y')", "#y"),
}


def test_the_text_of_a_page_that_is_as_it_was_is_not_sent_again(
    tabwire: Tabwire, site: Site, messages: Browser, page: ShownPage
) -> None:
    tabwire.open(site.page(BUTTONS))
    whole = tabwire.snapshot(max_chars=100_000)
    # What listens in the page is found out with the first snapshots.
    until(lambda: tabwire.snapshot(diff=True) == UNCHANGED and max(map(len, told(messages))) < 1_000)
    assert tabwire.snapshot(diff=True) == UNCHANGED
    assert tabwire.snapshot(max_chars=100_000) == whole
    assert max(map(len, told(messages))) < 1_000 < len(whole)
    # A text that was not known to the worker's end is sent whole.
    page.evaluate("i.value = 'Ann'")
    assert "Ann" in tabwire.snapshot(diff=True)
    assert max(map(len, told(messages))) > len(whole) / 2


def test_what_a_page_changes_without_saying_so_is_told(tabwire: Tabwire, site: Site, messages: Browser, page: ShownPage) -> None:
    tabwire.open(site.page(BUTTONS))
    tabwire.snapshot()
    for change, (script, word) in CHANGES.items():
        # The page is known to be as it was before each of them: a text that is sent again would tell any change.
        until(lambda: tabwire.snapshot(diff=True) == UNCHANGED and max(map(len, told(messages))) < 1_000, says=change)
        page.evaluate(f"(() => {{ const done = {script}; return Promise.resolve(done).then(() => true) }})()")
        assert word in tabwire.snapshot(diff=True), change
        assert tabwire.snapshot(diff=True) == UNCHANGED, change


def test_what_the_mouse_alone_changes_is_told(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(
        site.page(
            "<style>#t {display: none} #b:hover + #t {display: block}</style><button id=b>Over</button><p id=t>Tip</p>"
            "<div><template shadowrootmode=open><style>div {overflow: auto; height: 50px} #far:hover + div > p {height: 400px}</style>"
            "<button>Near</button><button id=far>Far</button><div><p>Long</p></div></template></div>"
        )
    )
    near, far = tabwire.ref("button", "Near"), tabwire.ref("button", "Far")
    assert tabwire.snapshot(diff=True) == UNCHANGED
    tabwire.ok("hover", selector="#b")
    assert "Tip" in tabwire.snapshot(diff=True)
    tabwire.ok("hover", selector=near)
    tabwire.snapshot()
    assert tabwire.snapshot(diff=True) == UNCHANGED
    tabwire.ok("hover", selector=far)
    assert "[scrollable]" in tabwire.snapshot(diff=True)


def test_a_snapshot_of_another_page_is_not_taken_for_the_one_before(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<h1>One</h1>"))
    tabwire.snapshot()
    tabwire.open(site.page("<h1>Two</h1>"))
    assert "Two" in tabwire.snapshot(diff=True)
    other = tabwire.ok("tab_new", url=site.page("<h1>Three</h1>")).data["tabId"]
    assert "Three" in tabwire.snapshot(tabId=other)
    assert tabwire.snapshot(tabId=other, diff=True) == UNCHANGED


LARGE = "".join(f"<ul><li>Row {number} <a href='#{number}'>link {number}</a></li></ul>" for number in range(2_000))
NOTE_CAPTURES = """(() => {
  const given = __tabwire, stamps = new Set();
  globalThis.captures = 0;
  const call = async (name, args) => {
    const answer = await given.call(name, args);
    // Each capture has a stamp of its own; an answer that was kept has the stamp of its capture.
    const stamp = answer.result?.same ?? answer.result?.stamp;
    if (name === "snapshot.capture" && stamp) captures = stamps.add(stamp).size;
    return answer;
  };
  Object.defineProperty(globalThis, "__tabwire", { value: Object.create(given, { call: { value: call } }) });
})()"""


def test_a_large_page_is_looked_at_before_anybody_asks_once_it_is_calm(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    tabwire.open(site.page(LARGE))
    shown = browser.shown()
    shown.evaluate_in_extension(NOTE_CAPTURES)
    until(lambda: shown.evaluate_in_extension("captures"), equals=1)
    assert "Row 1999" in tabwire.snapshot(max_chars=400_000)
    assert shown.evaluate_in_extension("captures") == 1
    # A change is told, and so is one that comes while the page is looked at.
    tabwire.open(site.page(f"{LARGE}<p id=p>Old</p>"))
    shown.evaluate("setTimeout(function change() { p.textContent = `New ${performance.now()}`; setTimeout(change) })")
    assert "New" in tabwire.snapshot(max_chars=400_000)


def test_the_snapshot_of_a_page_that_is_replaced_meanwhile_is_that_of_the_next(
    tabwire: Tabwire, site: Site, browser: Browser
) -> None:
    place = json.dumps(site.page("<h1>Arrived</h1>"))
    for _ in range(2):
        tabwire.open(site.page(LARGE * 3))
        reply = tabwire.start("snapshot", max_chars=400_000)
        browser.shown().evaluate(f"void (location.href = {place})")
        shown = reply.result(20)
        assert not shown.is_error and ("Arrived" in shown.text or "Row 1999" in shown.text), shown
        browser.shown().wait_for("document.querySelector('h1') !== null")
