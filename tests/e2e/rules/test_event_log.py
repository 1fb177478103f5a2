"""What the event log says of calls that were really made, and the script it becomes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Tabwire
from e2e.site import Site
from programs import ran
from tabwire.demo.app import Answer, DemoApp
from tabwire.demo.story import EXPECTED
from tabwire.eventlog import reader

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
    text = "".join(path.read_text() for path in reader.files(folder))
    for secret in ("hunter2", "495867", "secretly", "swordfish"):
        assert secret not in text
    assert [verdict.faults for verdict in reader.verify_all(reader.files(folder))] == [()]
    shown = ran("log", "show", home=folder.parent).stdout
    for words in (
        *(f": navigate {url} ", f"now at {url}", ': fill textbox "Name" Ada at', ': fill textbox "Password" [7 characters] at'),
        *(": press Control+a at", ": request HEAD /status/200?part=2 →", ': click button "Go" at', "refused: invalid_argument"),
    ):
        assert words in shown, words
    assert re.match(f"{datetime.now().astimezone():%Y-%m-%d} \\d\\d:\\d\\d:\\d\\d Tester: ", shown), "the time is not local"


def test_each_act_has_a_line_before_it_was_done(logged: tuple[Tabwire, Path], site: Site) -> None:
    """A bridge that is killed while it waits for an act leaves the line that says what it had asked for."""
    tabwire, folder = logged
    tabwire.open(site.page("<p>Page</p>"))
    expression = "fetch('/hang').then(() => {})"
    kept = 'fetch("[5 characters]").then(() => {})'
    tabwire.start("evaluate", expression=expression, timeout=60_000)
    site.wait_for(lambda site: site.hit_count("/hang"))
    tabwire.kill()
    started = [event for event in events(folder) if event["event"] == "act_started" and event["tool"] == "evaluate"]
    assert [event["arguments"]["expression"] for event in started] == [kept]
    assert calls(folder, "evaluate") == []
    assert [verdict.faults for verdict in reader.verify_all(reader.files(folder))] == [()]


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
        done = ran(*words, home=home, timeout=120)
        assert done.returncode == 0, done.stdout
        return done.stdout

    run("demo", "--headless")
    return run("log", "export", "--selenium")


def replayed(script: str, app: DemoApp, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The script as it is, but for the ports: the app of the recording has gone."""
    recorded = re.search(r"driver\.get\('(http://127[^'/]+)", script)
    inner = re.search(r"frame='(http://localhost:\d+)", script)
    assert recorded
    assert inner
    file = folder / "replayed.py"
    file.write_text(script.replace(recorded[1], app.url).replace(inner[1], app.frame_origin))
    arguments = "--headless=new" + (" --no-sandbox" if os.geteuid() == 0 else "")
    command = [sys.executable, str(file)]
    environment = {**os.environ, "CHROME_ARGUMENTS": arguments, "PATIENCE": "60", **environment}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)


class OtherApp(DemoApp):
    """Takes another voucher than the one it is given."""

    def post(self, path: str, body: bytes) -> Answer:
        return super().post(path, b"code=AUTUMN" if path == "/promo" else body)


def from_the_voucher_on(script: str) -> str:
    """What was done before is done as before."""
    head, body = script.split("def replay(run):\n")
    voucher = next(line for line in body.splitlines() if "/voucher')" in line)
    return f"{head}def replay(run):\n{voucher}{body.partition(voucher)[2]}"


@dataclass(frozen=True)
class Replays:
    """What became of the demo's script, and of a part of it where the page says something else."""

    whole: subprocess.CompletedProcess[str]
    state: dict[str, Any]
    elsewhere: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def replays(demo: str, tmp_path_factory: pytest.TempPathFactory) -> Replays:
    """Both beside each other: the second one waits for what does not come."""
    with DemoApp() as app, OtherApp() as other, ThreadPoolExecutor(2) as pool:
        whole = pool.submit(replayed, demo, app, tmp_path_factory.mktemp("whole"))
        elsewhere = pool.submit(replayed, from_the_voucher_on(demo), other, tmp_path_factory.mktemp("elsewhere"), PATIENCE="5")
        return Replays(whole.result(), json.loads(app.get("/state").body), elsewhere.result())


def test_the_demo_becomes_a_selenium_script_that_does_it_again(demo: str, replays: Replays) -> None:
    assert replays.whole.returncode == 0, f"{demo}\n{replays.whole.stderr}"
    assert replays.state == EXPECTED


def test_such_a_script_fails_where_the_page_says_something_else(replays: Replays) -> None:
    assert replays.elsewhere.returncode != 0
    assert "not found in 5 s: text 'Voucher SPRING accepted'" in replays.elsewhere.stderr, replays.elsewhere.stderr
