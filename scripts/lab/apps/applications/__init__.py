"""The programs, and the tasks that are done in each of them."""

from declaration import Application, Task

from applications import calendar_page, commander, etherpad, grid, jupyterlab, monaco, node_red, rich_text

_MODULES = (jupyterlab, node_red, etherpad, monaco, grid, calendar_page, rich_text, commander)
APPLICATIONS: dict[str, type[Application]] = {kind.name: kind for module in _MODULES for kind in module.APPLICATIONS}
TASKS: dict[str, tuple[Task, ...]] = {kind.name: tasks for module in _MODULES for kind, tasks in module.APPLICATIONS.items()}
