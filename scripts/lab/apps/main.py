"""Does the tasks that are chosen in the browsers that are chosen, and prints one table."""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "scripts" / "lab" / "bench"))
sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "tests"))
sys.path.insert(1, str(Path(__file__).resolve().parents[3] / "bridge"))

from applications import APPLICATIONS, TASKS
from declaration import Application, Task
from model import Model, Stuck
from modes import MODES, OURS
from table import Result, Table

Kind = TypeVar("Kind")


def options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/lab/apps/run", description=__doc__)
    parser.add_argument("--app", action="append", choices=APPLICATIONS, help="this program alone (repeatable)")
    parser.add_argument("--task", metavar="WORDS", help="the tasks whose name has these words")
    parser.add_argument("--mode", action="append", choices=MODES, help="this kind of browser alone (repeatable)")
    parser.add_argument("--keep", action="store_true", help="keep the files of the programs and the transcripts, and say where")
    parser.add_argument("--list", action="store_true", help="name the tasks and do none")
    return parser.parse_args(arguments)


def chosen_tasks(chosen: argparse.Namespace) -> dict[str, list[Task]]:
    """The chosen tasks by program."""
    return {
        name: tasks
        for name in chosen.app or APPLICATIONS
        if (tasks := [task for task in TASKS[name] if not chosen.task or chosen.task.lower() in task.name.lower()])
    }


def attempt(task: Task, application: Application, model: Model) -> str:
    """Does one task in a fresh tab. The answer is what went wrong, or nothing."""
    application.reset()
    model.ok("tab_new", url=application.url)
    try:
        task.do(model, application)
        task.judge(application)
    except (Stuck, TimeoutError, AssertionError) as error:
        return str(error) or type(error).__name__
    return ""


def _start(kind: Callable[[Path], Kind], work: Path) -> Kind:
    work.mkdir(parents=True)
    return kind(work)


def run(chosen: argparse.Namespace, work: Path) -> Table:
    table = Table()
    tasks = chosen_tasks(chosen)
    for name in chosen.mode or OURS:
        with contextlib.closing(_start(MODES[name], work / name)) as mode:
            for program, wanted in tasks.items():
                APPLICATIONS[program].fetch()
                with contextlib.closing(_start(APPLICATIONS[program], work / f"{program}-{name}")) as application:
                    for number, task in enumerate(wanted):
                        model = mode.model(work / f"{program}-{name}-{number}.txt")
                        began = time.perf_counter()
                        wrong = attempt(task, application, model)
                        table.add(Result(program, task.name, name, model.calls, time.perf_counter() - began, wrong))
                        mode.close_tabs()
    return table


def main(arguments: list[str]) -> int:
    chosen = options(arguments)
    if chosen.list:
        for program, tasks in chosen_tasks(chosen).items():
            print("\n".join(f"{program:<14} {task.name}" for task in tasks))
        return 0
    with contextlib.ExitStack() as stack:
        if chosen.keep:
            work = Path(tempfile.mkdtemp(prefix="tabwire-apps-"))
        else:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        table = run(chosen, work)
    table.print_summary()
    if chosen.keep:
        print(f"kept: {work}")
    return 0 if table.is_all_done else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
