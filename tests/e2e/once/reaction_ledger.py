"""Layouts that react to one event of a press, and a page that counts every event: nothing may happen twice.

The target flees, is drawn anew, fades, is replaced, covered, removed or switched off when the pointer comes, at each event of the
press, or when the focus moves. The page listens on the target, on an element around it, on the document or on the window.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.once.ledger_page import LedgerPage
from e2e.site import Site

TIMEOUT_MS = 400
PRESSABLE_TIMEOUT_MS = 3000
"""Enough for a busy computer."""
TARGETS = ("button", "a", "div", "nested", "box")
COMING = ("pointerover", "pointerenter", "mouseover", "mouseenter", "pointermove", "mousemove")
GOING_DOWN = ("pointerdown", "mousedown", "focus", "blur")
COMING_UP = ("pointerup", "mouseup")
EVENTS = (*COMING, *GOING_DOWN, *COMING_UP, "click")
REACTIONS = ("flees", "redraws", "fades", "replaced", "covered", "veiled", "removed", "disabled")
STAYING = ("flees", "redraws", "veiled")
"""Reactions after which the target is there again for who waits a moment."""
KEEPING = ("flees", "fades", "covered", "veiled")
"""Reactions that leave the element of a press in the page, so that it gets the click when the button comes up."""
TIMES = ("at once", "at once", "microtask", "frame", "soon")
LEVELS = ("target", "stage", "document", "window")
FRAMES = (*("",) * 6, "near", "far")
COUNTED = ("pointerdown", "mousedown", "focus", "pointerup", "mouseup", "click", "auxclick", "contextmenu", "dblclick")
GOT = re.compile(r"It got (?P<types>[a-z, ]+?) but no click")
HEARD = "heard the press"

SCRIPT = """
globalThis.got = [];
const COUNTED = TYPES;
let laid = null;
let ends = new AbortController();
const node = (name, id, style, text, into = stage) => {
  const made = document.createElement(name);
  Object.assign(made, { id, textContent: text });
  made.style.cssText = style;
  into.append(made);
  return made;
};
const nameOf = (el) => {
  const copy = el.closest?.("[data-again]");
  return copy ? `again ${copy.dataset.again}` : el.id || el.localName || "window";
};
let copies = 0;
/** The focus of a frame, or of the field before, is no part of the press. */
function note(event) {
  const name = nameOf(event.composedPath()[0]);
  if (event.type !== "focus" || /^(target|again)/.test(name)) got.push([event.type, name]);
}
function hear(el, types, listener) {
  for (const type of types) el.addEventListener(type, listener, { capture: true, signal: ends.signal });
}
function clear() {
  ends.abort();
  ends = new AbortController();
  laid = null;
  document.activeElement?.blur();
  stage.replaceChildren();
  got.length = 0;
}
const place = (x, y) => `position:absolute;left:${x}px;top:${y}px;min-width:90px;height:36px;`;
/** An element of the layout, heard where the layout says so. */
function heard(el) {
  if (laid.level === "target") hear(el, [...COUNTED, laid.event], laid.hears);
  return el;
}
function target() {
  return document.getElementById("target");
}
function veil() {
  return heard(node("div", "veil", "position:fixed;inset:0;background:#fcc8;z-index:9", ""));
}
const REACTIONS = {
  flees: () => { target().style.translate = target().style.translate ? "" : "230px 70px"; },
  redraws: () => {
    const again = target().cloneNode(true);
    again.dataset.again = String(copies += 1);
    target().replaceWith(heard(again));
  },
  fades: () => {
    const el = target();
    Object.assign(el.style, { transition: "opacity .08s", opacity: "0" });
    el.addEventListener("transitionend", () => { el.style.visibility = "hidden"; }, { signal: ends.signal });
  },
  replaced: () => target().replaceWith(heard(node("button", "other", place(laid.x, laid.y), "Sold out"))),
  covered: veil,
  veiled: () => {
    const over = veil();
    setTimeout(() => over.remove(), 120);
  },
  removed: () => target().remove(),
  disabled: () => {
    if ("disabled" in target()) target().disabled = true;
    else target().style.pointerEvents = "none";
  },
};
const WHEN = {
  "at once": (run) => run(),
  microtask: (run) => queueMicrotask(run),
  frame: (run) => requestAnimationFrame(run),
  soon: (run) => setTimeout(run, 5),
};
function lay(layout) {
  let reacted = 0;
  const react = () => target() && REACTIONS[layout.reaction]();
  const hears = (event) => {
    if (COUNTED.includes(event.type)) note(event);
    const isOn = layout.event === "blur" ? event.target.id === "field" : event.composedPath().includes(target());
    if (event.type !== layout.event || !isOn || (layout.once && reacted)) return;
    if (/enter|focus|blur/.test(event.type) && event.target !== target() && layout.event !== "blur") return;
    reacted += 1;
    WHEN[layout.when](react);
  };
  laid = { ...layout, hears };
  const levels = { stage, document, window };
  if (levels[layout.level]) hear(levels[layout.level], [...new Set([...COUNTED, layout.event])], hears);
  const field = node("input", "field", place(8, 340), "");
  if (layout.level === "target") hear(field, [...COUNTED, "blur"], hears);
  for (const [at, [x, y]] of layout.decoys.entries()) heard(node("button", `decoy${at}`, place(x, y), "No"));
  const tag = { nested: "button", box: "input" }[layout.target] ?? layout.target;
  const el = node(tag, "target", place(layout.x, layout.y) + "z-index:1;background:#cfc;", "Go");
  if (layout.target === "box") el.type = "checkbox";
  if (layout.target === "a") el.href = "#there";
  if (layout.target === "div") el.tabIndex = 0;
  if (layout.target === "nested") { el.textContent = ""; node("b", "target-inner", "", "Go", el); }
  heard(el);
  if (layout.event === "blur" || layout.has_field) field.focus();
  got.length = 0;
}
""".replace("TYPES", json.dumps(COUNTED))


@dataclass(frozen=True)
class Reacting:
    """A layout, and the press it is for."""

    number: int
    target: str
    event: str
    """The event to which the page reacts; blur is that of a field that has the focus before."""
    reaction: str
    once: bool
    when: str
    level: str
    """Where the page listens, in the capturing phase."""
    frame: str
    has_field: bool
    count: int
    x: int
    y: int
    decoys: list[list[int]]

    def says(self) -> str:
        said = {name: value for name, value in vars(self).items() if name not in ("x", "y", "decoys")}
        return json.dumps(said)

    @property
    def can_be_pressed(self) -> bool:
        """Whether the press of a person's hand clicks the target: one that waits until the page rests under the pointer, and then
        goes down and up again in a tenth of a second.
        """
        is_now = self.when in ("at once", "microtask")
        if self.event in COMING:
            return self.once and self.reaction in STAYING
        if self.event in GOING_DOWN:
            return False
        if self.event in COMING_UP:
            return not is_now or self.reaction in KEEPING
        return True


def reacting_layouts(count: int, seed: int) -> Iterator[Reacting]:
    """The same ones for the same seed: every event with every reaction in turn, and the rest by chance."""
    chance = random.Random(seed)
    kinds = [(event, reaction) for event in EVENTS for reaction in REACTIONS]
    for number in range(count):
        if number % len(kinds) == 0:
            chance.shuffle(kinds)
        event, reaction = kinds[number % len(kinds)]
        x, y = chance.randrange(20, 300), chance.randrange(20, 220)
        yield Reacting(
            number=number,
            target=chance.choice(TARGETS),
            event=event,
            reaction=reaction,
            once=chance.random() < 0.7,
            when=chance.choice(TIMES),
            level=chance.choice(LEVELS),
            frame=chance.choice(FRAMES),
            has_field=chance.random() < 0.3,
            count=chance.choice((1,) * 9 + (2,)),
            x=x,
            y=y,
            decoys=[[chance.randrange(0, 500), chance.randrange(0, 300)] for _ in range(6)],
        )


class ReactionLedger:
    """A page with its frames, and what was found out in it.

    Attributes:
        wrong: Presses that happened twice, or whose reply does not say what happened, in words.
        replies: How often each kind of reply came.
        pressable: How many layouts a person's press can click.
        missed: Those of them that got no click, in words.
    """

    def __init__(self, tabwire: Tabwire, browser: Browser, site: Site) -> None:
        self._page = LedgerPage(tabwire, browser, site, SCRIPT)
        self.wrong: list[str] = []
        self.missed: list[str] = []
        self.pressable = 0
        self.replies: Counter[str] = Counter()

    @property
    def pressed_share(self) -> float:
        """Share of the layouts that can be pressed at all which were."""
        return 1 - len(self.missed) / max(1, self.pressable)

    def press(self, layout: Reacting) -> None:
        """Lays one out, presses, and compares."""
        run = self._page.show(layout.frame)
        run(f"lay({json.dumps(vars(layout))})")
        timeout = PRESSABLE_TIMEOUT_MS if layout.can_be_pressed else TIMEOUT_MS
        reply = self._page.click(layout.frame, click_count=layout.count, timeout=timeout)
        taken = [(kind, name) for kind, name in run("got.splice(0)")]
        self._judge(layout, reply, taken)

    def _judge(self, layout: Reacting, reply: Reply, taken: list[tuple[str, str]]) -> None:
        on_target = Counter(kind for kind, name in taken if name.startswith("target"))
        clicked = any(kind == "click" and name.startswith(("target", "again")) for kind, name in taken)
        done = "" if reply.is_error else str(reply.data.get("done", "Clicked"))
        self.replies[reply.code or f"{done}, {reply.data['input']}"] += 1
        for wrong in self._faults(layout, reply, taken, {*on_target}, clicked):
            self.wrong.append(f"{wrong}: {layout.says()}\n    {reply.text[:400]}\n    {taken}")
        if layout.can_be_pressed:
            self.pressable += 1
            if not clicked:
                self.missed.append(f"{layout.says()}\n    {reply.text[:400]}\n    {taken}")

    def _faults(
        self, layout: Reacting, reply: Reply, taken: list[tuple[str, str]], on_target: set[str], clicked: bool
    ) -> Iterator[str]:
        for kind, times in Counter(kind for kind, _ in taken).items():
            if times > (1 if kind == "dblclick" else layout.count):
                yield f"{kind} {times} times"
        says_click = not reply.is_error and not str(reply.data.get("done", "")).startswith("Pressed without")
        if says_click and not clicked:
            yield "the reply says clicked, and the target got no click"
        if not says_click and clicked:
            yield "the target got a click, and the reply says that it did not"
        pressed = [(kind, name) for kind, name in taken if kind != "focus"]
        if reply.is_error and pressed and HEARD not in reply.text:
            yield "the page heard the press, and the reply is an error that does not say so"
        others = sorted({name for kind, name in taken if kind == "pointerdown" and not name.startswith(("target", "again"))})
        if others and not reply.is_error and layout.count == 1:
            yield f"{', '.join(others)} got the press"
        told = GOT.search(reply.text)
        # What has taken the place of the target gets the second press of a double click, or the press that the target was to get; it
        # may be replaced in its turn before the press ends.
        copies = {name for _, name in pressed if name.startswith("again")}
        on_copy = [{kind for kind, name in pressed if name == copy} for copy in sorted(copies)]
        on_either = {kind for kind, name in pressed if name.startswith(("target", "again"))}
        of_press = (on_target - {"focus"}, *on_copy, on_either, {kind for kind, _ in pressed})
        if told and {*re.split(r", | and ", told["types"])} - {"nothing"} not in of_press:
            yield f"the reply names other events than {sorted(on_target)}"
