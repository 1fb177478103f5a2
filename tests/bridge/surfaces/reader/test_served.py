"""The tools of the reader, put together from settings, over servers that misbehave on purpose."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client

from bridge.misbehaving import Misbehaving, answer, endless
from bridge.pdf_files import pdf
from bridge.surfaces.reader.reading import ReaderClient, server_of
from tabwire.rules.site_rules import SiteRules
from tabwire.settings.reader import ReaderSettings
from tabwire.surfaces.reader.composition import reader_of

pytestmark = pytest.mark.anyio

ITEMS = "".join(f"<p>Paragraph {number} of the handbook.</p>" for number in range(1, 200))
HANDBOOK = f"<title>Handbook</title><main><h1>Handbook</h1>{ITEMS}<p>The <a href=/appendix>appendix</a> ends it.</p></main>"


@asynccontextmanager
async def served(site: Misbehaving, **settings: Any) -> AsyncIterator[ReaderClient]:
    """A reader by plain HTTP that searches on the site."""
    given = ReaderSettings.model_validate(
        {"loader": "http", "search": "searxng", "search_url": site.url("/searx"), "page_timeout": 10, **settings}
    )
    async with reader_of(given, None, SiteRules()) as reader:  # type: ignore[arg-type]  # no browser is asked
        async with Client(server_of(reader)) as client:
            yield ReaderClient(client, reader)


def found(site: Misbehaving, *paths: str) -> None:
    """What the search engine finds."""
    results = [{"title": f"At {path}", "url": site.url(path), "content": f"<b>About</b> {path}"} for path in paths]
    site.serve("/searx/search", json.dumps({"results": results}), "application/json")


async def test_a_model_searches_opens_scrolls_and_finds_and_its_citations_are_the_lines(site: Misbehaving) -> None:
    site.serve("/handbook", HANDBOOK)
    found(site, "/handbook", "/handbook/", "/other")
    async with served(site) as reader:
        results = await reader.call("search", query="hand & book", topn=3)
        assert [(result["id"], result["title"]) for result in results["results"]] == [(1, "At /handbook"), (2, "At /other")]
        assert results["results"][0]["snippet"] == "About /handbook"
        opened = await reader.call("open_result", cursor=results["cursor"], result_id=1, num_lines=20)
        assert opened["title"] == "Handbook" and opened["url"] == site.url("/handbook")
        read = {}
        answer = opened
        while True:
            cited = answer["citation"]
            read.update(zip(range(cited["L_start"], cited["L_end"] + 1), answer["text"].split("\n"), strict=True))
            if "End of the page." in answer["render"]:
                break
            answer = await reader.call("scroll", cursor=answer["cursor"], loc=cited["L_end"] + 1, num_lines=200)
        (match,) = (await reader.call("find", cursor=opened["cursor"], pattern=r"^Paragraph 17\d?7\b", is_regex=True))["matches"]
        assert match["preview"] == read[match["loc"]] == "Paragraph 177 of the handbook."
        there = await reader.call("scroll", cursor=opened["cursor"], loc=match["loc"], num_lines=20)
        assert there["text"].split("\n")[0] == "Paragraph 177 of the handbook."
        assert there["citation"]["L_start"] == match["loc"] == there["viewport"]["start"]
        last = await reader.call("find", cursor=opened["cursor"], pattern="appendix ends it")
        ending = await reader.call("scroll", cursor=opened["cursor"], loc=last["matches"][0]["loc"])
        assert f"appendix: {site.url('/appendix')}" in ending["render"]
    assert site.paths() == ["/searx/search?q=hand+%26+book&format=json", "/handbook"]


def dripping(site: Misbehaving) -> Callable[[Any], None]:
    """One that never answers."""
    return lambda handler: None if site.ended.wait(60) else None


@pytest.mark.parametrize(
    ("serve", "code", "words"),
    [
        (lambda site: site.serve("/x", "no", status=404), "fetch_failed", "404"),
        (lambda site: site.serve("/x", "no", status=403), "fetch_failed", "403"),
        (lambda site: site.serve("/x", "no", status=429, headers={"Retry-After": "3600"}), "fetch_failed", "429"),
        (lambda site: site.serve("/x", status=302, headers={"Location": "/x"}), "fetch_failed", "redirect"),
        (lambda site: site.act("/x", dripping(site)), "timeout", "0.2"),
        (lambda site: site.act("/x", lambda handler: endless(handler, b"x" * 65536, site.ended)), "fetch_failed", "0.1 MB"),
        (
            lambda site: site.serve("/x", gzip.compress(b"a" * 9_000_000), headers={"Content-Encoding": "gzip"}),
            "fetch_failed",
            "0.1 MB",
        ),
        (lambda site: site.serve("/x", b"\x89PNG\r\n\x1a\n", "image/png"), "unsupported_mime", "image/png"),
        (lambda site: site.serve("/x", b"PK\x03\x04" + bytes(99), "application/zip"), "unsupported_mime", "application/zip"),
    ],
    ids=["404", "403", "429", "circle", "silent", "endless", "bomb", "picture", "archive"],
)
async def test_what_goes_wrong_is_told_and_leaves_no_cursor(
    site: Misbehaving, serve: Callable[[Misbehaving], Any], code: str, words: str
) -> None:
    serve(site)
    found(site, "/x")
    async with served(site, page_timeout=0.2 if code == "timeout" else 20, max_bytes=100_000) as reader:
        cursor = (await reader.call("search", query="x"))["cursor"]
        for tool, arguments in (("open_url", {"url": site.url("/x")}), ("open_result", {"cursor": cursor, "result_id": 1})):
            told = await reader.refused(tool, **arguments)
            assert (told["error"], words in told["message"]) == (code, True), told
        assert len(reader.reader.cursors) == 1, "that of the search"


@pytest.mark.parametrize(
    ("body", "kind", "lines"),
    [
        (pdf(["Page one says hello."]), "application/pdf", ["Page one says hello."]),
        ("größer".encode(), "text/plain; charset=iso-8859-1", ["größer"]),
        ("日本".encode("shift_jis"), "text/plain; charset=shift_jis", ["日本"]),
        (b"one\r\ntwo\n", "text/plain", ["one", "two"]),
        (b'{"a":[1]}', "application/json", ['"a"']),
        (b"<title>T</title>", "text/html", [""]),
        (b"", "text/html", [""]),
    ],
    ids=["pdf", "wrong-charset", "charset", "text", "json", "no-body", "nothing"],
)
async def test_kinds_of_pages(site: Misbehaving, body: bytes, kind: str, lines: list[str]) -> None:
    site.serve("/x", body, kind)
    async with served(site) as reader:
        opened = await reader.call("open_url", url=site.url("/x"))
    text = opened["text"].split("\n")
    assert all(line in opened["text"] for line in lines), opened
    assert opened["viewport"] == {"start": 0, "end": len(text) - 1}


async def test_a_search_engine_that_fails_is_told(site: Misbehaving) -> None:
    site.serve("/searx/search", "no", status=403)
    async with served(site) as reader:
        told = await reader.refused("search", query="x")
    assert told["error"] == "fetch_failed" and "403" in told["message"] and "search.formats" in told["hint"]


async def test_a_page_that_has_not_changed_is_not_read_anew(site: Misbehaving) -> None:
    site.serve("/handbook", HANDBOOK, headers={"ETag": '"v1"'})
    site.act("/handbook", lambda handler: answer(handler, b"", status=304))
    async with served(site) as reader:
        first = await reader.call("open_url", url=site.url("/handbook"))
        second = await reader.call("open_url", url=site.url("/handbook#later"))
    assert second["text"] == first["text"] and second["cursor"] != first["cursor"]
    assert site.hits[1].headers["if-none-match"] == '"v1"'
