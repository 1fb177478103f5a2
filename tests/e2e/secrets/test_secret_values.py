"""What fields for secrets hold leaves by no way that scripts of a page have; what ordinary fields hold leaves by all of them.

Each way is a row. It is gone for the field of a password and for the ordinary field beside it, in each place of the page where a
field may be: a way that returned nothing at all would fail as well.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from e2e.conftest import Joined, Launched, Launcher
from e2e.secrets.secret_ways import PLACES, WAYS, Probe, all_of, page_of, show
from e2e.site import Site
from e2e.ui.hand import Hand
from e2e.worker import frame_ids
from polling import until
from tabwire.commands.secret_shapes import MASK

VEIL = "••••••"


@pytest.fixture(scope="module", params=["launched", "own"])
def probe(
    request: pytest.FixtureRequest, launcher: Launcher[Launched], joiner: Launcher[Joined], running_site: Site
) -> Iterator[Probe]:
    """A browser that Tabwire has started, and one of the user's own."""
    launched = (launcher if request.param == "launched" else joiner).current()
    launched.tabwire.ok("tab_new", url="about:blank")
    yield Probe(launched, launched.tabwire, running_site)
    launched.tabwire.ok("tab_new", url="about:blank")
    # What this site was sent is nothing that the next test has caused.
    running_site.reset()


@pytest.fixture(autouse=True)
def let_go(probe: Probe) -> Iterator[None]:
    """No test leaves a page that is paused, or that has a dialog."""
    yield
    probe.tabwire.call("breakpoints", action="remove")
    probe.tabwire.call("paused", action="resume")
    probe.tabwire.call("dialog", action="dismiss")


@pytest.mark.parametrize("way", WAYS)
def test_a_password_leaves_by_no_way_and_an_ordinary_value_by_each(probe: Probe, way: str) -> None:
    show(probe)
    at = list(WAYS).index(way) % len(PLACES)
    for place in (*PLACES[at:], *PLACES[:at]):
        text = WAYS[way](replace(probe, place=place))
        assert f"hidden-{place}-4711" not in text and (MASK in text or VEIL in text), (place, text)
        text = WAYS[way](replace(probe, place=place, id="s"))
        assert f"ordinary-{place}-4711" in text, (place, text)


COLD = """<script>
globalThis.all = (id) => ['top', 'shadow', 'closed', 'same', 'cross'].map((place) => read(place, id)).join(' ');
globalThis.dropAll = (id) => ['top', 'shadow', 'closed', 'same'].forEach((place) => drop(place, id));
const when = { error: () => { throw new Error(all(location.hash[1])) }, dialog: () => alert(all(location.hash[1])) };
b.onclick = () => when[location.hash.slice(3)]();
const begins = ['message', 'load'].map((name) => new Promise((resolve) => addEventListener(name, resolve)));
Promise.all(begins).then(() => setTimeout(() => {
  if (location.hash.slice(3) === 'log') console.log(all(location.hash[1]));
  if (location.hash.slice(3) !== 'pause') return;
  const probe = all(location.hash[1]);
  debugger;
  globalThis.last = probe.length;
}));
</script>"""
TAKE = "(() => { const probe = all('ID'); dropAll('ID'); return probe })()"

FIRST_CALLS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a script": ("", "evaluate", {"expression": TAKE}),
    "one that throws": ("", "evaluate", {"expression": TAKE.replace("return", "throw")}),
    "a wait": ("", "wait", {"for": "function", "function": TAKE}),
    "an error": ("error", "click", {"selector": "#b"}),
    "a dialog": ("dialog", "click", {"selector": "#b"}),
    "the console": ("log", "console", {}),
    "a pause": ("pause", "paused", {"wait": 5}),
}


@pytest.mark.parametrize("first", FIRST_CALLS)
def test_the_first_call_on_a_page_knows_the_fields_of_all_its_frames(probe: Probe, first: str) -> None:
    part, tool, arguments = FIRST_CALLS[first]
    for name, value in (("p", "hidden"), ("s", "ordinary")):
        show(probe)
        address = f"{page_of(probe.site, COLD)}#{name}-{part}"
        probe.tabwire.ok("navigate", url="about:blank")
        if tool == "paused":
            probe.tabwire.ok("breakpoints", action="set", exceptions="all")
        probe.tabwire.call("navigate", url=address)
        page = probe.launched.browser.at(address)
        if tool != "paused":
            until(lambda page=page: page.evaluate("document.title"), equals="ready")
        asked = {key: one.replace("ID", name) if isinstance(one, str) else one for key, one in arguments.items()}
        text = probe.call(tool, **asked)
        known = [place for place in PLACES if f"{value}-{place}-4711" in text]
        assert known == ([] if name == "p" else [*PLACES]), text
        assert name == "s" or MASK in text


