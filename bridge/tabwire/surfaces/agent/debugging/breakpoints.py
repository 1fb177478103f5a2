"""Breakpoints and pauses in words."""

from tabwire.commands.breakpoints import (
    Breakpoints,
    BreakpointsResult,
    Paused,
    PausedResult,
    PausedScope,
    ToldBreakpoint,
)
from tabwire.surfaces.agent.debugging.console import source_lines, stack_lines
from tabwire.surfaces.agent.debugging.phrases import built_of, count_of, foot_of, page_text, tells
from tabwire.surfaces.shared.effects_text import effects_of, observed
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined


def _list_text(command: Breakpoints, result: BreakpointsResult) -> Words:
    told = result.get("breakpoints", [])
    added = [f"Set breakpoint {result['added']}; a pause lasts at most {result['max_pause']} s"] if "added" in result else []
    removed = [f"Removed: {', '.join(map(str, result['removed'])) or 'none'}"] if "removed" in result else []
    head = f"{count_of(len(told), 'breakpoint')}{':' if told else ''}"
    lines = [line for one in told for line in _lines_of(one)]
    return joined("\n", [*added, *removed, head, *page_text(lines), *_standing(result), *foot_of(result)])


def _standing(result: BreakpointsResult | PausedResult) -> list[str]:
    ended: list[str] = [Words("Before: ", result["ended"])] if "ended" in result else []
    paused = result.get("paused")
    if not isinstance(paused, str):
        return ended
    return [Words("The tab is paused at ", PageText(paused), ": paused shows it"), *ended]


def _lines_of(one: ToldBreakpoint) -> list[str]:
    text = f" | {one['line']}" if "line" in one else ""
    condition = f", if {one['condition']}" if "condition" in one else ""
    log = f", logs {one['log']}" if "log" in one else ""
    problem = f" — {one['problem']}" if "problem" in one else ""
    more = [f"    … {one['logged_more']} earlier ones"] if "logged_more" in one else []
    return [
        f"{one['id']}. {one['what']}{built_of(one)}{condition}{log}, {count_of(one['hits'], 'hit')}{text}{problem}",
        *more,
        *(f"    {line}" for line in one.get("logged", ())),
    ]


def _paused_text(command: Paused, result: PausedResult) -> Words:
    if "value" in result:
        kind = "Thrown: " if result.get("thrown") else ""
        return joined("\n", [Words(kind, PageText(result["value"])), *foot_of(result)])
    if not result.get("paused"):
        return joined("\n", [*_running_lines(command, result), *_standing(result), *foot_of(result)])
    said = [
        *([f"Exception: {result['exception']}"] if "exception" in result else []),
        *stack_lines(result.get("stack", ())),
        *source_lines(result.get("excerpt")),
        *(line for scope in result.get("scopes", ()) for line in _scope_lines(scope)),
    ]
    within = f" in {result['within']}" if "within" in result else ""
    frame = f"; frame {result['frame']}" if result.get("frame") else ""
    return joined(
        "\n",
        [
            Words("Paused at ", PageText(f"{result.get('place', '')}{within}: {result.get('reason', '')}"), frame),
            PageText("\n".join(said)),
            f"It goes on by itself, without breakpoints, in {result.get('left_s', 0)} s unless paused is called",
            *foot_of(result),
        ],
    )


def _running_lines(command: Paused, result: PausedResult) -> list[str]:
    if result.get("resumed"):
        told = observed({name: value for name, value in effects_of(result).items() if name != "none"})
        return ["The page runs on", *([Words("Observed: ", PageText("; ".join(told)))] if told else [])]
    waited = f" after {command.wait} s" if command.wait else ""
    return [f"Not paused{waited}; {count_of(result.get('watched', 0), 'breakpoint')} set in this tab"]


def _scope_lines(scope: PausedScope) -> list[str]:
    name = f" {scope['name']}" if "name" in scope else ""
    more = [f"  … {scope['more']} more"] if "more" in scope else []
    variables = [f"  {one['name']} = {one['value'].replace(chr(10), chr(10) + '  ')}" for one in scope["variables"]]
    return [f"Scope {scope['type']}{name}:", *(variables or ["  (empty)"]), *more]


RUNS: Runs = {Breakpoints: tells(_list_text), Paused: tells(_paused_text)}
