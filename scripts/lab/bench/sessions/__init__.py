"""Sessions of 40 calls in real programs, as a model would make them; the program's own state says whether they did their work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from applications.etherpad import Etherpad
from applications.jupyterlab import JupyterLab
from applications.node_red import NodeRed
from declaration import Application

from sessions import etherpad, jupyterlab, node_red
from sessions.session import Session

CALLS = 40


@dataclass(frozen=True)
class Script:
    """A session: its steps, each of them one call, and what the program says when they did their work."""

    application: type[Application]
    steps: Callable[[Session], None]
    judge: Callable[[Any], object]


SCRIPTS = {
    "JupyterLab": Script(JupyterLab, jupyterlab.steps, jupyterlab.judge),
    "Node-RED": Script(NodeRed, node_red.steps, node_red.judge),
    "Etherpad": Script(Etherpad, etherpad.steps, etherpad.judge),
}