def test_the_page_behind_a_form_does_not_tell_what_it_was_sent_and_later_ones_are_as_they_are(probe: Probe) -> None:
    probe.tabwire.ok(
        "navigate", url=probe.site.page("<form action=/echo><input type=password name=q1 id=p><button id=go>Go</button></form>")
    )
    probe.tabwire.ok("fill", selector="#p", value="correct-horse-4711")
    replies = [probe.tabwire.ok("click", selector="#go")]
    replies += [probe.tabwire.ok(tool) for tool in ("snapshot", "url", "tab_list", "evaluate") if tool != "evaluate"]
    replies.append(probe.tabwire.ok("evaluate", expression="document.body.textContent + location.href"))
    assert [reply for reply in replies if "horse" in all_of(reply)] == []
    assert [MASK in all_of(reply) for reply in replies] == [True] * len(replies)
    # Another page has nothing to do with it: there it may be the name of a stable.
    probe.tabwire.ok("navigate", url=probe.site.page("<p>correct-horse-4711</p>"))
    probe.tabwire.ok("navigate", url=probe.site.page("<p>Our correct-horse-4711</p>"))
    assert "Our correct-horse-4711" in probe.tabwire.ok("snapshot").text


SHORT = """<input id=pin type=password value=4711><input id=code autocomplete=one-time-code value=735190735>
<input id=name autocomplete=cc-name value='Anna Schmidt'><input id=card autocomplete=cc-number value='9999 0000 1111'>
<div id=digits></div><p id=list>4710 4711 4712 735190735 Anna Schmidt</p><script>
digits.innerHTML = [6, 6, 6, 1].map((digit) => `<input autocomplete=one-time-code value=${digit}>`).join('')</script>"""


def test_short_values_and_codes_are_masked_as_results_and_searched_for_nowhere(probe: Probe) -> None:
    frame = probe.site.cross_page("<p>elsewhere</p>")
    tab = probe.tabwire.ok("navigate", url=probe.site.page(f"{SHORT}<iframe src='{frame}'></iframe>")).data["tabId"]

    def run(script: str, **more: Any) -> Any:
        return probe.tabwire.call("evaluate", expression=script, **more)

    for script in ("pin.value", "[...digits.children].map((one) => one.value).join('')", "code.value", "Number(pin.value)"):
        assert run(script).data == MASK, script
    assert run("[pin.value, 'beside']").data == [MASK, "beside"]
    assert run("({ [pin.value]: 1 })").data == {MASK: 1}
    for thrown in ("pin.value", "new Error(pin.value)", "{ a: pin.value }"):
        assert "4711" not in all_of(run(f"(() => {{ throw {thrown} }})()")), thrown
    waited = {"for": "function", "function": "pin.value"}
    assert "4711" not in probe.call("wait", **waited)
    # In other texts the mask would say which of them it is.
    assert run("list.textContent").data == "4710 4711 4712 735190735 Anna Schmidt"
    assert "4710 4711 4712 735190735 Anna Schmidt" in probe.tabwire.ok("snapshot").text
    # So it would in a frame that cannot read the field.
    (inside,) = [one for one in frame_ids(probe.launched.browser, tab) if one]
    assert run("['4710', '4711', '735190735', '6661']", frameId=inside).data == ["4710", "4711", "735190735", "6661"]
    assert run("['9999 0000 1111', '999900001111', 'Anna Schmidt']").data == [MASK, MASK, MASK]
    assert run("'card 9999 0000 1111, 999900001111 of Anna Schmidt'").data == f"card {MASK}, {MASK} of Anna Schmidt"


def test_a_value_that_is_cut_is_cut_after_it_was_struck(probe: Probe) -> None:
    show(probe)
    for size in (8, 14):
        assert "hidden-t" not in probe.run("read('top', 'p')", max_output_size=size)
    assert "ordinary" in probe.run("read('top', 's')", max_output_size=8)


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_a_shadow_tree_that_an_old_element_gets_is_looked_at(probe: Probe, mode: str) -> None:
    address = probe.site.page("<div id=h></div><script>const roots = []</script>")
    probe.tabwire.ok("navigate", url=address)
    assert probe.tabwire.ok("evaluate", expression="1").data == 1
    field = "<input id=p type=password value=hidden-late-4711><input id=s value=ordinary-late-4711>"
    probe.launched.browser.at(address).evaluate(
        f"roots.push(h.attachShadow({{ mode: '{mode}' }})), roots[0].innerHTML = '{field}', 1"
    )
    values = "[...roots[0].children].map(({ value }) => 'is ' + value)"
    assert probe.tabwire.ok("evaluate", expression=values).data == [f"is {MASK}", "is ordinary-late-4711"]


