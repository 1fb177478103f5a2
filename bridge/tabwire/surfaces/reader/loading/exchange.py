"""Request and answer over plain HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.addresses import Zone
from tabwire.surfaces.reader.loading.decoding import ACCEPTED, checked_encoding, decoded, too_large
from tabwire.surfaces.reader.loading.document import content_type
from tabwire.surfaces.reader.loading.extracting import is_readable, unsupported
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.loading.requirements import required
from tabwire.surfaces.reader.loading.resolving import resolve

if TYPE_CHECKING:
    import ssl

    import httpx2

CONNECT_LIMIT_S = 5.0
"""Seconds to connect to one address of a host; the whole has the policy's deadline."""
READ_STATUSES = frozenset({200, 203})
_ACCEPT = "text/html,application/xhtml+xml,application/pdf,text/*;q=0.9,application/json;q=0.9,application/xml;q=0.9,*/*;q=0.5"


class Broken(Exception):
    """The exchange failed on the way; another attempt may do better.

    Args:
        message: What happened.
        is_final: Whether asking again is no use.
    """

    def __init__(self, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.is_final = is_final


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; the body is read only of those that are pages."""

    status: int
    reason: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    zone: Zone
    """Zone that the answer came from."""


@cache
def _tls() -> ssl.SSLContext:
    """Certificates are read once in a process."""
    context: ssl.SSLContext = required("httpx2", "Reading by plain HTTP").create_ssl_context()
    return context


class Exchange:
    """The connections of a loader.

    Args:
        policy: Limits and manners.

    Raises:
        UnsupportedOperation: the library for it is not installed.
    """

    def __init__(self, policy: Policy) -> None:
        httpx: Any = required("httpx2", "Reading by plain HTTP")
        self._httpx = httpx
        self._policy = policy
        # No connection is used twice: they are dialled by address, and behind one address may be hosts with other certificates.
        limits = httpx.Limits(max_connections=20, max_keepalive_connections=0)
        self._client: httpx2.AsyncClient = httpx.AsyncClient(
            verify=_tls(), timeout=httpx.Timeout(None, connect=CONNECT_LIMIT_S), limits=limits, follow_redirects=False
        )
        # Each page has cookies of its own; the client's would be everybody's.
        self._client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def new_cookies(self) -> httpx2.Cookies:
        """A jar for one load: some sites send readers round in circles without."""
        cookies: httpx2.Cookies = self._httpx.Cookies()
        return cookies

    async def get(
        self, url: str, *, came_from: Zone | None, cookies: httpx2.Cookies | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask once.

        Args:
            url: As `checked` gives it.
            came_from: Where a redirect came from; None for the address that was asked for.
            cookies: To send and to fill.
            headers: Further ones.

        Raises:
            Broken: it failed on the way.
            PermissionDenied: the owner's rules bar it, also as the end of a redirect; nothing was asked.
            FetchFailed: it must not be asked, or its answer is too large or broken.
            UnsupportedMime: the answer has no text.
        """
        parts = urlsplit(url)
        self._policy.rules.assert_readable(url)
        where = await resolve(parts, self._policy.reach, came_from)
        self._policy.rules.assert_dialled(url, where.addresses)
        request = self._request(url, parts, cookies, headers or {})
        response = await self._send(where.addresses, request, parts)
        try:
            # The addressed name, not the dialled one, is whose cookies these are.
            response.request = self._client.build_request("GET", url)
            if cookies is not None:
                cookies.extract_cookies(response)
            body = await self._read(response) if response.status_code in READ_STATUSES else b""
            names = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status_code, response.reason_phrase, names, body, where.zone)
        except self._httpx.HTTPError as error:
            raise self._broken(parts, error) from None
        finally:
            await response.aclose()

    def _request(
        self, url: str, parts: SplitResult, cookies: httpx2.Cookies | None, headers: Mapping[str, str]
    ) -> httpx2.Request:
        own = {"User-Agent": self._policy.user_agent, "Accept": _ACCEPT, "Accept-Encoding": ACCEPTED, "Host": parts.netloc}
        try:
            request = self._client.build_request("GET", url, headers={**own, **headers})
        except self._httpx.InvalidURL as error:
            raise FetchFailed(f"{url[:200]!r} cannot be asked for: {error}.") from None
        if cookies is not None:
            cookies.set_cookie_header(request)
        return request

    async def _send(self, addresses: tuple[str, ...], request: httpx2.Request, parts: SplitResult) -> httpx2.Response:
        """Ask at the first address that can be connected to; by name where there is none."""
        httpx, named, left = self._httpx, request.url, list(addresses)
        while True:
            if left:
                request.url = named.copy_with(host=left.pop(0))
                request.extensions = {**request.extensions, "sni_hostname": parts.hostname}
            try:
                return await self._client.send(request, stream=True)
            except httpx.HTTPError as error:
                if not left or not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
                    raise self._broken(parts, error) from None

    def _broken(self, parts: SplitResult, error: Exception) -> Broken:
        said = str(error) or type(error).__name__
        is_certificate = "CERTIFICATE" in said or "certificate" in said
        return Broken(f"No answer from {parts.netloc}: {said}", is_final=is_certificate)

    async def _read(self, response: httpx2.Response) -> bytes:
        mime_type, _ = content_type(response.headers.get("content-type", ""))
        if not is_readable(mime_type):
            raise unsupported(mime_type)
        length = response.headers.get("content-length", "")
        if length.isdecimal() and int(length[:18]) > self._policy.max_bytes:
            raise too_large(self._policy.max_bytes)
        encoding = checked_encoding(response.headers.get("content-encoding", ""))
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._policy.max_bytes:
                raise too_large(self._policy.max_bytes)
        return decoded(bytes(body), encoding, self._policy.max_bytes)

    async def close(self) -> None:
        """End all connections."""
        await self._client.aclose()
