"""Numbers of refs are stored before they are told; run by node."""

from extension.background.tabs.tabs_in_node import CHROME
from extension.in_node import run

STORAGE = """
const writes = [];
known["storage.session.set"] = (values) => new Promise((stored) => { writes.push({ names: Object.keys(values).sort(), stored }); });
"""


def test_a_number_is_told_once_it_would_survive_the_worker_with_what_it_stands_for() -> None:
    script = """
        const told = [], publish = () => publishNumber(7, "D", 0, 1).then((ref) => told.push(ref));
        // The second call numbers nothing.
        const publishing = [publish(), publish()];
        while (!writes.length) await new Promise(setImmediate);
        await new Promise(setImmediate);
        const before = [...told];
        writes[0].stored();
        await Promise.all(publishing);
        return [before, told, writes.map(({ names }) => names), await resolve(7, told[0])];
    """
    assert run(["background/page/refs.js"], script, before=f"{CHROME}{STORAGE}") == [
        [],
        ["@e1", "@e1"],
        [["refs", "refs:7"]],
        {"documentId": "D", "frameId": 0, "local": 1},
    ]