def test_a_capture_is_cleaned_of_what_became_known_after_a_request_and_is_forgotten_since(probe: Probe) -> None:
    fields = "<input id=p type=password value=hidden-early-4711><input id=s value=ordinary-early-4711>"
    post = "fetch('/echo?x=' + p.value + s.value, { method: 'POST', body: p.value + ' ' + s.value }).then(() => document.title = 'sent')"
    probe.tabwire.ok("navigate", url=probe.site.page("<p>before</p>"))
    probe.tabwire.ok("capture", action="start")
    address = probe.site.page(f"{fields}<script>{post}</script>")
    probe.launched.browser.shown().evaluate(f"location.href = '{address}'")
    page = probe.launched.browser.at(address)
    until(lambda: page.evaluate("document.title"), equals="sent")
    assert probe.tabwire.ok("evaluate", expression="1").data == 1
    for text in ("one", "two", "three"):
        probe.tabwire.ok("navigate", url=probe.site.page(f"<p>{text} hidden-early-4711</p>"))
    assert "three hidden-early-4711" in probe.tabwire.ok("snapshot").text
    path = probe.launched.work.parent / "early.har"
    reply = probe.call("capture", action="stop", har_path=str(path), overwrite=True)
    assert "hidden-early" not in reply + path.read_text() and "ordinary-early-4711" in path.read_text()


def test_html_that_the_browser_writes_is_searched_as_well(probe: Probe) -> None:
    probe.tabwire.ok("navigate", url=probe.site.page("<input id=p type=password><p id=out></p>"))
    script = "p.value = 'a<b&\"c\"d-e'; out.title = p.value; out.textContent = p.value; [out.outerHTML, JSON.stringify({ v: p.value })]"
    reply = probe.tabwire.ok("evaluate", expression=script)
    assert reply.data == [f'<p id="out" title="{MASK}">{MASK}</p>', f'{{"v":"{MASK}"}}'], reply


def test_a_password_that_is_a_word_of_replies_leaves_them_readable(probe: Probe) -> None:
    probe.tabwire.ok("navigate", url=probe.site.page("<input id=p type=password value=document><p>my document</p>"))
    assert probe.tabwire.ok("evaluate", expression="'my ' + p.value").data == f"my {MASK}"
    assert f"my {MASK}" in probe.tabwire.ok("snapshot").text
    (page,) = [one for one in probe.tabwire.ok("network_requests").data["requests"] if one["url"].endswith(".html")]
    assert page["type"] == "document"


def test_what_the_user_types_is_known_when_the_page_has_taken_it_away(probe: Probe) -> None:
    page_html = (
        "<form id=f><input id=p type=password><input id=s><button>Go</button></form><script>"
        "f.onsubmit = (event) => { event.preventDefault(); console.log('sent', p.value, s.value); p.remove(); s.remove() }</script>"
    )
    address = probe.site.page(page_html)
    probe.tabwire.ok("navigate", url=address)
    probe.tabwire.ok("snapshot")
    hand = Hand(probe.launched.browser.at(address))
    hand.type("#s", "ordinary-typed-4711")
    hand.type("#p", "hidden-typed-4711")
    hand.press("Enter")
    text = probe.until("console", "sent ")
    assert "ordinary-typed-4711" in text and "hidden-typed" not in text and MASK in text


def test_a_password_that_the_page_shows_while_it_is_typed_stays_one(probe: Probe) -> None:
    html = "<input id=p type=password><input id=s><button id=eye onclick=\"p.type = 'text'\">Show</button>"
    address = probe.site.page(html)
    probe.tabwire.ok("navigate", url=address)
    probe.tabwire.ok("fill", selector="#p", value="hidden-eye-4711")
    probe.tabwire.ok("fill", selector="#s", value="ordinary-eye-4711")
    replies = probe.call("click", selector="#eye") + probe.call("snapshot")
    Hand(probe.launched.browser.at(address)).type("#p", "!")
    replies += probe.call("snapshot") + probe.run("p.value") + probe.run("[p.type, s.value]")
    assert "hidden-eye" not in replies and "ordinary-eye-4711" in replies and "text" in replies and VEIL in replies


def test_the_log_has_no_password_of_a_page(probe: Probe) -> None:
    show(probe)
    probe.run(
        "document.title = 'T ' + all('p') + all('s'); history.pushState(0, '', '?x=' + all('p') + all('s')); 1".replace(
            "all(", "read('top', "
        )
    )
    probe.call("click", selector="#b")
    for field in ("p", "s"):
        probe.run(f"(() => {{ throw new Error('log ' + read('top', '{field}')) }})()")
    lines = "".join(path.read_text() for path in (probe.launched.home / "events").rglob("*.jsonl"))
    assert "ordinary-top-4711" in lines and "hidden-top" not in lines


def test_what_is_asked_for_as_it_is_comes_as_it_is(probe: Probe) -> None:
    show(probe)
    assert "hidden-top-4711" in probe.run("read('top', 'p')", sanitize=False)
    path = probe.launched.work.parent / "as-it-is.har"
    for sanitize in (False, True):
        probe.tabwire.ok("capture", action="start", sanitize=sanitize)
        script = "(async () => { await fetch('/echo', { method: 'POST', body: read('top', 'p') }); return 7 })()"
        assert probe.run(script).startswith("7")
        probe.tabwire.ok("capture", action="stop", har_path=str(path), overwrite=True)
        assert ("hidden-top-4711" in path.read_text()) is not sanitize
