"""Requests that Chrome tells of, joined with the page's own timing of them; run by node."""

from typing import Any

from extension import in_node


def run(script: str) -> Any:
    """The value that a script returns, with the module loaded."""
    return in_node.run(["background/network/request-timings.js"], script)


def test_each_timing_belongs_to_the_nearest_request_of_its_address() -> None:
    assert run("""
        const seen = (n, url, started, more) => ({ n, id: String(n), url, method: "GET", type: "xmlhttprequest", started, frame: 0, ...more });
        const list = [seen(1, "u", 1000), seen(2, "u", 2000), seen(3, "v", 2500), { ...seen(4, "w", 2600), id: "3" }, seen(5, "far", 1)];
        const timings = [["u", 2003], ["u", 1002], ["v#part", 2501], ["far", 9000]].map(([url, started]) => ({ url, started, kind: "fetch", ms: 1 }));
        const { chains, rest } = joined(list, timings);
        return [chains.map(({ steps, timing }) => [steps.map(({ n }) => n), timing?.started ?? null]), rest.map(({ url }) => url)];
    """) == [[[[5], None], [[1], 1002], [[2], 2003], [[3, 4], 2501]], ["far"]]


def test_the_failed_ones_come_first_and_types_are_named_as_captures_name_them() -> None:
    assert run("""
        const chain = (type, end, timing) => ({ steps: [{ n: 1, type, started: 1, ...end }], timing });
        const chains = [
            chain("main_frame", { status: 200 }), chain("xmlhttprequest", { status: 503 }, { kind: "fetch" }),
            chain("xmlhttprequest", { error: "net::ERR_FAILED" }), chain("img", { untold: true }),
        ];
        return failedFirst(chains).map(typeOf);
    """) == ["fetch", "fetch", "document", "image"]


def test_a_request_of_which_chrome_tells_late_is_told_once() -> None:
    assert run("""
        const timing = { url: "u", started: 1000, ms: 5, kind: "fetch" };
        const only = { n: 1, ...untold(timing) };
        const late = { n: 2, id: "7", url: "u", method: "POST", type: "xmlhttprequest", started: 1001, frame: 0 };
        const shown = (list) => {
            const found = joined(list, [timing]);
            return [found.chains.map(({ steps: [{ n }] }) => n), isLate(found, 900), isLate(found, 2000)];
        };
        return [shown([]), shown([only]), shown([only, late]), shown([only, { ...late, ended: 1006 }])];
    """) == [[[], True, False], [[1], False, False], [[2], True, True], [[2], False, False]]
