"""Node-RED: flows that are drawn on a canvas. Its back end says what is deployed."""

import json
import re
from pathlib import Path
from typing import Any

import packages
from declaration import Application, Process, Task, fetched
from model import Model

from e2e.ports import free_port
from polling import until

INJECT = {"props": [{"p": "payload"}], "repeat": "", "crontab": "", "once": False, "onceDelay": 0.1, "topic": ""}
INJECT |= {"payload": "", "payloadType": "date"}
DEBUG = {"active": True, "tosidebar": True, "console": False, "tostatus": False, "complete": "payload", "targetType": "msg"}
DEBUG |= {"statusVal": "", "statusType": "auto"}
FLOW: list[dict[str, Any]] = [
    {"id": "tab1", "type": "tab", "label": "Main", "disabled": False, "info": ""},
    {"id": "node1", "type": "inject", "z": "tab1", "name": "start", **INJECT, "x": 160, "y": 120, "wires": [[]]},
    {"id": "node2", "type": "debug", "z": "tab1", "name": "show", **DEBUG, "x": 480, "y": 120, "wires": []},
]
"""Every value is there: the editor asks before it deploys nodes that are not configured."""
IMPORTED = [{"id": "new1", "type": "comment", "z": "", "name": "made elsewhere", "info": "", "x": 200, "y": 300, "wires": []}]


class NodeRed(Application):
    name = "node-red"

    @staticmethod
    def fetch() -> None:
        packages.fetch_npm(packages.FOLDER, packages.NPM)

    def __init__(self, work: Path) -> None:
        (work / "settings.js").write_text(
            "module.exports = { flowFile: 'flows.json', credentialSecret: 'none', telemetry: { enabled: false },"
            " editorTheme: { tours: false, projects: { enabled: false } } };"
        )
        self._origin = f"http://127.0.0.1:{(port := free_port())}"
        command = ["node", str(packages.MODULES / "node-red" / "red.js"), "-u", str(work), "-s", str(work / "settings.js")]
        self._process = Process([*command, "-p", str(port)], work, f"{self._origin}/flows")

    @property
    def url(self) -> str:
        return self._origin + "/"

    def reset(self) -> None:
        fetched(f"{self._origin}/flows", json.dumps(FLOW).encode(), Content_Type="application/json")

    def until_deployed(self, says: str, **wanted: Any) -> None:
        """Waits until one of the nodes has these values."""
        until(self._nodes, lambda nodes: any(wanted.items() <= node.items() for node in nodes), within=8, says=says)

    def until_gone(self, node: str) -> None:
        until(self._nodes, lambda nodes: all(one["id"] != node for one in nodes), within=8, says=f"{node} is gone")

    def until_wired(self) -> None:
        until(self._nodes, lambda nodes: any(one.get("wires") == [["node2"]] for one in nodes), within=8, says="a wire")

    def _nodes(self) -> list[dict[str, Any]]:
        nodes: list[dict[str, Any]] = json.loads(fetched(f"{self._origin}/flows"))
        return [{name: value for name, value in node.items() if name == "wires" or not isinstance(value, list)} for node in nodes]

    def close(self) -> None:
        self._process.close()


def ready(model: Model) -> None:
    """Waits until the editor has drawn its flow."""
    model.wait("start", 40)
    model.look()


def deploys(model: Model) -> None:
    """Deploys; the message of success is there for a moment only, and the back end says it better."""
    model.look()
    model.click("link", "Deploy")


def drags_from_the_palette(model: Model, _: NodeRed) -> None:
    ready(model)
    model.ok("drag", source='css=[data-palette-type="change"]', target_coordinates={"x": 600, "y": 400}, steps=15)
    deploys(model)


def wires_two_nodes(model: Model, _: NodeRed) -> None:
    ready(model)
    model.ok(
        "drag",
        source="css=#node1 .red-ui-flow-port-output .red-ui-flow-port",
        target="css=#node2 .red-ui-flow-port-input .red-ui-flow-port",
        steps=12,
    )
    deploys(model)


def renames_a_node(model: Model, _: NodeRed) -> None:
    ready(model)
    model.ok("dblclick", selector="css=#node2 .red-ui-flow-node")
    model.look()
    model.fill("textbox", re.compile("Name"), "result")
    model.click("button", "Done")
    deploys(model)


def deletes_a_node(model: Model, _: NodeRed) -> None:
    ready(model)
    model.ok("click", selector="css=#node1 .red-ui-flow-node")
    model.press("Delete")
    deploys(model)


def adds_a_flow(model: Model, _: NodeRed) -> None:
    ready(model)
    model.click("link", having='[icon="plus"]')
    deploys(model)


def imports_a_flow(model: Model, _: NodeRed) -> None:
    ready(model)
    model.press("Control+i")
    model.look()
    model.on("fill", "textbox", having="clipboard-dialog-import-text", value=json.dumps(IMPORTED))
    model.click("button", "Import")
    model.ok("click", coordinates={"x": 600, "y": 420})
    deploys(model)


APPLICATIONS = {
    NodeRed: (
        Task(
            "drag a node from the palette and deploy",
            drags_from_the_palette,
            lambda app: app.until_deployed("a change node", type="change"),
        ),
        Task("wire two nodes and deploy", wires_two_nodes, lambda app: app.until_wired()),
        Task("rename a node and deploy", renames_a_node, lambda app: app.until_deployed("the name", id="node2", name="result")),
        Task("delete a node by key and deploy", deletes_a_node, lambda app: app.until_gone("node1")),
        Task("add a flow and deploy", adds_a_flow, lambda app: app.until_deployed("a second flow", type="tab", label="Flow 1")),
        Task("import a flow and deploy", imports_a_flow, lambda app: app.until_deployed("the import", name="made elsewhere")),
    )
}
