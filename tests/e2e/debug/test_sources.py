"""sources: the scripts of a tab and what they were built from, listed, searched and read."""

import json
import re

import pytest

from e2e.client import Reply, Tabwire
from e2e.console.test_console_messages import BUILT, CODE, JS, MAP, SCRIPT, serve_app
from e2e.debug.test_styles import vlq
from e2e.site import Site

pytestmark = pytest.mark.same_tab

CART = (BUILT / "src" / "cart.ts").read_text()


def told(reply: Reply) -> list[str]:
    """The lines between the head and the notes."""
    return [line for line in reply.text.splitlines()[1:] if not line.startswith(("Note: ", "<page", "</page"))]


def line_of(text: str, source: str = CART) -> int:
    return source[: source.index(text)].count("\n") + 1


def test_scripts_are_listed_with_their_sources(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(serve_app(site) + f"<script src={site.serve('/plain.js', 'var plain = 1;', JS)}></script>"))
    listed = tabwire.ok("sources")
    by_name = {one["source"]: one for one in listed.data["sources"]}
    assert list(by_name) == ["/app/app.js", "/app/src/prices.ts", "/app/src/cart.ts", "/plain.js"]
    assert by_name["/app/src/cart.ts"]["built"] == "/app/app.js" and by_name["/app/src/cart.ts"]["kind"] == "original"
    assert f"/app/src/cart.ts [/app/app.js] (original, {len(CART.splitlines()) + 1} lines, {len(CART)} characters)" in told(
        listed
    )
    # Pages of the list, and a part of it.
    page = tabwire.ok("sources", max_lines=1, offset=1)
    assert [one["source"] for one in page.data["sources"]] == ["/app/src/prices.ts"] and "2 more: offset: 2" in page.text
    assert [one["source"] for one in tabwire.ok("sources", url="plain").data["sources"]] == ["/plain.js"]


def test_sources_are_searched(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(serve_app(site) + f"<script src={site.serve('/plain.js', 'var plain = 1;', JS)}></script>"))
    wanted = "the order has no price"
    number = line_of(wanted)
    row = CART.splitlines()[number - 1]
    place = f"/app/src/cart.ts:{number}:{row.index(wanted) + 1} | {row.strip()}"
    for search in ({"text": wanted}, {"pattern": "the order has no [a-z]+"}):
        found = tabwire.ok("sources", **search)
        assert found.text.startswith("1 hit in 3 sources") and told(found) == [place], found
    assert tabwire.ok("sources", text="nowhere at all").data["total"] == 0
    assert tabwire.ok("sources", text=wanted, url="plain").data["total"] == 0


def test_a_part_of_a_source_is_read(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(serve_app(site) + f"<script src={site.serve('/plain.js', 'var plain = 1;', JS)}></script>"))
    number = line_of("the order has no price")
    shown = tabwire.ok("sources", source="/app/src/cart.ts", line=number, max_lines=2)
    rows = CART.splitlines()[number - 1 : number + 1]
    assert [one["text"] for one in shown.data["lines"]] == rows
    assert f"{number} | {rows[0]}" in shown.text and f"more: line: {number + 2}" in shown.text


def test_a_source_that_is_not_there_and_what_does_not_fit_are_refused(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page(serve_app(site) + f"<script src={site.serve('/plain.js', 'var plain = 1;', JS)}></script>"))
    assert tabwire.fails("sources", source="/nothing.js").code == "invalid_argument"
    assert tabwire.fails("sources", source="/plain.js", line=99).code == "invalid_argument"
    assert tabwire.fails("sources", source="/plain.js", text="x").code == "invalid_argument"
    assert tabwire.fails("sources", pattern="(").code == "invalid_argument"


def test_a_map_that_is_missing_or_of_another_build_leaves_the_script_itself(tabwire: Tabwire, site: Site) -> None:
    site.serve("/missing/app.js.map", "", status=404)
    site.serve("/other/app.js.map", json.dumps(json.loads(MAP) | {"sourcesContent": ["", ""]}), "application/json")
    site.serve("/bare/app.js.map", json.dumps({**json.loads(MAP), "sourcesContent": None}), "application/json")
    names = ("missing", "other", "bare")
    for name in names:
        site.serve(f"/{name}/app.js", SCRIPT, JS)
    tabwire.open(site.page("".join(f"<script src=/{name}/app.js></script>" for name in names)))
    listed = told(tabwire.ok("sources"))
    problems = {line.split(" (")[0]: line.partition(" — ")[2] for line in listed}
    assert "the server answered 404" in problems["/missing/app.js"]
    assert "its source map is of another build" in problems["/other/app.js"]
    assert problems["/bare/src/cart.ts [/bare/app.js]"] == "its map has no text of it"
    assert len(listed) == 5
    hits = tabwire.ok("sources", text="the order has no price").data["hits"]
    column = CODE.index("the order has no price") + 1
    assert [(hit["source"], hit["line"], hit["column"]) for hit in hits] == [(f"/{name}/app.js", 1, column) for name in names]
    assert "its map has no text of it" in tabwire.fails("sources", source="/bare/src/cart.ts").text


