"""Ports that a search for bridges looks at; run by node, with a clock and a window of our own."""

from typing import Any

from extension import in_node

WINDOW = """
let now = 1e12;
Date.now = () => now;
const pass = (ms) => { now += ms; };
const bridges = new Set(), joined = new Set(), told = [];
const ports = [1, 2, 3, 4, 5, 6];
/** One search; what answers is joined. Returns the ports that were looked at, in order. */
const search = async () => {
  const seen = [];
  await looked(ports.filter((port) => !joined.has(port)).map((port) => ({ port })), joined.size ? "connected" : "awaited", async ({ port }) => {
    seen.push(port);
    if (!bridges.has(port)) return "nobody";
    joined.add(port);
    return "somebody";
  });
  return seen;
};
const lose = (port) => { bridges.delete(port); joined.delete(port); noteLoss(port); };
"""


def run(script: str) -> Any:
    return in_node.run(["background/wire/port-search.js"], script, before=WINDOW)


def test_only_the_first_free_port_is_looked_at_between_two_looks_at_the_window() -> None:
    assert run("""
        bridges.add(1);
        const seen = [await search(), (pass(2000), await search()), (pass(2000), await search())];
        bridges.add(2);
        seen.push((pass(2000), await search()), (pass(2000), await search()), (pass(30_000), await search()));
        return seen;
    """) == [[1, 2, 3, 4, 5, 6], [2], [2], [2, 3, 4, 5, 6], [3], [3, 4, 5, 6]]


def test_bridges_that_start_together_are_found_together() -> None:
    assert run("""
        await search();
        [1, 2, 3].forEach((port) => bridges.add(port));
        pass(300);
        await search();
        return [...joined];
    """) == [1, 2, 3]


def test_a_port_that_was_lost_is_looked_at_for_a_minute() -> None:
    assert run("""
        [1, 2, 3].forEach((port) => bridges.add(port));
        await search();
        lose(3);
        lose(1);
        const seen = [(pass(300), await search()), (pass(300), await search())];
        bridges.add(3);
        seen.push((pass(300), await search()).slice(0, 2), [...joined]);
        lose(3);
        pass(300);
        await search();
        pass(60_000);
        await search();
        pass(300);
        seen.push(await search());
        return seen;
    """) == [[1, 3, 4], [1, 3], [1, 3], [2, 3], [1]]


def test_a_port_that_a_stranger_holds_is_looked_at_each_time_and_the_window_on_demand() -> None:
    assert run("""
        const look = (port) => port === 2 ? "silence" : "nobody";
        const seen = [];
        const search = async () => {
          const these = [];
          await looked(ports.map((port) => ({ port })), "awaited", async ({ port }) => { these.push(port); return look(port); });
          seen.push(these);
        };
        await search();
        pass(300);
        await search();
        lookEverywhere();
        await search();
        return seen;
    """) == [[1, 2, 3, 4, 5, 6], [1, 2], [1, 2, 3, 4, 5, 6]]


def test_a_browser_where_nothing_happens_looks_at_the_window_less_often() -> None:
    assert run("""
        const looks = { awaited: 0, quiet: 0 };
        for (const state of Object.keys(looks))
          for (let at = 0; at < 60; at += 1, pass(1000)) {
            let asked = 0;
            await looked(ports.map((port) => ({ port })), state, async () => { asked += 1; return "nobody"; });
            looks[state] += asked === ports.length;
          }
        return looks;
    """) == {"awaited": 10, "quiet": 4}
