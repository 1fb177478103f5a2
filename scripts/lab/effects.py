"""Acts that set something off, many times each; see scripts/lab/effects."""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from e2e.conftest import Joined, Launched
from e2e.effects.trials import KINDS, Trials
from e2e.ports import own_window
from e2e.site import Site


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/effects", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", metavar="KIND", action="append", help="this kind alone (repeatable)")
    parser.add_argument("--loops", type=int, default=2, help="busy loops beside it")
    parser.add_argument("--own", action="store_true", help="in a browser that Tabwire has not started")
    return parser.parse_args()


@contextlib.contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keeps processors busy."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


VERDICTS = ("missing", "false", "absent", "unobserved")


def run(chosen: argparse.Namespace, work: Path) -> Trials:
    site = Site()
    launched = (Joined if chosen.own else Launched)(work)
    trials = Trials(launched.tabwire, launched.browser, site)
    try:
        with busy(chosen.loops):
            for kind in KINDS:
                if chosen.only and kind.name not in chosen.only:
                    continue
                before = {name: len(getattr(trials, name)) for name in VERDICTS}
                times = [reply.elapsed_ms for reply in trials.run(kind, chosen.count)]
                found = {name: getattr(trials, name)[count:] for name, count in before.items()}
                counts = ", ".join(f"{len(lines)} {name}" for name, lines in found.items())
                print(f"{kind.name:20} {chosen.count} acts: {counts}; {statistics.median(times):6.1f} ms", flush=True)
                for line in found["missing"][:5] + found["false"][:5]:
                    print(f"    {line}")
        return trials
    finally:
        launched.close()
        site.close()


def main() -> int:
    chosen = options()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    with tempfile.TemporaryDirectory(prefix="tabwire-effects") as work:
        trials = run(chosen, Path(work))
    print(f"{len(trials.missing)} effects missing, {len(trials.false)} told that did not happen")
    return 1 if trials.missing or trials.false else 0


if __name__ == "__main__":
    sys.exit(main())
