"""A person acts, trusted input through DevTools; what is recorded becomes tests that do the same again, which the site sees."""

import contextlib
import json
import os
import runpy
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException

import tabwire.testing
from e2e.cdp import Browser, CdpError
from e2e.client import ROOT, Tabwire
from e2e.conftest import Launched
from e2e.person import Person as Owner
from e2e.site import Site
from e2e.testing.recorded_person import PICKING, RECORDED, Person, lines, started
from e2e.testing.test_plugin import PYTEST
from polling import until
from programs import command, environment
from tabwire.commandline.recorded_tests import LANGUAGES, written

TELL = "<script>window.tell = (said) => fetch('/post', { method: 'POST', body: new URLSearchParams(said) })</script>"


@dataclass
class Flow:
    """What a person does on a page, and what the site gets of it."""

    name: str
    html: str
    act: Callable[[Person, Browser, Path], None]
    posts: list[dict[str, str]]
    secrets: dict[str, str] = field(default_factory=dict)
    in_batch: bool = True
    """A batch is of one tab, and its texts of one line."""


FORM = f"""<form action=/post method=post><label>Name <input name=name></label>
<label>Colour <select name=colour><option value=r>red</option><option value=g>green</option></select></label>
<label><input type=checkbox name=news value=yes> Newsletter</label>
<label><input type=radio name=size value=s checked> Small</label><label><input type=radio name=size value=l> Large</label>
<textarea name=note placeholder=Note></textarea><button>Send</button></form>{TELL}"""


def fill_form(person: Person, browser: Browser, folder: Path) -> None:
    person.type("[name=name]", "Ada")
    person.type("[name=name]", " Lovelace")
    person.click("select")
    person.press("ArrowDown")
    person.press("Enter")
    person.click("[name=news]")
    person.click("label:nth-of-type(5)")
    person.type("textarea", "First")
    person.press("Enter")
    person.page.call("Input.insertText", {"text": "Second"})
    person.click("button")


LOGIN = """<form action=/post method=post><label>User <input name=user autocomplete=username></label>
<label>Password <input type=password name=password></label><button>Log in</button></form>"""


def log_in(person: Person, browser: Browser, folder: Path) -> None:
    person.type("[name=user]", "ada")
    person.press("Tab")
    person.page.call("Input.insertText", {"text": "open sesame"})
    person.press("Enter")


FRAME = f"""<h1>Shop</h1><iframe id=f width=400 height=200 srcdoc="<label>Voucher <input id=v></label>
<button onclick=&quot;parent.tell({{ voucher: v.value }})&quot;>Redeem</button>"></iframe>{TELL}"""
IN_FRAME = """(() => { const element = f.contentDocument?.querySelector('%s'); const inner = element?.getBoundingClientRect();
  const outer = f.getBoundingClientRect(); return inner && [outer.x + 2 + inner.x + inner.width / 2, outer.y + 2 + inner.y + inner.height / 2] })()"""


def redeem(person: Person, browser: Browser, folder: Path) -> None:
    person.click_at(IN_FRAME % "input")
    person.page.call("Input.insertText", {"text": "SPRING"})
    person.click_at(IN_FRAME % "button")


SHADOW = f"""<div id=one></div><div id=two></div>{TELL}<script>
const inner = one.attachShadow({{ mode: 'open' }});
inner.innerHTML = '<label>City <input></label>';
const shut = two.attachShadow({{ mode: 'closed' }});
shut.innerHTML = '<button>Save</button>';
shut.querySelector('button').onclick = () => tell({{ city: inner.querySelector('input').value }});
window.places = () => ['input', 'button'].map((name) => (inner.querySelector(name) ?? shut.querySelector(name)).getBoundingClientRect())
  .map(({{ x, y, width, height }}) => [x + width / 2, y + height / 2]);</script>"""


def save_in_shadow(person: Person, browser: Browser, folder: Path) -> None:
    person.click_at("places()[0]")
    person.page.call("Input.insertText", {"text": "Turin"})
    person.click_at("places()[1]")


POPUP = f"""<a href="/help.html" target=_blank>Help</a><button onclick="tell({{ back: 'yes' }})">Close help</button>{TELL}"""
HELP = f"""<!doctype html><title>Help</title><button onclick="tell({{ helped: 'yes' }})">It helped</button>{TELL}"""


def get_help(person: Person, browser: Browser, folder: Path) -> None:
    person.click("a")
    origin = person.page.evaluate("location.origin")
    other = Person(browser.at(f"{origin}/help.html"))
    other.ready()
    other.click("button")
    person.page.call("Page.bringToFront")
    person.click("button")


DIALOG = f"""<button onclick="if (confirm('Sure?')) tell({{ name: prompt('Name?', 'nobody') }})">Rename</button>{TELL}"""


