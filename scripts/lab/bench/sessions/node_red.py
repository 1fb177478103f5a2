"""Node-RED: import a flow, look for nodes, add a flow and name it, rename a node, deploy."""

import json
import re

from applications.node_red import IMPORTED, NodeRed

from sessions.session import Session

NODE = re.compile(r"\] \[draggable\]$")
"""A node on the canvas: a box without a name that can be dragged. The second one is called "show"."""
MIDDLE = {"x": 600, "y": 420}


def steps(session: Session) -> None:
    session.wait("start")
    session.look()
    _imports(session)
    _looks_for_nodes(session)
    _adds_a_flow(session)
    _renames_a_node(session)
    session.find("link", "Deploy")
    session.click("link", "Deploy")
    session.look()
    session.click("link", "Second")
    session.look(mode="interactive")


def _imports(session: Session) -> None:
    session.press("Control+i")
    session.wait("Import nodes")
    session.look()
    session.on("fill", "textbox", re.compile("clipboard-dialog-import-text"), value=json.dumps(IMPORTED))
    session.click("button", "Import")
    session.call("click", coordinates=MIDDLE)
    session.look()
    session.click("link", "Deploy")
    session.look(diff=True)


def _looks_for_nodes(session: Session) -> None:
    session.on("fill", "textbox|searchbox", "filter nodes", value="delay")
    session.look()
    session.on("clear", "textbox|searchbox", re.compile("filter nodes|delay"))
    session.on("fill", "textbox|searchbox", "Search flows", value="show")
    session.look()
    session.on("clear", "textbox|searchbox", "Search flows")


def _adds_a_flow(session: Session) -> None:
    session.click("link", re.compile('="(fa-)?plus"'))
    session.wait("Flow 1")
    session.look()
    session.on("dblclick", "link", "Flow 1")
    session.wait("Edit flow: Flow 1")
    session.look()
    session.on("fill", "textbox", re.compile("Name"), value="Second")
    session.click("button", "Done")
    session.look(diff=True)


def _renames_a_node(session: Session) -> None:
    session.click("link", "Main")
    session.look()
    session.on("dblclick", "generic", NODE, nth=1)
    session.wait("Edit debug node")
    session.look()
    session.on("fill", "textbox", re.compile("Name"), value="result")
    session.click("button", "Done")
    session.look(diff=True)


def judge(application: NodeRed) -> None:
    application.until_deployed("the import", name="made elsewhere")
    application.until_deployed("a second flow", type="tab", label="Second")
    application.until_deployed("the name", id="node2", name="result")
