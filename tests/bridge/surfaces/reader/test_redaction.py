"""Secrets in pages: what anyone can read is shown as it is, what was read with the user's login is redacted."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from bridge.surfaces.reader.reading import Hits, Pages, reading
from tabwire.surfaces.reader.page import Found, Link, PageSnapshot

pytestmark = pytest.mark.anyio

URL = "https://docs.example/article?sid=03/01/24/1440207"
KEY = ("-----BEGIN RSA PRIVATE KEY-----", "Proc-Type: 4,ENCRYPTED", "", "MIIEpAIBAAKCAQEA7bq", "-----END RSA PRIVATE KEY-----")
LINES = (
    "Authorization: Bearer mF_9.B5f-4.1JqM is an example",
    "password=easytoguess is what people choose",
    *KEY,
    "The last line.",
)
LINK = Link(1, "https://docs.example/login?token=abcdef1234567890", "password=easytoguess", 1)
PUBLIC = PageSnapshot(URL, "password=easytoguess", LINES, (LINK,))
PRIVATE = dataclasses.replace(PUBLIC, is_private=True)
NOTE = "Note: What looks like a secret is replaced by [redacted], because this page was read with the user's login."


async def opened(page: PageSnapshot, **arguments: Any) -> dict[str, Any]:
    async with reading(Pages({URL: page})) as reader:
        return await reader.call("open_url", url=URL, **arguments)


async def test_a_page_that_anyone_can_read_is_not_altered() -> None:
    answer = await opened(PUBLIC)
    assert (answer["text"], answer["title"], answer["url"]) == ("\n".join(LINES), PUBLIC.title, URL)
    assert "[redacted]" not in answer["render"]
    assert "[1] L1 password=easytoguess: https://docs.example/login?token=abcdef1234567890" in answer["render"]


async def test_a_page_read_with_a_login_has_no_secrets_and_says_that_it_was_altered() -> None:
    answer = await opened(PRIVATE)
    assert answer["text"].split("\n") == [
        "Authorization: Bearer [redacted]",
        "password=[redacted] is what people choose",
        "[redacted]",
        "[redacted]",
        "",
        "[redacted]",
        "[redacted]",
        "The last line.",
    ]
    assert answer["title"] == "password=[redacted]"
    assert NOTE in answer["render"]
    for secret in ("easytoguess", "mF_9", "MIIE"):
        assert secret not in answer["render"]


async def test_links_and_addresses_of_such_a_page_lead_where_they_did() -> None:
    answer = await opened(PRIVATE)
    assert answer["url"] == URL and f"URL: {URL}\n" in answer["render"]
    assert "[1] L1 password=[redacted]: https://docs.example/login?token=abcdef1234567890" in answer["render"]


async def test_lines_without_secrets_have_no_note() -> None:
    answer = await opened(dataclasses.replace(PRIVATE, lines=("Words.",), links=()))
    assert (answer["text"], NOTE in answer["render"]) == ("Words.", False)


async def test_a_key_that_began_before_the_view_is_redacted() -> None:
    page = dataclasses.replace(PRIVATE, lines=("Words.",) * 30 + KEY + ("Words.",) * 30, links=())
    answer = await opened(page, loc=33)
    assert answer["text"].split("\n")[:3] == ["[redacted]", "[redacted]", "Words."]


async def test_prose_after_the_first_line_of_a_key_is_read() -> None:
    lines = ("It begins with -----BEGIN PRIVATE KEY-----", "and ends with another line, as everyone knows.")
    answer = await opened(dataclasses.replace(PRIVATE, lines=lines, links=()))
    assert answer["text"].split("\n")[1] == lines[1]


@pytest.mark.parametrize(("page", "preview"), [(PUBLIC, LINES[1]), (PRIVATE, "password=[redacted] is what people choose")])
@pytest.mark.parametrize("is_regex", [True, False])
async def test_matches_show_what_the_page_shows(page: PageSnapshot, preview: str, is_regex: bool) -> None:
    async with reading(Pages({URL: page})) as reader:
        cursor = (await reader.call("open_url", url=URL))["cursor"]
        found = await reader.call("find", cursor=cursor, pattern="people choose", is_regex=is_regex)
    assert found["matches"] == [{"loc": 1, "preview": preview}]


async def test_results_of_a_search_without_a_login_are_not_altered() -> None:
    public = Found("password=easytoguess", URL, "password=easytoguess")
    async with reading(provider=Hits([public, dataclasses.replace(public, is_private=True)])) as reader:
        found = await reader.call("search", query="passwords")
    assert [(one["title"], one["snippet"], one["url"]) for one in found["results"]] == [
        ("password=easytoguess", "password=easytoguess", URL),
        ("password=[redacted]", "password=[redacted]", URL),
    ]
