"""One act asked for is one act for the page: its handlers count every event, whatever the page does with the target meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pytest

from e2e.cdp import Page
from e2e.client import Reply, Tabwire
from e2e.conftest import Launched, Launcher
from e2e.site import Site

if TYPE_CHECKING:
    from e2e.conftest import Joined


COUNTED = ("pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "contextmenu")
SHOP = """<style>body { margin: 0 } #buy, #sold { position: absolute; left: 60px; top: 120px; width: 120px; height: 40px }</style>
<input id=field aria-label=Name><div id=veil hidden style='position:fixed;inset:0;z-index:9;background:#eee9'>Wait</div>
<button id=buy>Buy</button><script>
globalThis.counts = {}; globalThis.bought = 0; globalThis.acted = false;
const buy = () => document.getElementById('buy');
const hear = () => {
  for (const type of TYPES) LEVEL.addEventListener(type, (event) => {
    counts[type] = (counts[type] ?? 0) + 1;
    bought += event.type === 'BUYS';
  }, true);
};
const act = {
  flees: () => { buy().style.left = '360px' },
  slides: () => { field.style.marginTop = '60px'; buy().style.top = '220px' },
  redraws: () => { const next = buy().cloneNode(true); buy().replaceWith(next); wire(next) },
  fades: () => { buy().style.visibility = 'hidden' },
  sells: () => { const sold = document.createElement('button'); sold.id = 'sold'; sold.textContent = 'Sold'; buy().replaceWith(sold) },
  veils: () => { veil.hidden = false },
  goes: () => buy().remove(),
};
function wire(el) {
  (ON ?? el).addEventListener('EVENT', () => { if (!acted) { acted = true; act.DOES() } });
}
wire(buy()); hear();
</script>"""
"""A shop that buys at one event, and moves or takes away its button at another one, once."""

GOING_DOWN = ("pointerdown", "mousedown", "focus", "blur")
DOES = ("flees", "slides", "redraws", "fades", "sells", "veils", "goes")
KEPT = {"flees", "slides"}
"""What leaves the button in the page, elsewhere."""


@dataclass(frozen=True)
class Stage:
    """A tab in a browser, and the kind of input that acts in it."""

    name: str
    tabwire: Tabwire
    site: Site
    page: Page

    def show(self, event: str, does: str, *, level: str = "buy()", buys: str = "pointerdown") -> None:
        """Open the shop. blur is that of the field, which has the focus before."""
        html = SHOP.replace("LEVEL", level).replace("EVENT", event).replace("DOES", does).replace("BUYS", buys)
        html = html.replace("ON ??", "field ??" if event == "blur" else "null ??").replace("TYPES", str(list(COUNTED)))
        self.tabwire.open(self.site.page(html))
        if event == "blur":
            self.tabwire.ok("focus", selector="#field")

    def doubled(self) -> dict[str, int]:
        """Events that the page got more than once."""
        counts: dict[str, int] = self.page.evaluate("counts")
        return {kind: times for kind, times in counts.items() if times > 1}


@pytest.fixture(params=["launched", "own", "own, trusted"])
def stage(request: pytest.FixtureRequest, launcher: Launcher, joiner: Launcher, site: Site) -> Iterator[Stage]:
    launched: Launched = (launcher if request.param == "launched" else joiner).fresh(site)
    client = launched.tabwire
    if request.param == "own, trusted":
        client = cast("Joined", launched).join("--input", "trusted")
        client.ok("tab_new")
    client.open(site.page("<p>Empty"))
    yield Stage(request.param, client, site, launched.browser.shown())
    if client is not launched.tabwire:
        client.close()


@pytest.mark.parametrize("buys", ["pointerdown", "mousedown"])
def test_a_button_that_moves_away_under_the_press_buys_once(stage: Stage, buys: str) -> None:
    """Whoever has pressed it has bought, whether or not a click came of it."""
    for event in GOING_DOWN:
        for does in DOES:
            case = (event, does)
            stage.show(event, does, buys=buys)
            reply = stage.tabwire.ok("click", selector="#buy", timeout=3000)
            assert stage.page.evaluate("acted"), case
            # A button that goes at pointerdown gets no mousedown.
            assert stage.page.evaluate("bought") == (0 if case_without(buys, *case) else 1), (case, reply)
            assert stage.doubled() == {}, (case, reply)
            is_clicked = "click" in stage.page.evaluate("counts")
            assert reply.text.startswith("Click") == is_clicked, (case, reply)
            if not is_clicked:
                assert_told(stage, reply, case)


def case_without(buys: str, event: str, does: str) -> bool:
    return buys == "mousedown" and event == "pointerdown" and does in {"redraws", "sells", "goes"}


def assert_told(stage: Stage, reply: Reply, case: tuple[str, str]) -> None:
    """A press without a click names the events that the button got, and says where the button is."""
    got = [kind for kind in COUNTED if kind in stage.page.evaluate("counts")]
    named = f"{', '.join(got[:-1])} and {got[-1]}" if len(got) > 1 else got[0]
    assert reply.text.startswith("Pressed without a click"), (case, reply)
    assert f"It got {named} but no click, and was not pressed again" in reply.text, (case, reply)
    _, does = case
    where = stage.page.evaluate(
        "(({ x, y, width, height }) => [x + width / 2, y + height / 2])(buy()?.getBoundingClientRect() ?? {})"
    )
    if does in KEPT:
        assert f"It is now at {where[0]:g}, {where[1]:g}. " in reply.text and f"click {reply.data['ref']}" in reply.text, reply
    if does == "redraws":
        assert f"is in its place now, at {where[0]:g}, {where[1]:g}. " in reply.text, reply


@pytest.mark.parametrize("stage", ["own", "own, trusted"], indirect=True)
def test_what_the_reply_says_to_click_gets_the_click(stage: Stage) -> None:
    assert_what_is_said_to_click_gets_it(stage)


@pytest.mark.conditions
@pytest.mark.parametrize("stage", ["launched"], indirect=True)
def test_on_every_screen_what_the_reply_says_to_click_gets_the_click(stage: Stage) -> None:
    assert_what_is_said_to_click_gets_it(stage)


def assert_what_is_said_to_click_gets_it(stage: Stage) -> None:
    for event, does in (("mousedown", "flees"), ("mousedown", "redraws"), ("blur", "slides")):
        stage.show(event, does, level="document")
        reply = stage.tabwire.ok("click", selector="#buy")
        if reply.text.startswith("Click"):
            # DOM events are given to the element wherever it is.
            assert reply.data["input"] == "dom", reply
            continue
        _, _, ref = reply.text.partition("what you want, click ")
        stage.page.evaluate("(counts = {}, 1)")
        again = stage.tabwire.ok("click", selector=ref.split()[0])
        assert again.text.startswith("Click") and stage.page.evaluate("counts.click") == 1, (event, does, again)
        assert stage.doubled() == {}, (event, does)


AFTER_ARRIVAL = """(() => {
  const given = __tabwire;
  let hasRun = false;
  const call = (name, args) => {
    if (name === 'input.arriving') return new Promise(() => {});
    const answer = given.call(name, args);
    if (name !== 'input.arrived') return answer;
    return answer.then((told) => {
      if (!hasRun) { hasRun = true; SCRIPT }
      return told;
    });
  };
  Object.defineProperty(globalThis, '__tabwire', { value: Object.create(given, { call: { value: call } }) });
})()"""
"""Run in the extension's world: a script that runs when the pointer was seen to have come, before the press. The page does not tell
this by itself, so that it is asked: a worker that has missed what the page tells asks as well, and would see the script's effect."""
VEIL = "veil.hidden = false; setTimeout(() => { veil.hidden = true }, 1000)"


