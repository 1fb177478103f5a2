"""Recorded steps on pages that have changed since: which selectors still lead to their elements, and what a repair finds."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site
from e2e.steps.recorded_person import started
from polling import until
from programs import environment, ran_here
from tabwire.recordings.steps_file import steps_in, text_of

LOOK_MS = 100
"""For how long an element is looked for: what is in a page is there as soon as the page is."""
TELL = """<script>window.told = (what) => navigator.sendBeacon('/post', new URLSearchParams({ what, at: location.pathname }));
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
        return self.run("--launch", "--headless", "replay", file.name, f"--timeout={LOOK_MS}", *options)


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replay]:
    found = Replay(tmp_path_factory.mktemp("replay"))
    yield found
    assert found.run("close").returncode == 0


def recorded(pages: Iterable[str], tabwire: Tabwire, browser: Browser, site: Site) -> dict[str, list[dict[str, Any]]]:
    """Page → the steps of a person who opens it and clicks on the element that is meant. One recording has them all."""
    clicks = {}
    for count, html in enumerate(pages, 1):
        url = site.serve(f"/before-{count}.html", html)
        if not clicks:
            person = started(tabwire, browser, url)
        else:
            tabwire.open(url)
            person.ready()
        person.click("[data-right]")
        told = until(
            lambda count=count: tabwire.ok("record_steps", action="read", timeout=0).data["steps"],
            lambda told, count=count: len(told) > count,
            says="the page tells the step",
        )
        clicks[html] = told[-1]["number"]
    steps = tabwire.ok("record_steps", action="stop", language="steps").data["steps"]
    assert [step["method"] for step in steps] == ["navigation.navigate", *["input.click"] * len(clicks)]
    assert pressed(site, len(clicks)) == {f"/before-{count}.html": "right" for count in range(1, len(clicks) + 1)}
    by_number = {step["number"]: step for step in steps}
    return {html: [steps[0], by_number[number]] for html, number in clicks.items()}


def selector_of(steps: list[dict[str, Any]]) -> str:
    return str(steps[1]["target"]["selector"])


def pressed(site: Site, count: int) -> dict[str, str]:
    """Page → whether the right element was pressed in it."""
    site.wait_for(lambda site: len(site.posts) >= count)
    assert len(site.posts) == count, site.posts
    return {str(post.form["at"]): str(post.form["what"]) for post in site.posts}


class Trial:
    """Changes of pages, and the steps that were recorded before."""

    def __init__(self, changes: list[Change], steps: dict[str, list[dict[str, Any]]], replay: Replay, site: Site) -> None:
        self.site = site
        self.replay = replay
        self.before = {}
        for number, change in enumerate(changes):
            opened, click = steps[change.before]
            url = site.serve(f"/{number}.html", change.after)
            self.before[change.name] = [{**opened, "params": {"url": url}}, {**click, "tab": opened["tab"]}]
        self.paths = {change.name: f"/{number}.html" for number, change in enumerate(changes)}

    def file(self, *names: str) -> Path:
        """A recording that does the steps on these pages one after another."""
        file = self.replay.folder / "shop.steps.json"
        file.write_text(text_of(step for name in names for step in self.before[name]))
        return file

    def run(self, file: Path, *options: str) -> subprocess.CompletedProcess[str]:
        self.site.posts.clear()
        return self.replay.replay(file, *options)

    def rights(self, *names: str) -> dict[str, str]:
        """Of each of these pages `right` where the element that is meant was pressed."""
        found = pressed(self.site, len(names))
        return {name: found.get(self.paths[name], "nothing") for name in names}

    def outcomes(self, *names: str) -> dict[str, str]:
        """Whether the step on each of these pages survives its change or is repaired; each is done with the right element."""
        file = self.file(*names)
        done = self.run(file, "--repair")
        assert done.returncode == 0, done
        assert self.rights(*names) == dict.fromkeys(names, "right")
        # The new selectors are found again without a repair.
        again = self.run(file)
        assert again.returncode == 0, again
        assert self.rights(*names) == dict.fromkeys(names, "right")
        kept = iter(steps_in(file.read_text()))
        now = {name: [next(kept), next(kept)] for name in names}
        return {name: "survives" if now[name] == self.before[name] else "repaired" for name in names}

    def is_not_done(self, name: str, *options: str) -> str:
        """The step on this page is not done, with any element, and stays as it was."""
        file = self.file(name)
        kept = file.read_text()
        done = self.run(file, *options)
        assert (done.returncode, self.site.posts, file.read_text()) == (1, [], kept), (name, done)
        return "refused"


@pytest.fixture
def told(
    tabwire: Tabwire, browser: Browser, site: Site, replay: Replay, capfd: pytest.CaptureFixture[str]
) -> Callable[[list[Change]], dict[str, str]]:
    """Record and replay each, and print what became of it."""

    def run(changes: list[Change]) -> dict[str, str]:
        steps = recorded(dict.fromkeys(change.before for change in changes), tabwire, browser, site)
        trial = Trial(changes, steps, replay, site)
        names = {wish: [change.name for change in changes if (change.expected == "refused") is wish] for wish in (True, False)}
        found = trial.outcomes(*names[False])
        trial.is_not_done(next(change.name for change in changes if change.expected == "repaired"))
        found |= {name: trial.is_not_done(name, "--repair") for name in names[True]}
        capfd.readouterr()
        with capfd.disabled():
            sys.stdout.write("\n")
            for change in changes:
                sys.stdout.write(f"{change.name:<32}{selector_of(steps[change.before]):<40}{found[change.name]}\n")
        return found

    return run


def test_twelve_changes_of_a_page(told: Callable[[list[Change]], dict[str, str]]) -> None:
    found = told(CHANGES)
    assert found == {change.name: change.expected for change in CHANGES}
    assert sum(one == "survives" for one in found.values()) >= 9
    assert sum(one in ("survives", "repaired") for one in found.values()) >= 11


def test_harder_changes_of_a_page(told: Callable[[list[Change]], dict[str, str]]) -> None:
    assert told(HARDER) == {change.name: change.expected for change in HARDER}
