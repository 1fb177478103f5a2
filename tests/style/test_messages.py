"""Messages of errors say what to do next (`scripts/messages` prints them all)."""

import ast
from typing import Any

import pytest

from publishing.scripts import module

messages = module("wording/messages")

SIGNALS = "ends work inside the extension; another message, or nobody, tells the client"
WRAPS = "gives another error's message, which names the step"
FOREIGN = "has only words of Chrome or Python, of which no way out is known"
WITHOUT_STEP = {
    "the client cancelled this call": SIGNALS,
    "the client left before this action started": SIGNALS,
    "the connection to the client was lost": SIGNALS,
    "the question was withdrawn: the same client asked something else in this tab, or is gone": SIGNALS,
    "the wait has ended": SIGNALS,
    "it was withdrawn before it began; nothing was done": SIGNALS,
    "the page could not begin in time": SIGNALS,
    "the page is not observed yet": SIGNALS,
    "the person at the browser stopped everything": SIGNALS,
    "the person at the browser stopped this client": SIGNALS,
    "The browser came too late: its launch had been given up.": SIGNALS,
    "a dialog is open": "leaves one picture out of a recording; no call ends with it",
    "what the tab shows must not be read": "leaves one picture out of a recording; no call ends with it",
    "{nameOf(fields, at)}: {error.message} ({before}{after})": WRAPS,
    "{nameOf(fields, at)}: {error.message}. Nothing was filled": WRAPS,
    "{nameOf(fields, error.at ?? 0)}: {error.message}. Nothing was filled": WRAPS,
    "{error.message}. Without it only what a tab in front shows can be taken": WRAPS,
    "{known[2]} ({said(text)})": WRAPS,
    "{message} ({code})": WRAPS,
    "--since {text}: {error}.": WRAPS,
    "--allow: {error.errors(include_url=False)[0]['msg']}": WRAPS,
    "nothing could be saved: {found['failed'][0]['cause']}": WRAPS,
    "all fields were filled; what submits the form could not be found: {message}": WRAPS,
    "the page removed or replaced the element as the act came, so nothing was done: {message}": WRAPS,
    "you may not {asked(subject)}: {by} was asked and {REFUSALS[answer].says}. Nothing was done": "the person's answer names it",
    "the browser refused {method}: {said(text)}": FOREIGN,
    "the debugger cannot be attached to this tab: {error.message}": FOREIGN,
    "The parameters of {call.method} cannot be written as JSON: {error}.": FOREIGN,
    "{call.tool.name} failed inside tabwire ({type(error).__name__}: {error}); the log on stderr has the details": FOREIGN,
}
"""Messages that name no next step, with the reason."""


@pytest.fixture(scope="module")
def found() -> list[Any]:
    told: list[Any] = messages.of_repository()
    return told


def test_a_message_names_a_next_step_or_has_a_reason_not_to(found: list[Any]) -> None:
    assert len(found) > 350
    silent = {one.text: one for one in found if not one.names_step and not one.is_made_elsewhere}
    assert [f"{one.path}:{one.line}: {text}" for text, one in silent.items() if text not in WITHOUT_STEP] == []
    assert [text for text in WITHOUT_STEP if text not in silent] == []


@pytest.mark.parametrize(
    ("text", "names_step"),
    [
        ("the tab is closed; call tab_list to see the open tabs", True),
        ("a drag needs a source and a target", True),
        ("unknown key {name}. Valid keys: {keys}", True),
        ("the wait has ended", False),
        ("{path} cannot be read: {error.strerror}.", False),
        ("the dialog is open", False),
    ],
)
def test_a_next_step_is_known_by_its_form(text: str, names_step: bool) -> None:
    assert messages.Message("a.py", 1, "timeout", text).names_step is names_step


def test_messages_of_python_are_found_with_their_choices_and_steps_beside_them() -> None:
    source = 'raise NoSuchTab(f"no tab {tab}" if tab else "no tab")\nraise errors.Timeout("late", next_step="Wait.")\nraise ValueError("x")\n'
    told = [(one.code, one.text, one.names_step) for one in messages.of_python({"a.py": ast.parse(source)})]
    assert told == [("no_such_tab", "no tab {tab}", False), ("no_such_tab", "no tab", False), ("timeout", "late", True)]


def test_messages_of_javascript_are_found_through_the_functions_that_make_errors() -> None:
    source = (
        'const invalid = (text) => new TabwireError("invalid_argument", text);\n'
        'function f(a) { if (a) throw invalid(`no ${a}`); throw codedError("timeout", a ? "one" : "two"); }\n'
    )
    told = sorted((one.code, one.text) for one in messages.of_javascript({"a.js": source}))
    assert told == [("invalid_argument", "no {a}"), ("timeout", "one"), ("timeout", "two")]
