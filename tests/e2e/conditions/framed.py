"""A page with a frame of each kind; all of them hold the same controls and tell the top page what these got."""

import contextlib
from collections.abc import Callable
from typing import Any

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site
from polling import until

CONTROLS = """<body style='margin: 0; background: white'><style>
  body > * { position: absolute; margin: 0; box-sizing: border-box; font: 12px monospace; padding: 0 }
</style><script>
  const name = new URLSearchParams(location.search).get('name');
  const control = (html, left, top, width, height) => {
    document.body.insertAdjacentHTML('beforeend', html.replace('NAME', name));
    Object.assign(document.body.lastElementChild.style, { left: left + 'px', top: top + 'px', width: width + 'px', height: height + 'px' });
  };
  control('<button id=press>Press NAME</button>', 10, 8, 90, 20);
  control('<button id=rest>Rest NAME</button>', 120, 8, 90, 20);
  control('<input id=field aria-label="Field NAME">', 10, 36, 90, 20);
  control('<input id=box type=checkbox aria-label="Box NAME">', 120, 36, 20, 20);
  control('<select id=list aria-label="List NAME"><option>one<option>two</select>', 150, 36, 60, 20);
  control('<div id=scroller tabindex=0 role=region aria-label="Scroller NAME" style="overflow: auto"><p style="height: 900px">Long</p></div>', 10, 64, 90, 60);
  control('<div id=knob role=button aria-label="Knob NAME" style="background: blue"></div>', 120, 64, 20, 20);
  control('<div id=zone role=region aria-label="Zone NAME" style="background: silver"></div>', 170, 84, 40, 40);
  control('<div id=red role=img aria-label="Red NAME" style="background: red"></div>', 120, 100, 40, 20);
  control('<button id=low>Low NAME</button>', 60, 600, 90, 20);
  const tell = (what, { id }) => top.postMessage([name, `${what} ${id}`], '*');
  for (const type of ['pointerdown', 'click', 'dblclick', 'contextmenu', 'pointerover', 'focusin', 'input', 'change'])
    addEventListener(type, ({ target }) => tell(type, target), true);
  let offset = 0;
  scroller.onscroll = () => {
    // It stops at a device pixel, which need not be a whole CSS pixel.
    const now = Math.abs(scroller.scrollTop - 120) < 1 ? 120 : Math.round(scroller.scrollTop);
    if (offset !== (offset = now)) tell(`scrolled to ${offset} of`, scroller);
  };
  let held = null;
  onmousedown = ({ target }) => { held = target.id === 'knob' ? target : null };
  onmouseup = ({ target }) => { if (held) tell('dropped on', target); held = null };
</script>"""
TOP = """<body style='margin: 0; width: 900px'><style>
  iframe { border: 3px solid; width: 240px; height: 150px } .cell { float: left; width: 400px; height: 290px; padding: 20px; box-sizing: border-box }
</style><script>globalThis.got = []; addEventListener('message', ({ data }) => got.push(data))</script>"""
NESTING = "<body style='margin: 0'><iframe src='{src}' style='border: 5px solid; margin: 4px 0 0 9px; width: 250px; height: 150px'></iframe>"

CELLS: dict[str, Callable[[Site, str], str]] = {
    "same": lambda site, name: f"<iframe src='{site.page(CONTROLS)}?name={name}'></iframe>",
    "cross": lambda site, name: f"<iframe src='{site.cross_page(CONTROLS)}?name={name}'></iframe>",
    "nested": lambda site, name: _nesting(site.page, f"{site.cross_page(CONTROLS)}?name={name}"),
    "turned": lambda site, name: (
        f"<iframe src='{site.cross_page(CONTROLS)}?name={name}' style='rotate: 20deg; margin: 40px 0 0 30px'></iframe>"
    ),
    "zoomed": lambda site, name: f"<iframe src='{site.cross_page(CONTROLS)}?name={name}' style='zoom: 1.25'></iframe>",
    "boxed": lambda site, name: f"<div style='zoom: 0.8'>{_nesting(site.cross_page, f'{site.page(CONTROLS)}?name={name}')}</div>",
}
"""Kind of frame → its HTML. `boxed` is a zoomed box around a cross-site frame that holds another one."""
KINDS = tuple(CELLS)
UPRIGHT = tuple(kind for kind in KINDS if kind != "turned")
ZOOMS = {"zoomed": 1.25, "boxed": 0.8}


def _nesting(page: Callable[[str], str], inner: str) -> str:
    return f"<iframe src='{page(NESTING.format(src=inner))}' style='width: 290px; height: 180px'></iframe>"


class Frames:
    """The page, opened in the client's tab. ``refs`` is from the name of a control to its reference."""

    def __init__(self, tabwire: Tabwire, site: Site, page: ShownPage) -> None:
        self._tabwire, self._page = tabwire, page
        cells = "".join(f"<div class=cell>{html(site, name)}</div>" for name, html in CELLS.items())
        tabwire.open(site.page(TOP + cells))
        self.refs = {line.name: line.ref for line in tabwire.lines() if line.ref}

    def got(self, kind: str) -> list[str]:
        """What the controls of a frame have got until now, in their order."""
        return [what for name, what in self._page.evaluate("got") if name == kind]

    def forget(self) -> None:
        self._page.evaluate("void (got.length = 0)")

    def each(self, act: Callable[[str], Any], got: str, kinds: tuple[str, ...] = KINDS) -> None:
        """Acts in each frame; exactly one control of it, and of no other frame, must have got what is named.

        An act that fails does not keep the others from being tried: the error names all frames that it failed in.
        """
        told: dict[str, str] = {}
        for kind in kinds:
            try:
                act(kind)
            except AssertionError as error:
                told[kind] = str(error).splitlines()[0]
        wanted, seen = [[kind, got] for kind in kinds], f"got.filter(([, what]) => what === {got!r})"
        with contextlib.suppress(AssertionError):
            until(lambda: self._page.evaluate(seen), equals=wanted, within=2)
        assert (told, self._page.evaluate(seen)) == ({}, wanted), (told, {kind: self.got(kind)[-8:] for kind in kinds})

    def call(self, tool: str, control: str, /, **arguments: Any) -> Callable[[str], Reply]:
        """A call of a tool on a control of the frame that it is given."""
        return lambda kind: self._tabwire.ok(tool, selector=self.refs[f"{control} {kind}"], **arguments)
