"""Tokens (o200k) of the replies of three sessions of 40 calls in real programs, beside those of another checkout.

The same steps run with the server and extension of both. Elements are found by role and name. Each reply counts as it is sent:
its text and its structured content.
"""

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from row import Row
from tokens import counted

from sessions import CALLS, SCRIPTS, Script
from sessions.session import Call, RecordingTabwire, Session, StepFailed

GOAL = 0.60
ROOT = Path(__file__).resolve().parents[4]
TRANSCRIPTS = ROOT / "build" / "bench" / "sessions"
HEAD = f"{'program':<12} {'version':<8} {'calls':>5} {'text':>8} {'structured':>10} {'both':>8}  by tool"
MOST_COSTLY = 4


@dataclass(frozen=True)
class Cost:
    """Tokens of the replies of a session, call by call."""

    calls: list[Call]
    text: list[int]
    structured: list[int]

    @classmethod
    def of(cls, calls: list[Call]) -> "Cost":
        both = counted([*(call.text for call in calls), *(call.structured for call in calls)])
        return cls(calls, both[: len(calls)], both[len(calls) :])

    @property
    def both(self) -> int:
        return sum(self.text) + sum(self.structured)

    def by_tool(self) -> dict[str, int]:
        """Tokens by tool, the most costly first."""
        tools: dict[str, int] = {}
        for call, *parts in zip(self.calls, self.text, self.structured, strict=True):
            tools[call.tool] = tools.get(call.tool, 0) + sum(parts)
        return dict(sorted(tools.items(), key=lambda item: -item[1]))

    def __str__(self) -> str:
        most = ", ".join(f"{tool} {tokens:,}" for tool, tokens in list(self.by_tool().items())[:MOST_COSTLY])
        return f"{len(self.calls):>5} {sum(self.text):>8,} {sum(self.structured):>10,} {self.both:>8,}  {most}"


@contextlib.contextmanager
def _server(checkout: Path, work: Path) -> Iterator[RecordingTabwire]:
    """The server of a checkout, with a browser of its own that has the extension of that checkout."""
    work.mkdir(parents=True)
    args = ["--launch", "--headless", "--profile", str(work / "profile"), "--files", str(work)]
    env = {"TABWIRE_HOME": str(work / "home"), "PYTHONPATH": str(checkout / "bridge")}
    server = RecordingTabwire([*args, "--browser-arg=--window-size=1400,900"], env, work, from_checkout=False)
    try:
        yield server
    finally:
        server.close()


def _done(name: str, script: Script, checkout: Path, version: str, work: Path) -> Cost:
    """The calls of a session in a fresh program and browser."""
    program = work / "program"
    program.mkdir(parents=True)
    script.application.fetch()
    with contextlib.closing(script.application(program)) as application, _server(checkout, work / "server") as server:
        application.reset()
        session = Session(server, TRANSCRIPTS / f"{name}-{version}.txt")
        session.call("navigate", url=application.url)
        script.steps(session)
        script.judge(application)
    if len(session.calls) != CALLS:
        raise StepFailed(f"{name} has {len(session.calls)} calls, not {CALLS}")
    return Cost.of(session.calls)


def measure(before: Path | None) -> list[Row]:
    """The table, and a row for each program and for all of them."""
    if before is None or not (before / "bridge" / "tabwire").is_dir():
        raise SystemExit("session_tokens compares two checkouts: name the other one by --before PATH")
    TRANSCRIPTS.mkdir(parents=True, exist_ok=True)
    print(HEAD)
    pairs: dict[str, tuple[Cost, Cost]] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for name, script in SCRIPTS.items():
            old = _done(name, script, before.resolve(), "before", Path(folder) / f"{name}-before")
            new = _done(name, script, ROOT, "now", Path(folder) / f"{name}-now")
            pairs[name] = old, new
            for version, cost in (("before", old), ("now", new)):
                print(f"{name:<12} {version:<8} {cost}", flush=True)
    rows = [
        Row(f"tokens of {CALLS} calls in {name} / before", new.both, old.both, "", GOAL) for name, (old, new) in pairs.items()
    ]
    sums = [sum(pair[at].both for pair in pairs.values()) for at in (1, 0)]
    texts = [sum(sum(pair[at].text) for pair in pairs.values()) for at in (1, 0)]
    return [*rows, Row("  the three sessions", sums[0], sums[1], "", GOAL), Row("  their texts alone", texts[0], texts[1], "")]
