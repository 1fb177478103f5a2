"""Sessions with chrome-devtools-mcp, one for each kind of bug.

It has no tool for sources, hidden elements and times of requests: there the sessions take `evaluate_script`, as an agent would.
The search in sources reads the source maps of all scripts and style sheets of the page.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bugs.catalog import Bug
from bugs.session import Step
from bugs.tabwire_sessions import ROUNDS, TIMERS
from bugs.takes import api_prefix, first

OPTIONS = ["--memoryDebugging"]
SEARCH = """async () => {
  const files = [...document.querySelectorAll("script[src], link[rel=stylesheet]")].map((one) => one.src || one.href);
  const hits = [];
  for (const file of files) {
    const map = await fetch(file + ".map").then((answer) => answer.json()).catch(() => null);
    map?.sourcesContent.forEach((text, index) => text.split("\\n").forEach((line, number) => {
      if (new RegExp(%s).test(line)) hits.push(`${map.sources[index]}:${number + 1} | ${line.trim().slice(0, 150)}`);
    }));
  }
  return hits.slice(0, 60);
}"""
TIMES = """() => performance.getEntriesByType("resource").filter((one) => one.initiatorType === "fetch")
  .map((one) => `${one.name} fetch ${Math.round(one.duration)} ms`)"""
ABOVE = """() => {
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent === %s);
  const box = button.getBoundingClientRect();
  const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return above === button ? "the button itself" : "covered by " + above.cloneNode().outerHTML;
}"""
FAILED = r"reqid=(\d+) .*\[(?:[45]\d\d|[^\]]*(?:fail|ERR|block)[^\]]*)\]"


def steps(bug: Bug, url: str) -> list[Step]:
    """The calls for a bug."""
    return [_step("navigate_page", type="url", url=url), *SESSIONS[bug.kind](bug)]


def _step(tool: str, /, **arguments: Any) -> Step:
    return Step(tool, {"pageId": 1, **arguments})


def _look(name: str, role: str = "button ") -> Step:
    return Step("take_snapshot", {"pageId": 1}, {"uid": first(rf'uid=(\S+) {role}"{name}"')})


def _press(bug: Bug) -> list[Step]:
    return [_look(bug.press), _step("click", uid="{uid}")] if bug.press else []


def _evaluate(function: str) -> Step:
    return _step("evaluate_script", function=function)


def _search(pattern: str) -> Step:
    return _evaluate(SEARCH % json.dumps(pattern))


def _error(bug: Bug) -> list[Step]:
    listed = Step("list_console_messages", {"pageId": 1, "types": ["error"]}, {"id": first(r"msgid=(\d+) \[error\]")})
    return [*_press(bug), listed, _step("get_console_message", msgid="{id}")]


def _timer(bug: Bug) -> list[Step]:
    return [_search(TIMERS)]


def _requests(bug: Bug) -> list[Step]:
    listed = Step("list_network_requests", {"pageId": 1, "resourceTypes": ["fetch"]}, {"path": api_prefix})
    return [*_press(bug), listed, _search("{path}")]


def _failed_request(bug: Bug) -> list[Step]:
    listed = Step("list_network_requests", {"pageId": 1}, {"id": first(FAILED)})
    console = _step("list_console_messages", types=["error"])
    return [*_press(bug), listed, console, _step("get_network_request", reqid="{id}")]


def _slow_request(bug: Bug) -> list[Step]:
    return [_step("wait_for", text=["loaded"]), _evaluate(TIMES)]


def _leak(bug: Bug) -> list[Step]:
    before, after = (str(Path(tempfile.mkdtemp()) / "page.heapsnapshot") for _ in range(2))
    presses = [_step("click", uid="{uid}")] * ROUNDS
    compared = Step("compare_heapsnapshots", {"baseFilePath": before, "currentFilePath": after})
    return [_step("take_heapsnapshot", filePath=before), _look(bug.press), *presses,
            _step("take_heapsnapshot", filePath=after), compared]  # fmt: skip


def _traced(load: bool, *acts: Step) -> list[Step]:
    """A trace of a load, or of acts."""
    if load:
        return [_step("performance_start_trace", reload=True, autoStop=True)]
    return [_step("performance_start_trace", reload=False, autoStop=False), *acts, _step("performance_stop_trace")]


def _insight(name: str, trace: list[Step]) -> list[Step]:
    set_id = {"set": first(r"(?:id|ID)[:=]? ?`?(NAVIGATION_\d+|NO_NAVIGATION)")}
    last = Step(trace[-1].tool, trace[-1].arguments, set_id)
    return [*trace[:-1], last, _step("performance_analyze_insight", insightSetId="{set}", insightName=name)]


def _slow_click(bug: Bug) -> list[Step]:
    look, click = _press(bug)
    return [look, *_insight("INPBreakdown", _traced(False, click))]


def _listener(bug: Bug) -> list[Step]:
    return [*_press(bug), _search(r"stopPropagation|stopImmediatePropagation|preventDefault")]


def _style(bug: Bug) -> list[Step]:
    value = {"value": first(rf"(?m)^(?!.*overloaded).*\b{bug.property}:\s*([^;\n]+)")}
    styles = Step("get_css_styles", {"pageId": 1, "uid": "{uid}"}, value)
    return [_look(bug.looked_at, ""), styles, _search(rf"{bug.property}:\s*{{value}}")]


def _hidden(bug: Bug) -> list[Step]:
    return [_step("take_snapshot"), _search(r"display:\s*none|visibility:\s*hidden")]


def _covered(bug: Bug) -> list[Step]:
    return [*_press(bug), _evaluate(ABOVE % json.dumps(bug.press))]


def _shift(bug: Bug) -> list[Step]:
    return _insight("CLSCulprits", _traced(True))


def _blocking(bug: Bug) -> list[Step]:
    return _insight("RenderBlocking", _traced(True))


def _audit(bug: Bug) -> list[Step]:
    return [_step("lighthouse_audit", mode="snapshot")]


SESSIONS: dict[str, Callable[[Bug], list[Step]]] = {
    "error": _error,
    "timer": _timer,
    "requests": _requests,
    "failed-request": _failed_request,
    "slow-request": _slow_request,
    "leak": _leak,
    "slow-click": _slow_click,
    "listener": _listener,
    "style": _style,
    "hidden": _hidden,
    "covered": _covered,
    "shift": _shift,
    "blocking": _blocking,
    "audit": _audit,
}
