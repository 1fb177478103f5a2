"""Flows of a person on small sites: trusted input through DevTools, and what the site gets of it."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from e2e.cdp import Browser, CdpError
from e2e.client import Tabwire
from e2e.site import Site
from e2e.steps.recorded_person import PICKING, Person
from polling import until

TELL = "<script>window.tell = (said) => fetch('/post', { method: 'POST', body: new URLSearchParams(said) })</script>"

BOTH = ("steps", "selenium")
"""What finds elements in a way of its own: `tabwire replay`, and a test of Selenium's. Other tests have the calls of a replay."""
WITH_PYTEST = (*BOTH, "pytest")
"""For calls that are written in Python's way: several tabs, lines."""
ALL = (*WITH_PYTEST, "batch")
"""For what a batch writes in its own way: a text of one line, a value from the environment, a wait for an address, dialogs, files."""


@dataclass
class Flow:
    """What a person does on a page, and what the site gets of it."""

    name: str
    html: str
    act: Callable[[Person, Browser, Path], None]
    posts: list[dict[str, str]]
    secrets: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = BOTH
    """What its test is written in."""


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


WIZARD = """<form action="/wizard-2.html"><label>Name <input id=name></label><button>Next</button></form><script>
document.querySelector('form').onsubmit = () => { sessionStorage.name = document.getElementById('name').value }</script>"""
WIZARD_END = f"""<!doctype html><title>wizard, second page</title><h1>Pay</h1><label><input type=radio name=pay value=card> Card</label>
<label><input type=radio name=pay value=bill> Bill</label><a href="/wizard.html">Back</a>
<button onclick="tell({{ name: sessionStorage.name, pay: document.querySelector('[name=pay]:checked').value }})">Order</button>{TELL}"""


def order_on_two_pages(person: Person, browser: Browser, folder: Path) -> None:
    person.type("#name", "Ada")
    person.click("button")
    person.page.wait_for("document.title === 'wizard, second page'")
    person.ready()
    person.click("[value=bill]")
    person.click("button")


SEARCH = f"""<label>Search <input id=q></label><ul id=hits></ul><p id=chosen role=status></p>
<button onclick="tell({{ chosen: chosen.textContent }})">Take it</button>{TELL}<script>
const towns = ['Rome', 'Rouen', 'Rostock', 'Turin'];
q.oninput = () => {{ hits.replaceChildren(); setTimeout(() => hits.replaceChildren(...towns.filter((town) => q.value
  && town.startsWith(q.value)).map((town) => {{ const hit = document.createElement('li'); hit.innerHTML = '<button></button>';
  hit.firstChild.textContent = town; hit.firstChild.onclick = () => {{ chosen.textContent = town; hits.replaceChildren() }};
  return hit }})), 150) }}</script>"""


def choose_a_hit(person: Person, browser: Browser, folder: Path) -> None:
    person.type("#q", "Ro")
    person.page.wait_for("hits.children.length === 3")
    person.click("li:nth-child(2) button")
    person.click("body > button")


ROWS = f"""<h1>Orders</h1><table><thead><tr><th>Number<th>State<th></thead><tbody id=rows></tbody></table>{TELL}<script>
rows.innerHTML = [1, 2, 3, 4].map((number) =>
  `<tr><td>Order ${{number}}</td><td>open</td><td><button>Cancel</button> <button>Ship</button></td></tr>`).join('');
rows.onclick = ({{ target }}) => {{ const row = target.closest('tr');
  if (target.localName === 'button') tell({{ [target.textContent]: row.cells[0].textContent }}) }}</script>"""


def work_on_rows(person: Person, browser: Browser, folder: Path) -> None:
    person.click("tr:nth-child(3) button:nth-of-type(2)")
    person.click("tr:nth-child(2) button:nth-of-type(1)")


FLOWS = [
    Flow(
        "form",
        FORM,
        fill_form,
        [{"name": "Ada Lovelace", "colour": "g", "news": "yes", "size": "l", "note": "First\r\nSecond"}],
        languages=WITH_PYTEST,
    ),
    Flow("login", LOGIN, log_in, [{"user": "ada", "password": "open sesame"}], {"TABWIRE_RECORDED_PASSWORD": "open sesame"}, ALL),
    Flow("frame", FRAME, redeem, [{"voucher": "SPRING"}]),
    Flow("shadow", SHADOW, save_in_shadow, [{"city": "Turin"}]),
    Flow("popup", POPUP, get_help, [{"helped": "yes"}, {"back": "yes"}], languages=WITH_PYTEST),
    Flow("dialog", DIALOG, rename, [{"name": "Ada"}], languages=ALL),
    Flow("upload", UPLOAD, send_photo, [{"photo": "a photo"}], languages=ALL),
    Flow("expectations", EXPECTATIONS, expect_greeting, [{"name": "Ada"}], languages=ALL),
    Flow("todo", TO_DO_LIST, keep_todos, [{"items": "Milk (done), Rolls, Bread"}]),
    Flow("wizard", WIZARD, order_on_two_pages, [{"name": "Ada", "pay": "bill"}], languages=ALL),
    Flow("search", SEARCH, choose_a_hit, [{"chosen": "Rouen"}]),
    Flow("rows", ROWS, work_on_rows, [{"Ship": "Order 3"}, {"Cancel": "Order 2"}]),
]


def served(flow: Flow, site: Site) -> str:
    site.serve("/help.html", HELP)
    site.serve("/wizard-2.html", WIZARD_END)
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
