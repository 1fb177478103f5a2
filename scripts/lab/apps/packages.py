"""The programs, fetched once from npm and PyPI into ``build/apps``; nothing of them is kept in the repository."""

import json
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "build" / "apps"
MODULES = FOLDER / "node_modules"
JUPYTER = FOLDER / "jupyter"
ETHERPAD = FOLDER / "etherpad"
"""A folder of its own: its dependencies are of another age."""

NPM = {
    "node-red": "4.1.15",
    "cloudcmd": "18.8.11",
    "monaco-editor": "0.57.0",
    "ag-grid-community": "36.2.0",
    "fullcalendar": "6.1.21",
    "quill": "2.0.3",
    "ckeditor5": "48.5.2",
}
ETHERPAD_LIBRARIES = {
    "async": "3.2.6",
    "js-cookie": "2.2.1",
    "security": "1.0.0",
    "tinycon": "0.6.8",
    "underscore": "1.13.1",
    "unorm": "1.6.0",
}
"""Dependencies that it serves to its pages, from the folder of its source only."""
ETHERPAD_NPM = {"ep_etherpad-lite": "1.8.14", **ETHERPAD_LIBRARIES}
JUPYTERLAB = Path(__file__).resolve().parents[1] / "requirements.txt"
LIMIT_S = 1200


def fetch_npm(folder: Path, packages: dict[str, str]) -> None:
    """Installs the packages unless exactly these are there."""
    wanted = json.dumps({"private": True, "dependencies": packages})
    done, package = folder / ".fetched", folder / "package.json"
    if done.exists() and done.read_text() == wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    package.write_text(wanted)
    _run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
    done.write_text(wanted)


def fetch_jupyterlab() -> None:
    """Installs JupyterLab into an environment of its own."""
    if (JUPYTER / "bin" / "jupyter-lab").exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    _run([sys.executable, "-m", "venv", str(JUPYTER)], FOLDER)
    _run([str(JUPYTER / "bin" / "pip"), "install", "--quiet", "--requirement", str(JUPYTERLAB)], FOLDER)


def _run(command: list[str], folder: Path) -> None:
    print(f"fetching: {' '.join(command)}", file=sys.stderr, flush=True)
    subprocess.run(command, cwd=folder, env=dict(os.environ), check=True, timeout=LIMIT_S, stdout=subprocess.DEVNULL)
