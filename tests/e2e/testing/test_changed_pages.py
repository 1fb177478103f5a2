"""Recorded steps on pages that have changed since: which selectors still lead to their elements, and what a repair finds."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site
from e2e.testing.recorded_person import started
from programs import environment, ran_here
from tabwire.eventlog.steps_file import steps_in, text_of

TELL = """<script>window.told = (what) => fetch('/post', { method: 'POST', body: new URLSearchParams({ what }) });
addEventListener('click', (event) => {
  const right = event.composedPath().some((one) => one.hasAttribute?.('data-right'));
  if (event.composedPath().some((one) => one.matches?.('button, a, input, [role=button]'))) told(right ? 'right' : 'wrong');
}, true)</script>"""
SAVE = '<button id=save class="btn primary" data-right>Save address</button>'
CLOSE = '<button id=close class=icon aria-label="Close the form" data-right>×</button>'
CARD = """<section class=card><h2>{name}</h2><p>{name} of this year, 1 kg</p><button class="btn buy" {buy}>Add to basket</button>
<button class=btn {more}>Compare</button></section>"""
PLUMS, PEARS, FIGS = "Plums", "Pears", "Figs"


def card(name: str, buy: str = "", more: str = "") -> str:
    return CARD.format(name=name, buy=buy, more=more)


def page(
    *,
    cards: str = card(PLUMS, "id=buy-plums") + card(PEARS, "id=buy-pears") + card(FIGS, "id=buy-figs"),
    field: str = '<label>Street <input name=street class="field wide"></label>',
    close: str = CLOSE.replace(" data-right", ""),
    save: str = SAVE.replace(" data-right", ""),
    top: str = "",
    end: str = "",
) -> str:
    """The page of a shop."""
    return f"""<!doctype html><title>Shop</title>{TELL}<header>{top}<nav aria-label=Main><a href="#home">Home</a>
<a href="#basket">Basket</a></nav></header><main>{cards}
<section class=delivery><h2>Delivery</h2>{close}<form onsubmit="return false">{field}<label>Town <input name=town></label>
<p>We deliver within two days.</p>{save}<button type=button>Cancel order</button></form></section></main><footer>{end}</footer>"""


RIGHT_FIELD = '<label>Street <input name=street class="field wide" data-right></label>'
COMPARED = card(PLUMS, "id=buy-plums") + card(PEARS, "id=buy-pears", "data-right") + card(FIGS, "id=buy-figs")
BOUGHT = card(PLUMS, "id=buy-plums") + card(PEARS, "id=buy-pears data-right") + card(FIGS, "id=buy-figs")
IN_SHADOW = f"""<div id=host></div><script>document.getElementById('host').attachShadow({{ mode: 'open' }})
.innerHTML = {json.dumps(SAVE)}</script>"""
IN_FRAME = f"""<iframe width=300 height=100 srcdoc='<script>addEventListener("click", (event) => parent.told(
event.target.hasAttribute("data-right") ? "right" : "wrong"))</script>{SAVE}'></iframe>"""


def orders(*numbers: int, right: int) -> str:
    """A table of orders, each with the same buttons."""
    rows = (
        f"<tr><td>Order {at}<td>open<td><button>Cancel</button> <button{' data-right' * (at == right)}>Ship</button>"
        for at in numbers
    )
    return f"<table>{''.join(rows)}</table>"


@dataclass
class Change:
    """A change of the page since a click was recorded."""

    name: str
    before: str
    after: str
    expected: str
    """What becomes of the step: `survives`, `repaired` or `refused`."""


CHANGES = [
    Change("class renamed", page(save=SAVE), page(save=SAVE.replace("btn primary", "button button--main")), "survives"),
    Change("moved to the header", page(save=SAVE), page(save="", top=SAVE), "survives"),
    Change("wrapped", page(save=SAVE), page(save=f"<div class=row><div class=cell>{SAVE}</div></div>"), "survives"),
    Change(
        "list re-ordered",
        page(cards=BOUGHT),
        page(cards=card(FIGS, "id=buy-figs") + BOUGHT[: -len(card(FIGS, "id=buy-figs"))]),
        "survives",
    ),
    Change(
        "label made longer", page(field=RIGHT_FIELD), page(field=RIGHT_FIELD.replace("Street", "Street and number")), "survives"
    ),
    Change("text changed", page(save=SAVE), page(save=SAVE.replace("Save address", "Keep this address")), "repaired"),
    Change("id removed", page(save=SAVE), page(save=SAVE.replace("id=save ", "")), "survives"),
    Change(
        "tag changed",
        page(save=SAVE),
        page(save=SAVE.replace("<button", "<div role=button tabindex=0").replace("/button", "/div")),
        "survives",
    ),
    Change("moved into a shadow root", page(save=SAVE), page(save=IN_SHADOW), "survives"),
    Change("moved into a frame", page(save=SAVE), page(save=IN_FRAME), "survives"),
    Change("duplicated", page(save=SAVE), page(save=SAVE, end="<button class=btn>Save address</button>"), "repaired"),
    Change(
        "aria-label translated", page(close=CLOSE), page(close=CLOSE.replace("Close the form", "Formular schließen")), "repaired"
    ),
]
"""The changes that are counted."""

