"""The five tools of document 001, each through a real MCP client that checks answers against the output schemas."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import anyio
import pytest

from bridge.surfaces.reader.reading import EMPTY, GUIDE, HITS, LINES, NOTES, Hits, Never, Pages, reading
from tabwire.errors import NotConnected, Timeout
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.page import Found, Link, PageSnapshot

pytestmark = pytest.mark.anyio


async def test_a_model_searches_opens_scrolls_and_finds_and_its_citations_are_the_lines() -> None:
    loader = Pages()
    async with reading(loader) as reader:
        found = await reader.call("search", query="scheduling guide")
        opened = await reader.call("open_result", cursor=found["cursor"], result_id=found["results"][0]["id"])
        assert (opened["url"], opened["title"], opened["viewport"]) == (GUIDE.url, "The Guide", {"start": 0, "end": 79})
        moved = await reader.call("scroll", cursor=opened["cursor"], delta=80)
        assert moved["viewport"] == {"start": 80, "end": 159}
        hits = await reader.call("find", cursor=moved["cursor"], pattern="chapter 12")
        assert hits["matches"] == [{"loc": 120, "preview": "Chapter 12: Scheduling"}]
        there = await reader.call("scroll", cursor=hits["cursor"], loc=hits["matches"][0]["loc"], num_lines=20)
        for answer in (opened, moved, there):
            cited = answer["citation"]
            assert cited["cursor"] == answer["cursor"]
            assert answer["text"].split("\n") == list(LINES[cited["L_start"] : cited["L_end"] + 1])
        assert there["text"].startswith("Chapter 12: Scheduling\nline 121 of")
    assert loader.loaded == [GUIDE.url], "a page is loaded once"


# ---- search -------------------------------------------------------------------------------------------------------------


async def test_results_are_numbered_from_one_and_rendered() -> None:
    async with reading() as reader:
        found = await reader.call("search", query="guide", topn=2)
    assert found["results"] == [
        {"id": 1, "title": "The Guide", "url": GUIDE.url, "snippet": "How to schedule"},
        {"id": 2, "title": "Notes", "url": NOTES.url, "snippet": ""},
    ]
    assert found["render"] == (
        f"Results (cursor {found['cursor']})\n"
        "1) The Guide — docs.example\n"
        "   URL: https://docs.example/guide\n"
        "   Snippet: How to schedule\n"
        "\n"
        "2) Notes — docs.example\n"
        "   URL: https://docs.example/notes"
    )


async def test_every_search_has_a_cursor_of_its_own() -> None:
    async with reading() as reader:
        cursors = {(await reader.call("search", query="guide"))["cursor"] for _ in range(3)}
    assert len(cursors) == 3


async def test_a_search_that_finds_nothing_says_so() -> None:
    async with reading(provider=Hits(())) as reader:
        found = await reader.call("search", query="zzz")
        assert (found["results"], found["render"].split("\n")[1]) == ([], "Nothing was found for 'zzz'.")
        told = await reader.refused("open_result", cursor=found["cursor"], result_id=1)
    assert (told["error"], told["hint"]) == ("result_out_of_range", "Search again with other words.")


async def test_what_cannot_be_opened_is_no_result_and_five_are_the_default() -> None:
    odd = [Found("Script", "javascript:alert(1)"), Found("Relative", "/a"), Found("", "https://a.example/ b")]
    good = [Found(f"Page {number}", f"https://a.example/{number}") for number in range(9)]
    async with reading(provider=Hits([*odd, *good], obeys=False)) as reader:
        found = await reader.call("search", query="x")
    assert [result["url"] for result in found["results"]] == [f"https://a.example/{number}" for number in range(5)]
    assert [result["id"] for result in found["results"]] == [1, 2, 3, 4, 5]


async def test_without_a_search_engine_the_error_says_what_to_do() -> None:
    async with reading() as reader:
        reader.reader._provider = None
        told = await reader.refused("search", query="guide")
    assert told["error"] == "unsupported_operation"
    assert told["message"] == "no search provider is configured"
    assert "`search` below `[reader]`" in told["hint"] and "open_url" in told["hint"]


# ---- open ---------------------------------------------------------------------------------------------------------------


async def test_a_page_is_rendered_with_numbered_lines_its_links_and_how_to_go_on() -> None:
    async with reading() as reader:
        opened = await reader.call("open_url", url=GUIDE.url, loc=80, num_lines=20)
    cursor = opened["cursor"]
    head, numbered, links, foot = opened["render"].split("\n\n")
    assert head == "Title: The Guide\nURL: https://docs.example/guide\nLines 80–99:"
    assert numbered.split("\n")[:2] == ["L80: Chapter 8: Scheduling", "L81: line 81 of the guide"]
    assert len(numbered.split("\n")) == 20
    assert links == "Links:\n[1] L82 Next chapter: https://docs.example/next"
    assert foot == f"Cite as 【{cursor}†L80-L99】. 100 more lines: scroll to loc 100."
    assert opened["citation"] == {"cursor": cursor, "L_start": 80, "L_end": 99}


@pytest.mark.parametrize(
    ("loc", "num_lines", "viewport"),
    [(0, 20, (0, 19)), (190, 80, (190, 199)), (199, 20, (199, 199)), (200, 20, (199, 199)), (10**12, 200, (199, 199))],
)
async def test_a_viewport_is_clamped_to_the_page(loc: int, num_lines: int, viewport: tuple[int, int]) -> None:
    async with reading() as reader:
        opened = await reader.call("open_url", url=GUIDE.url, loc=loc, num_lines=num_lines)
        again = await reader.call("scroll", cursor=opened["cursor"], loc=loc, num_lines=num_lines)
    assert opened["viewport"] == again["viewport"] == {"start": viewport[0], "end": viewport[1]}
    assert opened["text"] == again["text"] == "\n".join(LINES[viewport[0] : viewport[1] + 1])
    assert ("End of the page." in opened["render"]) == (viewport[1] == 199)


async def test_a_page_without_text_is_one_empty_line() -> None:
    async with reading() as reader:
        opened = await reader.call("open_url", url=EMPTY.url, loc=7)
        found = await reader.call("find", cursor=opened["cursor"], pattern="a")
    assert (opened["viewport"], opened["text"], opened["title"]) == ({"start": 0, "end": 0}, "", "")
    assert "Title: (none)" in opened["render"] and "(The page has no text.)" in opened["render"]
    assert found["matches"] == [] and "No line matches." in found["render"]


async def test_a_notice_about_a_page_is_in_every_answer_that_shows_it() -> None:
    page = PageSnapshot(NOTES.url, "Notes", NOTES.lines, notice="It may be longer.")
    async with reading(Pages({page.url: page})) as reader:
        opened = await reader.call("open_url", url=page.url)
        moved = await reader.call("scroll", cursor=opened["cursor"], loc=1)
    assert "\n\nNote: It may be longer.\n\nCite as" in opened["render"]
    assert "\n\nNote: It may be longer.\n\nCite as" in moved["render"]
    assert "It may be longer." not in opened["text"]


async def test_every_address_opened_has_a_cursor_of_its_own() -> None:
    async with reading() as reader:
        first = await reader.call("open_url", url=GUIDE.url)
        second = await reader.call("open_url", url=NOTES.url)
        assert first["cursor"] != second["cursor"]
        assert (await reader.call("scroll", cursor=first["cursor"]))["text"] == first["text"]


async def test_the_first_result_is_read_under_the_cursor_of_its_search() -> None:
    async with reading() as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        opened = await reader.call("open_result", cursor=cursor, result_id=2)
        assert opened["cursor"] == cursor
        assert (await reader.call("scroll", cursor=cursor))["text"] == "One.\nTwo.\nThree."


async def test_another_result_leaves_what_was_cited_as_it_was() -> None:
    loader = Pages()
    async with reading(loader) as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        guide = await reader.call("open_result", cursor=cursor, result_id=1)
        notes = await reader.call("open_result", cursor=cursor, result_id=2)
        assert notes["cursor"] != guide["cursor"] == cursor
        assert (await reader.call("scroll", cursor=guide["cursor"], loc=0))["text"] == guide["text"]
        again = [await reader.call("open_result", cursor=which, result_id=2) for which in (cursor, notes["cursor"])]
        assert [answer["cursor"] for answer in again] == [notes["cursor"]] * 2
    assert loader.loaded == [GUIDE.url, NOTES.url]


async def test_a_result_opened_twice_at_once_is_one_page() -> None:
    async with reading() as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        answers: list[dict[str, Any]] = []

        async def open_it() -> None:
            answers.append(await reader.call("open_result", cursor=cursor, result_id=1))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(open_it)
            tasks.start_soon(open_it)
    assert answers[0] == answers[1]


async def test_a_result_that_could_not_be_opened_leaves_the_results_as_they_were() -> None:
    async with reading() as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        told = await reader.refused("open_result", cursor=cursor, result_id=3)
        assert told["error"] == "fetch_failed" and "404" in told["message"]
        assert (await reader.call("open_result", cursor=cursor, result_id=1))["cursor"] == cursor


@pytest.mark.parametrize("number", [4, 10**9])
async def test_a_number_that_no_result_has(number: int) -> None:
    async with reading() as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        told = await reader.refused("open_result", cursor=cursor, result_id=number)
    assert told["error"] == "result_out_of_range"
    assert told["hint"] == f"Use a result_id from 1 to {len(HITS)}."


# ---- scroll -------------------------------------------------------------------------------------------------------------


async def test_moves_are_absolute_relative_and_clamped() -> None:
    async with reading() as reader:
        cursor = (await reader.call("open_url", url=GUIDE.url, loc=50, num_lines=20))["cursor"]

        async def start(**move: int) -> int:
            return int((await reader.call("scroll", cursor=cursor, num_lines=20, **move))["viewport"]["start"])

        assert await start() == 50
        assert await start(delta=20) == 70
        assert await start(delta=-30) == 40
        assert await start(loc=100) == 100
        assert await start(loc=100, delta=5) == 105
        assert await start(delta=-5000) == 0
        assert await start(delta=5000) == 199
        assert await start(delta=-10) == 189


async def test_finding_leaves_the_viewport_where_it_is() -> None:
    async with reading() as reader:
        cursor = (await reader.call("open_url", url=GUIDE.url, loc=50))["cursor"]
        await reader.call("find", cursor=cursor, pattern="line 3")
        assert (await reader.call("scroll", cursor=cursor))["viewport"]["start"] == 50


@pytest.mark.parametrize(("tool", "more"), [("scroll", {}), ("find", {"pattern": "a"})])
async def test_a_cursor_whose_page_was_not_opened(tool: str, more: dict[str, Any]) -> None:
    async with reading() as reader:
        cursor = (await reader.call("search", query="guide"))["cursor"]
        told = await reader.refused(tool, cursor=cursor, **more)
    assert (told["error"], told["hint"]) == ("invalid_argument", "Call open_result with {cursor, result_id} first.")


async def test_a_page_of_no_search_has_no_results() -> None:
    async with reading() as reader:
        cursor = (await reader.call("open_url", url=GUIDE.url))["cursor"]
        told = await reader.refused("open_result", cursor=cursor, result_id=1)
    assert told["error"] == "result_out_of_range" and "has no results" in told["message"]


@pytest.mark.parametrize(("tool", "more"), [("open_result", {"result_id": 1}), ("scroll", {}), ("find", {"pattern": "a"})])
async def test_a_cursor_nobody_issued(tool: str, more: dict[str, Any]) -> None:
    async with reading() as reader:
        told = await reader.refused(tool, cursor="c_000000", **more)
    assert told["error"] == "unknown_cursor" and "c_000000" in told["message"] and "exactly" in told["hint"]


async def test_a_cursor_that_made_room_says_how_to_get_there_again() -> None:
    async with reading(max_cursors=2) as reader:
        first = (await reader.call("search", query="guide to all"))["cursor"]
        second = (await reader.call("open_url", url=NOTES.url))["cursor"]
        await reader.call("search", query="b")
        told = await reader.refused("open_result", cursor=first, result_id=1)
        assert told["error"] == "unknown_cursor" and told["hint"] == "Call search again with the query 'guide to all'."
        await reader.call("search", query="c")
        told = await reader.refused("scroll", cursor=second)
        assert told["hint"] == f"Call open_url again with {NOTES.url}."


# ---- bad arguments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {}, "query is required"),
        ("search", {"query": 5}, "query must be a string"),
        ("search", {"query": " "}, "query must not be empty"),
        ("search", {"query": "a", "topn": 0}, "topn must be at least 1"),
        ("search", {"query": "a", "topn": 11}, "topn must be at most 10"),
        ("search", {"query": "a", "topn": "5"}, "topn must be an integer"),
        ("search", {"query": "a", "topn": 2.5}, "topn must be an integer"),
        ("search", {"query": "a", "topn": None}, "topn must be an integer"),
        ("search", {"query": "a", "topN": 3}, "topN is not an argument of search; did you mean topn?"),
        ("search", {"query": "a", "browser": "Work"}, "browser is not an argument of search; it has query, topn"),
        ("open_result", {"cursor": "c", "result_id": "1"}, "result_id must be an integer"),
        ("open_result", {"cursor": "c", "result_id": True}, "result_id must be an integer"),
        ("open_result", {"cursor": "c", "result_id": {"int": 1}}, "result_id must be an integer"),
        ("open_result", {"cursor": "c", "result_id": 0}, "result_id must be at least 1"),
        ("open_result", {"result_id": 1}, "cursor is required"),
        ("open_result", {}, "cursor is required; result_id is required"),
        ("open_result", {"cursor": 1, "result_id": 1}, "cursor must be a string"),
        ("open_url", {"url": "docs.example/guide"}, "url must be an absolute http or https address"),
        ("open_url", {"url": "file:///etc/passwd"}, "url must be an absolute http or https address"),
        ("open_url", {"url": "https://"}, "url must be an absolute http or https address"),
        ("open_url", {"url": "https://a.example:99999/"}, "url must be an absolute http or https address"),
        ("open_url", {"url": "https://a.example/ b"}, "url must be an absolute http or https address"),
        ("open_url", {"url": ""}, "url must be an absolute http or https address"),
        ("open_url", {"url": ["https://a.example"]}, "url must be a string"),
        ("open_url", {"url": "https://a.example", "loc": -1}, "loc must be at least 0"),
        ("open_url", {"url": "https://a.example", "num_lines": 19}, "num_lines must be at least 20"),
        ("open_url", {"url": "https://a.example", "num_lines": 201}, "num_lines must be at most 200"),
        (
            "open_url",
            {"url": "https://a.example", "numLines": 50},
            "numLines is not an argument of open_url; did you mean num_lines?",
        ),
        ("scroll", {"cursor": "c", "loc": None}, "loc must be an integer"),
        ("scroll", {"cursor": "c", "loc": "3"}, "loc must be an integer"),
        ("scroll", {"cursor": "c", "delta": 5001}, "delta must be at most 5000"),
        ("scroll", {"cursor": "c", "delta": -5001}, "delta must be at least -5000"),
        ("find", {"cursor": "c", "pattern": ""}, "pattern must not be empty"),
        ("find", {"cursor": "c", "pattern": "a", "is_regex": "true"}, "is_regex must be a boolean"),
        ("find", {"cursor": "c", "pattern": "a", "is_regex": 1}, "is_regex must be a boolean"),
    ],
)
async def test_wrong_shapes_are_refused_by_name(tool: str, arguments: dict[str, Any], message: str) -> None:
    loader = Pages()
    async with reading(loader) as reader:
        told = await reader.refused(tool, **arguments)
    assert told["error"] == "invalid_argument" and told["message"] == message
    assert told["hint"].startswith(f"Call {tool} with {{")
    assert loader.loaded == []


async def test_the_error_of_the_document_to_the_letter() -> None:
    async with reading() as reader:
        assert await reader.refused("open_result", cursor="c_9b2f0a", result_id="1") == {
            "error": "invalid_argument",
            "message": "result_id must be an integer",
            "hint": "Call open_result with {cursor, result_id} (1-based).",
        }


# ---- what loading may end in --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "message", "hint"),
    [
        (FetchFailed("it answered 503", {"status": 503}), "fetch_failed", "it answered 503", "Check the address"),
        (FetchFailed("no such host", next_step="Check its spelling."), "fetch_failed", "no such host", "Check its spelling."),
        (UnsupportedMime("it is image/png"), "unsupported_mime", "it is image/png", "Read another page"),
        (Timeout("loading took too long"), "timeout", "loading took too long", "Try again"),
        (NotConnected("no browser is connected"), "not_connected", "no browser is connected", 'loader = "http"'),
        (ZeroDivisionError("a defect"), "unknown_error", "open_url failed inside tabwire", "Call open_url with {url}"),
    ],
)
async def test_failures_are_told_as_the_document_says(error: Exception, code: str, message: str, hint: str) -> None:
    async with reading(Pages({"https://a.example/": error})) as reader:
        told = await reader.refused("open_url", url="https://a.example/")
        assert len(reader.reader.cursors) == 0
    assert told["error"] == code
    assert message in told["message"] and hint in told["hint"]


async def test_a_loader_and_a_search_engine_that_never_end_are_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabwire.surfaces.reader.reading.GRACE_S", 0.1)
    async with reading(Never(), Never(), page_timeout=0.1, search_timeout=0.1) as reader:
        opened = await reader.refused("open_url", url="https://a.example/")
        found = await reader.refused("search", query="a")
    assert (opened["error"], found["error"]) == ("timeout", "timeout")
    assert opened["message"] == "loading https://a.example/ took more than 0.1 s"


# ---- limits and numbers -------------------------------------------------------------------------------------------------


async def test_pages_and_searches_are_limited_and_reading_on_is_not() -> None:
    async with reading(pages_per_minute=1, searches_per_minute=1) as reader:
        cursor = (await reader.call("open_url", url=GUIDE.url))["cursor"]
        await reader.call("search", query="a")
        for tool, arguments in (("open_url", {"url": GUIDE.url}), ("search", {"query": "b"})):
            told = await reader.refused(tool, **arguments)
            assert told["error"] == "rate_limited" and told["hint"].startswith("Wait ")
        for _ in range(5):
            await reader.call("scroll", cursor=cursor, delta=1)


async def test_long_lines_make_a_viewport_shorter_but_nothing_is_lost() -> None:
    page = PageSnapshot("https://a.example/", "A", tuple("x" * 900 for _ in range(100)))
    async with reading(Pages({page.url: page}), view_chars=5000) as reader:
        answer = await reader.call("open_url", url=page.url)
        read = answer["text"].split("\n")
        assert answer["viewport"] == {"start": 0, "end": 4}
        while answer["viewport"]["end"] < 99:
            answer = await reader.call("scroll", cursor=answer["cursor"], loc=answer["viewport"]["end"] + 1)
            read += answer["text"].split("\n")
    assert read == list(page.lines)


async def test_a_viewport_ends_where_its_links_end_so_that_all_are_listed() -> None:
    at = [0] * 150 + [line for line in range(1, 60) for _ in range(7)]
    links = tuple(Link(id, f"https://a.example/{id}", f"link {id}", line) for id, line in enumerate(at, 1))
    page = PageSnapshot("https://a.example/", "A", tuple(f"line {number}" for number in range(100)), links)
    listed: list[str] = []
    async with reading(Pages({page.url: page})) as reader:
        answer = await reader.call("open_url", url=page.url)
        views = [answer["viewport"]]
        listed += re.findall(r"^\[(\d+)\] ", answer["render"], re.MULTILINE)
        assert (
            "Fewer lines than asked for, because their text or links are many. 99 more lines: scroll to loc 1."
            in answer["render"]
        )
        while (following := re.search(r"scroll to loc (\d+)\.", answer["render"])) is not None:
            answer = await reader.call("scroll", cursor=answer["cursor"], loc=int(following[1]))
            views.append(answer["viewport"])
            listed += re.findall(r"^\[(\d+)\] ", answer["render"], re.MULTILINE)
    assert [int(id) for id in listed] == [link.id for link in links]
    assert [(view["start"], view["end"]) for view in views] == [(0, 0), (1, 14), (15, 28), (29, 42), (43, 56), (57, 99)]
    assert "Fewer lines" not in answer["render"]


async def test_calls_are_counted_and_logged_without_what_was_read(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "tabwire.surfaces.reader.telemetry")
    async with reading() as reader:
        await reader.call("search", query="a secret")
        await reader.call("open_url", url=GUIDE.url)
        await reader.refused("open_url", url="nowhere")
        await reader.refused("open_url", url="https://docs.example/gone")
        summary = reader.reader.telemetry.summary()
    assert (summary["search"]["calls"], summary["search"]["errors"]) == (1, {})
    assert (summary["open_url"]["calls"], summary["open_url"]["errors"]) == (3, {"invalid_argument": 1, "fetch_failed": 1})
    assert summary["open_url"]["chars"] > 1000 and summary["open_url"]["max_ms"] >= summary["open_url"]["median_ms"] >= 0
    logged = [json.loads(record.message) for record in caplog.records if record.name == "tabwire.surfaces.reader.telemetry"]
    assert [(line["tool"], line.get("error")) for line in logged] == [
        ("search", None),
        ("open_url", None),
        ("open_url", "invalid_argument"),
        ("open_url", "fetch_failed"),
    ]
    assert "secret" not in caplog.text and "docs.example" not in caplog.text
