"""Recorded steps as files: what stands in a test, and that a batch says the same as the steps."""

from __future__ import annotations

import ast
import shlex
from typing import Any

import pytest

from tabwire import RECORDED_PREFIX
from tabwire.cli.grammar.parsing import parse
from tabwire.commands.replay import Secret
from tabwire.config import PREFIX, Config
from tabwire.recordings.batch_file import words_of
from tabwire.recordings.languages import written
from tabwire.server.http import TOKEN_VARIABLE

FIELD = {"tag": "input", "role": "textbox", "name": "Name", "selector": 'role:textbox[name="Name"]', "css": ["#n"]}


def step(method: str, *, target: dict[str, Any] | None = None, tab: int = 1, **params: Any) -> dict[str, Any]:
    found = {"method": method, "params": params, "tab": tab}
    return found if target is None else {**found, "target": target}


def lines(*steps: dict[str, Any]) -> list[str]:
    """The lines of the pytest test."""
    text = written(steps, "pytest")
    compile(text, "test.py", "exec")
    return [line.strip() for line in text.partition("(tabwire):\n")[2].splitlines()]


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ([step("input.click", target=FIELD)], ["""tabwire.click('role:textbox[name="Name"]')"""]),
        ([step("input.click", target=FIELD, button="left", click_count=1)], ["""tabwire.click('role:textbox[name="Name"]')"""]),
        ([step("forms.fill", target=FIELD, value='"Hi"')], ["""tabwire.fill('role:textbox[name="Name"]', '"Hi"')"""]),
        ([step("input.press", key="Escape")], ['tabwire.press("Escape")']),
        ([step("input.press", target=FIELD, key="Enter")], ["""tabwire.press("Enter", selector='role:textbox[name="Name"]')"""]),
        ([step("navigation.navigate", url="https://a.example/")], ['tabwire.navigate("https://a.example/")']),
        ([step("dialog.handle", action="accept", prompt_text="x")], ['tabwire.dialog("accept", prompt_text="x")']),
        ([step("input.drag", steps=3)], ['# input.drag {"steps": 3}: has no counterpart here', "pass"]),
        (
            [step("forms.select", target=FIELD, value=["a", "b"])],
            ["""tabwire.select('role:textbox[name="Name"]', value=["a", "b"])"""],
        ),
        ([{"method": "wait.until", "params": {"for": "text", "text": "Done"}}], ['tabwire.wait("text", text="Done")']),
        (
            [step("wait.until", target=FIELD, **{"for": "selector"}, value="Ada")],
            ["""tabwire.wait("selector", selector='role:textbox[name="Name"]', value="Ada")"""],
        ),
        ([step("input.click", selector="@e3")], ["# input.click: its element is not known", "pass"]),
    ],
)
def test_a_step_in_a_test_for_pytest(acts: list[dict[str, Any]], said: list[str]) -> None:
    assert lines(*acts) == said


@pytest.mark.parametrize(
    ("target", "selector"),
    [
        ({"role": "button", "name": 'Say "hi"', "css": ["#b"]}, r'role:button[name="Say \"hi\""]'),
        ({"test_id": {"attribute": "data-qa", "value": "go"}, "css": ["#b"]}, '[data-qa="go"]'),
        ({"role": "", "name": "", "css": ["#host", "p > b"]}, "#host >>> p > b"),
    ],
)
def test_the_element_of_a_logged_act_is_named_by_what_the_log_knows(target: dict[str, Any], selector: str) -> None:
    (line,) = lines(step("input.click", target=target, selector="@e3"))
    assert ast.literal_eval(line.removeprefix("tabwire.click(").removesuffix(")")) == selector


def test_secrets_come_from_the_environment_and_are_named_once() -> None:
    secret = {**step("forms.fill", target=FIELD), "variable": "PASSWORD"}
    text = written([secret, secret], "pytest", "test_login.py")
    assert text.count('os.environ["TABWIRE_RECORDED_PASSWORD"]') == 2 and text.count("    TABWIRE_RECORDED_PASSWORD\n") == 1
    assert "def test_login(tabwire):" in text
    assert "run.fill(run.find(role='textbox', name='Name', css=['#n']), os.environ['TABWIRE_RECORDED_PASSWORD'])" in written(
        [secret], "selenium"
    )
    assert "fill 'role:textbox[name=\"Name\"]' '${TABWIRE_RECORDED_PASSWORD}'\n" in written([secret], "batch")