def rename(person: Person, browser: Browser, folder: Path) -> None:
    box = "(({x, y, width, height}) => [x + width / 2, y + height / 2])(document.querySelector('button').getBoundingClientRect())"
    x, y = person.page.evaluate(box)
    at = {"x": x, "y": y, "button": "left", "clickCount": 1}
    person.page.call("Input.dispatchMouseEvent", {"type": "mousePressed", **at})
    session = browser.call("Target.attachToTarget", {"targetId": person.page.target_id, "flatten": True})["sessionId"]
    browser.call("Page.enable", {}, session)
    browser._socket.send(
        json.dumps(
            {"id": 987_654, "method": "Input.dispatchMouseEvent", "sessionId": session, "params": {"type": "mouseReleased", **at}}
        )
    )
    for answer in ({"accept": True}, {"accept": True, "promptText": "Ada"}):
        _until_answered(browser, session, answer)
    browser.call("Target.detachFromTarget", {"sessionId": session})


def _until_answered(browser: Browser, session: str, answer: dict[str, Any]) -> None:
    def answered() -> bool:
        try:
            browser.call("Page.handleJavaScriptDialog", answer, session)
        except CdpError:
            return False
        return True

    until(answered, within=5, says="a dialog is answered")


UPLOAD = """<form action=/post method=post enctype=multipart/form-data><input id=file type=file name=photo hidden>
<button type=button onclick="file.click()">Choose a photo</button><button>Send it</button></form>"""


def send_photo(person: Person, browser: Browser, folder: Path) -> None:
    photo = folder / "photo.txt"
    photo.write_text("a photo")
    person.choose_file("#file", photo)
    person.click("button:nth-of-type(2)")


TO_DO_LIST = f"""<input placeholder="What needs to be done?" id=new><ul id=list></ul><button id=done>Tell</button>{TELL}<script>
const items = [];
const draw = () => {{ list.replaceChildren(...items.map((item, at) => {{
  const row = document.createElement('li');
  row.innerHTML = '<input type=checkbox aria-label="Toggle ' + item.text + '"><label></label><input class=edit aria-label="Edit todo" hidden>';
  const [box, label, edit] = row.children;
  box.checked = item.done;
  box.onchange = () => {{ item.done = box.checked; draw(); }};
  label.textContent = item.text;
  label.ondblclick = () => {{ edit.hidden = false; edit.value = item.text; edit.focus(); edit.select(); }};
  edit.onkeydown = ({{ key }}) => {{ if (key === 'Enter') {{ item.text = edit.value; draw(); }} if (key === 'Escape') draw(); }};
  return row; }})); }};
document.getElementById('new').onkeydown = ({{ key, target }}) => {{
  if (key === 'Enter') {{ items.push({{ text: target.value, done: false }}); target.value = ''; draw(); }} }};
done.onclick = () => tell({{ items: items.map(({{ text, done }}) => text + (done ? ' (done)' : '')).join(', ') }});</script>"""


def keep_todos(person: Person, browser: Browser, folder: Path) -> None:
    for text in ("Milk", "Bread", "Bread"):
        person.type("#new", text)
        person.press("Enter")
    person.double_click("li:nth-child(2) label")
    person.page.call("Input.insertText", {"text": "Rolls"})
    person.press("Enter")
    person.click("li:nth-child(1) input[type=checkbox]")
    person.double_click("li:nth-child(1) label")
    person.page.call("Input.insertText", {"text": "never"})
    person.press("Escape")
    person.click("#done")


EXPECTATIONS = f"""<label>Name <input id=name></label><label>Size <select id=size><option value=s>small</option><option value=l>large
</option></select></label><p id=greeting role=status></p><button onclick="greeting.textContent = 'Hello,  ' + document.getElementById('name').value
+ '!'; tell({{ name: document.getElementById('name').value }})">Greet</button><div><span>/a/b/</span></div>
<iframe id=f width=300 height=80 srcdoc="<h2>Inside</h2>"></iframe>{TELL}"""


def expect_greeting(person: Person, browser: Browser, folder: Path) -> None:
    person.type("#name", "Ada")
    person.expect("Has value", "#name")
    person.expect("Has value", "#size")
    person.click("button")
    person.expect("Has text", "#greeting")
    person.expect("Has text", "span")
    person.expect("Is visible", "button")
    person.press_bar("Is visible")
    person.page.wait_for(PICKING)
    person.page.wait_for("f.contentDocument.querySelector('tabwire-picker') !== null")
    person.click_at(IN_FRAME % "h2")
    person.page.wait_for(f"!({PICKING})")


