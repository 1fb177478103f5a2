"""What becomes of single entries of the log in a Selenium script."""

from __future__ import annotations

from typing import Any

import pytest

from tabwire.recordings.selenium_script import script, script_of

FIELD = {"role": "textbox", "name": "Name", "css": ["#n"]}


def body(*acts: dict[str, Any], **event: Any) -> list[str]:
    """The lines for acts that were done."""
    text = script([{"event": "call", "outcome": "done", "acts": list(acts), **event}])
    compile(text, "replayed.py", "exec")
    lines = text[text.index("def replay(run):\n") : text.index("def main():")].splitlines()[1:]
    return [line.strip() for line in lines if line.strip() not in ("", "pass")]


@pytest.mark.parametrize(
    ("method", "params", "lines"),
    [
        ("forms.fill", {"value": 'Ada "L" ✓'}, ["run.fill(ELEMENT, 'Ada \"L\" ✓')"]),
        ("forms.fill", {"value": "[7 characters]"}, ["run.fill(ELEMENT, os.environ['TABWIRE_RECORDED_VALUE_1'])"]),
        ("forms.fill", {"value": "[1] and [2]"}, ["run.fill(ELEMENT, '[1] and [2]')"]),
        ("input.click", {"button": "right"}, ["run.click(ELEMENT, button='right')"]),
        ("forms.select", {"label": ["A", "B"]}, ["run.select(ELEMENT, label=['A', 'B'])"]),
        ("input.drag", {"steps": 3}, ['# input.drag {"steps": 3}: has no counterpart here']),
    ],
)
def test_an_act_on_an_element(method: str, params: dict[str, Any], lines: list[str]) -> None:
    element = "run.find(role='textbox', name='Name', css=['#n'])"
    said = body({"method": method, "params": params, "target": FIELD})
    assert said == [line.replace("ELEMENT", element) for line in lines]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("document.title", "'document.title'"),
        ("[900 characters]", "os.environ['TABWIRE_RECORDED_VALUE_1']"),
        (
            'login("[3 characters]", "[6 digits]")',
            "'login(' + json.dumps(os.environ['TABWIRE_RECORDED_VALUE_1']) + ', ' + os.environ['TABWIRE_RECORDED_VALUE_2'] + ')'",
        ),
    ],
)
def test_the_texts_of_a_script_come_from_the_environment(kept: str, said: str) -> None:
    assert body({"method": "script.evaluate", "params": {"expression": kept}}) == [f"run.evaluate({said})"]


def test_a_step_is_found_by_its_label_or_text_and_a_secret_has_a_name() -> None:
    labelled = {"role": "", "name": "", "label": "PIN", "css": ["#p"], "selector": 'label:"PIN"'}
    (line,) = body({"method": "forms.fill", "params": {}, "variable": "PIN", "target": labelled})
    assert line == "run.fill(run.find(label='PIN', css=['#p']), os.environ['TABWIRE_RECORDED_PIN'])"
    (line,) = body({"method": "input.click", "params": {}, "target": {"role": "", "text": "Go", "css": ["#p"]}})
    assert line == "run.click(run.find(text='Go', css=['#p']))"


def test_secrets_are_listed_where_a_reader_looks_first() -> None:
    fill = {"method": "forms.fill", "params": {"value": "[7 characters]"}, "target": FIELD}
    text = script([{"event": "call", "outcome": "done", "acts": [fill, fill]}])
    assert "from the environment:\n    TABWIRE_RECORDED_VALUE_1\n    TABWIRE_RECORDED_VALUE_2\n" in text


def test_what_was_seen_is_expected_and_what_was_waited_for_is_waited_for() -> None:
    observed = {"url": {"from": "https://a.example/", "to": "https://a.example/b"}, "new_tabs": [{"tabId": 9, "url": ""}]}
    said = body({"method": "navigation.back", "params": {}, "tab": 4, "observed": observed})
    assert said == ["run.tab(4)", "run.driver.back()", "run.opened(9)", "run.at('https://a.example/b')"]
    secret = {"url": {"to": "https://a.example/?token=[redacted]"}}
    assert body({"method": "navigation.reload", "params": {}, "observed": secret}) == ["run.driver.refresh()"]


@pytest.mark.parametrize(
    ("params", "line"),
    [
        ({"for": "text", "text": "Done"}, "run.text('Done')"),
        ({"for": "text_hidden", "text": "Busy"}, "run.no_text('Busy')"),
        ({"for": "selector", "selector": "#a > b"}, "run.element('#a > b')"),
        ({"for": "selector_hidden", "selector": ".busy"}, "run.no_element('.busy')"),
        ({"for": "selector", "selector": "@e3"}, "# waited for selector @e3"),
        ({"for": "selector", "selector": "text:Go"}, "# waited for selector text:Go"),
        ({"for": "url", "url": "*/b"}, "run.address('*/b')"),
        ({"for": "load_state", "load_state": "load"}, "# waited for load_state load"),
    ],
)
def test_a_wait(params: dict[str, Any], line: str) -> None:
    assert body(waits=[{"method": "wait.until", "params": params}]) == [line]


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ({}, "run.visible(css=['#said'])"),
        ({"text": "It's done"}, """run.has_text("It's done", css=['#said'])"""),
        ({"value": "", "text": None}, "run.has_value('', css=['#said'])"),
    ],
)
def test_what_a_person_expects_of_an_element(expected: dict[str, Any], line: str) -> None:
    target = {"tag": "p", "selector": "#said", "role": "", "name": "", "css": ["#said"]}
    step = {"method": "wait.until", "params": {"for": "selector", **expected}, "target": target, "kind": "assertion"}
    assert script_of([step]).split("def replay(run):")[1].split("def main")[0].strip() == line


def test_acts_that_were_not_done_are_left_out() -> None:
    text = script([{"event": "call", "outcome": "timeout", "acts": [{"method": "navigation.back"}]}, {"event": "log_opened"}])
    assert "back()" not in text.split("def replay(run):")[1].split("def main")[0]
