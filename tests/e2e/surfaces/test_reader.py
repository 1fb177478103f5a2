"""``tabwire serve --toolset reader`` as a model uses it: search, open_result, scroll, find, and citations of the very lines."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.misbehaving import Misbehaving, answer
from e2e.cdp import Browser, Page
from e2e.client import ROOT, Tabwire
from e2e.conftest import Joined
from polling import until
from programs import ran_here

JOIN_LIMIT_S = 45
SPECIFIED = {tool["name"]: tool for tool in json.loads((ROOT / "tests/spec/reader-tools.json").read_text())}
LINES = [f"Clause {number}: {'members pay nothing' if number == 130 else 'as agreed'}." for number in range(1, 180)]
PAPER = f"<title>Statutes</title><main>{''.join(f'<p>{line}</p>' for line in LINES)}</main>"


@pytest.fixture
def house() -> Iterator[Misbehaving]:
    """A site with a search page and statutes, both for members."""
    house = Misbehaving()
    house.serve("/hello", "<title>Hello</title>hello")
    house.serve("/login", "in", headers={"Set-Cookie": "session=anna; Path=/; HttpOnly"})
    house.act(
        "/search", lambda handler: for_members(handler, '<div class=hit><a href="/statutes">Statutes</a><p>Clauses</p></div>')
    )
    house.act("/statutes", lambda handler: for_members(handler, PAPER))
    yield house
    house.close()


def for_members(handler: Any, html: str) -> None:
    if "session=anna" in handler.headers.get("Cookie", ""):
        return answer(handler, html.encode(), "text/html; charset=utf-8")
    answer(handler, b"Members only", status=401)


def refusal(reader: Tabwire, tool: str, **arguments: Any) -> dict[str, str]:
    """The error object."""
    told: dict[str, str] = json.loads(reader.fails(tool, **arguments).text)
    return told


def read(reader: Tabwire, tool: str, **arguments: Any) -> dict[str, Any]:
    """An answer; the client has checked it against the output schema."""
    reply = reader.ok(tool, **arguments)
    assert reply.text == reply.structured["render"]
    return reply.structured


def reads_as_a_model_does(reader: Tabwire, url: str) -> None:
    """The whole sequence, with every line cited being the line of the page."""
    found = read(reader, "search", query="statutes")
    assert [(result["id"], result["title"], result["url"]) for result in found["results"]] == [(1, "Statutes", url)]
    opened = read(reader, "open_result", cursor=found["cursor"], result_id=1, num_lines=50)
    assert (opened["title"], opened["url"]) == ("Statutes", url)
    moved = read(reader, "scroll", cursor=opened["cursor"], delta=50, num_lines=50)
    assert moved["citation"] == {"cursor": opened["cursor"], "L_start": 50, "L_end": 99}
    (match,) = read(reader, "find", cursor=moved["cursor"], pattern="Members pay NOTHING")["matches"]
    assert match["preview"] == "Clause 130: members pay nothing."
    there = read(reader, "scroll", cursor=moved["cursor"], loc=match["loc"], num_lines=20)
    assert there["text"].split("\n")[0] == match["preview"]
    assert f"L{match['loc']}: {match['preview']}" in there["render"]
    assert f"【{opened['cursor']}†L{match['loc']}-L{there['viewport']['end']}】" in there["render"]
    whole = opened["text"].split("\n") + moved["text"].split("\n")
    while "End of the page." not in moved["render"]:
        moved = read(reader, "scroll", cursor=opened["cursor"], loc=len(whole), num_lines=200)
        whole += moved["text"].split("\n")
    assert [line for line in whole if line] == LINES
    assert whole[match["loc"]] == match["preview"]


def test_a_model_reads_by_plain_http_without_a_browser(tmp_path: Path, house: Misbehaving) -> None:
    house.serve("/open/statutes", PAPER)
    hits = {"results": [{"title": "Statutes", "url": house.url("/open/statutes"), "content": "Clauses"}]}
    house.serve("/searx/search", json.dumps(hits), "application/json")
    options = ["--toolset", "reader", "--loader", "http", "--search", "searxng", "--search-url", house.url("/searx")]
    reader = Tabwire(options, {"TABWIRE_HOME": str(tmp_path / "home")}, tmp_path)
    try:
        listed = reader.tools()
        assert {name: (tool.input_schema, tool.output_schema) for name, tool in listed.items()} == {
            name: (tool["inputSchema"], tool["outputSchema"]) for name, tool in SPECIFIED.items()
        }
        reads_as_a_model_does(reader, house.url("/open/statutes"))
        told = refusal(reader, "open_url", url=house.url("/statutes"))
        assert told["error"] == "fetch_failed" and "401" in told["message"]
    finally:
        reader.close()


def test_plain_http_knows_the_rules_for_sites(tmp_path: Path, house: Misbehaving) -> None:
    barred = Misbehaving()
    try:
        told = barred.serve("/statutes", PAPER)
        house.serve("/moved", status=302, headers={"Location": told.replace("127.0.0.1", "localhost")})
        house.serve("/open/statutes", PAPER)
        home = tmp_path / "home"
        home.mkdir()
        (home / "config.toml").write_text(f'[permissions.sites]\n"127.0.0.1:{barred.port}" = "never"\n')
        reader = Tabwire(["--toolset", "reader", "--loader", "http"], {"TABWIRE_HOME": str(home)}, tmp_path)
        try:
            for url in (told, told.replace("127.0.0.1", "localhost"), house.url("/moved")):
                said = refusal(reader, "open_url", url=url)
                assert said["error"] == "permission_denied" and "config.toml" in said["message"], said
            assert barred.hits == []
            assert read(reader, "open_url", url=house.url("/open/statutes"))["title"] == "Statutes"
        finally:
            reader.close()
    finally:
        barred.close()


def test_a_model_reads_what_the_user_is_logged_in_to_and_the_user_sees_nothing_of_it(
    own: Joined, tmp_path: Path, house: Misbehaving
) -> None:
    config = own.home / "config.toml"
    reader: Tabwire | None = None
    try:
        page = {"url": house.url("/search?q={query}"), "item": ".hit", "snippet": "p"}
        settings = "\n".join(
            ["[reader]", 'search = "page"', "[reader.search_page]", *(f"{k} = {json.dumps(v)}" for k, v in page.items())]
        )
        config.write_text(settings)
        reader = Tabwire(["--toolset", "reader"], {"TABWIRE_HOME": str(own.home)}, tmp_path)
        told = joined(reader, house.url("/statutes"))
        assert told["error"] == "fetch_failed" and "401" in told["message"]
        shown = only_tab(own.browser)
        shown.call("Page.navigate", {"url": house.url("/hello")}, timeout=JOIN_LIMIT_S)
        shown.wait_for("location.pathname === '/hello' && document.readyState === 'complete'", JOIN_LIMIT_S)
        assert shown.evaluate("fetch('/login').then(answer => answer.status)") == 200
        reads_as_a_model_does(reader, house.url("/statutes"))
        assert only_tab(own.browser).target_id == shown.target_id
        assert shown.evaluate("[location.pathname, document.visibilityState]") == ["/hello", "visible"]
    finally:
        if reader:
            reader.close()
        config.unlink(missing_ok=True)


def only_tab(browser: Browser) -> Page:
    """A closed tab may be listed for a moment more."""
    (tab,) = until(lambda: browser.targets("page"), lambda tabs: len(tabs) == 1, within=JOIN_LIMIT_S)
    return Page(browser, tab["targetId"])


def joined(reader: Tabwire, url: str) -> dict[str, str]:
    """What opening the address ends in once the browser is there."""
    return until(
        lambda: refusal(reader, "open_url", url=url),
        lambda told: told["error"] != "not_connected",
        within=JOIN_LIMIT_S,
        says=reader.log_tail,
    )


def test_a_search_that_cannot_be_is_refused_at_the_start(tmp_path: Path) -> None:
    for options, words in (
        (["--search", "bing"], "there is no provider 'bing'; one of searxng, brave, page"),
        (["--search", "searxng"], 'search = "searxng" needs search_url'),
    ):
        ended = ran_here("serve", "--toolset", "reader", *options, env={"TABWIRE_HOME": str(tmp_path / "home")}, cwd=tmp_path)
        assert ended.returncode and words in ended.stderr, ended
