"""Recorded flows, run many times as what was written of them; see scripts/lab/recorded_flows."""

import argparse
import os
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from selenium import webdriver

from e2e.conftest import Launched
from e2e.site import Site
from e2e.steps.recorded_flows import FLOWS, Flow, has_got, record, served
from e2e.testing.test_plugin import PYTEST
from programs import command, environment
from tabwire.recordings.languages import written

ENDS = {"pytest": "py", "selenium": "py", "steps": "steps.json"}
LIMIT_S = 120
REPEATED = """import pytest


@pytest.fixture(params=range({runs}), autouse=True)
def repeated(request):
    return request.param
"""
"""A conftest.py that has pytest run each test so often, each time in a browser of its own."""

Runs = tuple[list[float], list[str]]
"""Seconds of the runs that did what the person did, and why the others did not."""
Once = Callable[[Path, Flow], None]
Runner = Callable[[Path, Flow, int], Runs]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/recorded_flows", description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--language", action="append", choices=[*ENDS], help="repeatable; default: all")
    parser.add_argument("--only", metavar="FLOW", help="this flow alone")
    return parser.parse_args()


def recorded(flows: list[Flow], work: Path, site: Site) -> dict[str, Path]:
    """Flow and language → the file."""
    launched = Launched(work / "recorder")
    files = {}
    try:
        for flow in flows:
            site.reset()
            launched.tabwire.ok("tab_new")
            steps = record(flow, launched.tabwire, launched.browser, site, work)
            for language, end in ENDS.items():
                file = work / f"test_{flow.name}_{language}.{end}"
                file.write_text(written(steps, language, file.name))
                files[f"{flow.name} {language}"] = file
    finally:
        launched.close()
    return files


def ended(words: list[str], flow: Flow, work: Path, limit_s: int = LIMIT_S) -> subprocess.CompletedProcess[str]:
    """Run a program to its end."""
    env = {name: value for name, value in environment(work / "home", **flow.secrets).items() if not name.startswith("PYTEST_")}
    return subprocess.run(words, env=env, cwd=work, capture_output=True, text=True, timeout=limit_s, check=False)


def in_program(words: list[str], flow: Flow, work: Path) -> None:
    """Run a program to its end.

    Raises:
        RuntimeError: it has failed.
    """
    done = ended(words, flow, work)
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")


def in_pytest(file: Path, flow: Flow, runs: int, work: Path, site: Site) -> Runs:
    """Run a file again and again in one pytest, in a fresh browser each; the site must have got as much of all runs together."""
    (work / "conftest.py").write_text(REPEATED.format(runs=runs))
    report = work / "report.xml"
    report.unlink(missing_ok=True)
    site.reset()
    served(flow, site)
    done = ended([*PYTEST, f"--basetemp={work / 'tmp'}", f"--junitxml={report}", str(file)], flow, work, LIMIT_S * runs)
    if not report.exists():
        return [], [f"exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}"] * runs
    cases = ElementTree.parse(report).getroot().findall(".//testcase")
    failed = [str(case[0].get("message"))[:1500] for case in cases if len(case) and case[0].tag in ("failure", "error")]
    times = [float(case.get("time", 0)) for case in cases if not any(one.tag in ("failure", "error") for one in case)]
    if not failed:
        has_got(flow, site, runs)
    return times, failed


def runners(work: Path, site: Site, ends: ExitStack, languages: list[str]) -> dict[str, Runner]:
    """Language → what runs a file of it once."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", *(["--no-sandbox"] if os.geteuid() == 0 else [])):
        options.add_argument(argument)

    def in_selenium(file: Path, flow: Flow) -> None:
        # A browser for each run, as a test has it.
        driver = webdriver.Chrome(options=options)
        try:
            os.environ |= flow.secrets
            found = runpy.run_path(str(file))
            found["replay"](found["Run"](driver))
            # The script ends with its last act; a browser that is closed then would send nothing more.
            has_got(flow, site)
        finally:
            driver.quit()

    def in_session(file: Path, flow: Flow) -> None:
        in_program(command("--launch", "--headless", "replay", str(file)), flow, work)

    if "steps" in languages:
        ends.callback(in_program, command("close"), FLOWS[0], work)
    return {
        "pytest": lambda file, flow, runs: in_pytest(file, flow, runs, work, site),
        "selenium": lambda file, flow, runs: repeated(in_selenium, file, flow, site, runs),
        "steps": lambda file, flow, runs: repeated(in_session, file, flow, site, runs),
    }


def repeated(run: Once, file: Path, flow: Flow, site: Site, runs: int) -> Runs:
    """Run a file again and again, and look each time at what the site has got."""
    times, failed = [], []
    for _ in range(runs):
        site.reset()
        served(flow, site)
        began = time.monotonic()
        try:
            run(file, flow)
            took = time.monotonic() - began
            has_got(flow, site)
            times.append(took)
        except Exception as error:  # any failure of a run is a result
            failed.append(f"{type(error).__name__}: {error}")
    return times, failed


def main() -> int:
    chosen = options()
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    languages = chosen.language or [*ENDS]
    flows = [flow for flow in FLOWS if chosen.only in (None, flow.name)]
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="tabwire-flows-") as folder, ExitStack() as ends:
        work, site = Path(folder), Site()
        ends.callback(site.close)
        files = recorded(flows, work, site)
        run_in = runners(work, site, ends, languages)
        for flow in flows:
            for language in languages:
                times, failed = run_in[language](files[f"{flow.name} {language}"], flow, chosen.runs)
                median = f"median {statistics.median(times):.2f} s" if times else ""
                print(f"{flow.name:<14}{language:<10}{len(times):>3} of {chosen.runs} {median}", flush=True)
                for problem in failed:
                    print(f"    {problem}", flush=True)
                wrong += len(failed)
    print(f"{len(flows)} flows, {chosen.runs} runs, {', '.join(languages)}: {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