def test_long_lines_are_cut_around_the_column(tabwire: Tabwire, site: Site) -> None:
    code = "".join(f"function f{at}(){{return {at}}};" for at in range(500))
    site.serve("/min.js", code, JS)
    tabwire.open(site.page("<script src=/min.js></script>"))
    column = code.index("f321(") + 1
    for search in ({"text": "f321("}, {"pattern": r"f321\("}):
        (hit,) = tabwire.ok("sources", **search).data["hits"]
        assert (hit["source"], hit["line"], hit["column"]) == ("/min.js", 1, column)
        assert re.fullmatch(r"….{0,110}f321\(\)\{return 321\}.{0,110}…", hit["text"]), hit
    assert tabwire.ok("sources", text="return 1}").data["total"] == 1
    assert tabwire.ok("sources", pattern=r"function f\d+\(").data["total"] > 10
    third = tabwire.ok("sources", text="function f", max_lines=1, offset=2)
    assert (third.data["total"], third.data["hits"][0]["column"]) == (500, code.index("function f2(") + 1)
    assert "497 more: offset: 3" in third.text
    (start,) = tabwire.ok("sources", source="/min.js").data["lines"]
    (around,) = tabwire.ok("sources", source="/min.js", column=column).data["lines"]
    assert start["text"] == code[:200] + "…" and "f321(" in around["text"] and len(around["text"]) < 810


@pytest.mark.parametrize(("status", "body"), [(404, "gone"), (200, '{"version": 3,')])
def test_a_map_that_failed_is_asked_for_again_after_a_reload(tabwire: Tabwire, site: Site, status: int, body: str) -> None:
    # Maps are kept by address: other tests have got that of /app.
    folder = f"/lost-{status}"
    page = site.page(f"{serve_app(site, folder)}<iframe src='{site.page(serve_app(site, folder))}'></iframe>")
    asked = site.serve(f"{folder}/app.js.map", body, status=status).removeprefix(site.origin)
    tabwire.open(page)
    for _ in range(3):
        reply = tabwire.ok("sources")
        assert "— its source map" in reply.text and [one["source"] for one in reply.data["sources"]] == [f"{folder}/app.js"]
    # Other tools read the same maps.
    tabwire.ok("console_messages", level=["error"])
    assert site.hit_count(asked) == 1
    assert "asked for again after a reload" in reply.text

    site.serve(asked, MAP, "application/json")
    tabwire.ok("reload")
    assert f"{folder}/src/cart.ts" in [one["source"] for one in tabwire.ok("sources").data["sources"]]
    assert site.hit_count(asked) == 2
    tabwire.ok("sources")
    assert site.hit_count(asked) == 2


def test_inline_scripts_have_the_lines_of_their_document(tabwire: Tabwire, site: Site) -> None:
    url = site.page("<p>One</p>\n<script>\nvar first = 'here';\n</script>\n<script>var second = 2;</script>")
    tabwire.open(url)
    kinds = [one["kind"] for one in tabwire.ok("sources").data["sources"]]
    assert kinds == ["inline", "inline"]
    (hit,) = tabwire.ok("sources", text="first = ").data["hits"]
    (line,) = tabwire.ok("sources", source=hit["source"], line=hit["line"], max_lines=1).data["lines"]
    assert line == {"number": hit["line"], "text": "var first = 'here';"}
    (other,) = tabwire.ok("sources", text="second = ").data["hits"]
    assert (other["line"], hit["column"]) == (hit["line"] + 2, 5)
    assert other["column"] == len("<script>var ") + 1


def test_secrets_are_not_told_and_not_found(tabwire: Tabwire, site: Site) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----"
    site.serve("/keys.js", f"var a = 1;\nvar key = `{key}`;\nvar after = 2;", JS)
    tabwire.open(site.page("<script src=/keys.js></script>"))
    shown = tabwire.ok("sources", source="/keys.js")
    assert "MIIE" not in shown.text and "kqhki" not in shown.text
    assert shown.data["lines"][-1] == {"number": 6, "text": "var after = 2;"}
    assert tabwire.ok("sources", text="MIIEvQIB").data["total"] == 0
    assert tabwire.ok("sources", pattern="MIIE").data["total"] == 0


def test_frames_of_other_sites_and_workers_have_their_sources_too(tabwire: Tabwire, site: Site) -> None:
    built = "globalThis.till=()=>{};"
    source_map = {"version": 3, "sources": ["src/till.ts"], "sourcesContent": ["export const till = 1;"], "names": []}
    site.serve("/till.js.map", json.dumps({**source_map, "mappings": vlq(0, 0, 0, 0)}), "application/json")
    site.serve("/till.js", f"{built}\n//# sourceMappingURL=till.js.map", JS)
    site.serve("/job.js", "var job = 'in a worker';", JS)
    inner = site.cross_page("<script src=/till.js></script>")
    tabwire.open(site.page(f"<iframe src='{inner}'></iframe><script>globalThis.w = new Worker('/job.js')</script>"))
    (hit,) = tabwire.ok("sources", text="export const till").data["hits"]
    assert (hit["source"], hit["line"]) == (f"{site.cross_origin}/src/till.ts", 1)
    (job,) = tabwire.ok("sources", text="in a worker").data["hits"]
    assert job["source"] == "/job.js"
