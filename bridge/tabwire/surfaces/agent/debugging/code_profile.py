"""Profiles of code in words: functions by their time, two runs compared, and the rules that were used."""

from collections.abc import Iterator, Sequence

from tabwire.commands.profiles import (
    ChangedFunction,
    CodeProfile,
    CodeProfileResult,
    StyleUse,
    TimeComparison,
    TimedFunction,
    TimeProfile,
    TimeShare,
    UnusedRule,
    UsedFile,
)
from tabwire.surfaces.agent.debugging.phrases import built_of, count_of, foot_of, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined

WHAT = {"time": "the time of functions", "styles": "the use of rules"}


def _text(command: CodeProfile, result: CodeProfileResult) -> Words:
    """The state or the result of a run."""
    ended = [f"It ended by itself: {result['ended']}"] if "ended" in result else []
    lines = [*ended, *_state(result)]
    if "time" in result:
        lines += _time(result["time"])
    if "comparison" in result:
        lines += _comparison(result["comparison"])
    if "styles" in result:
        lines += _styles(result["styles"])
    kept = [Words("Kept: ", PageText(", ".join(result["kept"])))] if result.get("kept") else []
    return joined("\n", [*lines, *kept, *foot_of(result)])


def _state(result: CodeProfileResult) -> list[str]:
    if "time" in result or "styles" in result:
        return []
    if not result["running"]:
        return ["No run waits in this tab: start one"]
    what = WHAT[result.get("measure", "time")]
    return [f"Measures {what} since {result.get('seconds', 0):g} s, for {result.get('max_time', 0):g} s at most: act, then stop"]


def _fenced(head: str, lines: Sequence[str]) -> list[str]:
    return [head, PageText("\n".join(f"  {line}" for line in lines))] if lines else []


def _time(time: TimeProfile) -> list[str]:
    parts = [
        ("functions", time["functions_ms"]),
        ("garbage collection", time["collection_ms"]),
        ("Chrome's own work, such as layout", time["browser_ms"]),
        ("extensions", time.get("extensions_ms", 0.0)),
        ("scripts that the page has no more", time.get("gone_ms", 0.0)),
        ("idle", time["idle_ms"]),
    ]
    told = ", ".join(f"{name} {_ms(ms)}" for name, ms in parts if ms)
    samples = f"{count_of(time['samples'], 'sample')}, one each {time['interval_us']:g} µs"
    return [
        f"{time['seconds']:g} s ({samples}): {told or 'nothing ran'}",
        *_fenced("Most time in themselves:", [_own(one) for one in time["functions"]]),
        *_fenced("Most time with what they call:", [_with_calls(one) for one in time["callers"]]),
        *_fenced("By file:", [_share(one, time["functions_ms"]) for one in time["files"]]),
        *_fenced("By site:", [_share(one, time["functions_ms"]) for one in time["sites"]] if len(time["sites"]) > 1 else []),
    ]


def _own(one: TimedFunction) -> str:
    more = f" ({_ms(one['total_ms'])} with what it calls)" if one["total_ms"] > one["self_ms"] else ""
    return f"{_ms(one['self_ms'])}{more} {_named(one)}"


def _with_calls(one: TimedFunction) -> str:
    return f"{_ms(one['total_ms'])} ({_ms(one['self_ms'])} in itself) {_named(one)}"


def _named(one: TimedFunction) -> str:
    library = ", a library" if one.get("library") else ""
    return f"{one['name']} ({one['place']}){built_of(one)}{library}" if "place" in one else one["name"]


def _share(one: TimeShare, whole: float) -> str:
    return f"{one['name']}: {_ms(one['ms'])}" + (f" ({100 * one['ms'] / whole:.0f} %)" if whole else "")


def _comparison(found: TimeComparison) -> list[str]:
    runs = count_of(found["runs"], "run")
    differs = abs(found["now_ms"] - found["before_ms"]) > found["noise_ms"]
    verdict = ("slower" if found["now_ms"] > found["before_ms"] else "faster") if differs else "no difference beyond noise"
    change = f"{_ms(found['before_ms'])} → {_ms(found['now_ms'])}, {verdict} (noise {_ms(found['noise_ms'])})"
    none = [] if found["slower"] or found["faster"] else ["No function is slower or faster beyond noise"]
    more = [f"{found['more']} more have changed: max_rows shows them"] if "more" in found else []
    return [
        Words("Compared with ", PageText(found["name"]), f" ({runs}), all functions: {change}"),
        *_fenced("Slower:", [_changed(one) for one in found["slower"]]),
        *_fenced("Faster:", [_changed(one) for one in found["faster"]]),
        *none,
        *more,
    ]


def _changed(one: ChangedFunction) -> str:
    where = f" ({one['source']})" if "source" in one else ""
    by = one["now_ms"] - one["before_ms"]
    share = f", {100 * by / one['before_ms']:+.0f} %" if one["before_ms"] else ""
    change = f"{'+' if by > 0 else '−'}{_ms(abs(by))}{share}; noise {_ms(one['noise_ms'])}"
    return f"{one['name']}{where}: {_ms(one['before_ms'])} → {_ms(one['now_ms'])} ({change})"


def _styles(found: StyleUse) -> list[str]:
    return [
        f"Rules used, in characters: {_used(found['used'], found['total'])}",
        *_fenced("Files, most unused first:", [_file(one) for one in found["files"]]),
        *_more(found.get("more_files"), "file"),
        *_fenced("Largest unused rules:", [_unused(one) for one in found["rules"]]),
        *_more(found.get("more_rules"), "rule"),
    ]


def _more(number: int | None, noun: str) -> Iterator[str]:
    if number:
        yield f"{count_of(number, f'more {noun}')}: max_rows shows them"


def _file(one: UsedFile) -> str:
    return f"{one['source']}{built_of(one)}: {_used(one['used'], one['total'])}, {one['total'] - one['used']:,} unused"


def _used(used: int, total: int) -> str:
    return f"{used:,} of {total:,} ({100 * used / total:.0f} %)" if total else "the page has no rules"


def _unused(one: UnusedRule) -> str:
    return f"{one['chars']:,} {one['selector']} ({one['place']}){built_of(one)}"


def _ms(time: float) -> str:
    return f"{time:,.0f} ms" if time >= 10 else f"{time:.2g} ms" if time else "0 ms"


RUNS: Runs = {CodeProfile: tells(_text)}
