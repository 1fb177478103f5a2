"""What the event log says of calls that were really made, and the script it becomes."""

from __future__ import annotations

import contextlib
import json
import os
import re
import runpy
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from selenium import webdriver
from selenium.common.exceptions import TimeoutException

from e2e.client import Tabwire
from e2e.conftest import Joined
from e2e.plain import LEAN
from e2e.site import Site
from programs import environment, ran_here
from tabwire.demo.app import Answer, DemoApp
from tabwire.demo.story import EXPECTED
from tabwire.eventlog import reader
from tabwire.recordings.languages import written

FORM = (
    "<label>Name <input id=n></label><label>Password <input id=p type=password></label>"
    "<label>Code <input id=c autocomplete=one-time-code></label><button data-testid=go onclick=\"document.title = 'Gone'\">Go</button>"
    "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<button onclick=\"document.title = 1\">In</button>'</script>"
)


CLIENT = "Tester"


@pytest.fixture
def logged(own: Joined) -> Iterator[tuple[Tabwire, Path]]:
    """A bridge of its own in the user's browser, and the folder in which all bridges there write their logs."""
    tabwire = own.join(name=CLIENT)
    try:
        yield tabwire, own.home / "events"
    finally:
        tabwire.close()


def events(folder: Path) -> list[dict[str, Any]]:
    return [entry.event for path in reader.files(folder) for entry in reader.entries(path)]


def calls(folder: Path, tool: str, event: str = "call") -> list[dict[str, Any]]:
    """Those of the client that is called Tester."""
    return [one for one in events(folder) if (one["event"], one.get("tool"), one.get("client")) == (event, tool, CLIENT)]


def test_a_call_is_logged_with_what_was_seen_and_without_secrets(logged: tuple[Tabwire, Path], site: Site) -> None:
    tabwire, folder = logged
    url = site.page(FORM)
    tabwire.ok("tab_new")
    tabwire.open(url)
    for selector, value in (("#n", "Ada"), ("#p", "hunter2"), ("#c", "495867")):
        tabwire.ok("fill", selector=selector, value=value)
    tabwire.ok("type", selector="#p", text="secretly")
    tabwire.ok("fill_form", fields=[{"label": "Name", "value": "Eve"}])
    tabwire.ok("fill_form", fields=[{"label": "Name", "value": "Ada"}, {"label": "Password", "value": "swordfish"}])
    tabwire.ok("click", selector="text:Go")
    tabwire.ok("click", selector="text:In")
    tabwire.fails("click", selector="#nowhere", timeout=100)
    tabwire.fails("click", nonsense=1)
    tabwire.ok("snapshot")
    tabwire.ok("press", key="Control+a")
    tabwire.ok("request", url="/status/200?part=2", method="HEAD")
    tabwire.close()
    fills = calls(folder, "fill")
    assert [fill["arguments"]["value"] for fill in fills] == ["Ada", "[7 characters]", "[6 characters]"]
    assert [fill["acts"][0]["target"]["secret"] for fill in fills] == [False, True, True]
    plain, secret = calls(folder, "fill_form")
    assert plain["arguments"]["fields"] == [{"label": "Name", "value": "Eve"}]
    assert [field["css"] for field in plain["acts"][0]["target"]["fields"]] == [["#n"]]
    assert [field["value"] for field in secret["arguments"]["fields"]] == ["[3 characters]", "[9 characters]"]
    go, inner, missing, wrong = calls(folder, "click")
    assert go["acts"][0]["target"] | {"secret": None, "frameId": None} == {
        "tag": "button",
        "role": "button",
        "name": "Go",
        "test_id": {"attribute": "data-testid", "value": "go"},
        "css": ["body > button"],
        "secret": None,
        "frameId": None,
    }
    assert go["url"] == url
    assert (go["client"], go["surface"], go["effect"], go["decision"], go["outcome"]) == (
        "Tester",
        "agent",
        "act",
        "allowed",
        "done",
    )
    assert inner["acts"][0]["target"]["css"] == ["#host", "button"]
    assert (missing["decision"], missing["outcome"]) == ("allowed", "no_such_element")
    assert (wrong["decision"], wrong["outcome"]) == ("refused", "invalid_argument")
    assert [event["effect"] for event in calls(folder, "snapshot")] == ["read"]
    text = "".join(log for path in reader.files(folder) if f'"{CLIENT}"' in (log := path.read_text()))
    assert "Ada" in text
    for secret in ("hunter2", "495867", "secretly", "swordfish"):
        assert secret not in text
    assert {verdict.faults for verdict in reader.verify_all(reader.files(folder))} == {()}
    shown = ran_here("log", "show", env=environment(folder.parent), cwd=folder).stdout
    for words in (
        *(f": navigate {url} ", f"now at {url}", ': fill textbox "Name" Ada at', ': fill textbox "Password" [7 characters] at'),
        *(": press Control+a at", ": request HEAD /status/200?part=2 →", ': click button "Go" at', "refused: invalid_argument"),
    ):
        assert words in shown, words
    local = f"^{datetime.now().astimezone():%Y-%m-%d} \\d\\d:\\d\\d:\\d\\d {CLIENT}: "
    assert re.search(local, shown, re.MULTILINE), "the time is not local"


