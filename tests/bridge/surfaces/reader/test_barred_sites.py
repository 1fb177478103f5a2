"""Sites that the owner's rules bar: plain HTTP asks nothing there, however the address is spelled and whoever leads there."""

from collections.abc import Iterator

import pytest

from bridge.misbehaving import Misbehaving
from bridge.surfaces.reader.test_reachable_addresses import PAGE, Names
from tabwire.errors import PermissionDenied
from tabwire.rules.grants import Grants, Level
from tabwire.rules.site_rules import SiteRules
from tabwire.surfaces.reader.loading.plain_http import HttpLoader
from tabwire.surfaces.reader.loading.policy import Policy

pytestmark = pytest.mark.anyio

HERE = (
    "127.0.0.1",
    "localhost",
    "LOCALHOST",
    "127.1",
    "2130706433",
    "0x7f.0.0.1",
    "0",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
)
"""Hosts that lead to a server at 127.0.0.1."""
ELSEWHERE_HERE = ("[::1]", "[::]", "127.3.2.1", "localhost.", "shop.localhost")
"""Others of this computer, where that server does not listen, or that the system does not resolve."""


@pytest.fixture
def barred() -> Iterator[Misbehaving]:
    """A site of its own, which rules bar."""
    barred = Misbehaving()
    barred.serve("/a", PAGE)
    barred.serve("/robots.txt", "", "text/plain")
    yield barred
    barred.close()


def rules(**sites: Level) -> SiteRules:
    return SiteRules(Grants(sites={name.replace("_", ":"): level for name, level in sites.items()}))


async def words(url: str, given: SiteRules, respect_robots: bool = False) -> str:
    async with HttpLoader(Policy(attempts=1, rules=given, respect_robots=respect_robots)) as loader:
        return "\n".join((await loader.load(url)).lines)


async def refusal(url: str, given: SiteRules, respect_robots: bool = False) -> PermissionDenied:
    with pytest.raises(PermissionDenied) as caught:
        await words(url, given, respect_robots)
    return caught.value


@pytest.mark.parametrize("named", ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "http://127.0.0.1", "http://localhost"])
async def test_the_addresses_of_this_computer_are_one_site(barred: Misbehaving, named: str) -> None:
    never = SiteRules(Grants(sites={f"{named}:{barred.port}": "never"}))
    other = SiteRules(Grants(sites={f"{named}:{barred.port + 1}": "never"}))
    for host in (*HERE, *ELSEWHERE_HERE):
        told = await refusal(f"http://{host}:{barred.port}/a", never, respect_robots=True)
        assert "says 'never' for it" in str(told) and barred.hits == [], host
    for host in HERE:
        assert await words(f"http://{host}:{barred.port}/a", other) == "Words of the page.", host
    assert len(barred.hits) == len(HERE)


async def test_nobody_leads_to_a_barred_site(barred: Misbehaving, site: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    target = f"http://localhost:{barred.port}/a"
    site.serve("/moved", status=302, headers={"Location": target})
    site.serve("/refresh", f"<meta http-equiv=refresh content='0; url={target}'>")
    Names(monkeypatch, inner_example=["127.0.0.1"], localhost=["127.0.0.1"])
    never = SiteRules(Grants(sites={f"127.0.0.1:{barred.port}": "never"}))
    for url in (site.url("/moved"), site.url("/refresh"), f"http://inner.example:{barred.port}/a"):
        await refusal(url, never)
        assert barred.hits == [], url
        assert await words(url, SiteRules()) == "Words of the page.", url
        barred.hits.clear()


async def test_a_site_is_read_where_its_rule_says_so(barred: Misbehaving) -> None:
    at = f"127.0.0.1:{barred.port}"
    for level in ("never", "ask"):
        assert f"says {level!r}" in str(await refusal(f"http://{at}/a", SiteRules(Grants(sites={at: level}))))
        assert f"says {level!r}" in str(await refusal(f"http://{at}/a", SiteRules(Grants(default=level))))
    assert barred.hits == []
    for given in (Grants(sites={at: "read"}), Grants(sites={at: "act"}), Grants(default="never", sites={at: "read"}), Grants()):
        assert await words(f"http://{at}/a", SiteRules(given)) == "Words of the page."


async def test_a_rule_for_all_sites_is_about_names(barred: Misbehaving, monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, wiki_example=["127.0.0.1"])
    only_wiki = SiteRules(Grants(default="never", sites={"wiki.example": "read", "*": "never"}))
    assert await words(f"http://wiki.example:{barred.port}/a", only_wiki) == "Words of the page."


async def test_a_name_in_any_spelling_is_one_site() -> None:
    never = rules(**{"bücher.example": "never", "xn--n3h.example": "never", "https://bank.example": "never"})
    for url in (
        "http://BÜCHER.example/", "http://xn--bcher-kva.example./", "http://www.bücher.example/", "http://☃.example/",
        "http://xn--n3h.example/", "https://bank.example:443/", "https://bank.example./",
    ):  # fmt: skip
        await refusal(url, never)
    for url in ("http://bank.example/", "https://bank.example:444/", "http://buecher.example/"):
        never.assert_readable(url)


async def test_a_port_of_bridges_is_never_read(barred: Misbehaving) -> None:
    own = SiteRules(Grants(default="act"), [barred.port])
    for host in HERE:
        assert "Tabwire's own bridges" in str(await refusal(f"http://{host}:{barred.port}/a", own))
    assert barred.hits == []
    assert await words(barred.url("/a"), SiteRules(Grants(default="act"), [barred.port + 1])) == "Words of the page."
