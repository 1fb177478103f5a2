"""`tabwire replay`: recorded steps are done again. For a selector that leads elsewhere now, the nearest elements are proposed."""

import json
import os
import sys
from dataclasses import dataclass
from typing import Any

from tabwire.cli.session import frames
from tabwire.cli.session.connection import tell
from tabwire.cli.session.inner_calls import data_of, say
from tabwire.cli.session.options import Asked, given
from tabwire.cli.session.written_files import write
from tabwire.recordings.replayed_steps import Step, prepared, steps_in, text_of

USAGE = "usage: tabwire replay FILE [--repair] [--timeout MS]"
TIMEOUT_MS = 5_000
"""Longest wait for the element of a step."""
MAX_SAID = 3
"""Proposals that are printed."""

_VERDICTS = {
    "none": "nothing matches {}",
    "several": "several elements match {}",
    "other": "another element than was recorded matches {}",
}


@dataclass
class _Wish:
    """The options of the command."""

    file: str
    is_repairing: bool
    timeout_ms: int


def run(asked: Asked, cwd: str) -> int:
    """Run the steps until one fails; the exit code."""
    try:
        wish = _wish(asked.words[1:])
    except ValueError as error:
        tell(f"replay {error}; {USAGE}")
        return frames.USAGE
    path = os.path.join(cwd, os.path.expanduser(wish.file))
    try:
        steps = _steps(path)
    except (OSError, ValueError) as error:
        tell(f"{wish.file} cannot be replayed: {error}")
        return frames.USAGE
    # Files that are uploaded lie beside the recording.
    replay = _Replay(asked, os.path.dirname(path) or cwd, wish, len(steps))
    code = replay.run(steps)
    return _kept(replay, steps, path, wish, code)


def _wish(words: list[str]) -> _Wish:
    """The options.

    Raises:
        ValueError: they are wrong.
    """
    found = given(words, switches=("--repair",), valued={"--timeout": "timeout"})
    timeout = found.get("timeout", str(TIMEOUT_MS))
    if not (timeout.isascii() and timeout.isdigit()):
        raise ValueError("needs a number of milliseconds for --timeout")
    if not found.get(""):
        raise ValueError("needs the name of a file")
    return _Wish(found[""], "--repair" in found, int(timeout))


def _steps(path: str) -> list[Step]:
    """The steps of a file. Nothing runs when one of them is wrong.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no recording, or a value is missing.
    """
    with open(path, "rb") as file:
        text = file.read().decode("utf-8-sig")
    found = []
    for number, act in enumerate(steps_in(text), 1):
        try:
            found.append(prepared(act))
        except ValueError as error:
            raise ValueError(f"step {number}: {error}") from None
    return found


