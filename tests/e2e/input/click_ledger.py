"""Random layouts for one press each, and a page that counts who got it: what a reply says is compared with that.

A layout is a target among decoys: covered, moving, tiny, hidden, rotated, zoomed, scrolled, in frames, pressed with and without `force`.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from e2e.cdp import Browser
from e2e.client import Reply, Tabwire
from e2e.once.ledger_page import LedgerPage
from e2e.site import Site

TIMEOUT_MS = 250
TARGETS = ("button", "a", "div", "nested", "box", "label")
HIDING = (
    *("",) * 9,
    "display:none",
    "visibility:hidden",
    "opacity:0",
    "pointer-events:none",
    "clip-path:inset(50%)",
    "transform:scale(0)",
    "width:0;height:0;overflow:hidden;padding:0;border:0",
    "position:fixed;left:-900px",
    "inert",
    "disabled",
    "width:0;height:0;overflow:hidden around",
)
SIZES = (
    *("",) * 5,
    "width:1px;height:1px;padding:0;border:0;overflow:hidden",
    "width:3px;height:2px;padding:0;border:0",
    "width:300px;height:90px",
)
TURNS = (
    *("",) * 4,
    "rotate(45deg)",
    "rotate(90deg)",
    "scale(.3)",
    "scale(2)",
    "skew(30deg)",
    "rotate(200deg) scale(.6)",
    "rotateY(60deg)",
)
ZOOMS = (*(1,) * 4, 0.5, 0.8, 1.5, 2.2)
COVERS = (*("",) * 7, "all", "half", "center", "frame", "on arrival", "on press", "late frame")
MOTIONS = (*("",) * 7, "slides", "turns", "jumps", "flees", "leaves once", "goes")
SCROLLS = (*("",) * 4, "far down", "to the right", "scroller", "scroller in scroller")
FRAMES = (*("",) * 6, "near", "near", "far")
FRAME_TURNS = (*("",) * 4, "scale(.5)", "scale(1.4)", "rotate(3deg)", "rotate(90deg)")

SCRIPT = """
globalThis.got = [];
for (const type of ["pointerdown", "click"])
  document.addEventListener(type, (event) => got.push([type, event.composedPath()[0].id || event.composedPath()[0].localName]), true);