@dataclass(frozen=True)
class Late:
    """The shop in a launched browser, whose button is veiled for a moment between the arrival of the pointer and the press."""

    tabwire: Tabwire
    page: Page

    def click(self, **arguments: Any) -> Reply:
        self.tabwire.ok("snapshot")
        self.page.evaluate_in_extension(AFTER_ARRIVAL.replace("SCRIPT", VEIL))
        return self.tabwire.call("click", selector="#buy", timeout=4000, **arguments)


@pytest.fixture
def late(launched: Launched, site: Site, request: pytest.FixtureRequest) -> Late:
    level, more = request.param
    html = SHOP.replace("LEVEL", level).replace("EVENT", "none").replace("DOES", "goes").replace("BUYS", "pointerdown")
    html = html.replace("ON ??", "null ??").replace("TYPES", str(list(COUNTED)))
    launched.tabwire.open(site.page(html + more))
    return Late(launched.tabwire, launched.browser.shown())


@pytest.mark.parametrize("late", [("window", "")], indirect=True)
def test_a_press_that_the_window_has_heard_is_not_made_again_although_it_was_stopped(late: Late) -> None:
    reply = late.click()
    assert late.page.evaluate("counts.pointerdown") == 1
    assert reply.code == "element_click_intercepted" and "a listener on the window of the page heard the press" in reply.text, (
        reply
    )
    assert late.page.evaluate("bought") == 1 and "was not made again" in reply.text


@pytest.mark.parametrize("late", [("window", "")], indirect=True)
def test_what_the_window_has_heard_is_not_made_again_by_dom_events_either(late: Late) -> None:
    reply = late.click(force=True)
    assert late.page.evaluate("counts.pointerdown") == 1
    assert "a listener on the window of the page heard the press" in reply.text, reply


POPOVER = "<div id=pop popover>Tip</div><script>pop.addEventListener('toggle', () => { counts.toggle = (counts.toggle ?? 0) + 1 })</script>"


@pytest.mark.parametrize("late", [("document", POPOVER)], indirect=True)
def test_a_stopped_press_that_has_closed_a_popover_is_not_made_again(late: Late) -> None:
    late.page.evaluate("(pop.showPopover(), new Promise((shown) => setTimeout(shown)).then(() => { counts = {} }))")
    reply = late.click()
    assert late.page.evaluate("[counts, pop.matches(':popover-open')]") == [{"toggle": 1}, False]
    assert reply.code == "element_click_intercepted" and "it closed an open popover or dialog" in reply.text, reply


@pytest.mark.parametrize("late", [("document", "")], indirect=True)
def test_a_press_that_nobody_heard_is_made_when_its_target_is_free(late: Late) -> None:
    reply = late.click()
    assert reply.text.startswith("Click"), reply
    assert late.page.evaluate("counts") == dict.fromkeys(("pointerdown", "mousedown", "pointerup", "mouseup", "click"), 1)


REDRAWN_FIRST = """<button id=buy>Buy</button><script>globalThis.heard = [];
addEventListener('pointerdown', (event) => {
  heard.push(event.target.dataset.again ? 'again' : event.target.id);
  const next = buy.cloneNode(true); next.dataset.again = 'yes'; buy.replaceWith(next);
}, { capture: true, once: true });</script>"""
"""A listener on the window, which comes before every guard, redraws the button."""


def test_a_press_is_told_of_the_button_that_heard_it_before_it_was_redrawn(launched: Launched, site: Site) -> None:
    launched.tabwire.open(site.page(REDRAWN_FIRST))
    reply = launched.tabwire.ok("click", selector="#buy")
    assert launched.browser.shown().evaluate("heard") == ["buy"]
    assert "It got pointerdown but no click, and was not pressed again" in reply.text, reply
    assert "is in its place now" in reply.text and "replaced" not in reply.text, reply
