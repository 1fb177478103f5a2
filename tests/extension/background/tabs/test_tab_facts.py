"""A tab is described from memory only while nothing can have changed it; run by node."""

import json
from typing import Any

import pytest

from extension.background.tabs.tabs_in_node import run

TABS = """
const asked = [];
let meanwhile = () => {};
known["tabs.get"] = async (id) => {
  asked.push(id);
  const tab = { id, title: `asked ${asked.length} times` };
  await Promise.resolve();
  meanwhile();
  return tab;
};
const port = openPort(1);
openPort(2);
await soon();
const titles = [];
const look = async (id) => titles.push((await describeTab(id)).title);
"""
EVENTS = [
    *(f'"tabs.{name}", 1, {{}}' for name in ("onUpdated", "onRemoved", "onMoved", "onAttached", "onDetached")),
    *(f'"tabs.{name}", {{ tabId: 1 }}' for name in ("onActivated", "onHighlighted", "onCreated")),
    '"tabs.onReplaced", 1, 3',
    *(
        f'"webNavigation.{name}", {{ tabId: 1, frameId: 0, url: "https://a.example/" }}'
        for name in ("onBeforeNavigate", "onCommitted", "onErrorOccurred", "onHistoryStateUpdated", "onReferenceFragmentUpdated")
    ),
]


def test_a_tab_is_asked_for_once_while_nothing_happens() -> None:
    assert run(f"{TABS} await look(1); await look(1); return [asked, titles]") == [[1], ["asked 1 times"] * 2]


def test_a_description_that_a_caller_changes_is_not_told_to_others() -> None:
    assert run(
        f"{TABS} (await describeTab(1)).title = 'mine'; (await describeTab(1)).title = 'mine'; await look(1); return titles"
    ) == ["asked 1 times"]


def asked_after_each(script: str) -> Any:
    """How often the script of each event asks, by the arguments of the event; `before` is how often had been asked when it began."""
    cases = "".join(f"answers[{json.dumps(event)}] = await (async (...event) => {{ {script} }})({event});" for event in EVENTS)
    return run(f"{TABS} const answers = {{}}; let before = 0; {cases} return answers")


def test_a_tab_of_which_an_event_tells_is_asked_for_again() -> None:
    kept_and_asked = """
        openPort(1); await soon(); await look(1); before = asked.length;
        await look(1); const kept = asked.length === before;
        fire(...event); await look(1); return [kept, asked.length - before];
    """
    assert asked_after_each(kept_and_asked) == dict.fromkeys(EVENTS, [True, 1])


def test_events_of_another_tab_leave_what_is_known() -> None:
    assert run(f"{TABS} await look(1); fire('tabs.onUpdated', 2, {{}}); await look(1); return asked") == [1]


def test_an_answer_that_an_event_has_overtaken_is_not_kept() -> None:
    overtaken = """
        fire("tabs.onUpdated", 1, {}); openPort(1); await soon(); before = asked.length;
        meanwhile = () => fire(...event); await look(1); meanwhile = () => {};
        await look(1); await look(1); return asked.length - before;
    """
    assert asked_after_each(overtaken) == dict.fromkeys(EVENTS, 2)


def test_a_tab_whose_page_has_broken_its_port_is_asked_for_again() -> None:
    broken = "port.worker.ended.forEach((listener) => listener(port.worker))"
    assert run(f"{TABS} await look(1); {broken}; await look(1); return titles[0] !== titles[1]") is True


WINDOWS = """
globalThis.counted = 0;
let focused = true;
known["windows.getLastFocused"] = async () => ({ id: 5, focused, state: "normal", count: counted += 1 });
known["tabs.get"] = async (id) => ({ id, active: true, windowId: 5 });
"""


@pytest.mark.parametrize("event", ["onFocusChanged", "onCreated", "onRemoved", "onBoundsChanged"])
def test_the_window_in_front_is_asked_for_again_after_an_event_of_windows(event: str) -> None:
    script = f"const first = await isInFront(1); await isInFront(1); focused = false; fire('windows.{event}', 5);"
    assert run(f"{WINDOWS} {script} return [first, await isInFront(1), counted]", agent="HeadlessChrome/150") == [True, False, 2]


def test_the_window_in_front_is_always_asked_for_where_there_are_windows() -> None:
    assert run(f"{WINDOWS} const first = await isInFront(1); focused = false; return [first, await isInFront(1)]") == [
        True,
        False,
    ]


def test_a_tab_without_a_port_is_always_asked_for() -> None:
    assert run(f"{TABS} await look(7); await look(7); return asked") == [7, 7]
