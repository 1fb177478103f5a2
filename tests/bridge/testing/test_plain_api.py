"""The Python API for test authors, as far as it needs no browser."""

import subprocess
import sys
from pathlib import Path

import pytest

from tabwire.errors import InvalidArgument
from tabwire.surfaces.agent.snapshots import MAX_TOKENS
from tabwire.surfaces.tool import Image, ToolResult
from tabwire.testing.artifacts import Folders
from tabwire.testing.calls import HIDDEN, Call, first_line, shown, tells_secrets
from tabwire.testing.methods import by_name, method, positional, toolset, wire_arguments
from tabwire.testing.plugin import pytest_assertrepr_compare
from tabwire.testing.reply import Reply
from tabwire.testing.tools import Tools


class Recorder(Tools):
    """Notes what is called."""

    def __init__(self) -> None:
        self.called: list[tuple[str, dict]] = []

    def call(self, tool: str, /, **arguments: object) -> Reply:
        self.called.append((tool, arguments))
        return Reply("done")


@pytest.fixture
def tools() -> Recorder:
    return Recorder()


# ---- tools as methods ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values", "named", "arguments"),
    [
        ("click", ["text:Save"], {"button": "right"}, {"selector": "text:Save", "button": "right"}),
        ("fill", ["label:Name", "Ann"], {}, {"selector": "label:Name", "value": "Ann"}),
        ("press", ["Enter"], {"selector": "label:Name"}, {"key": "Enter", "selector": "label:Name"}),
        ("navigate", ["https://example.com/"], {}, {"url": "https://example.com/"}),
        ("wait", ["url"], {"url": "*/done"}, {"for": "url", "url": "*/done"}),
        ("wait", [], {"for_": "text", "text": "Done"}, {"for_": "text", "text": "Done"}),
        ("tab_list", [], {}, {}),
    ],
)
def test_a_method_calls_its_tool(tools: Recorder, name: str, values: list, named: dict, arguments: dict) -> None:
    assert getattr(tools, name)(*values, **named).text == "done"
    assert tools.called == [(name, arguments)]


def test_every_tool_is_a_method_with_its_documentation_and_listed(tools: Recorder) -> None:
    for tool in toolset().tools:
        assert getattr(tools, tool.name).__doc__ == tool.description
    assert {tool.name for tool in toolset().tools} <= set(dir(tools))


def test_no_tool_hides_what_a_browser_has_besides() -> None:
    from tabwire.testing.client import Tabwire

    own = {name for name in vars(Tabwire) if not name.startswith("_")}
    assert own & set(toolset().by_name) == set()


def test_a_name_that_is_no_tool_says_which_is_near(tools: Recorder) -> None:
    with pytest.raises(AttributeError, match="no tool 'clik'; did you mean 'click'"):
        tools.clik("text:Save")


@pytest.mark.parametrize(
    ("values", "named", "message"),
    [
        (["a", "b"], {}, r"click takes 1 positional argument \(selector\), not 2"),
        (["a"], {"selector": "b"}, "selector given twice"),
    ],
)
def test_positional_arguments_that_cannot_be(values: list, named: dict, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        by_name(toolset().by_name["click"], values, named)


def test_what_is_required_is_positional_in_its_order() -> None:
    assert positional(toolset().by_name["upload"]) == ("selector", "files")
    assert positional(toolset().by_name["query"]) == ("by", "value")


def test_the_signature_is_that_of_the_tool() -> None:
    import inspect

    signature = inspect.signature(method(toolset().by_name["type"], lambda *a, **b: None))
    assert str(signature) == "(text, *, selector=None, delay=50, tabId=None, frameId=None, diff=None, timeout=30000)"


def test_arguments_of_python_become_those_of_the_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    upload, screenshot, query = (toolset().by_name[name] for name in ("upload", "screenshot", "query"))
    assert wire_arguments(screenshot, {"save_path": Path("a.png")}) == {"save_path": str(tmp_path / "a.png")}
    assert wire_arguments(screenshot, {"save_path": "a.png"}) == {"save_path": str(tmp_path / "a.png")}
    files = (Path("a.txt"), "b.txt", {"path": "c.txt", "name": "d.txt"})
    assert wire_arguments(upload, {"selector": "label:File", "files": files}) == {
        "selector": "label:File",
        "files": [str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), {"path": str(tmp_path / "c.txt"), "name": "d.txt"}],
    }
    assert wire_arguments(query, {"return_": "count", "by": "text"}) == {"return": "count", "by": "text"}


def test_a_long_page_is_not_cut_for_a_test_unless_it_says_so() -> None:
    snapshot = toolset().by_name["snapshot"]
    assert wire_arguments(snapshot, {})["max_chars"] > 6 * MAX_TOKENS
    assert wire_arguments(snapshot, {"max_chars": 1000}) == {"max_chars": 1000}


def test_the_path_of_a_cookie_is_no_file() -> None:
    assert wire_arguments(toolset().by_name["cookies"], {"path": "shop"}) == {"path": "shop"}


def test_a_file_of_a_form_is_named_from_where_the_test_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    form = {"title": "photo", "file": {"path": "a.jpg", "name": "b.jpg"}}
    sent = wire_arguments(toolset().by_name["request"], {"url": "/", "form_data": form})["form_data"]
    assert sent == {"title": "photo", "file": {"path": str(tmp_path / "a.jpg"), "name": "b.jpg"}}


# ---- replies ------------------------------------------------------------------------------------------------------------


