"""Acts that set something off, many times each; see scripts/effects."""

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from e2e.conftest import Joined, Launched
from e2e.effects.trials import KINDS, Trials
from e2e.ports import own_window
from e2e.site import Site


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/effects", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", metavar="KIND", help="this kind alone")
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


def run(chosen: argparse.Namespace, work: Path) -> list[str]:
    site = Site()
    launched = (Joined if chosen.own else Launched)(work)
    trials = Trials(launched.tabwire, site)
    try:
        with busy(chosen.loops):
            for kind in KINDS:
                if chosen.only not in (None, kind.name):
                    continue
                before, unobserved = len(trials.missing), trials.unobserved
                times = [reply.elapsed_ms for reply in trials.run(kind, chosen.count)]
                lost = trials.missing[before:]
                said = f"{len(lost)} of {chosen.count} missing, {trials.unobserved - unobserved} not observed"
                print(f"{kind.name:20} {said}, {statistics.median(times):6.1f} ms")
                for line in lost[:5]:
                    print(f"    {line}")
        return trials.missing
    finally:
        launched.close()
        site.close()


def main() -> int:
    chosen = options()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    os.environ["TABWIRE_FIRST_PORT"] = str(own_window())
    with tempfile.TemporaryDirectory(prefix="tabwire-effects") as work:
        missing = run(chosen, Path(work))
    print(f"{len(missing)} effects missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