FLOWS = [
    Flow(
        "form",
        FORM,
        fill_form,
        [{"name": "Ada Lovelace", "colour": "g", "news": "yes", "size": "l", "note": "First\r\nSecond"}],
        in_batch=False,
    ),
    Flow("login", LOGIN, log_in, [{"user": "ada", "password": "open sesame"}], {"TABWIRE_PASSWORD": "open sesame"}),
    Flow("frame", FRAME, redeem, [{"voucher": "SPRING"}]),
    Flow("shadow", SHADOW, save_in_shadow, [{"city": "Turin"}]),
    Flow("popup", POPUP, get_help, [{"helped": "yes"}, {"back": "yes"}], in_batch=False),
    Flow("dialog", DIALOG, rename, [{"name": "Ada"}]),
    Flow("upload", UPLOAD, send_photo, [{"photo": "a photo"}]),
    Flow("expectations", EXPECTATIONS, expect_greeting, [{"name": "Ada"}]),
    Flow("todo", TO_DO_LIST, keep_todos, [{"items": "Milk (done), Rolls, Bread"}]),
]


ENDS = {"batch": "txt", "steps": "steps.json"}
"""Language → end of the names of its files, where that is not `py`."""


class Replays:
    """A browser for each language, in which recorded tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ends = contextlib.ExitStack()
        self._tabwire = self._ends.enter_context(tabwire.testing.launch())
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", *(["--no-sandbox"] if os.geteuid() == 0 else [])):
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options=options)
        self._ends.callback(self.driver.quit)
        self.env = environment(folder / "home")
        self._ends.callback(self._shell, "close")

    def close(self) -> None:
        self._ends.close()

    def _shell(self, *words: str, **env: str) -> None:
        done = subprocess.run(
            command(*words), env={**self.env, **env}, cwd=self.folder, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)

    def run(self, file: Path, language: str, secrets: dict[str, str]) -> None:
        """Run a test as it was written."""
        if language in ("batch", "steps"):
            self._shell("--launch", "--headless", "batch" if language == "batch" else "replay", str(file), **secrets)
            return
        if language == "pytest" and secrets:
            # Once with all that pytest does; a browser for each flow would cost too much.
            words = [*PYTEST, f"--basetemp={self.folder / 'tmp'}", str(file)]
            env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
            env |= {"PYTHONPATH": str(ROOT / "bridge"), "TABWIRE_HOME": str(self.folder / "home")}
            done = subprocess.run(words, env=env, cwd=self.folder, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
            return
        found = runpy.run_path(str(file))
        if language == "pytest":
            (test,) = (value for name, value in found.items() if name.startswith("test_"))
            test(self._tabwire)
            return
        first = self.driver.current_window_handle
        found["replay"](found["Run"](self.driver))
        for other in {*self.driver.window_handles} - {first}:
            self.driver.switch_to.window(other)
            self.driver.close()
        self.driver.switch_to.window(first)


@pytest.fixture(scope="module")
def replays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replays]:
    found = Replays(tmp_path_factory.mktemp("recorded"))
    yield found
    found.close()


def served(flow: Flow, site: Site) -> str:
    site.serve("/help.html", HELP)
    return site.serve(f"/{flow.name}.html", f"<!doctype html><title>{flow.name}</title>{flow.html}")


def record(flow: Flow, tabwire: Tabwire, browser: Browser, site: Site, folder: Path) -> list[dict[str, Any]]:
    tabwire.open(served(flow, site))
    tabwire.ok("record_steps", action="start")
    person = Person(browser.shown())
    person.ready()
    flow.act(person, browser, folder)
    has_got(flow, site)
    stopped = tabwire.ok("record_steps", action="stop", language="steps")
    assert "ended" not in stopped.data
    steps: list[dict[str, Any]] = stopped.data["steps"]
    return steps


def has_got(flow: Flow, site: Site) -> None:
    """Waits until the site has got what the person, or the test in their place, has sent."""
    site.wait_for(lambda site: len(site.posts) >= len(flow.posts))
    got = [post.form or {one.field: one.content.decode() for one in post.uploads} for post in site.posts]
    assert sorted(got, key=str) == sorted(flow.posts, key=str)


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.name)
def test_what_a_person_does_is_done_again_by_its_test(
    flow: Flow, tabwire: Tabwire, browser: Browser, site: Site, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = record(flow, tabwire, browser, site, replays.folder)
    assert not [step for step in steps if step.get("target", {}).get("unsure")]
    said = json.dumps(steps)
    for name, secret in flow.secrets.items():
        assert secret not in said
        monkeypatch.setenv(name, secret)
    for language in LANGUAGES:
        if language == "batch" and not flow.in_batch:
            continue
        file = replays.folder / f"test_{flow.name}_{language}.{ENDS.get(language, 'py')}"
        file.write_text(written(steps, language, file.name))
        site.reset()
        served(flow, site)
        replays.run(file, language, flow.secrets)
        has_got(flow, site)


@pytest.mark.parametrize(("label", "element"), [("Has text", "h1"), ("Has value", "#name"), ("Is visible", "h1")])
def test_an_expectation_that_no_longer_holds_fails_in_selenium(
    label: str, element: str, tabwire: Tabwire, browser: Browser, site: Site, replays: Replays, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<h1%s>Order %s</h1><label>Name <input id=name value=%s></label>"
    person = started(tabwire, browser, site.serve("/expected.html", page % ("", "12", "Ada")))
    person.expect(label, element)
    file = replays.folder / "test_expected.py"
    file.write_text(written(tabwire.ok("record_steps", action="stop").data["steps"], "selenium", file.name))
    monkeypatch.setenv("PATIENCE", "0.5")
    replays.run(file, "selenium", {})
    site.serve("/expected.html", page % (" hidden", "13", "Eve"))
    with pytest.raises(TimeoutException):
        replays.run(file, "selenium", {})


def test_a_recording_goes_on_behind_a_link(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    site.serve("/next", "<!doctype html><title>Next</title><button>Buy</button>")
    person = started(tabwire, browser, site.page("<a href=/next>Next</a>"))
    person.click("a")
    person.page.wait_for("document.title === 'Next'")
    person.ready()
    person.click("button")
    assert lines(tabwire.ok("record_steps", action="stop")) == [
        f"""tabwire.click('role:link[name="Next"]'); tabwire.wait("url", url="{site.url("/next")}")""",
        """tabwire.click('role:button[name="Buy"]')""",
    ]


def test_scripts_and_clients_make_no_steps(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page("<label>Name <input id=name></label><button id=b>Buy</button>"))
    person.page.evaluate("b.click(), name.value = 'x', document.getElementById('name').dispatchEvent(new Event('input'))")
    tabwire.ok("click", selector="#b")
    tabwire.ok("fill", selector="#name", value="client")
    tabwire.ok("press", selector="#name", key="Enter")
    person.click("#b")
    assert lines(tabwire.ok("record_steps", action="stop")) == ["""tabwire.click('role:button[name="Buy"]')"""]


ELEMENTS = """<button id=one>Save</button>
<button id=two>Twice</button><button id=three>Twice</button>
<label><input type=checkbox> I agree to <a id=terms href="#terms">the terms</a></label>
<div id=text onclick="1">Just a text</div>
<div id=t data-testid=card onclick="1"></div>
<div><p></p><p id=x4711 onclick="1"></p></div><style>div, p { min-height: 20px }</style>"""


@pytest.mark.parametrize(
    ("element", "selector"),
    [
        ("#one", 'role:button[name="Save"]'),
        ("#two", "#two"),
        ("#terms", 'role:link[name="the terms"]'),
        ("#text", 'text:"Just a text"'),
        ("#t", '[data-testid="card"]'),
        ("#x4711", "#x4711"),
    ],
)
def test_the_best_locator_that_leads_back(element: str, selector: str, tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page(ELEMENTS))
    person.click(element)
    (step,) = tabwire.ok("record_steps", action="stop").data["steps"][1:]
    assert step["target"]["selector"] == selector and "unsure" not in step["target"]
    found = tabwire.ok("evaluate", expression=f"document.querySelector({json.dumps(element)}).id").data
    assert tabwire.ok("wait", **{"for": "selector", "selector": selector}) and found == element[1:]


def test_it_ends_with_its_tab_and_keeps_its_steps(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    person = started(tabwire, browser, site.page("<button>Buy</button>"))
    waiting = tabwire.start("record_steps", action="read", after=1)
    person.click("button")
    assert [step["method"] for step in waiting.result(10).data["steps"]] == ["input.click"]
    waiting = tabwire.start("record_steps", action="read", after=2)
    person.page.close()
    assert waiting.result(10).data["ended"] == "its tab was closed"
    assert lines(tabwire.ok("record_steps", action="stop")) == ["""tabwire.click('role:button[name="Buy"]')"""]


def test_it_ends_when_the_person_stops(own: Launched, site: Site) -> None:
    someone = started(own.tabwire, own.browser, site.page("<button>Buy</button>"))
    extension = Owner(own.browser)
    try:
        extension.stop()
        someone.page.wait_for(f"!({RECORDED})")
        someone.click("button")
    finally:
        extension.ask("resume")
    stopped = own.tabwire.ok("record_steps", action="stop")
    assert stopped.data["ended"] == "the person paused or stopped Tabwire" and lines(stopped) == []


def test_what_is_not_there_to_be_stopped_is_said(tabwire: Tabwire, browser: Browser, site: Site) -> None:
    started(tabwire, browser, site.page(""))
    assert "recorded already" in tabwire.fails("record_steps", action="start").text
    tabwire.ok("record_steps", action="stop")
