"""The parts that the modules of the worker are built from: signals, state of tabs and clients, deadlines, addresses; run by node."""

import json
from typing import Any

from extension import in_node

MODULES = [f"background/base/{name}.js" for name in ("state", "signal", "tabs", "clients", "deadline", "turns", "text", "url")]
#: A chrome whose tabs close and are replaced from here, with a storage.
CHROME = """
const listeners = { onRemoved: [], onReplaced: [] };
const event = (name) => ({ addListener: (listener) => { listeners[name].push(listener); } });
const stored = { "kept.by.tab": { 1: "one", 2: "two" } };
const session = { get: async () => stored, set: async (values) => { Object.assign(stored, structuredClone(values)); } };
globalThis.chrome = { tabs: { onRemoved: event("onRemoved"), onReplaced: event("onReplaced") }, storage: { session } };
const fire = (name, ...details) => { for (const listener of listeners[name]) listener(...details); };
const logged = [];
console.error = (text, ...more) => { if (text.startsWith("tabwire:")) logged.push([text, ...more].map(String).join(" ")); };
const given = [];
const note = (name) => (...values) => { given.push([name, ...values]); };
"""


def run(script: str) -> Any:
    """The value that a script returns, with the modules of base/ loaded."""
    return in_node.run(MODULES, script, before=CHROME)


def test_a_signal_calls_its_listeners_in_order_and_collects_their_results() -> None:
    assert run("""
        const signal = new Signal();
        signal.add((value) => value + 1);
        const { add } = signal;
        const remove = add((value) => value * 10);
        const first = signal.emit(4);
        remove();
        return [first, signal.emit(5), signal.hasListeners];
    """) == [[5, 40], [6], True]


def test_a_listener_that_fails_is_logged_and_does_not_stop_the_others() -> None:
    assert run("""
        const signal = new Signal();
        signal.add(() => { throw new Error("at once"); });
        signal.add(async () => { throw new Error("later"); });
        signal.add(note("last"));
        await Promise.allSettled(signal.emit(1));
        return [given, logged];
    """) == [
        [["last", 1]],
        ["tabwire: a listener failed Error: at once", "tabwire: a listener failed Error: later"],
    ]


def test_listeners_come_and_go_while_a_signal_is_emitted() -> None:
    assert run("""
        const signal = new Signal();
        const over = new AbortController();
        signal.add(() => { over.abort(); signal.add(note("new")); });
        signal.add(note("aborted"), over.signal);
        signal.add(note("too late"), AbortSignal.abort());
        signal.emit(1);
        const first = given.splice(0);
        signal.emit(2);
        return [first, given];
    """) == [[], [["new", 2]]]


def test_a_keyed_signal_tells_only_the_listeners_of_its_key() -> None:
    assert run("""
        const signal = new KeyedSignal();
        const remove = signal.add(1, note("one"));
        signal.add(2, note("two"));
        signal.emit(1, "a");
        signal.emit(2, "b");
        signal.emit(3, "c");
        remove();
        signal.add(1, note("again"));
        remove();
        signal.emit(1, "d");
        return given;
    """) == [["one", "a"], ["two", "b"], ["again", "d"]]


def test_state_of_a_tab_ends_with_it() -> None:
    assert run("""
        const map = new TabMap();
        map.set(1, "one").set(2, "two");
        onTabClosed((tabId) => note("closed")(tabId, map.has(tabId)));
        onTabReplaced(note("replaced"));
        fire("onRemoved", 1, { isWindowClosing: false });
        fire("onReplaced", 3, 2);
        return [[...map], given, listeners.onRemoved.length];
    """) == [[[2, "two"]], [["closed", 1, False], ["replaced", 2, 3]], 1]


def test_stored_state_of_a_tab_ends_with_it_and_follows_it_to_another_id() -> None:
    assert run("""
        const kept = persistedByTab("kept.by.tab");
        fire("onRemoved", 1);
        fire("onReplaced", 3, 2);
        fire("onRemoved", 9);
        await pause(1);
        return [kept.get(), stored["kept.by.tab"]];
    """) == [{"3": "two"}, {"3": "two"}]