@pytest.mark.parametrize("language", ["pytest", "selenium", "batch"])
@pytest.mark.parametrize("told", ["HTTP_TOKEN", "TABWIRE_HTTP_TOKEN", "TABWIRE_RECORDED_HTTP_TOKEN"])
def test_a_page_cannot_name_a_setting(language: str, told: str) -> None:
    text = written([{**step("forms.fill", target=FIELD), "variable": told}], language)
    assert "TABWIRE_RECORDED_HTTP_TOKEN" in text and TOKEN_VARIABLE not in text
    settings = {f"{PREFIX}{name}_".upper() for name in Config.model_fields}
    assert not any(name.startswith(RECORDED_PREFIX) or RECORDED_PREFIX.startswith(name) for name in settings)


def test_what_looks_like_a_secret_and_was_masked_comes_from_the_environment_too() -> None:
    assert 'os.environ["TABWIRE_RECORDED_VALUE_1"]' in lines(step("forms.fill", target=FIELD, value="key [redacted]"))[0]


def test_steps_in_two_tabs_switch_between_them() -> None:
    opens = {**step("input.click", target=FIELD), "observed": {"new_tabs": [{"tabId": 9, "url": ""}]}}
    assert lines(
        step("navigation.navigate", url="https://a.example/"), opens, step("input.press", key="Enter", tab=9), opens
    ) == [
        'tab_1 = tabwire.navigate("https://a.example/").data["tabId"]',
        """tab_2 = tabwire.click('role:textbox[name="Name"]').effects["new_tabs"][0]["tabId"]""",
        "tabwire.tab_switch(tabId=tab_2)",
        'tabwire.press("Enter")',
        "tabwire.tab_switch(tabId=tab_1)",
        """tab_2 = tabwire.click('role:textbox[name="Name"]').effects["new_tabs"][0]["tabId"]""",
    ]


def test_uploaded_files_lie_beside_the_test() -> None:
    text = written([step("input.upload", target=FIELD, files=["a.txt"])], "pytest")
    assert 'files=[HERE / "a.txt"])' in text or ', [HERE / "a.txt"])' in text
    assert "HERE = Path(__file__).parent" in text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("navigate", {"url": "https://a.example/?q=a b"}),
        ("click", {"selector": 'role:button[name="Say \\"hi\\""]'}),
        ("click", {"selector": "#a", "button": "right", "modifiers": ["Shift", "Alt"]}),
        ("fill", {"selector": "#a", "value": "-5"}),
        ("fill", {"selector": "#a", "value": ""}),
        ("fill", {"selector": "#a", "value": "it's"}),
        ("press", {"key": "Enter"}),
        ("press", {"selector": "#a", "key": "Control+k"}),
        ("select", {"selector": "#a", "value": "g"}),
        ("select", {"selector": "#a", "value": ["a", "b"]}),
        ("upload", {"selector": "#a", "files": ["/x/a.txt", "/x/b.txt"]}),
        ("dialog", {"action": "accept", "prompt_text": "x y"}),
        ("wait", {"for": "text", "text": "Done"}),
    ],
)
def test_a_batch_line_means_the_call_that_it_was_made_of(tool: str, arguments: dict[str, Any]) -> None:
    words = shlex.split(shlex.join(words_of(tool, arguments)))
    assert parse(words, "/x").arguments == arguments


def test_what_a_batch_cannot_say_stands_there_as_a_comment() -> None:
    text = written([step("input.press", key="Enter"), step("input.press", key="Tab", tab=2)], "batch")
    assert text.splitlines()[1] == "press Enter" and text.splitlines()[-1] == "# press Tab"
    # A page chooses the values of its options.
    option = step("forms.select", target=FIELD, value="${TABWIRE_RECORDED_PASSWORD}")
    assert written([option], "batch").splitlines()[-1].startswith("# select ")
    assert written([step("forms.fill", target=FIELD, value="a  b")], "batch").endswith(" 'a  b'\n")
    assert written([step("forms.fill", target=FIELD, value="a\nb")], "batch").splitlines()[-1].startswith("# fill ")


def test_a_secret_in_words_is_its_variable() -> None:
    assert words_of("fill", {"selector": "#a", "value": Secret("TABWIRE_RECORDED_PIN")})[-1] == "${TABWIRE_RECORDED_PIN}"
