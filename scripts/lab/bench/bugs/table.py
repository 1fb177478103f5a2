"""The table of a run: a row for each bug, columns for each server; nothing in it measures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """Result of one session.

    Attributes:
        picked: Answer that the rule took from the replies.
        ended_because: Cause of an early end, or "".
        tokens: Tokens of the arguments and replies.
    """

    bug: str
    kind: str
    server: str
    expected: str
    picked: str | None
    ended_because: str
    calls: int
    tokens: int

    @property
    def is_found(self) -> bool:
        return self.picked == self.expected


def markdown(outcomes: list[Outcome]) -> str:
    """Rows, sums, and what was told in place of each answer that was not found."""
    servers = list(dict.fromkeys(one.server for one in outcomes))
    lines = ["| bug | answer | " + " | ".join(f"{server} | calls | tokens" for server in servers) + " |"]
    lines.append("| --- | --- |" + " --- | --- | --- |" * len(servers))
    for bug in dict.fromkeys(one.bug for one in outcomes):
        cells = [next(one for one in outcomes if (one.bug, one.server) == (bug, server)) for server in servers]
        shown = [f"{'found' if one.is_found else 'not found'} | {one.calls} | {one.tokens:,}" for one in cells]
        lines.append(f"| {bug} | {cells[0].expected} | " + " | ".join(shown) + " |")
    sums = [_sum([one for one in outcomes if one.server == server]) for server in servers]
    return "\n".join([*lines, "| all | | " + " | ".join(sums) + " |", "", *_misses(outcomes)]) + "\n"


def _sum(outcomes: list[Outcome]) -> str:
    found = sum(one.is_found for one in outcomes)
    return f"{found} of {len(outcomes)} | {sum(one.calls for one in outcomes)} | {sum(one.tokens for one in outcomes):,}"


def _misses(outcomes: list[Outcome]) -> list[str]:
    missed = (one for one in outcomes if not one.is_found)
    return [
        f"- {one.bug}, {one.server}: {one.ended_because or 'the replies lead to ' + (one.picked or 'nothing')}" for one in missed
    ]