class _Replay:
    """A run of steps.

    Args:
        asked: the command line, with its session.
        cwd: the folder of the recording.
        wish: the options.
        count: number of steps.
    """

    def __init__(self, asked: Asked, cwd: str, wish: _Wish, count: int) -> None:
        self._asked = asked
        self._cwd = cwd
        self._wish = wish
        self._count = count
        self._tabs: dict[int, int] = {}
        """Tab of the recording → tab of this run."""
        self._front: int | None = None
        """Tab of the last step, by its number in the recording."""
        self.repairs: list[tuple[int, Step, dict[str, Any]]] = []
        """Number, step and new target of those that were done with another selector."""

    def run(self, steps: list[Step]) -> int:
        """Run them; the exit code of the last one that ran."""
        for number, step in enumerate(steps, 1):
            say(sys.stdout, f"{number}/{self._count} {step.line}")
            for note in step.notes:
                say(sys.stdout, f"  Not done: {note}")
            code = self._step(number, step) if step.calls else frames.DONE
            if code != frames.DONE:
                left = self._count - number
                tell(f"step {number} failed. {f'Not run: {left} more' if left else 'It was the last one'}")
                return code
        return frames.DONE

    def _step(self, number: int, step: Step) -> int:
        recorded = step.calls[0].tab
        tab = None if recorded is None else self._tabs.get(recorded)
        code, target = self._in_front(recorded, tab), None
        if code == frames.DONE:
            code, target = self._target(step, tab)
        if code != frames.DONE:
            return code
        selector = str(target["selector"]) if target else step.selector
        for words in step.lines(selector, tab):
            code, data = self._call(*words)
            if code != frames.DONE:
                return code
            self._note_tabs(step, recorded, data)
        if target:
            self.repairs.append((number, step, target))
        return frames.DONE

    def _in_front(self, recorded: int | None, tab: int | None) -> int:
        """Bring a tab to the front, as the person did between two steps; the exit code."""
        before, self._front = self._front, recorded
        if tab is None or before in (None, recorded):
            return frames.DONE
        return self._call("tab-switch", str(tab))[0]

    def _note_tabs(self, step: Step, recorded: int | None, data: dict[str, Any]) -> None:
        if recorded is not None and isinstance(data.get("tabId"), int):
            self._tabs.setdefault(recorded, data["tabId"])
        opened = (data.get("effects") or {}).get("new_tabs") or []
        self._tabs.update({was: now["tabId"] for was, now in zip(step.opened, opened, strict=False)})

    def _target(self, step: Step, tab: int | None) -> tuple[int, dict[str, Any] | None]:
        """The exit code, and the new target where the step goes on with another element's selector."""
        if not step.selector or not step.fingerprint:
            return frames.DONE, None
        words = ["locate-step", f"--selector={step.selector}", f"--fingerprint={json.dumps(step.fingerprint)}"]
        words += [f"--timeout={self._wish.timeout_ms}", *([] if tab is None else [f"--tab-id={tab}"])]
        code, data = self._call(*words)
        if code != frames.DONE or data["verdict"] == "same":
            return code, None
        candidates = data["candidates"]
        say(sys.stdout, f"  {_VERDICTS[data['verdict']].format(step.selector)}; {_proposed(candidates)}")
        best = candidates[0]["target"] if candidates else {}
        if problem := _problem(data, best):
            say(sys.stdout, f"  {problem}")
            return frames.FAILED, None
        if not self._wish.is_repairing:
            say(sys.stdout, "  Add --repair to go on with the first one and write it into the file")
            return frames.FAILED, None
        say(sys.stdout, f"  Goes on with {best['selector']}")
        return frames.DONE, best

    def _call(self, *words: str) -> tuple[int, dict[str, Any]]:
        """Run a command of the session; the exit code, and its data."""
        return data_of(self._asked, self._cwd, [*words, "--json"])


def _proposed(candidates: list[dict[str, Any]]) -> str:
    """The candidates in words."""
    if not candidates:
        return "nothing in the page is like the recorded element"
    named = (f"{one['target']['selector']} ({one['score']:.2f})" for one in candidates[:MAX_SAID])
    return f"nearest: {'; '.join(named)}"


def _problem(found: dict[str, Any], best: dict[str, Any]) -> str:
    """Reason for which no candidate is taken; "" where the first one may be."""
    if not best:
        return "Record the step again, or correct its selector in the file"
    if not found["clear"]:
        return "None of them is clearly the recorded element: correct the selector in the file by hand"
    return "No selector leads to the first one alone: give it a test id, or record the step again" if best.get("unsure") else ""


def _kept(replay: _Replay, steps: list[Step], path: str, wish: _Wish, code: int) -> int:
    """Write the repairs of steps that were done into the file, and show them; the exit code."""
    if not replay.repairs:
        return code
    for _, step, target in replay.repairs:
        _say_change(step, target)
        step.act["target"] = target
    try:
        write(text_of(step.act for step in steps), os.path.realpath(path), may_replace=True)
    except OSError as error:
        tell(f"{wish.file} could not be written: {error.strerror}; it is as it was")
        return frames.FAILED
    numbers = ", ".join(str(number) for number, _, _ in replay.repairs)
    say(sys.stdout, f"Repaired in {wish.file}: step{'s' if len(replay.repairs) > 1 else ''} {numbers}")
    return code


def _say_change(step: Step, target: dict[str, Any]) -> None:
    say(sys.stdout, f"- {step.line}")
    say(sys.stdout, f"+ {prepared({**step.act, 'target': target}).line}")
