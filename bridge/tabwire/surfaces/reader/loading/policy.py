"""Policy of loading: what it may do, and how long."""

from dataclasses import dataclass, field
from typing import Literal

from tabwire.rules.site_rules import SiteRules

Reach = Literal["public", "own", "all"]
"""Machines that may be asked. `public`: those of the Internet. `own`: also this machine and its networks, but never by a
redirect from the Internet, and no link-local address: there clouds hand out credentials. `all`: any."""

ROBOTS_OFF = "set `robots = false` in [reader] of config.toml"
"""Advice to a user who does not want `respect_robots`."""


def _own_name() -> str:
    from tabwire import __version__

    return f"Tabwire/{__version__} (reads pages for a user)"


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits and manners of loading."""

    deadline_s: float = 12.0
    """Seconds for everything: redirects, retries and extraction included."""
    max_bytes: int = 5_000_000
    """Bytes of an answer, compressed or not."""
    max_redirects: int = 10
    attempts: int = 3
    """Number of requests to an address that fails in a way that may pass."""
    back_off_s: float = 0.5
    """Seconds before the second attempt; doubled with each further one."""
    reach: Reach = "own"
    respect_robots: bool = False
    """Obey robots.txt and noindex, as crawlers must. Off: what is read, a user's assistant asked for."""
    user_agent: str = field(default_factory=_own_name)
    rules: SiteRules = field(default_factory=SiteRules)
    """The owner's rules for sites."""
