"""The permissions of the extension: what each is for, and the code that needs it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from source_tree import Tree

API = re.compile(r"\bchrome\.([a-zA-Z]+)\.[a-zA-Z]")
WITHOUT_PERMISSION = frozenset({"action", "commands", "dom", "extension", "permissions", "runtime", "windows"})
"""Namespaces of `chrome` that every extension has."""
SITES = "<all_urls>"


@dataclass(frozen=True)
class Permission:
    """One permission of the manifest, or the permission for sites."""

    name: str
    reason: str
    used: str
    """A text in the extension's code that does not work without it."""
    apis: tuple[str, ...] = ()
    """Namespaces of `chrome` that it gives."""


def _namespace(name: str, reason: str, api: str = "") -> Permission:
    api = api or name
    return Permission(name, reason, f"chrome.{api}.", (api,))


PERMISSIONS = (
    Permission(SITES, "to read pages and act in them wherever you allow it", "chrome.scripting.executeScript"),
    _namespace("alarms", "to look for bridges after Chrome has ended the worker"),
    _namespace("bookmarks", "the tool `bookmarks`"),
    _namespace("history", "the tool `history`"),
    Permission("clipboardRead", "the shortcut for paste, where keys are DOM events; asked for as `clipboard`", 'v: "paste"'),
    Permission("clipboardWrite", "the shortcuts for copy and cut, where keys are DOM events", 'c: "copy", x: "cut"'),
    _namespace("contentSettings", "`permissions`: what a site learns about camera, location and the like; taken back afterwards"),
    _namespace("contextMenus", '"Use this tab with …" in the menu of a page'),
    _namespace("cookies", "`cookies` and `auth_state`"),
    _namespace(
        "debugger", "what DOM events cannot do: trusted input, dialogs, `evaluate`, pictures of hidden tabs, network and console"
    ),
    _namespace(
        "declarativeNetRequestWithHostAccess",
        "headers of `request` and `navigate`; rules of one session for single requests",
        "declarativeNetRequest",
    ),
    _namespace("downloads", "to tell which download an act began, and to wait for one"),
    _namespace("notifications", "to tell you of a question while its window is not in front"),
    _namespace("offscreen", "stored data of a site that no tab shows (`auth_state`)"),
    _namespace("scripting", "the content scripts, on demand; nothing is injected into pages nobody asked for"),
    _namespace(
        "sidePanel",
        "the side panel: who works where, stop, questions, rules, settings; Chrome opens it for a click of yours only",
    ),
    _namespace("storage", "this browser's name, your rules and answers; what must outlive the worker"),
    _namespace("tabGroups", "the group that shows which tabs a client works in"),
    _namespace("tabs", "addresses and titles of tabs"),
    _namespace("webNavigation", "to know where a navigation ends, and which document a frame has"),
    _namespace("webRequest", "to know what a tab asks for; nothing is blocked with it"),
)


def table() -> str:
    """The table of SECURITY.md."""
    lines = [f"| `{one.name}` | {one.reason} |" for one in PERMISSIONS]
    return "\n".join(("| Permission | For |", "| --- | --- |", *lines))


def _asked_for(manifest: str) -> set[str]:
    fields = json.loads(manifest)
    return {name for key, names in fields.items() if key.endswith("permissions") for name in names}


def problems(tree: Tree, manifest: str | None = None) -> Iterator[str]:
    """Permissions that a manifest asks for without need or lacks; None stands for the manifest of the repository."""
    code = "\n".join(tree.files[path] for path in tree.below("extension", ".js"))
    asked = _asked_for(manifest or tree.files["manifest.json"])
    known = {one.name for one in PERMISSIONS}
    for name in sorted(asked - known):
        yield f"{name} is asked for, and has no reason in tests/publishing/permissions.py"
    for name in sorted(known - asked):
        yield f"{name} has a reason, and the manifest does not ask for it"
    for one in PERMISSIONS:
        if one.used not in code:
            yield f"{one.name} is asked for, and nothing uses it: there is no {one.used!r} in extension/"
    given = {api for one in PERMISSIONS for api in one.apis} | WITHOUT_PERMISSION
    for path in tree.below("extension", ".js"):
        for api in sorted({found[1] for found in API.finditer(tree.files[path])} - given - {"google"}):
            yield f"{path} uses chrome.{api}, for which there is no permission"