def test_a_reply_is_text_and_values() -> None:
    result = ToolResult(text="Click\nObserved: new tab 7", structured={"success": True, "data": {"effects": {"new_tabs": [7]}}})
    reply = Reply.of(result)
    assert "new tab" in reply
    assert "old tab" not in reply
    assert str(reply) == result.text
    assert reply.effects == {"new_tabs": [7]}
    assert Reply("x", [1]).effects == {}


def test_a_picture_is_bytes(tmp_path: Path) -> None:
    reply = Reply.of(ToolResult(text="1x1", images=(Image("aGVsbG8=", "image/png"),)))
    assert reply.image.content == b"hello"
    assert reply.image.save(tmp_path / "a.png").read_bytes() == b"hello"
    with pytest.raises(ValueError, match="no picture in this reply: Saved"):
        _ = Reply("Saved").image


def test_what_is_not_in_a_reply_is_explained_by_what_is_near() -> None:
    explained = pytest_assertrepr_compare("in", "Thank you, Ann", Reply('- heading "Thank you"\n- text: Bye'))
    assert explained == [
        "'Thank you, Ann' in the reply",
        'near: - heading "Thank you"',
        "the reply:",
        '- heading "Thank you"',
        "- text: Bye",
    ]
    assert pytest_assertrepr_compare("in", "Ann", "a text of somebody else") is None
    assert pytest_assertrepr_compare("==", "Ann", Reply("Ann")) is None


# ---- the log of calls ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "data", "line"),
    [
        ("click", {"selector": "text:Save"}, {}, "selector='text:Save'"),
        ("fill", {"selector": "label:Name", "value": "Ann"}, {"value": "Ann"}, "selector='label:Name', value='Ann'"),
        ("fill", {"selector": "#p", "value": "open"}, {"ref": "@e1"}, f"selector='#p', value={HIDDEN}"),
        ("fill", {"selector": "label:Password", "value": "open"}, None, f"selector='label:Password', value={HIDDEN}"),
        ("type", {"selector": "label:PIN", "text": "1234"}, {}, f"selector='label:PIN', text={HIDDEN}"),
        ("cookies", {"action": "set", "name": "sid", "value": "x"}, {}, f"action='set', name='sid', value={HIDDEN}"),
        ("storage", {"action": "set", "key": "theme", "value": "dark"}, {}, "action='set', key='theme', value='dark'"),
        (
            "storage",
            {"action": "set", "key": "access_token", "value": "x"},
            {},
            f"action='set', key='access_token', value={HIDDEN}",
        ),
        (
            "navigate",
            {"headers": {"Authorization": "x", "Accept": "y"}},
            {},
            f"headers={{'Authorization': '{HIDDEN}', 'Accept': 'y'}}",
        ),
    ],
)
def test_a_call_is_shown_without_its_secrets(tool: str, arguments: dict, data: object, line: str) -> None:
    assert shown(tool, arguments, data) == line


def test_replies_with_secrets_are_not_shown() -> None:
    assert tells_secrets("cookies", {"action": "get"})
    assert tells_secrets("evaluate", {"expression": "localStorage.token", "sanitize": False})
    assert not tells_secrets("evaluate", {"expression": "localStorage.token"})


def test_long_arguments_and_replies_are_cut() -> None:
    assert len(shown("evaluate", {"expression": "x" * 10_000})) < 200
    assert len(first_line("x" * 10_000)) < 200
    assert first_line("one\ntwo") == "one"


def test_a_failed_call_is_marked() -> None:
    assert str(Call(1.5, "click", "", 12.4, "done")) == "    1.50 s      12 ms   click() → done"
    assert "! click()" in str(Call(1.5, "click", "", 12.4, "timeout: …", "timeout"))


# ---- artifacts ----------------------------------------------------------------------------------------------------------


def test_each_failure_has_a_folder_and_an_earlier_run_leaves_nothing_in_it(tmp_path: Path) -> None:
    old = tmp_path / "tests-test_a.py-test_b[c-d]"
    old.mkdir()
    (old / "left.txt").touch()
    folders = Folders(tmp_path)
    assert folders.new("tests/test_a.py::test_b[c/d]") == old
    assert not old.exists()
    assert folders.new("tests/test_a.py::test_b[c/d]").name == "tests-test_a.py-test_b[c-d]-2"


def test_a_folder_of_a_long_name_is_short_and_its_own(tmp_path: Path) -> None:
    folders = Folders(tmp_path)
    one, other = (folders.new(f"test_a.py::test_b[{'x' * 300}{end}]") for end in "12")
    assert one != other
    assert len(one.name) < 130


def test_a_folder_stays_below_the_folder(tmp_path: Path) -> None:
    assert Folders(tmp_path).new("../../etc::..").parent == tmp_path


# ---- what it costs ------------------------------------------------------------------------------------------------------


def test_the_plugin_imports_nothing_before_it_is_used(root: Path) -> None:
    """pytest imports it in every run of whoever has Tabwire installed."""
    program = (
        "import sys, pytest; before = set(sys.modules); import tabwire.testing.plugin; "
        "print(sorted(name for name in set(sys.modules) - before if not name.startswith('tabwire')), "
        "sorted(name for name in sys.modules if name.startswith('tabwire')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root / "bridge", capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[] ['tabwire', 'tabwire.testing', 'tabwire.testing.plugin']"


def test_the_types_of_the_tools_are_fresh(root: Path) -> None:
    script = root / "scripts/generate_tools_stub.py"
    done = subprocess.run(
        [sys.executable, script, "--check"],
        cwd=root / "bridge",
        env={"PYTHONPATH": str(root / "bridge")},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"run {script.relative_to(root)}"
