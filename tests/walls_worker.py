"""The walls inside the worker of the extension: who listens to the browser, and who writes the state of a call."""

from __future__ import annotations

import re

from source_tree import Tree

WORKER = "extension/background"

LISTENERS = {
    "chrome.alarms.onAlarm": "rules/consent.js rules/hour-answers.js tabs/handovers.js tabs/keep-alive.js",
    "chrome.commands.onCommand": "rules/stop.js",
    "chrome.contextMenus.onClicked": "panel/context-menu.js",
    "chrome.debugger.onDetach": "debugger/attachment.js debugger/child-sessions.js",
    "chrome.debugger.onEvent": "console/log.js debugger/attachment.js debugger/child-sessions.js emulation/tab-emulation.js network/routes.js "
    "network/traffic-capture.js tabs/crashes.js",
    "chrome.downloads.onChanged": "tabs/downloads.js",
    "chrome.downloads.onCreated": "calls/act-observation.js tabs/downloads.js",
    "chrome.notifications.onClicked": "rules/question-window.js",
    "chrome.runtime.onConnect": "base/ui-requests.js storage/origin-frame.js tabs/keep-alive.js tabs/page-scripts.js",
    "chrome.runtime.onInstalled": "panel/welcome.js tabs/keep-alive.js",
    "chrome.runtime.onMessage": "base/ui-requests.js media/pointer-trace.js rules/stop.js tabs/keep-alive.js",
    "chrome.runtime.onStartup": "media/tab-recorder.js tabs/keep-alive.js",
    "chrome.tabs.onActivated": "tabs/keep-alive.js tabs/tab-facts.js",
    "chrome.tabs.onAttached": "tabs/tab-facts.js",
    "chrome.tabs.onCreated": "rules/inherited-sites.js tabs/downloads.js tabs/handovers.js tabs/keep-alive.js tabs/lease-groups.js "
    "base/navigation-events.js tabs/tab-facts.js steps/recorded-tabs.js",
    "chrome.tabs.onDetached": "tabs/tab-facts.js",
    "chrome.tabs.onHighlighted": "tabs/tab-facts.js",
    "chrome.tabs.onMoved": "tabs/tab-facts.js",
    "chrome.tabs.onRemoved": "base/tabs.js",
    "chrome.tabs.onReplaced": "base/tabs.js",
    "chrome.tabs.onUpdated": "tabs/lease-groups.js tabs/tab-facts.js",
    "chrome.webNavigation.onBeforeNavigate": "rules/inherited-sites.js tabs/loading-frames.js tabs/tab-facts.js",
    "chrome.webNavigation.onCommitted": "media/pointer-trace.js network/seen-requests.js page/listener-list.js rules/inherited-sites.js tabs/handovers.js "
    "sources/failed-maps.js tabs/keep-alive.js tabs/loading-frames.js tabs/tab-facts.js steps/recorded-tabs.js",
    "chrome.webNavigation.onCompleted": "steps/recorded-tabs.js",
    "chrome.webNavigation.onCreatedNavigationTarget": "rules/inherited-sites.js tabs/handovers.js base/navigation-events.js steps/recorded-tabs.js",
    "chrome.webNavigation.onDOMContentLoaded": "page/picker.js",
    "chrome.webNavigation.onErrorOccurred": "tabs/downloads.js tabs/tab-facts.js",
    "chrome.webNavigation.onHistoryStateUpdated": "tabs/tab-facts.js",
    "chrome.webNavigation.onReferenceFragmentUpdated": "tabs/tab-facts.js",
    "chrome.webRequest.onBeforeRedirect": "base/navigation-events.js",
    "chrome.webRequest.onBeforeRequest": "page/network-idle.js",
    "chrome.webRequest.onHeadersReceived": "page/network-idle.js page/page-load.js",
    "chrome.windows.onBoundsChanged": "tabs/tab-facts.js",
    "chrome.windows.onCreated": "tabs/tab-facts.js",
    "chrome.windows.onFocusChanged": "tabs/tab-facts.js",
    "chrome.windows.onRemoved": "rules/question-window.js tabs/tab-facts.js",
}
"""Chrome's event → files of the worker that listen to it, each for all others. (`base/navigation-events.js` listens to all events of
chrome.webNavigation by their names.)"""


def listeners_are_declared(tree: Tree) -> list[str]:
    """A second listener to an event is a second opinion about its order; the list says who has the first."""
    return [
        f"{path} listens to {event}"
        for path in tree.below(WORKER, ".js")
        for event in sorted(set(tree.javascript[path].listeners))
        if path.removeprefix(f"{WORKER}/") not in LISTENERS.get(event.removesuffix(".addListener"), "").split()
    ]


CALLS = f"{WORKER}/calls/"
GATES = f"{CALLS}gates/"


def gates_do_not_know_each_other(tree: Tree) -> list[str]:
    """One list has the order of the gates; a gate that calls another one would have an order that the list does not show."""
    shared = {f"{GATES}passage.js"}
    return [
        f"{path} imports {other}"
        for path, others in tree.javascript_graph.items()
        if path.startswith(GATES) and path != f"{GATES}index.js"
        for other in sorted(others - shared)
        if other.startswith(GATES)
    ]


def contexts_of_calls_are_not_written(tree: Tree) -> list[str]:
    """A context is frozen. Its parts are written by their methods, which says who changes what."""
    member = re.compile(r"(?:^|\.)call\.\w+$")
    return [f"{path} writes {name}" for path, name in _writes(tree) if member.search(name)]


def observations_are_written_in_their_room(tree: Tree) -> list[str]:
    """The rooms that do an act note by methods what they know of it; a field that many write has no owner."""
    field = re.compile(r"(?:^|\.)(?:observation|actStart)\.\w+")
    written = [f"{path} writes {name}" for path, name in _writes(tree) if not path.startswith(CALLS) and field.search(name)]
    begun = [
        f"{path} calls {name}"
        for path in tree.below(WORKER, ".js")
        for name in tree.javascript[path].calls
        if not path.startswith(CALLS) and name.endswith("observing.begin")
    ]
    return [*written, *begun]


def _writes(tree: Tree) -> list[tuple[str, str]]:
    return [(path, name) for path in tree.below(WORKER, ".js") for name in tree.javascript[path].writes]


WALLS_OF_THE_WORKER = (
    listeners_are_declared,
    gates_do_not_know_each_other,
    contexts_of_calls_are_not_written,
    observations_are_written_in_their_room,
)
