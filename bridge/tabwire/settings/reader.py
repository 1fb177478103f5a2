"""Settings of the reader surface: the table `[reader]` of the configuration file, or TABWIRE_READER_*."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from tabwire.settings.result_page import ResultPage


class ReaderSettings(BaseModel):
    """See the module. Times in seconds."""

    model_config = ConfigDict(extra="forbid")

    loader: Literal["browser", "http"] = "browser"
    """Way to pages: the background of the user's browser, with its logins, or plain HTTP, which needs no browser."""
    search: str | None = None
    """Search provider, by its name."""
    search_url: str | None = None
    """Address of the search provider, where it has no fixed one."""
    search_key: SecretStr | None = None
    """API key of the search provider, where it wants one."""
    search_page: ResultPage | None = None
    """Layout of a search engine's result page, for the provider that reads such pages."""

    cache_chars: int = Field(default=20_000_000, ge=0)
    """Characters of pages that are kept to save reading them anew."""

    cursor_ttl: float = Field(default=1800, gt=0)
    """Seconds that a cursor lives after its last use."""
    max_cursors: int = Field(default=200, ge=1)
    """Cursors that live at once; the least recently used goes first."""
    max_chars: int = Field(default=50_000_000, ge=1)
    """Characters that all cursors hold together."""
    view_chars: int = Field(default=60_000, ge=2_000)
    """Characters of one viewport at most; fewer lines are shown where they are long."""
    find_timeout: float = Field(default=2, gt=0, le=30)
    """Seconds that a regular expression may take on a page."""
    max_matches: int = Field(default=100, ge=1, le=1000)
    """Matches that `find` lists at most."""

    page_timeout: float = Field(default=12, gt=0, le=120)
    """Seconds that loading and extracting a page may take, redirects and retries included."""
    search_timeout: float = Field(default=12, gt=0, le=120)
    """Seconds that a search may take."""
    max_bytes: int = Field(default=5_000_000, ge=1_000)
    """Bytes of a decoded page at most."""
    reach: Literal["public", "own", "all"] = "own"
    """Machines that plain HTTP may ask: those of the Internet; also this one and its networks, but not by a redirect from the
    Internet, and no link-local address; or any."""
    robots: bool = False
    """Whether plain HTTP keeps to robots.txt and noindex. Reading is on the user's behalf, as a browser's is."""

    pages_per_minute: int = Field(default=60, ge=1)
    """Pages that are loaded in a minute at most."""
    searches_per_minute: int = Field(default=30, ge=1)
    """Searches in a minute at most."""
