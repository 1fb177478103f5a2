"""The parts that the modules of the worker are built from: signals, the end of tabs, deadlines, addresses; run by node."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

BASE = Path(__file__).parents[2] / "extension" / "background" / "base"
#: A chrome whose tabs close and are replaced from here.
CHROME = """
const listeners = { onRemoved: [], onReplaced: [] };
const event = (name) => ({ addListener: (listener) => { listeners[name].push(listener); } });
globalThis.chrome = { tabs: { onRemoved: event("onRemoved"), onReplaced: event("onReplaced") } };
const fire = (name, ...details) => { for (const listener of listeners[name]) listener(...details); };
const logged = [];
console.error = (text, ...more) => { if (text.startsWith("tabwire:")) logged.push([text, ...more].map(String).join(" ")); };
const given = [];
const note = (name) => (...values) => { given.push([name, ...values]); };
"""


def run(script: str) -> Any:
    """What `script` returns: the body of an async function, with the modules of base/ loaded."""
    node = shutil.which("node")
    assert node, "node is needed, as for the type check"
    modules = ("signal", "tabs", "deadline", "url")
    load = "".join(f"Object.assign(globalThis, await import(process.argv[1] + '{module}.js'));\n" for module in modules)
    program = f"{CHROME}{load}const answer = await (async () => {{ {script} }})();\nconsole.log(JSON.stringify(answer ?? null));"
    command = [node, "--input-type=module", "-e", program, BASE.as_uri() + "/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


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
