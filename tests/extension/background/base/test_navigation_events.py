"""What the record of a tab makes of Chrome's navigation events, in the orders in which Chrome was seen to send them."""

from typing import Any

from extension.in_node import run

MODULE = "background/base/navigation-events.js"
TAB = 1

#: A chrome whose events are fired from here, as lines of [event, details].
CHROME = """
const listeners = {};
const event = (name) => ({ addListener: (listener) => { listeners[name] = listener; } });
const events = (area) => new Proxy({}, { get: (_, name) => event(`${area}.${name}`) });
globalThis.chrome = { webNavigation: events("webNavigation"), webRequest: events("webRequest"), tabs: events("tabs") };
"""
PLAYER = """
const { progress } = watchTab(given.tab);
for (const [name, details] of given.told) listeners[`webNavigation.${name}`](details);
return progress;
"""


def progress_after(*events: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """The record after these events of the main frame."""
    told = [
        (name, {"tabId": TAB, "frameId": 0, "processId": -1, "url": "http://127.0.0.1/b", **details}) for name, details in events
    ]
    progress: dict[str, Any] = run([MODULE], PLAYER, before=CHROME, given={"tab": TAB, "told": told})
    return progress


ABORTED = {"error": "net::ERR_ABORTED"}


def test_a_document_cut_short_by_the_navigation_away_from_it_is_no_failure() -> None:
    progress = progress_after(
        ("onBeforeNavigate", {}),
        ("onErrorOccurred", {"documentId": "A", "processId": 7, "url": "http://127.0.0.1/a", **ABORTED}),
    )
    assert progress["failure"] is None
    assert progress["pending"] == {"url": "http://127.0.0.1/b"}


def test_a_navigation_that_ends_without_a_document_is_a_failure() -> None:
    progress = progress_after(("onBeforeNavigate", {}), ("onErrorOccurred", {"documentId": "0", **ABORTED}))
    assert progress["failure"] == {"error": "net::ERR_ABORTED", "url": "http://127.0.0.1/b"}
    assert progress["pending"] is None


def test_a_navigation_that_another_one_replaces_is_no_failure() -> None:
    progress = progress_after(
        ("onBeforeNavigate", {"url": "http://127.0.0.1/a"}), ("onBeforeNavigate", {}), ("onErrorOccurred", ABORTED)
    )
    assert progress["failure"] is None
    assert progress["pending"] == {"url": "http://127.0.0.1/b"}


def test_the_document_that_is_shown_has_loaded_when_its_loading_is_stopped() -> None:
    progress = progress_after(
        ("onBeforeNavigate", {}),
        ("onCommitted", {"documentId": "B", "processId": 7}),
        ("onErrorOccurred", {"documentId": "B", "processId": 7, **ABORTED}),
    )
    assert (progress["reached"], progress["failure"]) == ("load", None)


def test_the_load_of_the_earlier_document_is_not_that_of_the_new_one() -> None:
    progress = progress_after(
        ("onBeforeNavigate", {}),
        ("onCommitted", {"documentId": "B", "processId": 7}),
        ("onCompleted", {"documentId": "A", "processId": 7}),
    )
    assert progress["reached"] == "committed"
