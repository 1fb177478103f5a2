"""What of the reader surface can be configured: the table `[reader]` of the configuration file, or TABWIRE_READER_*."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from tabwire.surfaces.reader.searching.result_page import ResultPage


class ReaderSettings(BaseModel):
    """See the module. Times in seconds."""

    model_config = ConfigDict(extra="forbid")

    loader: Literal["browser", "http"] = "browser"
    """How pages are read: in the background of the user's browser, with its logins, or by plain HTTP, which needs no browser."""
    search: str | None = None
    """The search provider, by its name."""
    search_url: str | None = None
    """Where it is; for providers that have no address of their own."""
    search_key: SecretStr | None = None
    """Its API key, for those that want one."""
    search_page: ResultPage | None = None
    """How an engine's page for people looks, for the provider that reads one."""

    cache_chars: int = Field(default=20_000_000, ge=0)
    """How much text of pages is kept to save reading them anew."""

    cursor_ttl: float = Field(default=1800, gt=0)
    """How long a cursor lives after its last use."""
    max_cursors: int = Field(default=200, ge=1)
    """How many live at once; the least recently used goes first."""
    max_chars: int = Field(default=50_000_000, ge=1)
    """How much text they hold together."""
    view_chars: int = Field(default=60_000, ge=2_000)
    """The most text of one viewport; fewer lines are shown where they are long."""
    find_timeout: float = Field(default=2, gt=0, le=30)
    """How long a regular expression may take on a page."""
    max_matches: int = Field(default=100, ge=1, le=1000)
    """The most matches `find` lists."""

    page_timeout: float = Field(default=12, gt=0, le=120)
    """How long loading and extracting a page may take, redirects and retries included."""
    search_timeout: float = Field(default=12, gt=0, le=120)
    max_bytes: int = Field(default=5_000_000, ge=1_000)
    """The largest page, decoded."""
    reach: Literal["public", "own", "all"] = "own"
    """Which machines plain HTTP may ask: those of the Internet; also this one and its networks, but not by a redirect from the
    Internet, and no link-local address; or any."""
    robots: bool = False
    """Whether plain HTTP keeps to robots.txt and noindex. Reading is on the user's behalf, as a browser's is."""

    pages_per_minute: int = Field(default=60, ge=1)
    searches_per_minute: int = Field(default=30, ge=1)