def test_each_act_has_a_line_before_it_was_done(logged: tuple[Tabwire, Path], site: Site) -> None:
    """A bridge that is killed while it waits for an act leaves the line that says what it had asked for."""
    tabwire, folder = logged
    tabwire.ok("tab_new", url=site.page("<p>Page</p>"))
    expression = "fetch('/hang').then(() => {})"
    kept = 'fetch("[5 characters]").then(() => {})'
    tabwire.start("evaluate", expression=expression, timeout=60_000)
    site.wait_for(lambda site: site.hit_count("/hang"))
    tabwire.kill()
    assert [event["arguments"]["expression"] for event in calls(folder, "evaluate", "act_started")] == [kept]
    assert calls(folder, "evaluate") == []
    assert {verdict.faults for verdict in reader.verify_all(reader.files(folder))} == {()}


def test_who_wants_no_log_has_none(tmp_path: Path) -> None:
    environment = {"TABWIRE_HOME": str(tmp_path / "home"), "TABWIRE_EVENT_LOG": "false"}
    tabwire = Tabwire([], environment, tmp_path / "work")
    tabwire.fails("click", nonsense=1)
    tabwire.close()
    assert not (tmp_path / "home" / "events").exists()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The whole demo as a Selenium script, recorded as a user records it."""
    home = tmp_path_factory.mktemp("demo")

    def run(*words: str) -> str:
        done = ran_here(*words, env=environment(home), cwd=home)
        assert done.returncode == 0, done.stdout
        return done.stdout

    run("demo", "--headless")
    return run("log", "export", "--selenium")


def replay(script: str, app: DemoApp, file: Path) -> None:
    """Runs the script as it is, but for the ports: the app of the recording has gone."""
    recorded = re.search(r"driver\.get\('(http://127[^'/]+)", script)
    inner = re.search(r"frame='(http://localhost:\d+)", script)
    assert recorded
    assert inner
    file.write_text(script.replace(recorded[1], app.url).replace(inner[1], app.frame_origin), encoding="utf-8")
    runpy.run_path(str(file), run_name="__main__")


class OtherApp(DemoApp):
    """Takes another voucher than the one it is given."""

    def post(self, path: str, body: bytes) -> Answer:
        return super().post(path, b"code=AUTUMN" if path == "/promo" else body)


def from_the_voucher_on(script: str) -> str:
    """What was done before is done as before."""
    head, body = script.split("def replay(run):\n")
    voucher = next(line for line in body.splitlines() if "/voucher')" in line)
    return f"{head}def replay(run):\n{voucher}{body.partition(voucher)[2]}"


def a_name(site: Site) -> list[dict[str, Any]]:
    """Recorded steps: a press asks twice, and the answers become the title."""
    url = site.page("<button onclick=\"document.title = confirm('Sure?') && prompt('Name?', 'x')\">Rename</button>")
    return [
        {"method": "navigation.navigate", "params": {"url": url}},
        {"method": "input.click", "params": {}, "target": {"role": "button", "name": "Rename", "css": ["button"]}},
        {"method": "dialog.handle", "params": {"action": "accept"}},
        {"method": "dialog.handle", "params": {"action": "accept", "prompt_text": "Ada"}},
    ]


def test_the_demo_becomes_a_selenium_script_that_does_it_again_and_fails_where_the_page_says_something_else(
    demo: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    monkeypatch.setenv(
        "CHROME_ARGUMENTS", " ".join(["--headless=new", "--disable-gpu", LEAN, *["--no-sandbox"] * (os.geteuid() == 0)])
    )
    monkeypatch.setenv("PATIENCE", "60")
    start, begun = webdriver.Chrome, []

    def chrome(**options: Any) -> webdriver.Chrome:
        """Both begin a browser, and the second one gets that of the first, which costs as much as the rest."""
        if not begun:
            begun.append(start(**options))
            quits = stack.enter_context(mock.patch.object(begun[0], "quit"))
            stack.callback(lambda: quits.call_count == 2 or pytest.fail(f"ended {quits.call_count} times"))
        return begun[0]

    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [driver.quit() for driver in begun])
        monkeypatch.setattr(webdriver, "Chrome", chrome)
        with DemoApp() as app:
            replay(demo, app, tmp_path / "replayed.py")
            assert json.loads(app.get("/state").body) == EXPECTED
        # In a browser without Tabwire dialogs that the script has not answered are gone with its next command.
        renamed = tmp_path / "renamed.py"
        renamed.write_text(written(a_name(site), "selenium"))
        found = runpy.run_path(str(renamed))
        found["replay"](found["Run"](begun[0]))
        assert begun[0].title == "Ada"
        monkeypatch.setenv("PATIENCE", "3")
        with OtherApp() as other, pytest.raises(TimeoutException, match="not found in 3 s: text 'Voucher SPRING accepted'"):
            replay(from_the_voucher_on(demo), other, tmp_path / "elsewhere.py")