def test_what_is_held_for_a_client_is_released_when_it_does_not_come_back() -> None:
    assert run("""
        const client = { id: "a" };
        onClientGone(({ id }) => note("gone")(id, isAttachedClient(id)));
        const [first, second] = [note("first"), note("second")];
        attachClient(client, first);
        sendToClient("a", 1);
        attachClient(client, second);
        detachClient(client, first);
        sendToClient("a", 2);
        await new Promise((released) => {
          let times = 0;
          releaseForAbsent(1, () => {
            note("released")(isAttachedClient("a"));
            times += 1;
            if (times === 1) detachClient(client, second);
            else released();
          });
        });
        sendToClient("a", 3);
        return given;
    """) == [["first", 1], ["second", 2], ["released", True], ["gone", "a", False], ["released", False]]


def test_work_in_a_queue_begins_when_the_one_before_has_ended() -> None:
    assert run("""
        const inTurn = makeQueue();
        const slow = inTurn(async () => { await pause(5); note("slow")(); throw "failed"; });
        const quick = inTurn(() => { note("quick")(); return 1; });
        return [await Promise.allSettled([slow, quick]), given];
    """) == [
        [{"status": "rejected", "reason": "failed"}, {"status": "fulfilled", "value": 1}],
        [["slow"], ["quick"]],
    ]


def test_a_pause_ends_with_its_signal() -> None:
    assert run("""
        const over = new AbortController();
        const waits = [pause(1e6, over.signal), pause(1e6, AbortSignal.abort("before")), pause(1), pause(0)];
        over.abort("meanwhile");
        return Promise.allSettled(waits);
    """) == [
        {"status": "rejected", "reason": "meanwhile"},
        {"status": "rejected", "reason": "before"},
        {"status": "fulfilled"},
        {"status": "fulfilled"},
    ]


def test_work_that_takes_too_long_is_answered_for() -> None:
    assert run("""
        const never = new Promise(() => {});
        return Promise.allSettled([
          within(Promise.resolve("done"), 1e6),
          within(Promise.reject("failed"), 1e6),
          within(never, 1).then((value) => String(value)),
          within(never, 1, () => "late"),
          within(never, 1, () => { throw "too late"; }),
          unlessAborted(never, AbortSignal.abort("aborted")),
          unlessAborted(Promise.resolve("done"), new AbortController().signal),
        ]);
    """) == [
        {"status": "fulfilled", "value": "done"},
        {"status": "rejected", "reason": "failed"},
        {"status": "fulfilled", "value": "undefined"},
        {"status": "fulfilled", "value": "late"},
        {"status": "rejected", "reason": "too late"},
        {"status": "rejected", "reason": "aborted"},
        {"status": "fulfilled", "value": "done"},
    ]


def test_texts_of_others_pose_as_nothing_else() -> None:
    assert run(r"""return [
        visibleText(" a\u202e\u0007b\u2028 "), visibleText("abcdef", 3),
        clientName({ name: "\u200b" }), clientName({ name: "x".repeat(70) }).length,
        count(1, "tab"), count(0, "tab"),
    ];""") == ["a b", "abc", "a client without a name", 60, "1 tab", "0 tabs"]


def test_the_origin_of_an_address_is_written_as_the_platform_writes_it() -> None:
    addresses = {
        "https://User:pass@Example.org:443/a#b": ("https://example.org", "https://example.org"),
        "http://127.0.0.1:8000/": ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        "blob:https://example.org/1-2": ("https://example.org", None),
        "chrome://settings/passwords": ("null", None),
        "file:///etc/passwd": ("null", None),
        "data:text/html,x": ("null", None),
        "about:blank": ("null", None),
        "no address": ("null", None),
        "": ("null", None),
    }
    script = f"return {json.dumps(list(addresses))}.map((url) => [originOf(url), webOriginOf(url) ?? null]);"
    assert dict(zip(addresses, map(tuple, run(script)), strict=True)) == addresses
    assert run('return [originOf(undefined), withoutFragment("http://a/#b\\nc#d")];') == ["null", "http://a/"]
