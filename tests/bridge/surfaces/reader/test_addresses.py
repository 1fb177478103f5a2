"""Addresses: how they are written, whether they are the same, and where they may lead."""

import pytest

from tabwire.errors import InvalidArgument
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.addresses import Zone, admit, canonical, checked, zone
from tabwire.surfaces.reader.loading.attempts import pause_s, retry_after_s
from tabwire.surfaces.reader.loading.policy import Reach
from tabwire.surfaces.reader.page import Found
from tabwire.surfaces.reader.searching.distinct import distinct


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("https://Site.Example", "https://site.example/"),
        (" http://site.example:80/a b?q=ü&x=%20#part ", "http://site.example/a%20b?q=%C3%BC&x=%20"),
        ("https://münchen.example/straße", "https://xn--mnchen-3ya.example/stra%C3%9Fe"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://127.0.0.1:443/", "http://127.0.0.1:443/"),
    ],
)
def test_an_address_is_written_as_it_goes_on_the_wire(written: str, asked: str) -> None:
    assert checked(written) == asked


@pytest.mark.parametrize(
    "url", ["site.example/x", "//site.example", "data:,x", "http:///x", "http://a@b/", "https://x:y/", "http://[::1"]
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(InvalidArgument, match="url:"):
        checked(url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://Site.example/a", "https://site.example:443/a#part"),
        ("https://site.example", "https://site.example/"),
        ("https://site.example/%7euser/%61", "https://site.example/~user/a"),
        ("https://site.example/a?utm_source=x&b=1&gclid=2", "https://site.example/a?b=1"),
    ],
)
def test_addresses_of_one_page_are_one(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://site.example/a", "https://site.example/b"),
        ("https://site.example/a", "https://site.example/A"),
        ("https://site.example/a?b=1", "https://site.example/a?b=2"),
        ("https://site.example/a", "https://site.example:8443/a"),
        ("https://site.example/a", "http://site.example/a"),
        ("https://site.example/a/", "https://site.example/a"),
    ],
)
def test_addresses_of_two_pages_are_two(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_hits_on_one_page_are_one_hit() -> None:
    urls = ["https://www.a.example/x/", "http://a.example/x?utm_medium=y", "https://a.example/y", "https://a.example/z"]
    assert [hit.url for hit in distinct((Found(url, url) for url in urls), 2)] == [urls[0], urls[2]]


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("93.184.216.34", Zone.PUBLIC),
        ("2606:4700::1", Zone.PUBLIC),
        ("127.0.0.1", Zone.OWN),
        ("0.0.0.0", Zone.OWN),
        ("::1", Zone.OWN),
        ("::", Zone.OWN),
        ("10.1.2.3", Zone.OWN),
        ("192.168.0.1", Zone.OWN),
        ("100.64.0.1", Zone.OWN),
        ("fd12::1", Zone.OWN),
        ("224.0.0.1", Zone.OWN),
        ("::ffff:10.0.0.1", Zone.OWN),
        ("64:ff9b::7f00:1", Zone.OWN),
        ("2002:7f00:1::", Zone.OWN),
        ("169.254.169.254", Zone.LINK_LOCAL),
        ("::ffff:169.254.169.254", Zone.LINK_LOCAL),
        ("64:ff9b::a9fe:a9fe", Zone.LINK_LOCAL),
        ("fe80::1%eth0", Zone.LINK_LOCAL),
        ("fd00:ec2::254", Zone.LINK_LOCAL),
        ("100.100.100.200", Zone.LINK_LOCAL),
    ],
)
def test_an_address_is_near_or_far(address: str, where: Zone) -> None:
    assert zone(address) is where


@pytest.mark.parametrize(
    ("found", "reach", "came_from", "allowed"),
    [
        (Zone.PUBLIC, "public", None, True),
        (Zone.OWN, "public", None, False),
        (Zone.OWN, "own", None, True),
        (Zone.OWN, "own", Zone.OWN, True),
        (Zone.OWN, "own", Zone.PUBLIC, False),
        (Zone.LINK_LOCAL, "own", None, False),
        (Zone.LINK_LOCAL, "all", Zone.PUBLIC, True),
    ],
)
def test_the_policy_says_who_may_be_asked(found: Zone, reach: Reach, came_from: Zone | None, allowed: bool) -> None:
    if allowed:
        admit("host", found, reach, came_from)
    else:
        with pytest.raises(FetchFailed, match="host"):
            admit("host", found, reach, came_from)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("5", 5),
        ("Sat, 21 Nov 2026 00:01:40 GMT", 100),
        ("Fri, 20 Nov 2026 00:00:00 GMT", 0),
        ("soon", None),
        ("-1", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None) -> None:
    assert retry_after_s(header, now=1795219200.0) == seconds


def test_pauses_double_and_differ() -> None:
    assert [pause_s(attempt, 0.5, None, chance=lambda: 1.0) for attempt in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert pause_s(1, 0.5, None, chance=lambda: 0.0) == 0.25
    assert pause_s(1, 0.5, 7.0) == 7.0
