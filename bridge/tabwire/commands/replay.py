"""Lines of an exported script for acts and for the waits that a run relied on; commands name these functions as `replay`."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from tabwire import RECORDED_PREFIX
from tabwire.commands.secret_shapes import MASK


class Made(Protocol):
    """The script so far."""

    tab: int | None
    """The tab it is in."""

    def value(self, text: Any) -> str:
        """The Python expression for text that was typed."""

    def javascript(self, source: str) -> str:
        """The Python expression for a script."""


Act: TypeAlias = Mapping[str, Any]
"""An entry of the event log."""
Replay: TypeAlias = Callable[[Made, Act, Mapping[str, Any]], list[str]]
"""The lines for an act, given its parameters as the log has kept them."""


def line(text: str) -> Replay:
    """A line that is always the same."""
    return lambda *_: [text]


class Secret(str):
    """A text that was not recorded: the name of the environment variable that has it."""

    __slots__ = ()

    @classmethod
    def named(cls, words: str) -> "Secret":
        """The variable for a name that a page may have chosen; recordings of earlier versions have `TABWIRE_` before it."""
        return cls(RECORDED_PREFIX + words.removeprefix(RECORDED_PREFIX).removeprefix("TABWIRE_"))


def comment(text: Any) -> str:
    """The text in one line."""
    return " ".join(str(text).split())


def _element(act: Act) -> str:
    """The expression that finds the element of an act."""
    target = act.get("target")
    return f"run.find({_found_by(target)})" if target else "run.focused()"


def _found_by(target: Mapping[str, Any]) -> str:
    """The arguments that find an element."""
    known = {name: target[name] for name in ("role", "name", "label", "text", "test_id", "css", "frame") if target.get(name)}
    if "test_id" in known:
        known["test_id"] = f"[{known['test_id']['attribute']}={json.dumps(known['test_id']['value'])}]"
    return ", ".join(f"{name}={value!r}" for name, value in known.items())


def click(count: int) -> Replay:
    def lines(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
        if not act.get("target"):
            point = params.get("coordinates") or {}
            return [f"run.click_at({point.get('x', 0)}, {point.get('y', 0)}, count={count})"]
        clicks = max(count, int(params.get("click_count", 1)))
        given = {"count": clicks, "button": params.get("button", "left"), "modifiers": params.get("modifiers") or None}
        usual = {"count": 1, "button": "left", "modifiers": None}
        options = [f"{name}={value!r}" for name, value in given.items() if value != usual[name]]
        return [f"run.click({', '.join([_element(act), *options])})"]

    return lines


def typed(verb: str, name: str) -> Replay:
    return lambda made, act, params: [f"run.{verb}({_element(act)}, {made.value(params.get(name, ''))})"]


def on_element(call: str) -> Replay:
    return lambda made, act, params: [call.format(element=_element(act))]


def select(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    how = next((name for name in ("value", "label", "index") if name in params), "index")
    return [f"run.select({_element(act)}, {how}={made.value(params.get(how, 0))})"]


def form(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    """A line for each field, as its own act would have it."""
    return [line for field in acts_of_form(act) for line in _FIELD_LINES[field["method"]](made, field, field["params"])]


def acts_of_form(act: Act) -> list[Act]:
    """The acts that do the same as one that fills many fields."""
    targets = (act.get("target") or {}).get("fields") or []
    fields = (act.get("params") or {}).get("fields", ())
    return [_act_of_field(target, field) for target, field in zip(targets, fields, strict=False)]


def _act_of_field(target: Mapping[str, Any], field: Mapping[str, Any]) -> Act:
    value = field.get("value")
    if "files" in field:
        return {"method": "input.upload", "params": {"files": field["files"]}, "target": target}
    if isinstance(value, bool):
        return {"method": "forms.check" if value else "forms.uncheck", "params": {}, "target": target}
    if target.get("tag") == "select":
        return {"method": "forms.select", "params": {"value": value}, "target": target}
    return {"method": "forms.fill", "params": {"value": str(value)}, "target": target}


def navigate(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    return [f"run.driver.get({params.get('url', '')!r})"]


def create(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    opened = act.get("opened")
    if opened is None:
        return []
    made.tab = opened
    url = params.get("url")
    return [f"run.new_tab({opened}, {url if url is None else repr(url)})"]


def tab(call: str) -> Replay:
    def lines(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
        tab = params.get("tabId", act.get("tab"))
        made.tab = None if "close" in call else tab
        return [call.format(tab=tab)]

    return lines


def press(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    times = int(params.get("repeat", 1))
    return [f"run.press({_element(act)}, {made.value(params.get('key', ''))}{f', times={times}' if times != 1 else ''})"]


def scroll(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    if params.get("direction"):
        return [f"run.scroll({params['direction']!r}, {params.get('amount')!r})"]
    if position := params.get("position"):
        return [f"run.scroll_to({position['x']}, {position['y']})"]
    return [f"run.into_view({_element(act)})"] if act.get("target") else []


def dialog(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    if params.get("action") not in ("accept", "dismiss"):
        return []
    text = f", {made.value(params['prompt_text'])}" if "prompt_text" in params else ""
    return [f"run.answer({params['action']!r}{text})"]


def upload(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    paths = [file if isinstance(file, str) else file.get("path") for file in params.get("files", ())]
    if None in paths:
        return ["# files that were not on this computer were uploaded here"]
    return [f"run.upload({_element(act)}, {paths!r})"]


def evaluate(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    return [f"run.evaluate({made.javascript(str(params.get('expression', '')))})"]


_WAITS = {"text": "text", "text_hidden": "no_text", "selector": "element", "selector_hidden": "no_element", "url": "address"}
"""Goal of a wait → the method that waits for it here."""


def wait(made: Made, act: Act, params: Mapping[str, Any]) -> list[str]:
    """Wait for the same: the repetition relies on it as the run did."""
    kind = str(params.get("for"))
    if kind == "selector" and act.get("target"):
        return [_assertion(act["target"], params)]
    wanted = str(params.get({"text_hidden": "text", "selector_hidden": "selector"}.get(kind, kind), ""))
    is_known = kind in _WAITS and MASK not in wanted and not wanted.startswith("@") and not params.get("download")
    if not is_known or (kind.startswith("selector") and _SEMANTIC.match(wanted)):
        return [f"# waited for {kind} {comment(wanted)}"]
    return [f"run.{_WAITS[kind]}({wanted!r})"]


def _assertion(target: Mapping[str, Any], params: Mapping[str, Any]) -> str:
    """The line that expects something of an element."""
    if params.get("value") is not None:
        return f"run.has_value({params['value']!r}, {_found_by(target)})"
    if params.get("text") is not None:
        return f"run.has_text({params['text']!r}, {_found_by(target)})"
    return f"run.visible({_found_by(target)})"


_SEMANTIC = re.compile(r"(role|text|label|placeholder|alt|title|testid|xpath):|//|\(//")
"""Selectors that are not CSS."""

_FIELD_LINES: Mapping[str, Replay] = {
    "input.upload": upload,
    "forms.check": on_element("run.check({element}, True)"),
    "forms.uncheck": on_element("run.check({element}, False)"),
    "forms.select": select,
    "forms.fill": typed("fill", "value"),
}
