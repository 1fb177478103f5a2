"""Search engines, by their interfaces and by their pages."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import ValidationError

from bridge.misbehaving import Misbehaving
from tabwire.errors import InvalidArgument
from tabwire.settings.result_page import ResultPage
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.page import Found
from tabwire.surfaces.reader.searching.providers import PROVIDERS, Choice, Means, provider_of

pytestmark = pytest.mark.anyio

PAGE = """<div id=results>
<div class=result><h2><a class=t href="/l/?u=https%3A%2F%2Fa.example%2F1%3Fx%3D1&r=9">First <b>hit</b></a></h2><p class=s>About
 <b>one</b>.</p></div>
<div class=result><h2><a class=t href="https://b.example/2">Second</a></h2></div>
<div class=result><h2><a class=t href="https://www.b.example/2/">Second again</a></h2></div>
<div class=result><h2><a class=t href="javascript:void 0">No page</a></h2></div>
<div class=result><p class=s>An advertisement without a link.</p></div>
</div>"""


async def search(choice: Choice, query: str = "two words", count: int = 5) -> Sequence[Found]:
    async with HttpLoader(Policy(attempts=1)) as loader:
        return await provider_of(choice, Means(lambda: loader, loader)).search(query, count)


async def fails(choice: Choice) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        await search(choice)
    return caught.value


def searxng(site: Misbehaving, answer: Any, **how: Any) -> Choice:
    site.serve("/search", json.dumps(answer), "application/json", **how)
    return Choice("searxng", site.url("/"))


def results(site: Misbehaving, html: str = PAGE, **change: Any) -> Choice:
    site.serve("/find", html)
    page = {"url": site.url("/find?for={query}&hl=en"), "item": ".result", "link": "a.t", "snippet": ".s", "unwrap": "u"}
    return Choice("page", page=ResultPage(**{**page, **change}))


async def test_searxng_is_asked_for_json(site: Misbehaving) -> None:
    entries = [
        {"title": "A &amp; B", "url": "https://a.example/1", "content": "Some <b>words</b>\n here."},
        {"title": "", "url": "https://a.example/2"},
        {"title": "No address"},
        {"title": "A file", "url": "ftp://a.example/"},
        {"title": "A again", "url": "http://www.a.example/1#x"},
        {"title": "C", "url": "https://a.example/3", "content": None},
    ]
    found = await search(searxng(site, {"query": "x", "results": entries}))
    assert found == [
        Found("A & B", "https://a.example/1", "Some words here."),
        Found("https://a.example/2", "https://a.example/2", ""),
        Found("C", "https://a.example/3", ""),
    ]
    assert site.hits[0].path == "/search?q=two+words&format=json"
    assert site.hits[0].headers["accept"] == "application/json"


async def test_no_more_hits_are_given_than_were_asked_for(site: Misbehaving) -> None:
    choice = searxng(site, {"results": [{"title": str(n), "url": f"https://a.example/{n}"} for n in range(9)]})
    assert [hit.title for hit in await search(choice, count=2)] == ["0", "1"]


async def test_an_instance_in_a_folder_is_asked_there(site: Misbehaving) -> None:
    site.serve("/sx/search", '{"results": []}', "application/json")
    assert await search(Choice("searxng", site.url("/sx"))) == []
    assert await search(Choice("searxng", site.url("/sx/search"))) == []


async def test_an_instance_that_gives_no_json_is_told_with_the_setting(site: Misbehaving) -> None:
    error = await fails(searxng(site, {}, status=403))
    assert error.data["status"] == 403
    assert "search.formats" in str(error)


async def test_brave_is_asked_with_the_key(site: Misbehaving) -> None:
    entries = [{"title": "A", "url": "https://a.example/", "description": "<strong>Words</strong>"}]
    site.serve("/web", json.dumps({"web": {"results": entries}}), "application/json")
    found = await search(Choice("brave", site.url("/web"), "secret"), count=3)
    assert found == [Found("A", "https://a.example/", "Words")]
    assert site.hits[0].path == "/web?q=two+words&count=3"
    assert site.hits[0].headers["x-subscription-token"] == "secret"


async def test_a_key_that_is_refused_is_told_and_not_shown(site: Misbehaving) -> None:
    site.serve("/web", "{}", "application/json", status=422)
    error = await fails(Choice("brave", site.url("/web"), "secret-key"))
    assert "search_key" in str(error)
    assert "secret-key" not in f"{error} {error.data}"


async def test_a_key_is_not_carried_to_where_the_engine_redirects(site: Misbehaving) -> None:
    site.serve("/web", status=302, headers={"Location": "/elsewhere"})
    await fails(Choice("brave", site.url("/web"), "secret"))
    assert site.paths() == ["/web?q=two+words&count=5"]


async def test_an_answer_without_hits_is_empty(site: Misbehaving) -> None:
    site.serve("/web", '{"type": "search"}', "application/json")
    assert await search(Choice("brave", site.url("/web"), "secret")) == []


@pytest.mark.parametrize("answer", ["<html>", "[]", '{"results": 5}', '"x"', '{"results": null}', ""])
async def test_an_answer_that_is_no_list_is_told(site: Misbehaving, answer: str) -> None:
    site.serve("/search", answer, "application/json")
    assert "no list of results" in str(await fails(Choice("searxng", site.url("/"))))


async def test_an_engine_that_is_down_is_told(site: Misbehaving) -> None:
    assert (await fails(searxng(site, {}, status=500))).data["status"] == 500


async def test_a_page_of_results_is_read_by_its_selectors(site: Misbehaving) -> None:
    assert await search(results(site)) == [
        Found("First hit", "https://a.example/1?x=1", "About one ."),
        Found("Second", "https://b.example/2", ""),
    ]
    assert site.paths() == ["/find?for=two+words&hl=en"]


async def test_the_words_of_a_search_are_no_part_of_the_address(site: Misbehaving) -> None:
    await search(results(site), "a&b=c #d/é")
    assert site.paths() == ["/find?for=a%26b%3Dc+%23d%2F%C3%A9&hl=en"]


async def test_a_page_that_is_none_of_results_is_told(site: Misbehaving) -> None:
    assert "shows no results" in str(await fails(results(site, "<h1>Are you human?</h1>")))


async def test_a_page_that_says_there_is_nothing_is_an_empty_list(site: Misbehaving) -> None:
    assert await search(results(site, "<p id=none>Nothing</p>", nothing="#none")) == []


async def test_a_selector_that_is_none_is_told(site: Misbehaving) -> None:
    with pytest.raises(InvalidArgument, match="no CSS selector"):
        await search(results(site, item="div[[["))


@pytest.mark.parametrize("change", [{"url": "https://a.example/"}, {"item": ""}, {"extra": "x"}])
async def test_a_page_of_results_without_its_parts_is_refused(site: Misbehaving, change: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        results(site, **change)


@pytest.mark.parametrize(("provider", "setting"), [("searxng", "search_url"), ("brave", "search_key"), ("page", "search_page")])
async def test_a_provider_says_what_it_lacks(provider: str, setting: str) -> None:
    with pytest.raises(InvalidArgument, match=setting):
        await search(Choice(provider))


async def test_an_unknown_provider_is_told_with_the_known_ones() -> None:
    with pytest.raises(InvalidArgument, match=", ".join(PROVIDERS)):
        await search(Choice("altavista"))
