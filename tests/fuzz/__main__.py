"""`scripts/lab/fuzz`: many examples over all surfaces, a report on stdout; the exit code says whether there were problems."""

import argparse
import sys
import tempfile
from pathlib import Path

from e2e.site import Site
from fuzz.calls import Fuzz, Report
from fuzz.lines import fuzz_lines
from fuzz.surfaces import SURFACES

SHARES = {"agent": 50, "facade": 15, "browseagent": 13, "instrument": 12, "reader": 10}


def say(report: Report) -> None:
    """Print a report at once."""
    sys.stdout.write("\n  ".join([str(report), *report.problems]) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Fuzz, and say what was found."""
    parser = argparse.ArgumentParser(prog="scripts/lab/fuzz", description=__doc__)
    parser.add_argument("--examples", type=int, default=5000, help="calls in all, and as many raw lines (default 5,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--surface", choices=[*SHARES, "lines"], action="append", help="only this one; may be given again")
    asked = parser.parse_args()
    wanted = asked.surface or [*SHARES, "lines"]
    failed = False
    share = sum(SHARES.get(name, 0) for name in wanted) or 1
    site = Site()
    with tempfile.TemporaryDirectory(prefix="tabwire-fuzz-") as folder:
        for surface in [one for one in SURFACES if one.name in wanted]:
            fuzz = Fuzz(surface, Path(folder) / surface.name, site)
            report = fuzz.run(max(1, asked.examples * SHARES[surface.name] // share), asked.seed)
            fuzz.close()
            say(report)
            failed = failed or bool(report.problems)
        if "lines" in wanted:
            report = fuzz_lines(Path(folder) / "lines", asked.examples, asked.seed)
            say(report)
            failed = failed or bool(report.problems)
    site.close()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
