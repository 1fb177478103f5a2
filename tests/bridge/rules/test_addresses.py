"""Addresses and patterns of sites that the bridge knows like the extension does."""

from pathlib import Path

import pytest

from tabwire import config
from tabwire.errors import InvalidArgument
from tabwire.rules.addresses import gives_credentials
from tabwire.rules.site_patterns import checked_pattern


@pytest.mark.parametrize(
    "host",
    ["169.254.169.254", "metadata.google.internal.", "METADATA", "168.63.129.16", "fd20:ce::254", "fe80::1", "100.100.100.200"],
)
def test_hosts_that_give_credentials_are_known(host: str) -> None:
    assert gives_credentials(host)


def test_other_hosts_do_not() -> None:
    assert not any(map(gives_credentials, ("169.253.1.1", "example.com", "metadata.example.com", "fec0::1", "10.0.0.1")))


READ = (
    "example.com", " Example.COM ", "*.corp", "https://example.com:8443", "https://example.com/", "localhost:8000", "[::1]:80", "file://",
    "file:///", "*", "127.0.0.1", "bücher.example", "xn--bcher-kva.example", "a_b.example", "example.", "xn--n3h.example", "☃.example", "💩.example",
)  # fmt: skip
UNREAD = (
    "", "http://host/path", "host/*", "host/", "host : port", "host:", "host:0", "host:65536", "a*.example", "**", "*.*", "*.corp:80", "https://*.corp",
    "user@bank.example", "ftp://x", "exa mple.com", "1.2.3.256", "1.2.3", "300", "0x7f.1", "[::g]", "[fe80::1%25eth0]", "xn--\u00e4.example",
    "xn--a.example", ".example", "a..b", "https://", "file://x", "example.com#a", "example.com?a",
)  # fmt: skip


@pytest.mark.parametrize("pattern", READ)
def test_a_pattern_is_read(pattern: str) -> None:
    assert checked_pattern(pattern) == pattern.strip().lower()


@pytest.mark.parametrize("pattern", UNREAD)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        checked_pattern(pattern)


@pytest.mark.parametrize("pattern", ["http://host/path", "host/*", "host : port"])
def test_a_rule_that_cannot_be_read_stops_the_start_with_its_line(tmp_path: Path, pattern: str) -> None:
    (tmp_path / "config.toml").write_text(
        f'# "{pattern}"\n[permissions.sites]\n"good.example" = "never"\n"{pattern}" = "never"\n'
    )
    with pytest.raises(InvalidArgument, match=r"config\.toml, line 4.*names no site"):
        config.load({"home": str(tmp_path)}, {})


def test_a_place_in_what_is_allowed_must_be_readable_too(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[permissions]\nallow = ["uploads@host/*"]\n')
    with pytest.raises(InvalidArgument, match="names no site"):
        config.load({"home": str(tmp_path)}, {})
