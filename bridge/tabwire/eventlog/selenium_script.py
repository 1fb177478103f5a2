"""A recorded run as a Selenium script in Python: what was done, with locators that do not depend on our references."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from tabwire.commands.secret_shapes import MASK
from tabwire.eventlog.scripts import LITERAL

Act = Mapping[str, Any]
Say = Callable[["Script", Act, Mapping[str, Any]], list[str]]

WITHHELD = re.compile(r"\[\d+ characters\]")
"""What stands for text that the log did not keep."""


@dataclass
class Script:
    """The lines so far, and what they rely on."""

    lines: list[str] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    """Names of environment variables, in the order of use."""
    tab: int | None = None
    tabs: set[int] = field(default_factory=set)

    def value(self, act: Act, text: Any) -> str:
        """The Python expression for text that was typed; one that was not kept comes from the environment."""
        if not (isinstance(text, str) and WITHHELD.fullmatch(text)):
            return repr(text)
        return self.secret()

    def secret(self) -> str:
        """The Python expression for what was not kept."""
        name = f"TABWIRE_VALUE_{len(self.secrets) + 1}"
        self.secrets.append(name)
        return f"os.environ[{name!r}]"

    def javascript(self, source: str) -> str:
        """The Python expression for a script; its texts come from the environment."""
        if WITHHELD.fullmatch(source):
            return self.secret()
        parts, at = [], 0
        for found in LITERAL.finditer(source):
            secret = self.secret()
            parts += [repr(source[at : found.start()]), secret if found[2] == "digits" else f"json.dumps({secret})"]
            at = found.end()
        return " + ".join(part for part in [*parts, repr(source[at:])] if part != "''") or "''"


def script(events: Iterable[Mapping[str, Any]]) -> str:
    """The whole script.

    Args:
        events: of the log, in order. Only acts that were done are repeated; what cannot be is a comment in its place.
    """
    made = Script()
    for event in events:
        if event.get("event") == "call" and event.get("outcome") == "done":
            for act in (*event.get("acts", ()), *event.get("waits", ())):
                _add(made, act, event)
    template = files("tabwire.eventlog").joinpath("selenium_template.py.txt").read_text("utf-8")
    needs = "".join(f"    {name}\n" for name in made.secrets) or "    (none)\n"
    lines = made.lines if any(not line.startswith("#") for line in made.lines) else [*made.lines, "pass"]
    body = "".join(f"    {line}\n" for line in lines)
    return template.replace("@NEEDS@\n", needs).replace("    @BODY@\n", body)


def _add(made: Script, act: Act, event: Mapping[str, Any]) -> None:
    method = str(act.get("method", ""))
    say = _SAID.get(method)
    params = act.get("params") or {}
    if event.get("reason"):
        made.lines.append(f"# {_comment(event['reason'])}")
    if say is None:
        made.lines.append(f"# {method} {_comment(json.dumps(params, ensure_ascii=False))}: has no counterpart here")
        return
    _switch(made, act)
    made.lines += say(made, act, params)
    observed = act.get("observed") or {}
    for tab in observed.get("new_tabs", ()):
        made.tabs.add(tab["tabId"])
        made.lines.append(f"run.opened({tab['tabId']})")
    if (url := (observed.get("url") or {}).get("to")) and MASK not in url:
        made.lines.append(f"run.at({url!r})")


def _switch(made: Script, act: Act) -> None:
    tab = act.get("tab")
    if tab is None or tab == made.tab or str(act.get("method")).startswith("tabs."):
        return
    made.lines.append(f"run.tab({tab})")
    made.tab = tab


def _comment(text: Any) -> str:
    return " ".join(str(text).split())


def _element(act: Act) -> str:
    """The expression that finds the element of an act."""
    target = act.get("target")
    if not target:
        return "run.focused()"
    known = {name: target[name] for name in ("role", "name", "test_id", "css", "frame") if target.get(name)}
    if "test_id" in known:
        known["test_id"] = f"[{known['test_id']['attribute']}={json.dumps(known['test_id']['value'])}]"
    return f"run.find({', '.join(f'{name}={value!r}' for name, value in known.items())})"


def _click(count: int) -> Say:
    def say(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
        if not act.get("target"):
            point = params.get("coordinates") or {}
            return [f"run.click_at({point.get('x', 0)}, {point.get('y', 0)}, count={count})"]
        options = []
        if (clicks := max(count, int(params.get("click_count", 1)))) != 1:
            options.append(f"count={clicks}")
        if (button := params.get("button", "left")) != "left":
            options.append(f"button={button!r}")
        if modifiers := params.get("modifiers"):
            options.append(f"modifiers={modifiers!r}")
        return [f"run.click({', '.join([_element(act), *options])})"]

    return say


def _typed(verb: str, name: str) -> Say:
    return lambda made, act, params: [f"run.{verb}({_element(act)}, {made.value(act, params.get(name, ''))})"]


def _on_element(call: str) -> Say:
    return lambda made, act, params: [call.format(element=_element(act))]


def _select(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    how = next((name for name in ("value", "label", "index") if name in params), "index")
    return [f"run.select({_element(act)}, {how}={made.value(act, params.get(how, 0))})"]


def _navigate(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    return [f"run.driver.get({params.get('url', '')!r})"]


def _create(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    opened = act.get("opened")
    if opened is None:
        return []
    made.tab = opened
    url = params.get("url")
    return [f"run.new_tab({opened}, {url if url is None else repr(url)})"]


def _tab(call: str) -> Say:
    def say(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
        tab = params.get("tabId", act.get("tab"))
        made.tab = None if "close" in call else tab
        return [call.format(tab=tab)]

    return say


def _press(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    times = int(params.get("repeat", 1))
    return [f"run.press({_element(act)}, {made.value(act, params.get('key', ''))}{f', times={times}' if times != 1 else ''})"]


def _scroll(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    if params.get("direction"):
        return [f"run.scroll({params['direction']!r}, {params.get('amount')!r})"]
    if position := params.get("position"):
        return [f"run.scroll_to({position['x']}, {position['y']})"]
    return [f"run.into_view({_element(act)})"] if act.get("target") else []


def _dialog(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    if params.get("action") not in ("accept", "dismiss"):
        return []
    text = f", {made.value(act, params['prompt_text'])}" if "prompt_text" in params else ""
    return [f"run.answer({params['action']!r}{text})"]


def _upload(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    paths = [file if isinstance(file, str) else file.get("path") for file in params.get("files", ())]
    if None in paths:
        return ["# files that were not on this computer were uploaded here"]
    return [f"run.upload({_element(act)}, {paths!r})"]


def _evaluate(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    return [f"run.evaluate({made.javascript(str(params.get('expression', '')))})"]


_WAITS = {"text": "text", "text_hidden": "no_text", "selector": "element", "selector_hidden": "no_element", "url": "address"}
"""What was waited for → what waits for it here."""


def _wait(made: Script, act: Act, params: Mapping[str, Any]) -> list[str]:
    """What the run relied on, the repetition does as well."""
    kind = str(params.get("for"))
    wanted = str(params.get({"text_hidden": "text", "selector_hidden": "selector"}.get(kind, kind), ""))
    is_known = kind in _WAITS and MASK not in wanted and not wanted.startswith("@") and not params.get("download")
    if not is_known or (kind.startswith("selector") and _SEMANTIC.match(wanted)):
        return [f"# waited for {kind} {_comment(wanted)}"]
    return [f"run.{_WAITS[kind]}({wanted!r})"]


_SEMANTIC = re.compile(r"(role|text|label|placeholder|alt|title|testid|xpath):|//|\(//")
"""Selectors that are not CSS."""


_SAID: Mapping[str, Say] = {
    "navigation.navigate": _navigate,
    "navigation.back": lambda *_: ["run.driver.back()"],
    "navigation.forward": lambda *_: ["run.driver.forward()"],
    "navigation.reload": lambda *_: ["run.driver.refresh()"],
    "input.click": _click(1),
    "input.dblclick": _click(2),
    "input.hover": _on_element("run.hover({element})"),
    "input.type": _typed("type", "text"),
    "input.press": _press,
    "input.scroll": _scroll,
    "input.upload": _upload,
    "forms.fill": _typed("fill", "value"),
    "forms.clear": _on_element("run.fill({element}, '')"),
    "forms.check": _on_element("run.check({element}, True)"),
    "forms.uncheck": _on_element("run.check({element}, False)"),
    "forms.focus": _on_element("run.focus({element})"),
    "forms.select": _select,
    "tabs.create": _create,
    "tabs.activate": _tab("run.tab({tab})"),
    "tabs.close": _tab("run.close_tab({tab})"),
    "dialog.handle": _dialog,
    "script.evaluate": _evaluate,
    "wait.until": _wait,
}