HARDER = [
    Change(
        "twin without id wrapped",
        page(cards=COMPARED),
        page(cards=f"<div class=grid>{COMPARED.replace('<h2>', '<div><h2>').replace('</h2>', '</h2></div>')}</div>"),
        "repaired",
    ),
    Change("twins get a new one before them", page(cards=COMPARED), page(cards=card("Apples") + COMPARED), "repaired"),
    Change("twin lost its id", page(cards=BOUGHT), page(cards=BOUGHT.replace("id=buy-pears ", "")), "repaired"),
    Change(
        "text, id and class changed",
        page(save=SAVE),
        page(save="<button class=btn data-right>Save this delivery address</button>"),
        "repaired",
    ),
    Change(
        "id given to another element",
        page(cards=BOUGHT),
        page(cards=card(PLUMS, "id=buy-pears") + card(PEARS, "data-right") + card(FIGS, "id=buy-figs")),
        "repaired",
    ),
    Change(
        "row put in before it",
        page(end=orders(251, 252, 253, right=252)),
        page(end=orders(250, 251, 252, 253, right=252)),
        "repaired",
    ),
    Change("removed", page(save=SAVE), page(save=""), "refused"),
    Change(
        "removed with its card",
        page(cards=BOUGHT),
        page(cards=card(PLUMS, "id=buy-plums") + card(FIGS, "id=buy-figs")),
        "refused",
    ),
    Change("one of two twins is left", page(cards=BOUGHT), page(cards=card(PLUMS, "id=buy-plums")), "refused"),
    Change(
        "doubled in its place",
        page(save=SAVE),
        page(
            save='<p><button class="btn primary">Save address</button></p><p><button class="btn primary">Save address</button></p>'
        ),
        "refused",
    ),
]
"""Changes beyond those, some of which leave no element that may be taken."""


class Replay:
    """`tabwire replay` in a browser of its session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._env = environment(folder / "home")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """What is printed goes past the streams of Python."""
        return ran_here(*words, env=self._env, cwd=self.folder)

    def replay(self, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
        return self.run("--launch", "--headless", "replay", file.name, "--timeout=400", *options)


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replay]:
    found = Replay(tmp_path_factory.mktemp("replay"))
    yield found
    assert found.run("close").returncode == 0


def recorded(html: str, tabwire: Tabwire, browser: Browser, site: Site, folder: Path) -> Path:
    """The file with a person's click on the element that is meant."""
    site.reset()
    person = started(tabwire, browser, site.serve("/shop.html", html))
    person.click("[data-right]")
    assert pressed(site) == ["right"]
    # The page tells its steps on another way than the site: one that has come is waited for.
    tabwire.ok("record_steps", action="read", after=1)
    steps = tabwire.ok("record_steps", action="stop", language="steps").data["steps"]
    assert [step["method"] for step in steps] == ["navigation.navigate", "input.click"]
    file = folder / "shop.steps.json"
    file.write_text(text_of(steps))
    return file


def selector_in(file: Path) -> str:
    return str(steps_in(file.read_text())[1]["target"]["selector"])


def outcome(change: Change, file: Path, replay: Replay, site: Site) -> str:
    """What becomes of the step."""
    site.reset()
    site.serve("/shop.html", change.after)
    first = replay.replay(file)
    if first.returncode == 0:
        return "survives" if pressed(site) == ["right"] else "WRONG"
    kept = file.read_text()
    assert (first.returncode, site.posts) == (1, []), first
    second = replay.replay(file, "--repair")
    if second.returncode:
        assert site.posts == [] and file.read_text() == kept, second
        return "refused"
    if pressed(site) != ["right"]:
        return "WRONG"
    # The new selector is found again without a repair.
    site.posts.clear()
    third = replay.replay(file)
    assert (third.returncode, pressed(site)) == (0, ["right"]), third
    return "repaired"


def pressed(site: Site) -> list[str]:
    site.wait_for_post("/post")
    return [str(post.form["what"]) for post in site.posts]


@pytest.fixture
def told(
    tabwire: Tabwire, browser: Browser, site: Site, replay: Replay, capfd: pytest.CaptureFixture[str]
) -> Callable[[list[Change]], dict[str, str]]:
    """Record and replay each, and print what became of it."""

    def run(changes: list[Change]) -> dict[str, str]:
        found, lines = {}, []
        for change in changes:
            file = recorded(change.before, tabwire, browser, site, replay.folder)
            selector = selector_in(file)
            found[change.name] = outcome(change, file, replay, site)
            printed = capfd.readouterr().out
            nearest = "".join(line.partition("nearest: ")[2][:100] for line in printed.splitlines())
            lines.append(f"{change.name:<32}{selector:<40}{found[change.name]:<10} {nearest}")
        with capfd.disabled():
            sys.stdout.write("\n" + "".join(f"{line}\n" for line in lines))
        return found

    return run


def test_twelve_changes_of_a_page(told: Callable[[list[Change]], dict[str, str]]) -> None:
    found = told(CHANGES)
    assert found == {change.name: change.expected for change in CHANGES}
    assert sum(one == "survives" for one in found.values()) >= 9
    assert sum(one in ("survives", "repaired") for one in found.values()) >= 11


def test_harder_changes_of_a_page(told: Callable[[list[Change]], dict[str, str]]) -> None:
    assert told(HARDER) == {change.name: change.expected for change in HARDER}
