"""Doors: the places in the source from which something leaves this computer or browser, or comes in. Each has its guard.

The table is the one of SECURITY.md (`test_doors.py` compares them); a call of this kind anywhere else fails the wall `doors_are_known`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from source_tree import PACKAGE, PythonFile, Tree

WORKER = "extension/background"


@dataclass(frozen=True)
class Door:
    """Calls of one purpose."""

    what: str
    """In words, for SECURITY.md."""
    guard: str
    """The function that asks first, for SECURITY.md."""
    files: tuple[str, ...]
    """Files with the calls."""
    asked: tuple[tuple[str, str], ...]
    """File, and the text in it by which the guard is asked."""


def _worker(*names: str) -> tuple[str, ...]:
    return tuple(f"{WORKER}/{name}" for name in names)


_PERMIT = (f"{WORKER}/calls/gates/permission.js", "await permit(call, aimed, handler)")
"""The gate asks for every call: its tab, what its handler says it `reaches`, and the kinds of the method."""


def _reaches(handlers: str, *methods: str) -> tuple[tuple[str, str], ...]:
    return (_PERMIT, *((f"{WORKER}/handlers/{handlers}.js", text) for text in methods))


DOORS = (
    Door(
        "an address is opened, in a tab or window that is there or new",
        "`permit` with the address; in each document `refusalIn`",
        _worker(
            "handlers/navigation.js",
            "handlers/tabs.js",
            "page/page-leave.js",
            "tabs/windows.js",
            "tabs/client-tabs.js",
            "tabs/targets.js",
        ),
        (
            *_reaches("navigation", "place, reaches, leaves: true"),
            *_reaches("tabs", "Object.assign(create, { reaches })", "Object.assign(createWindow, { reaches })"),
            (f"{WORKER}/page/content-calls.js", "refusalIn("),
        ),
    ),
    Door(
        "requests of our own, and files that are given by their address",
        "`permit` with the address; `objection` at each redirection; kind `uploads` for files",
        _worker("network/own-request.js"),
        (
            *_reaches("network", "reaches: requested", '["uploads"]'),
            *_reaches("input", "reaches: uploadedFrom"),
            (f"{WORKER}/network/own-request.js", "objection(url.href, needOf(method))"),
        ),
    ),
    Door(
        "folders that the browser reads for an input",
        "`Files`: each file in it is one that tools may read",
        _worker("elements/folder-input.js"),
        ((f"{PACKAGE}/surfaces/shared/files.py", "self.allowed(os.path.join(parent, name))"),),
    ),
    Door(
        "requests of pages that are answered, changed or sent elsewhere",
        "`permit` with the address that is named; at each request `mayActOn` and `mayStandFor`",
        _worker("network/routes.js", "network/route-answers.js", "network/abandoned-requests.js"),
        (
            *_reaches("network", "reaches: routedTo"),
            (f"{WORKER}/network/routes.js", "mayActOn(address)"),
            (f"{WORKER}/network/routes.js", "mayLeadOn(matching, paused.request)"),
        ),
    ),
    Door(
        "what pages load, recorded",
        "`permit` with the page; `leaveOut` for each request that is told",
        _worker("network/traffic-capture.js"),
        (*_reaches("network", "reaches: captured"), (f"{WORKER}/network/traffic-capture.js", "leaveOut(entries")),
    ),
    Door(
        "cookies, and saved logins",
        "`permit` with the site, kinds `cookies` and `auth_state`; `isAllowed` for each cookie",
        _worker("storage/cookie-jar.js", "storage/site-state.js", "storage/origin-frame.js", "network/sent-headers.js"),
        (
            *_reaches("storage", "reaches: cookieSites", 'reaches: reachesAs("act")', "isAllowed(cookie, need)"),
            (f"{WORKER}/storage/cookie-jar.js", 'isAllowed(cookie, "read")'),
            (f"{WORKER}/storage/cookie-jar.js", 'isAllowed(cookie, "act")'),
        ),
    ),
    Door(
        "history and bookmarks",
        "kinds `history` and `bookmarks`; `leaveOut` for each entry; bookmarks of http and https only",
        _worker("handlers/history.js", "storage/bookmarks.js"),
        (
            *_reaches(
                "history", "Object.assign(searchHistory, { reaches })", "Object.assign(bookmarks, { reaches })", "leaveOut(found"
            ),
            (f"{WORKER}/storage/bookmarks.js", "leaveOut("),
            (f"{WORKER}/storage/bookmarks.js", "webOriginOf(url)"),
        ),
    ),
    Door(
        "downloads that are waited for",
        "kind `downloads`; `leaveOut` for each",
        _worker("tabs/downloads.js"),
        (*_reaches("wait", "Object.assign(until, { sensitive })"), (f"{WORKER}/tabs/downloads.js", "leaveOut(")),
    ),
    Door(
        "what a site is permitted: camera, microphone, location, clipboard, notifications",
        "`permit` with the site; kind `site_permissions`",
        _worker("emulation/site-permissions.js"),
        _reaches("emulation", "reaches: permittedSites, sensitive: givenToSite"),
    ),
    Door(
        "what the person does in a tab, recorded",
        "`permit` with the page; kind `steps`; `isTold` for each step",
        (),
        (
            *_reaches("steps", "Object.assign(recordSteps, { sensitive })"),
            (f"{WORKER}/steps/recorded-tabs.js", "isTold(sender.url"),
            (f"{WORKER}/steps/bar-wishes.js", "isTold(sender.url"),
        ),
    ),
    Door(
        "the clipboard, by keys",
        "kind `clipboard`",
        # The page of a person who copies a command writes there, at their click.
        ("extension/content/act/keys/keyboard.js", "extension/content/act/filling.js") + ("extension/ui/shared/elements.js",),
        _reaches("input", "clipboard"),
    ),
    Door(
        "bridges of this computer, the extension's own files and pages",
        "fixed addresses; proof of the key (`wire/pairing.js`), or a person's word for a code (`wire/pairing-exchange.js`)",
        _worker("wire/connection.js", "wire/pairing.js", "wire/pairing-exchange.js", "wire/socket.js")
        + _worker("rules/question-window.js", "panel/welcome.js")
        + tuple(f"extension/ui/shared/{name}.js" for name in ("open-tabs", "panel-view")),
        (
            (f"{WORKER}/wire/pairing.js", "proofText"),
            (f"{WORKER}/wire/pairing-exchange.js", "commitmentTo(bridge) !== offer.commitment"),
            (f"{WORKER}/panel/pairing-request.js", "asked(String(code))"),
        ),
    ),
    Door(
        "replies, questions and recorded tests, on their way to clients",
        "`strikeOutcome` and `strikeOut` take the passwords of pages out",
        _worker("calls/replies.js", "steps/person-recording.js"),
        (
            (f"{WORKER}/calls/replies.js", "strikeOutcome(Object.assign(outcome"),
            (f"{WORKER}/calls/replies.js", "strikeOutcome(recorded, request)"),
            (f"{WORKER}/calls/replies.js", "strikeOut({ what, where })"),
            (f"{WORKER}/steps/person-recording.js", "strikeOut({ id, language, steps })"),
        ),
    ),
    Door(
        "files that tools read and write",
        "`Files`: folder, links, suffix, size, overwriting, private files",
        tuple(f"{PACKAGE}/surfaces/{name}" for name in ("agent/auth_states.py", "shared/written_files.py")),
        ((f"{PACKAGE}/surfaces/shared/files.py", "open_folder("),),
    ),
    Door(
        "pages that the reader fetches without a browser",
        "`assert_readable` with the address, `admit` and `assert_dialled` with what is dialled; at each redirection",
        (f"{PACKAGE}/surfaces/reader/loading/exchange.py",),
        (
            (f"{PACKAGE}/surfaces/reader/loading/resolving.py", "admit(host, found, reach, came_from)"),
            (f"{PACKAGE}/surfaces/reader/loading/exchange.py", "rules.assert_readable(url)"),
            (f"{PACKAGE}/surfaces/reader/loading/exchange.py", "rules.assert_dialled(url, where.addresses)"),
        ),
    ),
    Door(
        "files of our own: limits, lives and index of sessions, devices",
        "fixed names in our own folder",
        tuple(
            f"{PACKAGE}/{name}"
            for name in (
                "settings/tool_limits.py",
                "surfaces/instrument/index.py",
                "surfaces/instrument/liveness.py",
                "surfaces/shared/matching/program.py",
                "server/handshake.py",
            )
        ),
        (),
    ),
)

_WAYS = re.compile(
    r"fetch|new (WebSocket|XMLHttpRequest|EventSource)|importScripts|navigator\.(clipboard\.\w+|sendBeacon)|document\.execCommand"
    r"|chrome\.(tabs\.(create|update|duplicate|goBack|goForward|reload)|windows\.create|bookmarks\.\w+|history\.\w+|downloads\.\w+"
    r"|cookies\.\w+|contentSettings\.\*|sessions\.\w+|browsingData\.\w+|topSites\.\w+|offscreen\.\w+)"
    r"|Fetch\.\w+Request|Fetch\.enable|Page\.(navigate\w*|setDocumentContent|setDownloadBehavior)|Network\.(setCookies?|loadNetworkResource"
    r"|getResponseBody)|Storage\.\w+|Target\.createTarget|DOM\.setFileInputFiles|Browser\.\w+|sendToClient"
)
"""Calls of JavaScript, and commands of the debugger, that open, fetch, send, substitute, restore or keep something."""
_EVENTS = re.compile(r"\.addListener$|^Fetch\.requestPaused$")

REACHABLE = ("surfaces", "middleware", "server", "engine", "commands", "rules", "settings", "text")
"""Rooms of the bridge that arguments of tools come to."""
_METHODS = {
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "open",
    "unlink",
    "rename",
    "touch",
    "symlink_to",
    "hardlink_to",
    "mkdir",
}
_FUNCTIONS = re.compile(
    r"open|os\.(open|replace|link|unlink|rename|remove|mkdir)|shutil\.\w+|subprocess\.\w+|socket\.create_connection|.*(urlopen|build_opener|AsyncClient)"
)
_NO_FILES = {"calls", "self._calls", "Image", "events"}
"""Owners of a method `open` that opens no file: pending calls, pictures in memory."""


def _javascript_doors(tree: Tree) -> Iterator[tuple[str, str]]:
    for path, facts in tree.javascript.items():
        for name in facts.calls:
            if _WAYS.fullmatch(name) and not _EVENTS.search(name):
                yield path, name


def _python_doors(tree: Tree) -> Iterator[tuple[str, str]]:
    for path in (path for room in REACHABLE for path in tree.below(f"{PACKAGE}/{room}", ".py")):
        yield from ((path, name) for name in _opened_in(tree.python[path]))


@cache
def _opened_in(file: PythonFile) -> list[str]:
    calls = (node.func for node in ast.walk(file.parsed()) if isinstance(node, ast.Call))
    return [name for target in calls if (name := _opened(target))]


def _opened(target: ast.expr) -> str | None:
    name = ast.unparse(target)
    if _FUNCTIONS.fullmatch(name):
        return name
    is_method = isinstance(target, ast.Attribute) and target.attr in _METHODS
    return name if is_method and ast.unparse(target.value) not in _NO_FILES else None


def doors_are_known(tree: Tree) -> list[str]:
    """Whatever leaves or comes in does so where the table of doors says, past the guard it names there."""
    found = {*_javascript_doors(tree), *_python_doors(tree)}
    known = {path for door in DOORS for path in door.files}
    around = [
        f"{path} calls {name}: a door that tests/doors.py does not know" for path, name in sorted(found) if path not in known
    ]
    walled_up = [
        f"{path} has no door any more: take it out of tests/doors.py" for path in sorted(known - {path for path, _ in found})
    ]
    return [*around, *walled_up, *unguarded(tree)]


def unguarded(tree: Tree) -> list[str]:
    """The guards that are not asked any more."""
    return [
        f"{path} does not have {text!r}, which guards: {door.what}"
        for door in DOORS
        for path, text in door.asked
        if text not in tree.files.get(path, "")
    ]


def table() -> str:
    """The doors as the table of SECURITY.md."""
    rows = [f"| {door.what} | {door.guard} |" for door in DOORS]
    return "\n".join(["| Door | Guard |", "| --- | --- |", *rows])
