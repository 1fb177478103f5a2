"""Raw lines of JSON-RPC: each that asks for something is answered, each broken one with its error, and the next one as if nothing was."""

from __future__ import annotations

import json
import queue
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from e2e.wire.raw_lines import RawLines
from fuzz.calls import KEPT_CHARS, Report
from tabwire.server.stdin import MAX_LINE_BYTES

ANSWER_S = 20
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
IDS = st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=20)
METHODS = st.sampled_from(["ping", "tools/list", "tools/call", "resources/list", "no/such", "", "resources/read", "prompts/get"])
Case = tuple[str, set[int] | None, Any]
"""A line, the errors that it may get (None: an answer of any kind), and the id of the answer."""


def _request(request_id: Any, method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A line and what is due to it."""
    request_id = draw(IDS)
    params = draw(st.dictionaries(st.sampled_from(["name", "arguments", "uri", "_meta", "cursor", "x"]), JSON, max_size=4))
    message = _request(request_id, draw(METHODS), params)
    text = json.dumps(message)
    kind = draw(
        st.sampled_from(
            ["valid"] * 4 + ["half", "noise", "value", "no_id", "no_method", "null", "surrogate", "deep", "batch", "huge_number"]
        )
    )
    makers: dict[str, Any] = {
        "valid": lambda: (text, None, request_id),
        "half": lambda: (text[: draw(st.integers(1, len(text) - 1))], {-32700}, None),
        "noise": lambda: ("~" + draw(st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=40)), {-32700}, None),
        "value": lambda: (json.dumps(draw(st.integers() | st.booleans() | st.text(max_size=5))), {-32600}, None),
        "no_id": lambda: (json.dumps({**message, "id": None}), {-32600}, None),
        "no_method": lambda: (json.dumps({**message, "method": draw(st.integers() | st.none())}), {-32600}, request_id),
        "null": lambda: (json.dumps({**message, "params": draw(st.lists(JSON, max_size=2))}), {-32602}, request_id),
        "surrogate": lambda: (json.dumps({**message, "params": {**params, "x": "\ud83d"}}), {-32602}, request_id),
        "deep": lambda: (text.replace('"params": {', '"params": {"d": ' + "[" * 300 + "]" * 300 + (", " if params else "")), {-32600}, request_id),
        "batch": lambda: (json.dumps([message] * draw(st.integers(0, 3))), {-32600}, None),
        "huge_number": lambda: (json.dumps({**message, "params": {"name": "tab_close", "arguments": {"tabId": 7e77}}}).replace("7e+77", "1e400"), None, request_id),
    }  # fmt: skip
    made: Case = makers[kind]()
    return made


def fuzz_lines(work: Path, examples: int, number: int) -> Report:
    """So many lines; `number` is the seed."""
    report = Report("lines")
    with RawLines(work) as raw:

        @seed(number)
        @settings(
            max_examples=examples, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
        )
        @given(cases())
        def send_once(case: Case) -> None:
            if report.calls < examples:
                report.calls += 1
                _check(raw, case, report)

        send_once()
        _check(
            raw, ('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + "y" * MAX_LINE_BYTES + '"}}', {-32600}, 1), report
        )
        if raw.ask("ping", {}).get("result") != {}:
            report.problems.append("it does not answer any more")
    if "Traceback" in (log := raw.log.read_text(errors="replace")):
        report.problems.append(f"traceback in the log: {log.split('Traceback')[-1][-KEPT_CHARS:]}")
    return report


def _check(raw: RawLines, case: Case, report: Report) -> None:
    line, codes, request_id = case
    raw.send(line)
    try:
        answer = raw.answer(ANSWER_S)
    except queue.Empty:
        report.problems.append(f"no answer: {line[:KEPT_CHARS]}")
        return
    code = answer.get("error", {}).get("code")
    report.codes[str(code or "ok")] += 1
    report.valid += code is None
    if code == -32603 or (codes is not None and code not in codes) or answer.get("id") != request_id:
        report.problems.append(f"{line[:KEPT_CHARS]} → {json.dumps(answer)[:KEPT_CHARS]}")
