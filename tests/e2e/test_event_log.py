"""What the event log says of calls that were really made, and the script it becomes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.client import ROOT, Tabwire
from e2e.site import Site
from tabwire.eventlog import reader
from tabwire.eventlog.selenium_script import script

FORM = (
    "<label>Name <input id=n></label><label>Password <input id=p type=password></label>"
    "<label>Code <input id=c autocomplete=one-time-code></label><button data-testid=go onclick=\"document.title = 'Gone'\">Go</button>"
    "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<button onclick=\"document.title = 1\">In</button>'</script>"
)


@pytest.fixture
def logged(tmp_path: Path) -> Iterator[tuple[Tabwire, Path]]:
    """A bridge with a browser of its own, and the folder of its log."""
    tabwire = Tabwire(["--launch", "--headless"], {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path / "work", name="Tester")
    try:
        yield tabwire, tmp_path / "home" / "events"
    finally:
        tabwire.close()


def events(folder: Path) -> list[dict[str, Any]]:
    return [entry.event for path in reader.files(folder) for entry in reader.entries(path)]


def calls(folder: Path, tool: str) -> list[dict[str, Any]]:
    return [event for event in events(folder) if event["event"] == "call" and event["tool"] == tool]


def test_a_call_is_logged_with_what_was_seen_and_without_secrets(logged: tuple[Tabwire, Path], site: Site) -> None:
    tabwire, folder = logged
    url = site.page(FORM)
    tabwire.open(url)
    for selector, value in (("#n", "Ada"), ("#p", "hunter2"), ("#c", "495867")):
        tabwire.ok("fill", selector=selector, value=value)
    tabwire.ok("type", selector="#p", text="secretly")
    tabwire.ok("click", selector="text:Go")
    tabwire.ok("click", selector="text:In")
    tabwire.fails("click", selector="#nowhere", timeout=100)
    tabwire.fails("click", nonsense=1)
    tabwire.ok("snapshot")
    tabwire.close()
    fills = calls(folder, "fill")
    assert [fill["arguments"]["value"] for fill in fills] == ["Ada", "[7 characters]", "[6 characters]"]
    assert [fill["acts"][0]["target"]["secret"] for fill in fills] == [False, True, True]
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
    text = "".join(path.read_text() for path in reader.files(folder))
    for secret in ("hunter2", "495867", "secretly"):
        assert secret not in text
    assert [verdict.faults for verdict in reader.verify_all(reader.files(folder))] == [()]


def test_each_act_has_a_line_before_it_was_done(logged: tuple[Tabwire, Path], site: Site) -> None:
    """A bridge that is killed while it waits for an act leaves the line that says what it had asked for."""
    tabwire, folder = logged
    tabwire.open(site.page("<p>Page</p>"))
    expression = "fetch('/hang').then(() => {})"
    tabwire.start("evaluate", expression=expression, timeout=60_000)
    site.wait_for(lambda site: site.hit_count("/hang"))
    tabwire.kill()
    started = [event for event in events(folder) if event["event"] == "act_started" and event["tool"] == "evaluate"]
    assert [event["arguments"]["expression"] for event in started] == [expression]
    assert calls(folder, "evaluate") == []
    assert [verdict.faults for verdict in reader.verify_all(reader.files(folder))] == [()]


def test_who_wants_no_log_has_none(tmp_path: Path) -> None:
    environment = {"TABWIRE_HOME": str(tmp_path / "home"), "TABWIRE_EVENT_LOG": "false"}
    tabwire = Tabwire([], environment, tmp_path / "work")
    tabwire.fails("click", nonsense=1)
    tabwire.close()
    assert not (tmp_path / "home" / "events").exists()


def test_the_demo_becomes_a_selenium_script_that_does_it_again(tmp_path: Path) -> None:
    from tabwire.demo.app import DemoApp
    from tabwire.demo.story import EXPECTED

    environment = {**os.environ, "PYTHONPATH": str(ROOT / "bridge"), "TABWIRE_HOME": str(tmp_path)}
    recorded = subprocess.run(
        [sys.executable, "-m", "tabwire", "demo", "--headless"], env=environment, capture_output=True, text=True, timeout=90
    )
    assert recorded.returncode == 0, recorded.stdout
    text = script(events(tmp_path / "events"))
    with DemoApp() as app:
        # The app of the recording had other ports.
        text = text.replace(calls(tmp_path / "events", "navigate")[0]["arguments"]["url"], app.url)
        # Once in fourteen runs chromedriver did not get into the frame of another process.
        text = "".join(line for line in text.splitlines(keepends=True) if "frame='http" not in line)
        file = tmp_path / "replayed.py"
        file.write_text(text)
        arguments = "--headless=new" + (" --no-sandbox" if os.geteuid() == 0 else "")
        done = subprocess.run(
            [sys.executable, str(file)],
            env={**os.environ, "CHROME_ARGUMENTS": arguments},
            capture_output=True,
            text=True,
            timeout=110,
        )
        assert done.returncode == 0, f"{text}\n{done.stderr}"
        state = json.loads(app.get("/state").body)
    assert state == {**EXPECTED, "promo": ""}
