"""The table at the end."""

from collections import Counter
from collections.abc import Iterator

from faults import Recoveries
from lane import Shared
from ledger import Act, Verdict
from memory import GROWTH_LIMIT, Memory, Series

LEAST_SEEN = 0.5
"""Share of the samples that faults may not keep us from taking."""


def percentile(values: list[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * int(share * 100) // 100) - 1))]


def tools(shared: Shared) -> Iterator[str]:
    yield f"{'tool':<14} {'calls':>6} {'errors':>6}   p50 ms   p95 ms   p99 ms   max ms"
    by_tool: dict[str, list[float]] = {}
    for call in shared.calls:
        by_tool.setdefault(call.tool, []).append(call.seconds * 1000)
    failed = Counter(call.tool for call in shared.calls if call.code)
    for tool, times in sorted(by_tool.items()):
        ranks = "".join(f"{percentile(times, share):9.1f}" for share in (0.5, 0.95, 0.99, 1))
        yield f"{tool:<14} {len(times):6} {failed[tool]:6} {ranks}"
    yield ""
    codes = Counter(call.code for call in shared.calls if call.code)
    yield "errors: " + (", ".join(f"{code} {count}" for code, count in codes.most_common()) or "none")


def recoveries(found: Recoveries) -> Iterator[str]:
    yield f"{'fault':<26} {'times':>5}  recovery p50 s   max s"
    for kind, seconds in sorted(found.seconds.items()):
        yield f"{kind:<26} {len(seconds):5} {percentile(seconds, 0.5):14.2f} {max(seconds):8.2f}"


def verdicts(counts: Counter[Verdict], foreign: Counter[str]) -> Iterator[str]:
    yield f"acts: {counts.total()}"
    for verdict in Verdict:
        yield f"  {verdict.value:<32} {counts[verdict]:6}"
    if foreign:
        yield "  in tabs of other clients: " + ", ".join(f"{what} {count}" for what, count in foreign.most_common())


def judged(memory: Memory, warm_up: int) -> Iterator[tuple[Series, str, float | None]]:
    """Each quantity over its longest life, and at the start of its lives, with its growth."""
    for series in memory.longest():
        yield series, "longest life", series.growth(warm_up)
    for series in memory.young():
        yield series, "young lives", series.growth(0)


def memory_table(memory: Memory, warm_up: int) -> Iterator[str]:
    yield f"{'memory, MB':<30} {'over':<13} {'samples':>7} {'first':>7} {'last':>7} {'peak':>7}   trend"
    for series, over, growth in judged(memory, warm_up):
        settled = (series.settled(warm_up) if over == "longest life" else []) or series.samples
        said = "too few samples" if growth is None else f"{growth:+.1%}" + ("" if series.is_judged else " (for information)")
        ends = f"{settled[0][1]:7.2f} {settled[-1][1]:7.2f} {series.peak:7.2f}"
        yield f"{series.name:<30} {over:<13} {len(settled):7} {ends}   {said}"


def grown(memory: Memory, warm_up: int) -> list[str]:
    """Quantities that grew by more than the limit."""
    return [
        f"{series.name} grew by {growth:.0%} ({over})"
        for series, over, growth in judged(memory, warm_up)
        if series.is_judged and growth is not None and growth > GROWTH_LIMIT
    ]


def unseen(samples: int, due: int) -> list[str]:
    """Memory that was hardly looked at was not seen to stay as it was."""
    return [] if samples > due * LEAST_SEEN else [f"memory could be sampled only {samples} of {due} times"]


def failed_acts(acts: list[tuple[Act, Verdict, int]]) -> Iterator[str]:
    for act, verdict, times in acts:
        if verdict.is_failure:
            yield f"{verdict.value}: {act.tool} {act.id} for {act.key}, answered {act.code or 'success'}, happened {times} times"
