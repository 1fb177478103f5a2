"""Pages by plain HTTP, from servers that misbehave."""

import gzip
import time
import tomllib
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bridge.misbehaving import Misbehaving, answer, endless
from tabwire.errors import InvalidArgument, Timeout
from tabwire.settings.reader import ReaderSettings
from tabwire.surfaces.reader.cache import PageCache
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy

pytestmark = pytest.mark.anyio

PAGE = "<title>Page</title><main><p>Words of the page.</p></main>"


class Pauses(list[float]):
    """Waits that take no time."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@asynccontextmanager
async def loading(cache: PageCache | None = None, pauses: Pauses | None = None, **policy: Any) -> AsyncIterator[HttpLoader]:
    async with HttpLoader(Policy(**policy), cache, sleep=pauses if pauses is not None else Pauses()) as loader:
        yield loader


async def fails(site: Misbehaving, path: str, error: type[Exception] = FetchFailed, **policy: Any) -> Any:
    async with loading(**policy) as loader:
        with pytest.raises(error) as caught:
            await loader.load(site.url(path))
    return caught.value


async def lines(site: Misbehaving, path: str, **policy: Any) -> tuple[str, ...]:
    async with loading(**policy) as loader:
        return (await loader.load(site.url(path))).lines


async def test_a_page_has_its_title_its_lines_and_its_address(site: Misbehaving) -> None:
    site.serve("/a", PAGE)
    async with loading() as loader:
        page = await loader.load(site.url("/a#part"))
    assert (page.url, page.title, page.lines) == (site.url("/a"), "Page", ("Words of the page.",))


@pytest.mark.parametrize(
    ("html", "looks_unwritten"),
    [
        ("<div id=x></div><script>write()</script>", True),
        (f"<p>{'Words of the page. ' * 40}</p><main id=root></main><script>write()</script>", True),
        (f"<p>{'Words of the page. ' * 40}</p><div id=app> </div><script type=module src=/a.js></script>", True),
        (f"<main><p>{'Words of the page. ' * 40}</p></main><script>count()</script>", False),
        ("<p>Short.</p><script type='application/ld+json'>{}</script>", False),
        ("<p>Short.</p><div id=app></div>", False),
    ],
)
async def test_a_page_that_scripts_seem_to_write_says_so(site: Misbehaving, html: str, looks_unwritten: bool) -> None:
    site.serve("/a", html)
    async with loading() as loader:
        page = await loader.load(site.url("/a"))
    assert page.notice.startswith("Scripts seem to write this page") is looks_unwritten
    assert bool(page.notice) is looks_unwritten


async def test_the_reader_says_who_it_is_and_whom_it_asks(site: Misbehaving) -> None:
    site.serve("/a", PAGE)
    await lines(site, "/a", user_agent="Tabwire/9 (test)")
    assert site.hits[0].headers["user-agent"] == "Tabwire/9 (test)"
    assert site.hits[0].headers["host"] == f"127.0.0.1:{site.port}"


async def test_a_host_is_asked_by_its_name(site: Misbehaving) -> None:
    site.serve("/a", PAGE)
    async with loading() as loader:
        page = await loader.load(f"http://localhost:{site.port}/a")
    assert page.url == f"http://localhost:{site.port}/a"
    assert site.hits[0].headers["host"] == f"localhost:{site.port}"


async def test_redirects_are_followed_to_the_page(site: Misbehaving) -> None:
    site.serve("/a", status=302, headers={"Location": "/b"})
    site.serve("/b", status=308, headers={"Location": "c?x=1#y"})
    site.serve("/c", PAGE)
    async with loading() as loader:
        assert (await loader.load(site.url("/a"))).url == site.url("/c?x=1")


async def test_a_page_that_refreshes_to_another_is_followed(site: Misbehaving) -> None:
    site.serve("/a", '<meta http-equiv="refresh" content="0; url=/b">')
    site.serve("/b", PAGE)
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_a_redirect_back_with_a_cookie_is_followed_with_it(site: Misbehaving) -> None:
    site.serve("/a", status=302, headers={"Location": "/a", "Set-Cookie": "seen=1; Path=/"})
    site.serve("/a", PAGE)
    assert await lines(site, "/a") == ("Words of the page.",)
    assert site.hits[1].headers["cookie"] == "seen=1"


async def test_cookies_of_one_page_are_not_sent_for_the_next(site: Misbehaving) -> None:
    site.serve("/a", PAGE, headers={"Set-Cookie": "seen=1; Path=/"})
    async with loading() as loader:
        await loader.load(site.url("/a"))
        await loader.load(site.url("/a"))
    assert [hit.headers.get("cookie") for hit in site.hits] == [None, None]


async def test_redirects_in_a_circle_end(site: Misbehaving) -> None:
    site.serve("/a", status=302, headers={"Location": "/b"})
    site.serve("/b", status=302, headers={"Location": "/a"})
    assert "circle" in str(await fails(site, "/a"))


async def test_redirects_without_end_end(site: Misbehaving) -> None:
    site.act("/a", lambda it: answer(it, b"", status=302, headers={"Location": f"/a?{len(site.hits)}"}))
    assert "more than 10 times" in str(await fails(site, "/a"))
    assert len(site.hits) == 11


@pytest.mark.parametrize("target", ["ftp://x/", "javascript:1", "mailto:x@y", "file:///etc/passwd", "http://[", "http://a:b@x/"])
async def test_a_redirect_to_what_is_no_page_is_not_followed(site: Misbehaving, target: str) -> None:
    site.serve("/a", status=302, headers={"Location": target})
    assert "redirects to" in str(await fails(site, "/a"))


async def test_a_redirect_that_names_no_target_fails(site: Misbehaving) -> None:
    site.serve("/a", status=302)
    assert (await fails(site, "/a")).data["status"] == 302


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 451])
async def test_a_refusal_is_told_with_its_status_and_not_repeated(site: Misbehaving, status: int) -> None:
    site.serve("/a", status=status)
    error = await fails(site, "/a")
    assert error.data["status"] == status
    assert str(status) in error.message
    assert len(site.hits) == 1


async def test_a_passing_failure_is_asked_again_after_growing_pauses(site: Misbehaving) -> None:
    site.serve("/a", status=503)
    site.serve("/a", status=502)
    site.serve("/a", PAGE)
    pauses = Pauses()
    async with loading(pauses=pauses, back_off_s=0.4) as loader:
        assert (await loader.load(site.url("/a"))).title == "Page"
    first, second = pauses
    assert 0.2 <= first <= 0.4 <= second <= 0.8


async def test_a_failure_that_does_not_pass_is_told(site: Misbehaving) -> None:
    site.serve("/a", status=500)
    error = await fails(site, "/a")
    assert (error.data["status"], len(site.hits)) == (500, 3)


async def test_a_server_that_asks_to_wait_is_waited_for(site: Misbehaving) -> None:
    site.serve("/a", status=429, headers={"Retry-After": "2"})
    site.serve("/a", PAGE)
    pauses = Pauses()
    async with loading(pauses=pauses) as loader:
        await loader.load(site.url("/a"))
    assert pauses == [2.0]


async def test_a_server_that_asks_to_wait_too_long_is_left_alone(site: Misbehaving) -> None:
    site.serve("/a", status=429, headers={"Retry-After": "120"})
    error = await fails(site, "/a")
    assert (error.data["status"], error.data["retry_after_s"], len(site.hits)) == (429, 120.0, 1)
    assert "120 s" in error.next_step


async def test_a_connection_that_is_cut_is_tried_again(site: Misbehaving) -> None:
    def cut(handler: Any) -> None:
        handler.close_connection = True

    site.act("/a", cut)
    site.serve("/a", PAGE)
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_a_body_that_is_cut_is_tried_again(site: Misbehaving) -> None:
    def cut(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half")
        handler.close_connection = True

    site.act("/a", cut)
    site.serve("/a", PAGE)
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_a_server_that_is_not_there_is_told() -> None:
    closed = Misbehaving()
    closed.close()
    error = await fails(closed, "/a")
    assert f"No answer from 127.0.0.1:{closed.port}" in error.message


async def test_an_answer_that_is_no_http_is_told(site: Misbehaving) -> None:
    def garble(handler: Any) -> None:
        handler.wfile.write(b"SSH-2.0-OpenSSH\r\n\r\n")
        handler.close_connection = True

    site.act("/a", garble)
    await fails(site, "/a")


async def test_a_server_that_keeps_silent_runs_into_the_deadline(site: Misbehaving) -> None:
    site.act("/a", lambda it: site.ended.wait(30) and None)
    began = time.monotonic()
    error = await fails(site, "/a", Timeout, deadline_s=0.4)
    assert time.monotonic() - began < 5
    assert "0.4 s" in error.message


async def test_a_body_that_drips_runs_into_the_deadline(site: Misbehaving) -> None:
    def drip(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while not site.ended.wait(0.05):
            handler.wfile.write(b"a")

    site.act("/a", drip)
    await fails(site, "/a", Timeout, deadline_s=0.4)


async def test_an_endless_body_ends_at_the_limit(site: Misbehaving) -> None:
    site.act("/a", lambda it: endless(it, b"x" * 10_000, site.ended))
    assert "larger than 0.1 MB" in str(await fails(site, "/a", max_bytes=100_000))


async def test_a_large_page_is_not_even_begun(site: Misbehaving) -> None:
    def boast(handler: Any) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 9999999\r\n\r\n")

    site.act("/a", boast)
    assert "larger than 5 MB" in str(await fails(site, "/a"))


async def test_a_page_of_just_the_limit_is_read(site: Misbehaving) -> None:
    site.serve("/a", "x" * 1000, "text/plain")
    assert sum(map(len, await lines(site, "/a", max_bytes=1000))) == 1000


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_compressed_page_is_read(site: Misbehaving, encoding: str) -> None:
    pack = {"gzip": gzip.compress, "deflate": zlib.compress}[encoding]
    site.serve("/a", pack(PAGE.encode()), headers={"Content-Encoding": encoding})
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_a_compressed_page_without_the_zlib_header_is_read(site: Misbehaving) -> None:
    raw = zlib.compress(PAGE.encode())[2:-4]
    site.serve("/a", raw, headers={"Content-Encoding": "deflate"})
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_a_gzip_bomb_does_not_go_off(site: Misbehaving) -> None:
    bomb = gzip.compress(b"\0" * 50_000_000, 1)
    assert len(bomb) < 1_000_000
    site.serve("/a", bomb, headers={"Content-Encoding": "gzip"})
    assert "larger than 1 MB" in str(await fails(site, "/a", max_bytes=1_000_000))


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(gzip.compress(b"x" * 9000, mtime=0)[:20], "gzip"), (b"no gzip", "gzip"), (b"x", "br"), (b"x", "gzip, gzip")],
    ids=["cut", "none", "foreign", "twice"],
)
async def test_a_broken_or_foreign_encoding_is_told(site: Misbehaving, body: bytes, encoding: str) -> None:
    site.serve("/a", body, headers={"Content-Encoding": encoding})
    assert "encod" in str(await fails(site, "/a"))


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "application/zip", "font/woff2", "application/msword"])
async def test_what_has_no_text_is_not_fetched(site: Misbehaving, kind: str) -> None:
    site.act("/a", lambda it: endless_of(it, kind, site))
    assert (await fails(site, "/a", UnsupportedMime)).data["mime_type"] == kind


def endless_of(handler: Any, kind: str, site: Misbehaving) -> None:
    handler.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode())
    site.ended.wait(10)


@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/octet-stream", None])
async def test_a_picture_under_another_name_has_no_text(site: Misbehaving, kind: str | None) -> None:
    site.serve("/a", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", kind)
    await fails(site, "/a", UnsupportedMime)


@pytest.mark.parametrize("kind", [None, "application/octet-stream"])
async def test_a_page_without_a_type_is_recognised(site: Misbehaving, kind: str | None) -> None:
    site.serve("/a", "<!DOCTYPE html>" + PAGE, kind)
    assert await lines(site, "/a") == ("Words of the page.",)


async def test_html_as_plain_text_stays_text(site: Misbehaving) -> None:
    site.serve("/a", "<html>\n<b>", "text/plain")
    assert await lines(site, "/a") == ("<html>", "<b>")


@pytest.mark.parametrize(
    "url", ["", "page.html", "ftp://x/", "file:///etc/passwd", "http://", "http://a:b@c/", "http://x:99999/"]
)
async def test_what_is_no_address_of_a_page_is_not_asked(url: str) -> None:
    async with loading() as loader:
        with pytest.raises(InvalidArgument):
            await loader.load(url)


async def test_robots_txt_is_obeyed_where_that_is_configured(site: Misbehaving) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n", "text/plain")
    site.serve("/private/a", PAGE)
    site.serve("/a", PAGE)
    refusal = str(await fails(site, "/private/a", respect_robots=True))
    assert "robots.txt does not allow" in refusal
    # The setting that it names is one.
    assert ReaderSettings.model_validate(tomllib.loads(refusal.split("`")[1])) == ReaderSettings()
    assert site.paths() == ["/robots.txt"]
    assert await lines(site, "/a", respect_robots=True)
    assert await lines(site, "/private/a")


async def test_without_a_robots_txt_everything_is_allowed_and_with_one_that_fails_nothing(site: Misbehaving) -> None:
    site.serve("/a", PAGE)
    assert await lines(site, "/a", respect_robots=True)
    site.serve("/robots.txt", status=503)
    await fails(site, "/a", respect_robots=True)


@pytest.mark.parametrize(
    ("page", "headers"),
    [("<meta name='robots' content='noindex, follow'><p>x", {}), (PAGE, {"X-Robots-Tag": "otherbot: noindex"})],
)
async def test_noindex_is_obeyed_where_that_is_configured(site: Misbehaving, page: str, headers: dict[str, str]) -> None:
    site.serve("/a", page, headers=headers)
    assert (await fails(site, "/a", respect_robots=True)).data["reason"] == "noindex"
    assert await lines(site, "/a")


async def test_a_page_that_did_not_change_is_not_sent_again(site: Misbehaving) -> None:
    site.serve("/a", PAGE, headers={"ETag": '"1"'})
    site.serve("/a", status=304)
    async with loading(PageCache()) as loader:
        first = await loader.load(site.url("/a"))
        second = await loader.load(site.url("/a"))
    assert first is second
    assert [hit.headers.get("if-none-match") for hit in site.hits] == [None, '"1"']


async def test_a_page_that_changed_is_read_anew(site: Misbehaving) -> None:
    site.serve("/a", PAGE, headers={"ETag": '"1"'})
    site.serve("/a", "<p>Other words.", headers={"ETag": '"2"'})
    async with loading(PageCache()) as loader:
        await loader.load(site.url("/a"))
        assert (await loader.load(site.url("/a"))).lines == ("Other words.",)


async def test_a_page_that_may_be_kept_is_not_asked_for(site: Misbehaving) -> None:
    site.serve("/a", status=301, headers={"Location": "/b"})
    site.serve("/b", PAGE, headers={"Cache-Control": "public, max-age=600"})
    async with loading(PageCache()) as loader:
        first = await loader.load(site.url("/a?utm_source=x"))
        assert await loader.load(site.url("/b")) is first
        assert await loader.load(site.url("/a")) is first
    assert site.paths() == ["/a?utm_source=x", "/b", "/a"]


async def test_the_same_body_without_an_etag_is_not_read_twice(site: Misbehaving) -> None:
    site.serve("/a", PAGE)
    async with loading(PageCache()) as loader:
        assert await loader.load(site.url("/a")) is await loader.load(site.url("/a"))
    assert len(site.hits) == 2


async def test_what_fails_is_not_kept(site: Misbehaving) -> None:
    site.serve("/a", status=404)
    site.serve("/a", PAGE)
    async with loading(PageCache()) as loader:
        with pytest.raises(FetchFailed):
            await loader.load(site.url("/a"))
        assert (await loader.load(site.url("/a"))).title == "Page"
