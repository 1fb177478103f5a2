"""Rules of the configuration for what the bridge itself asks for. The extension has them for what a browser asks for."""

from collections.abc import Iterable

from tabwire.errors import PermissionDenied
from tabwire.rules.addresses import LOOPBACK_HOST
from tabwire.rules.grants import LEVELS, Grants, Level
from tabwire.rules.site_patterns import Site, SitePattern, site_of, site_pattern

READABLE: tuple[Level, ...] = ("read", "act")


class SiteRules:
    """Decides on addresses that the bridge would read.

    Args:
        grants: the permissions of the configuration.
        bridge_ports: ports of this computer where bridges of Tabwire wait.
    """

    def __init__(self, grants: Grants | None = None, bridge_ports: Iterable[int] = ()) -> None:
        given = grants or Grants()
        self._rules: list[tuple[SitePattern, Level]] = [
            (site_pattern(text), level) for text, level in (given.sites or {}).items()
        ]
        self._default: Level = given.default or "act"
        self._bridge_ports = frozenset(bridge_ports)

    def level(self, site: Site) -> Level:
        """Permission on a site: the most specific rule wins, the stricter one of two alike."""
        return self._ruled(site) or self._default

    def _ruled(self, site: Site, least_weight: int = 0) -> Level | None:
        found = [(pattern.weight, level) for pattern, level in self._rules if pattern.matches(site)]
        most = max((weight for weight, _ in found if weight >= least_weight), default=None)
        return min((level for weight, level in found if weight == most), key=LEVELS.index, default=None)

    def assert_readable(self, url: str) -> None:
        """Judge an address of the web before anything is asked there.

        Raises:
            PermissionDenied: it must not be read.
        """
        site = site_of(url)
        if site is None:
            raise PermissionDenied(
                f"{url[:200]!r} names no site that rules can be held against; nothing was asked there.",
                next_step="Give the whole address of a web page.",
            )
        self._refuse_bridge(site)
        _refuse(site.host, self.level(site))

    def assert_dialled(self, url: str, addresses: Iterable[str]) -> None:
        """Judge the addresses that the name in an address leads to, by the rules that name them.

        Raises:
            PermissionDenied: one of them must not be read.
        """
        site = site_of(url)
        for address in addresses:
            dialled = site and site_of(f"{site.scheme}://{f'[{address}]' if ':' in address else address}:{site.port}")
            if site and dialled:
                self._refuse_bridge(dialled)
                # A rule for all sites is about names: those have been judged.
                _refuse(f"{site.host} (at {address})", self._ruled(dialled, least_weight=1) or "act")

    def _refuse_bridge(self, site: Site) -> None:
        if site.port in self._bridge_ports and LOOPBACK_HOST.search(site.host):
            raise PermissionDenied(
                f"Port {site.port} of this computer is for Tabwire's own bridges: Tabwire never reads there.",
                next_step="Read another page.",
            )


def _refuse(name: str, level: Level) -> None:
    if level in READABLE:
        return
    why = ", and the reader cannot ask the user" if level == "ask" else ""
    raise PermissionDenied(
        f"{name} is not read: [permissions] of config.toml says {level!r} for it{why}; nothing was asked there.",
        {"reason": "site_barred", "site": name},
        next_step="Read another page, or ask the user to change the rule.",
    )
