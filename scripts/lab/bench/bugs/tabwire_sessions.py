"""Sessions with Tabwire, one for each kind of bug."""

from collections.abc import Callable

from bugs.catalog import Bug
from bugs.session import Step, Take
from bugs.takes import api_prefix, first

ROUNDS = 6
OPTIONS = ["--tools", "all,debug,performance"]
TIMERS = "setInterval|setTimeout"


def steps(bug: Bug, url: str) -> list[Step]:
    """The calls for a bug."""
    return [Step("navigate", {"url": url}), *SESSIONS[bug.kind](bug)]


def _press(bug: Bug) -> list[Step]:
    return [Step("click", {"selector": f'role:button[name="{bug.press}"]'})] if bug.press else []


def _number(pattern: str) -> dict[str, Take]:
    return {"id": first(pattern)}


def _error(bug: Bug) -> list[Step]:
    listed = Step("console_messages", {"level": ["error"]}, _number(r"#(\d+) \S+ error"))
    return [*_press(bug), listed, Step("console_message", {"id": "{id}"})]


def _timer(bug: Bug) -> list[Step]:
    return [Step("sources", {"pattern": TIMERS})]


def _requests(bug: Bug) -> list[Step]:
    return [
        *_press(bug),
        Step("wait", {"for": "load_state", "load_state": "networkidle"}),
        Step("network_requests", {"types": ["fetch"]}, {"path": api_prefix}),
        Step("sources", {"text": "{path}"}),
    ]


def _failed_request(bug: Bug) -> list[Step]:
    listed = Step("network_requests", {"failed": True}, _number(r"#(\d+) [A-Z]+ http"))
    return [*_press(bug), listed, Step("console_messages", {"level": ["error"]}), Step("request_details", {"id": "{id}"})]


def _slow_request(bug: Bug) -> list[Step]:
    return [Step("wait", {"for": "text", "text": "loaded"}), Step("network_requests", {"types": ["fetch"]})]


def _leak(bug: Bug) -> list[Step]:
    return [Step("memory", {}), *_press(bug) * ROUNDS, Step("memory", {"since_last": True})]


def _slow_click(bug: Bug) -> list[Step]:
    start, stop = (Step("code_profile", {"action": action}) for action in ("start", "stop"))
    return [start, *_press(bug), stop]


def _listener(bug: Bug) -> list[Step]:
    return [*_press(bug), Step("event_listeners", {"selector": f'role:button[name="{bug.press}"]', "types": ["click"]})]


def _style(bug: Bug) -> list[Step]:
    return [Step("styles", {"selector": f"text:{bug.looked_at}", "properties": [bug.property]})]


def _hidden(bug: Bug) -> list[Step]:
    return [Step("styles", {"selector": bug.looked_at, "properties": [bug.property]})]


def _covered(bug: Bug) -> list[Step]:
    return [*_press(bug), Step("styles", {"selector": f'role:button[name="{bug.press}"]', "properties": ["z-index"]})]


def _load(bug: Bug) -> list[Step]:
    return [Step("wait", {"for": "load_state", "load_state": "networkidle"}), Step("performance_insights", {})]


def _shift(bug: Bug) -> list[Step]:
    return [Step("wait", {"for": "timeout", "duration": 1_500}), Step("performance_insights", {})]


def _audit(bug: Bug) -> list[Step]:
    return [Step("audit", {"rules": ["wcag2a"]})]


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
    "blocking": _load,
    "audit": _audit,
}
