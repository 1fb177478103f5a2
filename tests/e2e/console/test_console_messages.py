"""console_messages and console_message: messages with their values, and their places in the sources that a page was built from."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from e2e.client import Reply, Tabwire
from e2e.conftest import ShownPage
from e2e.site import Site

pytestmark = pytest.mark.same_tab

BUILT = Path(__file__).parents[1] / "debug/built"
SCRIPT = (BUILT / "app.js").read_text()
CODE, COMMENT, _ = SCRIPT.partition("//# sourceMappingURL=")
MAP = (BUILT / "app.js.map").read_text()
JS = "text/javascript"
PAGE = "<button id=pay onclick='document.title = `paid`'>Pay</button>"


def serve_app(site: Site, folder: str = "/app") -> str:
    """The built script with its map beside it, as an element of a page."""
    site.serve(f"{folder}/app.js.map", MAP, "application/json")
    return f"<script src={site.serve(f'{folder}/app.js', SCRIPT, JS)}></script>"


def lines(reply: Reply) -> list[str]:
    """The messages, without their numbers and times."""
    return [re.sub(r"^#\d+ [\d:.]+ ", "", line) for line in reply.text.splitlines() if line.startswith("#")]


def number(reply: Reply, text: str) -> int:
    """The number of the message with a text."""
    (found,) = [message["id"] for message in reply.data["messages"] if text in message["text"]]
    assert isinstance(found, int)
    return found


def test_messages_are_lines_with_places_in_the_sources(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    tabwire.open(site.page(PAGE + serve_app(site)))
    listed = tabwire.ok("console_messages")
    assert listed.text.splitlines()[0] == "4 messages since the navigation, 2 errors"
    warned, logged, failed, thrown = lines(listed)
    assert warned == "warn ×3 stock is low — /app/src/cart.ts:23:49"
    assert logged.startswith("log cart {catalogue: Object, button: <button#pay>, deep: Object}")
    assert logged.endswith(" — /app/src/cart.ts:24:9")
    assert failed.startswith("error charge failed OrderError: declined …") and "/app/src/cart.ts:25:9" in failed
    assert thrown.startswith("error Uncaught OrderError: the order has no price — ") and "(/app/src/cart.ts:18:11)" in thrown
    # Numbers stay, and name the next page of the list.
    assert lines(tabwire.ok("console_messages", level=["error"], max_messages=1)) == [thrown]
    older = tabwire.ok("console_messages", max_messages=1, before=number(listed, "cart {"))
    assert (lines(older), older.data["total"]) == ([warned], 4)
    assert lines(tabwire.ok("console_messages", pattern="^charge")) == [failed]

    values = tabwire.ok("console_message", id=number(listed, "cart {"))
    assert "two: Object" in values.text and 'pear: {name: "Pear", price: 2}' in values.text
    assert 'Map(1) {"pear": {left: 3}}' in values.text
    assert 'two: {three: "far"}' in tabwire.ok("console_message", id=number(listed, "cart {"), depth=4).text
    ref = re.search(r"button: <button#pay> (@e\d+)", values.text)
    assert ref, values
    tabwire.ok("click", selector=ref[1])
    assert page.evaluate("document.title") == "paid"

    error = tabwire.ok("console_message", id=number(listed, "no price"))
    assert "Uncaught OrderError: the order has no price\n  at s (/app/src/cart.ts:18:11)\n" in error.text, error
    assert re.search(
        r"cause: TypeError: Cannot read properties of undefined \(reading 'price'\)\n +at \w+ \(/app/src/prices\.ts:13:15\)",
        error.text,
    )
    assert 'order: {lines: ["pear", "plum"]}' in error.text
    assert '> 18 |     throw new OrderError("the order has no price", { lines }, error);' in error.text
    assert tabwire.fails("console_message", id=4711).code == "invalid_argument"


def test_maps_are_found_in_every_way_of_naming_them(tabwire: Tabwire, site: Site) -> None:
    inline = f"{COMMENT}data:application/json;base64,{base64.b64encode(MAP.encode()).decode()}"
    site.serve("/inline/app.js", CODE + inline, JS)
    for name, header in (("header", "SourceMap"), ("old-header", "X-SourceMap")):
        site.serve(f"/{name}/maps/app.js.map", MAP, "application/json")
        site.serve(f"/{name}/app.js", CODE, JS, headers={header: "maps/app.js.map"})
    whole = json.loads(MAP)
    parts = [{"offset": {"line": line, "column": 0}, "map": whole} for line in (0, 2)]
    site.serve("/sections/app.js.map", ")]}'\n" + json.dumps({"version": 3, "sections": parts}), "application/json")
    # The same bundle twice in one file: the second one is below an empty line.
    site.serve("/sections/app.js", f"void 0;\n\n{CODE}{COMMENT}app.js.map", JS)
    scripts = "".join(f"<script src=/{name}/app.js></script>" for name in ("inline", "header", "old-header", "sections"))
    tabwire.open(site.page(PAGE + scripts + f"<script>{CODE}{inline}\n</script>"))
    warned = [line for line in lines(tabwire.ok("console_messages")) if "stock" in line]
    folders = ["/inline", "/header/maps", "/old-header/maps", "/sections", "/inline"]
    places = [f"warn ×3 stock is low — {folder}/src/cart.ts:23:49" for folder in folders]
    assert warned == places


BAD_MAPS: list[tuple[str, str, dict[str, Any], str]] = [
    ("missing", "", {"status": 404}, "the server answered 404"),
    ("page", "<!doctype html>", {}, "the server answered with a page, not with a map"),
    ("cut", MAP[:100], {}, "it is no JSON"),
    ("old", '{"version": 2}', {}, "it is no source map of version 3"),
    (
        "apart",
        '{"version": 3, "sections": [{"offset": {"line": 0, "column": 0}, "url": "x"}]}',
        {},
        "sections that lie elsewhere",
    ),
    ("huge", json.dumps({"version": 3, "sources": [], "mappings": ";" * 12_000_001}), {}, "its mappings are too long"),
    ("other", json.dumps(json.loads(MAP) | {"sourcesContent": ["", ""]}), {}, "its source map is of another build"),
    ("empty", '{"version": 3, "sources": [], "mappings": ""}', {}, "its source map has no place for 1:"),
]


def test_a_map_that_cannot_be_used_is_said_once_and_hides_no_message(tabwire: Tabwire, site: Site) -> None:
    scripts = "<script src=/none/app.js></script>"
    site.serve("/none/app.js", CODE, JS)
    for name, body, more, _ in BAD_MAPS:
        site.serve(f"/{name}/app.js.map", body, **more)
        site.serve(f"/{name}/app.js", SCRIPT, JS)
    for some in (BAD_MAPS[:4], BAD_MAPS[4:]):
        # Five problems are told in one reply.
        tabwire.open(site.page(PAGE + scripts + "".join(f"<script src=/{name}/app.js></script>" for name, *_ in some)))
        listed = tabwire.ok("console_messages", pattern="stock")
        assert lines(listed)[0] == "warn ×3 stock is low — /none/app.js:1:" + str(CODE.index("console.warn") + 9)
        assert len(lines(listed)) == len(some) + 1
        for name, _, _, problem in some:
            assert re.search(rf"/{name}/app\.js is not mapped: [^;]*{re.escape(problem)}", listed.text), (problem, listed)
        assert "/none/app.js is not" not in listed.text
    (unmapped, *_) = listed.data["messages"]
    assert 'console.«here»warn("stock is low")' in tabwire.ok("console_message", id=unmapped["id"]).text


def test_frames_of_other_sites_and_workers_have_places_too(tabwire: Tabwire, site: Site, page: ShownPage) -> None:
    serve_app(site)
    in_worker = MAP.replace("src/cart.ts", "src/job.ts")
    job = "onmessage=()=>{throw new TypeError('job failed')};console.info('job',{n:[1,{m:2}]});\n//# sourceMappingURL=job.js.map"
    site.serve("/job.js", job, JS)
    site.serve("/job.js.map", in_worker, "application/json")
    inner = site.cross_page(PAGE + "<script src=/app/app.js></script>")
    run = "const w = new Worker('/job.js'); w.onerror = () => document.title = 'heard'; w.postMessage(1)"
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe><script>{run}</script>"))
    page.wait_for("document.title === 'heard'")
    listed = tabwire.ok("console_messages")
    found = "\n".join(lines(listed))
    assert f"warn ×3 stock is low — {site.cross_origin}/app/src/cart.ts:23:49" in found
    assert re.search(r"error Uncaught TypeError: job failed.* — .*/src/\w+\.ts:\d+", found), found
    assert "{n: [1, {m: 2}]}" in tabwire.ok("console_message", id=number(listed, "job {")).text
    element = tabwire.ok("console_message", id=number(listed, "cart {"))
    assert re.search(r"<button#pay> @e\d+", element.text), element


@pytest.mark.fresh_tab
def test_messages_of_earlier_pages_are_told_where_they_are_collected(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<script>console.log('first', {a: {b: 1}})</script>"))
    tabwire.ok("console", action="start_buffer")
    tabwire.open(site.page("<script>console.log('second', document.cookie, 'token=abcdef')</script>"))
    assert [line.split(" — ")[0] for line in lines(tabwire.ok("console_messages"))] == ["log second  token=[redacted]"]
    both = tabwire.ok("console_messages", all=True)
    assert both.text.startswith("2 messages collected")
    gone = tabwire.ok("console_message", id=number(both, "first"))
    assert "first {a: Object}" in gone.text and "its document is gone" in gone.text
    tabwire.ok("console", action="stop_buffer")


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("console_messages", {"level": ["verbose"]}, "debug"),
        ("console_messages", {"pattern": "(unclosed"}, "not a regular expression"),
        ("console_message", {}, "id"),
        ("console_message", {"id": 1, "depth": 7}, "less than or equal to 6"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(refused: Any, tool: str, arguments: dict[str, Any], message: str) -> None:
    reply = refused.tabwire.fails(tool, **arguments)
    assert (reply.code, message in reply.text) == ("invalid_argument", True), reply
