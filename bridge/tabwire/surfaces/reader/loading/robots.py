"""robots.txt, where the reader is configured to respect it."""

import time
from collections import OrderedDict
from typing import Any
from urllib.parse import urlsplit

from tabwire.surfaces import recent
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading.addresses import Zone
from tabwire.surfaces.reader.loading.exchange import READ_STATUSES, Broken, Exchange
from tabwire.surfaces.reader.loading.policy import ROBOTS_OFF
from tabwire.surfaces.reader.loading.requirements import required

KEPT_S = 3600.0
MAX_SITES = 200
_NAME = "Tabwire"
_UNAVAILABLE = 500
"""Status from which on robots.txt may say something that cannot be seen now (RFC 9309, 2.3.1.4)."""


class Robots:
    """The rules of the sites that were read lately."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._sites: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def allow(self, url: str, came_from: Zone | None) -> None:
        """Raises: FetchFailed when the site forbids this address to us."""
        protego: Any = required("protego", "Respecting robots.txt")
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        rules = protego.Protego.parse(await self._text(site, came_from))
        if not rules.can_fetch(url, _NAME):
            raise FetchFailed(
                f"{site}/robots.txt does not allow {url}.",
                {"reason": "robots.txt"},
                next_step=f"Read another page, or {ROBOTS_OFF}.",
            )

    async def _text(self, site: str, came_from: Zone | None) -> str:
        until, text = self._sites.get(site, (0.0, ""))
        if time.monotonic() >= until:
            until, text = time.monotonic() + KEPT_S, await self._fetch(site, came_from)
        recent.keep(self._sites, site, (until, text), MAX_SITES)
        return text

    async def _fetch(self, site: str, came_from: Zone | None) -> str:
        try:
            answer = await self._exchange.get(f"{site}/robots.txt", came_from=came_from)
        except (Broken, FetchFailed, UnsupportedMime):
            return ""
        if answer.status in READ_STATUSES:
            return answer.body.decode("utf-8", "replace")
        return "User-agent: *\nDisallow: /" if answer.status >= _UNAVAILABLE else ""