const el = (name, id, style, text, into) => {
  const made = document.createElement(name);
  Object.assign(made, { id, textContent: text });
  made.style.cssText = style;
  into.append(made);
  return made;
};
const KINDS = { nested: "button", box: "input" };
const stop = [];
function clear() {
  while (stop.length) stop.pop()();
  stage.replaceChildren();
  stage.style.cssText = "";
  scrollTo(0, 0);
  got.length = 0;
}
function around(layout) {
  let into = stage;
  if (layout.scroll === "far down") stage.style.height = "6000px";
  if (layout.scroll === "to the right") stage.style.width = "5000px";
  for (let n = { "scroller": 1, "scroller in scroller": 2 }[layout.scroll] ?? 0; n; n -= 1) {
    const scroller = el("div", "", "position:relative;width:500px;height:200px;overflow:auto", "", into);
    into = el("div", "", "position:relative;width:1400px;height:1200px", "", scroller);
  }
  const held = layout.hiding.endsWith(" around") ? layout.hiding.replace(" around", "") : "";
  return el("div", "target-around", `position:absolute;left:${layout.x}px;top:${layout.y}px;zoom:${layout.zoom};${held}`, "", into);
}
function put(layout) {
  const into = around(layout);
  const isWord = ["inert", "disabled"].includes(layout.hiding) || layout.hiding.endsWith(" around");
  const style = `${layout.size};transform:${layout.turn || "none"};${isWord ? "" : layout.hiding}`;
  let target = el(KINDS[layout.target] ?? layout.target, "target", style, "Go", into);
  if (layout.target === "box") target.type = "checkbox";
  if (layout.target === "a") target.href = "#there";
  if (layout.target === "nested") el("b", "target-inner", "", "Go", target.replaceChildren() ?? target);
  if (layout.target === "label") el("input", "target-input", "", "", target).type = "checkbox";
  if (layout.hiding === "inert") into.inert = true;
  if (layout.hiding === "disabled") target.disabled = true;
  return target;
}
function cover(layout, target) {
  const lay = (name) => {
    const { x, y, width, height } = target.getBoundingClientRect();
    const part = layout.cover === "half" ? 0.5 : 1;
    const [w, h] = layout.cover === "center" ? [8, 6] : [width * part + 4, height + 4];
    const [left, top] = layout.cover === "center" ? [x + width / 2 - 4, y + height / 2 - 3] : [x - 2, y - 2];
    const made = el(name, "cover", `position:absolute;border:0;background:#fcc;z-index:9;left:${left + scrollX}px;top:${top + scrollY}px;` +
      `width:${w}px;height:${h}px`, "", stage);
    if (name === "iframe") made.srcdoc = "<body style='margin:0'><button style='width:900px;height:900px'></button><script>" +
      "document.addEventListener('pointerdown', () => parent.got.push(['pointerdown', 'cover']), true)<" + "/script>";
  };
  if (["all", "half", "center"].includes(layout.cover)) lay("div");
  if (layout.cover === "frame") lay("iframe");
  if (layout.cover === "on arrival") target.addEventListener("mousemove", () => lay("div"), { once: true });
  if (layout.cover === "late frame") target.addEventListener("mousemove", () => lay("iframe"), { once: true });
  if (layout.cover === "on press") target.addEventListener("mousedown", () => lay("div"), { once: true });
}
function move(layout, target) {
  const repeat = (run, ms) => { const timer = setInterval(run, ms); stop.push(() => clearInterval(timer)) };
  const by = (x, y) => { target.style.translate = `${x}px ${y}px` };
  if (layout.motion === "slides") target.animate([{ translate: "0" }, { translate: "90px" }], { duration: 300, iterations: 40 });
  if (layout.motion === "turns") target.animate([{ rotate: "0deg" }, { rotate: "360deg" }], { duration: 500, iterations: 40 });
  if (layout.motion === "jumps") repeat(() => by(Math.random() * 150, Math.random() * 60), 30);
  if (layout.motion === "flees") target.addEventListener("mouseenter", () => by(Math.random() * 200 + 60, Math.random() * 90));
  if (layout.motion === "leaves once") target.addEventListener("mouseenter", () => by(120, 30), { once: true });
  if (layout.motion === "goes") target.addEventListener("mousedown", () => { target.remove() }, { once: true });
}
function lay(layout) {
  clear();
  for (const [index, [left, top]] of layout.decoys.entries())
    el("button", `decoy${index}`, `position:absolute;left:${left}px;top:${top}px;width:90px;height:40px`, "No", stage);
  const target = put(layout);
  cover(layout, target);
  move(layout, target);
}
"""


@dataclass(frozen=True)
class Layout:
    """A layout and the press it is for."""

    number: int
    target: str
    hiding: str
    size: str
    turn: str
    zoom: float
    cover: str
    motion: str
    scroll: str
    frame: str
    frame_turn: str
    force: bool
    count: int
    button: str
    x: int
    y: int
    decoys: list[list[int]] = field(default_factory=list)

    def says(self) -> str:
        """Properties of the layout that are not the usual ones, as JSON."""
        said = {name: value for name, value in vars(self).items() if value and name not in ("x", "y", "decoys")}
        return json.dumps(said)


def layouts(count: int, seed: int) -> Iterator[Layout]:
    """The same ones for the same seed. Each has a few features at most: with all of them nothing could be pressed at all."""
    chance = random.Random(seed)
    for number in range(count):
        odd = dict.fromkeys(("hiding", "size", "turn", "cover", "motion", "scroll", "frame_turn"), "") | {"zoom": 1}
        choices = {"hiding": HIDING, "size": SIZES, "turn": TURNS, "cover": COVERS, "motion": MOTIONS, "scroll": SCROLLS}
        for name in chance.sample(sorted(choices), 4):
            odd[name] = chance.choice(choices[name])
        odd["zoom"] = chance.choice(ZOOMS)
        frame = chance.choice(FRAMES)
        if frame:
            odd["frame_turn"] = chance.choice(FRAME_TURNS)
        scrolled = {"far down": (50, 3000), "to the right": (3000, 100)}.get(str(odd["scroll"]), (0, 0))
        x, y = scrolled[0] + chance.randrange(20, 420), scrolled[1] + chance.randrange(20, 260)
        near = [[x + chance.randrange(-120, 120), y + chance.randrange(-60, 60)] for _ in range(4)]
        spread = [[chance.randrange(0, 600), chance.randrange(0, 400)] for _ in range(8)]
        yield Layout(
            number=number,
            target=chance.choice(TARGETS),
            frame=frame,
            force=chance.random() < 0.5,
            count=chance.choice((1, 1, 1, 2)),
            button=chance.choice(("left",) * 5 + ("right", "middle")),
            x=x,
            y=y,
            decoys=near + spread,
            **odd,  # type: ignore[arg-type]
        )


class Ledger:
    """A page with its frames, and what was found out in it.

    Attributes:
        wrong: Presses whose reply does not say what happened, in words.
        replies: How often each kind of reply came.
    """

    def __init__(self, tabwire: Tabwire, browser: Browser, site: Site) -> None:
        self._page = LedgerPage(tabwire, browser, site, SCRIPT)
        self.wrong: list[str] = []
        self.replies: Counter[str] = Counter()

    def press(self, layout: Layout) -> None:
        """Lays one out, presses, and compares."""
        run = self._page.show(layout.frame, layout.frame_turn or "none")
        run(f"lay({json.dumps(vars(layout))})")
        pressed = {"force": layout.force, "click_count": layout.count, "button": layout.button}
        reply = self._page.click(layout.frame, **pressed, timeout=TIMEOUT_MS)
        taken = [*run("got.splice(0)"), *(self._page.top.evaluate("got.splice(0)") if layout.frame else [])]
        self._judge(layout, reply, [name for _, name in taken])

    def _judge(self, layout: Layout, reply: Reply, taken: list[str]) -> None:
        # A click that ends on another element than it began on is one on what holds both.
        around = {"stage", "body", "html"} if any(name.startswith("target") for name in taken) else set()
        others = sorted({name for name in taken if not name.startswith("target")} - around)
        kind = reply.code if reply.is_error else str(reply.data["input"])
        self.replies[f"{kind}{', forced' if layout.force else ''}"] += 1
        if others:
            self._note(layout, reply, f"{', '.join(others)} got it")
        elif reply.is_error and taken:
            self._note(layout, reply, "the target got it, and the reply is an error")
        elif not reply.is_error and not taken:
            self._note(layout, reply, "nobody got it, and the reply says that it was done")

    def _note(self, layout: Layout, reply: Reply, what: str) -> None:
        self.wrong.append(f"{what}: {layout.says()}\n    {reply.text[:300]}")
