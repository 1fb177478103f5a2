"""`tabwire replay` with a session that says which elements there are."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.session.fake_session import FakeSession, fake_session
from programs import environment, ran_here
from tabwire.cli.session import frames
from tabwire.recordings.steps_file import steps_in, text_of

PRINT = {"tag": "button", "role": "button", "name": "Buy", "frame": ""}
BUY = {
    "tag": "button",
    "selector": 'role:button[name="Buy"]',
    "role": "button",
    "name": "Buy",
    "css": ["button"],
    "secret": False,
}
ORDER = {**BUY, "selector": 'role:button[name="Order"]', "name": "Order", "fingerprint": {**PRINT, "name": "Order"}}
STEPS: list[dict[str, Any]] = [
    {"number": 1, "method": "navigation.navigate", "params": {"url": "https://a.example/"}, "tab": 7},
    {"number": 2, "method": "input.click", "params": {}, "tab": 7, "target": {**BUY, "fingerprint": PRINT}},
    {"number": 3, "method": "input.press", "params": {"key": "Enter"}, "tab": 7},
]


class Page:
    """A session with a page.

    Args:
        verdict: on the selector of the second step.
        candidates: of the second step.
        clear: whether the first one is clear.
        fails: the command that fails.
    """

    def __init__(self, verdict: str, *candidates: dict[str, Any], clear: bool = True, fails: str = "") -> None:
        self.located = {"verdict": verdict, "clear": clear, "candidates": [*candidates]}
        self.fails = fails
        self.heard: list[list[str]] = []

    def answer(self, session: FakeSession, parts: list[str]) -> None:
        words = parts[3:]
        self.heard.append(words)
        if words[0] == self.fails:
            session.say(frames.ERR, "timeout: it did not come")
            session.say(frames.END, "1")
            return
        data = self.located if words[0] == "locate-step" else {"tabId": 31}
        session.say(frames.OUT, json.dumps({"success": True, "data": data}))
        session.say(frames.END, "0")

    def did(self) -> list[list[str]]:
        return [[word for word in words if not word.startswith("--")] for words in self.heard if words[0] != "locate-step"]


def candidate(score: float, **more: Any) -> dict[str, Any]:
    return {"ref": "@e4", "score": score, "target": {**ORDER, **more}}


def replayed(folder: Path, page: Page, *options: str) -> subprocess.CompletedProcess[str]:
    file = folder / "order.steps.json"
    file.write_text(text_of(STEPS))
    file.chmod(0o640)
    with fake_session(folder, page.answer):
        return ran(folder, file.name, *options)


def ran(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return ran_here("replay", *words, env=environment(folder), cwd=folder)


def kept(folder: Path) -> list[dict[str, Any]]:
    return steps_in((folder / "order.steps.json").read_text())


def test_steps_are_done_in_the_tab_that_they_opened(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    page = Page("same")
    done = replayed(tmp_path, page)
    assert (done.returncode, done.stderr, capfd.readouterr().err) == (0, "", "")
    assert page.heard == [
        ["open", "https://a.example/", "--json"],
        [
            "locate-step",
            f"--selector={BUY['selector']}",
            f"--fingerprint={json.dumps(PRINT)}",
            "--timeout=5000",
            "--tab-id=31",
            "--json",
        ],
        ["click", BUY["selector"], "--tab-id=31", "--json"],
        ["press", "Enter", "--tab-id=31", "--json"],
    ]
    assert done.stdout.splitlines()[1] == """2/3 tabwire.click('role:button[name="Buy"]')"""
    assert kept(tmp_path) == STEPS


def test_a_step_in_another_tab_brings_it_to_the_front(tmp_path: Path) -> None:
    page = Page("same")
    (tmp_path / "two.steps.json").write_text(text_of([STEPS[0], {**STEPS[2], "tab": 8}, {**STEPS[0], "tab": 8}, STEPS[2]]))
    with fake_session(tmp_path, page.answer):
        done = ran(tmp_path, "two.steps.json")
    assert (done.returncode, done.stderr) == (0, "")
    # The tab of the second step is not known: it was not opened by one.
    assert [words[0] for words in page.heard] == ["open", "press", "open", "tab-switch", "press"]


def test_without_repair_the_nearest_are_proposed(tmp_path: Path) -> None:
    page = Page("none", candidate(0.84), candidate(0.4, selector="#cancel"))
    done = replayed(tmp_path, page)
    assert (done.returncode, done.stderr) == (1, "tabwire: step 2 failed. Not run: 1 more\n")
    assert done.stdout.splitlines()[2:] == [
        '  nothing matches role:button[name="Buy"]; nearest: role:button[name="Order"] (0.84); #cancel (0.40)',
        "  Add --repair to go on with the first one and write it into the file",
    ]
    assert page.did() == [["open", "https://a.example/"]] and kept(tmp_path) == STEPS


def test_a_repair_goes_on_and_is_written(tmp_path: Path) -> None:
    page = Page("several", candidate(0.84))
    done = replayed(tmp_path, page, "--repair")
    assert (done.returncode, done.stderr) == (0, "")
    assert ["click", ORDER["selector"]] in page.did()
    assert done.stdout.splitlines()[-3:] == [
        """- tabwire.click('role:button[name="Buy"]')""",
        """+ tabwire.click('role:button[name="Order"]')""",
        "Repaired in order.steps.json: step 2",
    ]
    assert kept(tmp_path) == [STEPS[0], {**STEPS[1], "target": ORDER}, STEPS[2]]
    assert (tmp_path / "order.steps.json").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["order.steps.json", "shell"]


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (Page("other", candidate(0.84), candidate(0.83), clear=False), "None of them is clearly the recorded element"),
        (Page("none", clear=False), "nothing in the page is like the recorded element"),
        (Page("none", candidate(0.9, unsure=True)), "No selector leads to the first one alone"),
    ],
    ids=["equals", "nothing", "unsure"],
)
def test_nothing_is_guessed(page: Page, says: str, tmp_path: Path) -> None:
    done = replayed(tmp_path, page, "--repair")
    assert done.returncode == 1 and says in done.stdout
    assert page.did() == [["open", "https://a.example/"]] and kept(tmp_path) == STEPS


def test_a_repair_whose_act_fails_is_not_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = replayed(tmp_path, Page("none", candidate(0.84), fails="click"), "--repair")
    # What the session says goes past Python's streams.
    assert done.returncode == 1 and "timeout: it did not come" in capfd.readouterr().err
    assert kept(tmp_path) == STEPS


def test_a_repair_is_kept_although_a_later_step_fails(tmp_path: Path) -> None:
    done = replayed(tmp_path, Page("none", candidate(0.84), fails="press"), "--repair")
    assert done.returncode == 1 and "step 3 failed. It was the last one" in done.stderr
    assert kept(tmp_path)[1]["target"] == ORDER


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "needs the name of a file; usage: tabwire replay FILE"),
        (["a", "b"], "does not take 'b'"),
        (["--timeout", "soon", "a"], "needs a number of milliseconds for --timeout"),
        (["none.json"], "none.json cannot be replayed: [Errno 2]"),
        (["text.json"], "it is no JSON"),
        (["other.json"], "it is no recording of steps"),
        (["newer.json"], "it is of version 9"),
        (["broken.json"], "its steps are not a list"),
        (["secret.json"], "step 1: the environment has no TABWIRE_RECORDED_PASSWORD"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_done(words: list[str], says: str, tmp_path: Path) -> None:
    secret = {"method": "forms.fill", "params": {}, "tab": 1, "target": {"selector": "#p"}, "variable": "PASSWORD"}
    files = {
        "text": "click Buy",
        "other": "{}",
        "newer": text_of([]).replace('"version": 1', '"version": 9'),
        "broken": text_of([1]),  # type: ignore[list-item]
        "secret": text_of([secret]),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(text)
    done = ran(tmp_path, *words)
    assert (done.returncode, done.stdout) == (2, "") and says in done.stderr
