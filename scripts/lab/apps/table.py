"""The table of results."""

from dataclasses import dataclass

from model import Call
from tokens import counted

WRONG_LENGTH = 160


@dataclass(frozen=True)
class Result:
    """Outcome of a task in one kind of browser; ``wrong`` is empty when it was done."""

    program: str
    task: str
    mode: str
    calls: list[Call]
    seconds: float
    wrong: str

    @property
    def refused(self) -> int:
        return sum(call.is_error for call in self.calls)


class Table:
    """The results as they come, then their sums. Tokens are those of the replies, by a public tokenizer (o200k)."""

    def __init__(self) -> None:
        self._results: list[tuple[Result, int]] = []
        print(f"{'program':<14} {'task':<62} {'mode':<9} {'calls':>5} {'errors':>6} {'tokens':>7} {'s':>6}")

    def add(self, result: Result) -> None:
        tokens = sum(counted([call.text for call in result.calls]))
        self._results.append((result, tokens))
        verdict = "done" if not result.wrong else " ".join(result.wrong.split())[:WRONG_LENGTH]
        print(
            f"{result.program:<14} {result.task:<62} {result.mode:<9} {len(result.calls):>5} {result.refused:>6} "
            f"{tokens:>7,} {result.seconds:>6.1f}  {verdict}",
            flush=True,
        )

    @property
    def is_all_done(self) -> bool:
        return not any(result.wrong for result, _ in self._results)

    def print_summary(self) -> None:
        for mode in dict.fromkeys(result.mode for result, _ in self._results):
            mine = [(result, tokens) for result, tokens in self._results if result.mode == mode]
            done = sum(not result.wrong for result, _ in mine)
            calls = sum(len(result.calls) for result, _ in mine)
            print(
                f"{mode}: {done} of {len(mine)} tasks done, {calls} calls, {sum(tokens for _, tokens in mine):,} tokens, "
                f"{sum(result.seconds for result, _ in mine):.0f} s"
            )
        self._print_comparison()

    def _print_comparison(self) -> None:
        """Prints the sums of each program, over the tasks that were done in every mode."""
        modes = list(dict.fromkeys(result.mode for result, _ in self._results))
        if len(modes) < 2:
            return
        done: dict[tuple[str, str], dict[str, tuple[int, int, float]]] = {}
        for result, tokens in self._results:
            if not result.wrong:
                done.setdefault((result.program, result.task), {})[result.mode] = (len(result.calls), tokens, result.seconds)
        print(f"{'done in all modes':<20} {'tasks':>5}  " + "  ".join(f"{mode + ': calls tokens s':>28}" for mode in modes))
        for program in [*dict.fromkeys(name for name, _ in done), "all"]:
            rows = [by for (name, _), by in done.items() if program in (name, "all") and len(by) == len(modes)]
            sums = {mode: [sum(column) for column in zip(*(by[mode] for by in rows), strict=True)] or [0, 0, 0] for mode in modes}
            cells = "  ".join(f"{sums[mode][0]:>12} {sums[mode][1]:>8,} {sums[mode][2]:>6.0f}" for mode in modes)
            print(f"{program:<20} {len(rows):>5}  {cells}")
