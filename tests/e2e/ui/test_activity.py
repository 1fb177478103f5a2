"""The record of what clients do, as the person's pages get it."""

import json
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.conftest import Launched
from e2e.person import Person
from e2e.site import Site
from polling import until

FORM = """<button onclick="document.title = 'Saved'">Save</button><label>Password <input type=password></label>
<label>Name <input></label><button onclick="alert('Held')">Ask</button><button disabled>Off</button>"""
SECRET = "hunter2-typed"
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ"


@pytest.fixture
def opened(anna: Tabwire, person: Person, site: Site) -> int:
    """The client's tab with the form; nothing is in the record but that."""
    tab = int(anna.ok("navigate", url=site.page(FORM)).data["tabId"])
    person.ask("clearActivity")
    return tab


def entries(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.ask("activity")["entries"]
    return found


def test_a_call_is_told_with_who_what_where_and_what_came_of_it(anna: Tabwire, person: Person, site: Site, opened: int) -> None:
    anna.ok("click", selector="role:button[name='Save']")
    (entry,) = entries(person)
    assert {name: entry[name] for name in ("client", "title", "effect", "state", "tabId", "origin", "target")} == {
        "client": "mcp",
        "title": "Click",
        "effect": "act",
        "state": "done",
        "tabId": opened,
        "origin": site.origin,
        "target": 'button "Save"',
    }
    assert "change" in entry["observed"]
    assert entry["at"] <= entry["ended"]


def test_how_calls_end_is_told_apart(anna: Tabwire, person: Person, opened: int) -> None:
    anna.fails("click", selector="role:button[name='Off']", timeout=100)
    anna.ok("snapshot")
    waiting = anna.start("wait", **{"for": "text", "text": "Never", "timeout": 20_000})
    until(lambda: [entry["state"] for entry in entries(person)], equals=["failed", "done", "running"])
    person.stop()
    assert waiting.result(5).is_error
    anna.fails("title")
    anna.ok("status")
    assert [(entry["title"], entry["effect"], entry["state"], entry.get("error")) for entry in entries(person)] == [
        ("Click", "act", "failed", "element_not_interactable"),
        ("Page snapshot", "read", "done", None),
        ("Wait", "read", "stopped", "stopped_by_user"),
        ("Page title", "read", "refused", "stopped_by_user"),
    ]


def test_nothing_that_was_typed_read_or_said_by_the_page_is_kept(anna: Tabwire, person: Person, site: Site, opened: int) -> None:
    anna.ok("fill", selector="label:Password", value=SECRET)
    anna.ok("type", selector="label:Name", text=SECRET)
    anna.ok("storage", action="set", key="k", value=SECRET)
    anna.ok("evaluate", expression=f"'{SECRET}'")
    anna.ok("click", selector="role:button[name='Ask']")
    anna.ok("dialog", action="accept")
    anna.ok("navigate", url=site.page(f"<button aria-label='Key {TOKEN}\u202e'>K</button>") + f"?code={SECRET}")
    anna.ok("click", selector="role:button")
    told = entries(person)
    text = json.dumps(told, ensure_ascii=False)
    assert [entry["state"] for entry in told] == ["done"] * 8, told
    assert [word for word in (SECRET, TOKEN, "Held", "\u202e", "code=") if word in text] == []
    assert [entry.get("observed", "") for entry in told if "dialog" in entry.get("observed", "")] == [
        "a dialog opened (alert)"
    ], told
    assert (told[0]["target"], told[-1]["target"]) == ('textbox "Password"', 'button "Key [redacted]"')


def test_a_page_that_looks_on_is_told_of_each_change(anna: Tabwire, person: Person, opened: int) -> None:
    person.page.evaluate("""globalThis.told = []; globalThis.port = chrome.runtime.connect({name: "activity"});
      port.onMessage.addListener((message) => told.push(message)); undefined""")
    person.page.wait_for("told.length === 1")
    assert person.page.evaluate("told[0].entries") == []
    anna.ok("click", selector="role:button[name='Save']")
    person.page.wait_for("told.at(-1).entry?.state === 'done'")
    states = person.page.evaluate("told.slice(1).map(({ entry }) => [entry.state, Boolean(entry.tabId), Boolean(entry.target)])")
    assert states[0] == ["running", False, False]
    assert states[-1] == ["done", True, True]
    assert ["running", True, True] in states, "the element is known before the act has ended"
    assert person.page.evaluate("new Set(told.slice(1).map(({ entry }) => entry.id)).size") == 1
    assert anna.snapshot()
    assert person.page.evaluate("port.disconnect()") is None


def test_the_record_outlives_the_worker_and_is_bounded(own: Launched, anna: Tabwire, person: Person, opened: int) -> None:
    anna.ok("click", selector="role:button[name='Save']")
    kept = "chrome.storage.session.get('activity').then((all) => all.activity?.at(-1)?.state)"
    until(lambda: own.browser.in_worker(kept), equals="done")
    own.browser.stop_workers()
    until(lambda: not anna.call("title").is_error)
    assert [entry["title"] for entry in entries(person)][0] == "Click"
    for call in [anna.start("url") for _ in range(210)]:
        call.result(20)
    told = entries(person)
    assert len(told) == 200
    assert [entry["id"] for entry in told] == sorted({entry["id"] for entry in told})
