"""Places in built scripts as places in sources, stacks as frames, groups of messages; run by node."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from extension import in_node
from source_tree import ROOT

MODULES = (
    "background/sources/mapped-places.js",
    "background/console/message-groups.js",
    "background/debugger/stack-frames.js",
    "background/debugger/shown-values.js",
    "vendor/trace-mapping.mjs",
)
VENDOR = ROOT / "extension" / "vendor"
BUILT = ROOT / "tests" / "e2e" / "debug" / "built"


def run(script: str) -> Any:
    """The value that a script returns, with the modules loaded."""
    return in_node.run(MODULES, script)


def test_a_place_is_found_wherever_its_script_begins_in_a_document() -> None:
    code = (BUILT / "app.js").read_text()
    thrown = code.index(".price}") + 1
    found = run(f"""
        const map = FlattenMap({(BUILT / "app.js.map").read_text()}, "https://shop.test/assets/app.js.map");
        const at = (script, line, column) => originalOf(map, script, {{ line, column }});
        return [
            at({{ startLine: 0, startColumn: 0 }}, 0, {thrown}),
            at({{ startLine: 7, startColumn: 8 }}, 7, {thrown + 8}),
            at({{ startLine: 7, startColumn: 8 }}, 90, 0),
        ];
    """)
    place = {"source": "https://shop.test/assets/src/prices.ts", "line": 13, "column": 15}
    assert found == [place, place, None]


def test_the_script_of_a_frame_is_the_one_with_its_id_or_the_one_around_its_place() -> None:
    assert run("""
        const inline = (scriptId, startLine, endLine) => ({ scriptId, url: "u", startLine, startColumn: 0, endLine, endColumn: 9 });
        const scripts = [inline("1", 3, 5), inline("2", 8, 9), { ...inline("1", 0, 90), session: "child" }];
        const found = (frame) => scripts.indexOf(scriptOf(scripts, frame));
        return [
            found({ scriptId: "2", url: "u", line: 4, column: 0 }),
            found({ scriptId: "1", session: "child", url: "u", line: 4, column: 0 }),
            found({ url: "u", line: 4, column: 0, session: "other" }),
            found({ url: "elsewhere", line: 4, column: 0 }),
            found({ url: "", line: 4, column: 0 }),
        ];
    """) == [1, 2, 2, -1, -1]


def test_stacks_are_read_as_the_engine_writes_them() -> None:
    stack = """Error: two
lines
    at total (http://a/b.js:1:20)
    at http://a/b.js:2:3
    at async Promise.all (index 0)
    at async pay (http://a/c.js:9:9)
    at new Order (webpack:///o.js:1:1)
    at eval (eval at go (http://a/d.js:3:4), <anonymous>:1:7)"""
    assert run(f"""
        const text = {json.dumps(stack)};
        return [framesIn(text).map(({{ name, url, line, column }}) => `${{name}} ${{url}} ${{line}} ${{column}}`), withoutFrames(text)];
    """) == [
        [
            "total http://a/b.js 0 19",
            " http://a/b.js 1 2",
            "async pay http://a/c.js 8 8",
            "new Order webpack:///o.js 0 0",
            "eval http://a/d.js 2 3",
        ],
        "Error: two\nlines",
    ]


def test_equal_messages_are_one_group_wherever_they_stand() -> None:
    assert run("""
        const said = [["a", 1], ["b", 2], ["a", 3], ["a", 4, "other place"], ["b", 5]];
        const entries = said.map(([text, time, source]) => ({ level: "log", text, time, source }));
        return groupsOf(entries).map(({ first, last, count }) => [first.text, first.time, last.time, count]);
    """) == [["a", 1, 3, 2], ["b", 2, 5, 2], ["a", 4, 4, 1]]


def test_lines_around_a_place_are_told_and_of_a_long_line_what_is_beside_it() -> None:
    assert run("""
        const shown = ({ line, lines }) => [line, lines.map(({ number, text }) => `${number} ${text}`)];
        const long = `${"a".repeat(300)}b${"c".repeat(300)}`;
        return [
            shown(excerptOf("a\\nb\\nc\\nd", { line: 4 }, "s", 10)),
            shown(excerptOf(long, { line: 1, column: 300 }, "s")),
        ];
    """) == [[14, ["12 b", "13 c", "14 d"]], [1, [f"1 …{'a' * 80}«here»b{'c' * 79}…"]]]


def test_a_value_is_on_one_line_where_there_is_room() -> None:
    assert run("""
        const words = (text) => ({ pieces: [text] });
        const object = (items, more = 0) => ({ head: ["Cart "], open: "{", close: "}", more,
            items: items.map(([label, value]) => ({ label, value })) });
        const button = { pieces: ["<button>", { node: {} }] };
        return [
            written(object([["n", words("1")], ["pay", button]], 2), () => " @e7"),
            written(object([["deep", object([["text", words("x".repeat(90))]])]]), () => ""),
            written(object([]), () => ""),
        ];
    """) == ["Cart {n: 1, pay: <button> @e7, … 2 more}", f"Cart {{\n  deep: Cart {{\n    text: {'x' * 90}\n  }}\n}}", "Cart {}"]


@pytest.mark.parametrize(
    "entry", json.loads((ROOT / "scripts" / "vendored.json").read_text()), ids=lambda entry: entry["package"]
)
def test_files_of_others_are_as_they_were_published_but_for_their_imports(entry: dict[str, Any]) -> None:
    name = Path(entry["file"]).name
    head, _, text = (VENDOR / name).read_text().partition("\n")
    for package, path in entry["imports"].items():
        text = text.replace(f'from "{path}"', f'from "{package}"')
    # The line that names the map is left out, where there was one.
    map_line = f"//# sourceMappingURL={name}.map"
    found = {hashlib.sha256(f"{text}{end}".encode()).hexdigest() for end in ("", map_line, f"{map_line}\n")}
    assert entry["sha256"] in found
    assert entry["version"] in head
    assert name in (VENDOR / "LICENSE.txt").read_text()
