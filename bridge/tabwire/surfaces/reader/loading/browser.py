"""Pages through the user's browser: with its logins, and as scripts have made them, in a background tab that is always closed.

The address is asked for by a request of the extension first: its type is known before anything is shown, so that no file is
downloaded into the user's folder. A page of HTML is then opened in the tab and read as the browser shows it.
"""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio

from tabwire.commands.declaration import Command, R, Returns, read_answer
from tabwire.commands.navigation import Navigate
from tabwire.commands.network import Request, RequestResult
from tabwire.commands.script import Evaluate
from tabwire.commands.tabs import Close, CreateUnseen
from tabwire.commands.wait import Until
from tabwire.errors import NavigationFailed, TabwireError, Timeout, UnknownError
from tabwire.install import extension_files
from tabwire.surfaces.reader.cache import PageCache
from tabwire.surfaces.reader.errors import FetchFailed
from tabwire.surfaces.reader.loading.addresses import Zone, admit, checked, zone
from tabwire.surfaces.reader.loading.attempts import Attempts, refused
from tabwire.surfaces.reader.loading.decoding import too_large
from tabwire.surfaces.reader.loading.document import Document
from tabwire.surfaces.reader.loading.exchange import READ_STATUSES, Answer, Broken
from tabwire.surfaces.reader.loading.extracting import HTML, PLAIN, Extract, is_readable, kind_of, noted, unsupported
from tabwire.surfaces.reader.loading.html.extraction import THIN
from tabwire.surfaces.reader.loading.html.shown_page import SHOWN_HTML, rewritten
from tabwire.surfaces.reader.loading.plain_http import document_of, read
from tabwire.surfaces.reader.loading.policy import Policy
from tabwire.surfaces.reader.loading.time_limit import TimeLimit, within

if TYPE_CHECKING:
    from tabwire.engine.engine import Engine
    from tabwire.surfaces.reader.page import PageSnapshot

MAX_TABS = 4
"""Number of tabs that are open at once."""
OPEN_LIMIT_MS = 5_000
CLOSE_LIMIT_S = 15.0
QUIET_LIMIT_MS = 3_000
"""Longest time for which a page that has loaded may go on fetching what it shows."""
_SIGN_IN = "Sign in to it in the browser, then open it again."
NEXT_STEPS = {401: _SIGN_IN, 403: f"The site refuses the page to the user, too, or wants a login. {_SIGN_IN}"}
_LATE_MS = 2_000
"""Time that a page to which scripts have added nothing may take to write, when it has fetched everything."""
_LATE_BESIDE_TEXT_MS = 1_000
"""The same for a page that has text already."""
_NOT_SHOWN = "The browser did not show this page; the text is that of its source, before scripts and styles."
_SHOWS_NOTHING = "The browser shows no text in this page; the text is that of its source, before scripts and styles."
_VEILED = "The page hides all of its text from the user; it was read anyway."

logger = logging.getLogger(__name__)


class BrowserLoader:
    """Loads pages in the background of a connected browser.

    Args:
        engine: The way to the browser.
        policy: Limits and manners; `reach` holds for addresses written as numbers, `respect_robots` not: a user's browser reads.
        cache: Where pages are kept; None for nowhere. Every page is asked for all the same.
    """

    sends_cookies = True

    def __init__(self, engine: Engine, policy: Policy | None = None, cache: PageCache | None = None) -> None:
        self._engine = engine
        self._policy = policy or Policy()
        self._cache = cache or PageCache(0)
        self._tabs = anyio.Semaphore(MAX_TABS)

    async def load(self, url: str) -> PageSnapshot:
        """Fetch and read a page.

        Raises:
            InvalidArgument: the address is none of a web page.
            NotConnected: no browser is there.
            FetchFailed: network or HTTP error; `data["status"]` has the status where there is one.
            UnsupportedMime: there is no text in it that we can read.
            Timeout: it took longer than the policy allows.
        """
        address = self._admitted(url)
        async with self._visit() as visit:
            document = await visit.fetch(address)
            found = await read(document, visit.limit, self._cache)
            if kind_of(document) == HTML or visit.is_misread(document):
                found = await self._rendered(visit, document, found)
        return found.page

    async def html(self, url: str) -> tuple[str, str]:
        """A page's HTML as scripts have made it, and its address after redirects.

        Raises:
            As `load`.
        """
        address = self._admitted(url)
        async with self._visit() as visit:
            document = await visit.fetch(address)
            if kind_of(document) != HTML:
                return document.text(), document.url
            rendered = await visit.rendered(document)
        return (rendered or document).text(), (rendered or document).url

    async def _rendered(self, visit: Visit, document: Document, found: Extract) -> Extract:
        rendered = await visit.rendered(document)
        if rendered is None:
            return noted(found, _NOT_SHOWN)
        shown = await read(rendered, visit.limit, self._cache)
        # Timers write without a request that would tell of it.
        if found.has_scripts and _size(shown) <= _size(found):
            limit_ms = _LATE_MS if _size(shown) < THIN else _LATE_BESIDE_TEXT_MS
            if (later := await visit.rewritten(rendered, limit_ms)) is not None:
                shown = await read(later, visit.limit, self._cache)
        if not _size(shown) and _size(found):
            return noted(found, _SHOWS_NOTHING)
        return noted(shown, _VEILED) if visit.is_veiled else shown

    def _admitted(self, url: str) -> str:
        address = checked(url)
        host = urlsplit(address).hostname or ""
        try:
            found = zone(host)
        except ValueError:
            # Names are the browser's to resolve.
            found = Zone.OWN if host == "localhost" or host.endswith(".localhost") else Zone.PUBLIC
        admit(host, found, self._policy.reach, None)
        return address

    @asynccontextmanager
    async def _visit(self) -> AsyncIterator[Visit]:
        async with within(self._policy.deadline_s) as limit:
            browser = await self._engine.find()
            attempts = Attempts(self._policy, limit, anyio.sleep, NEXT_STEPS)
            async with self._tabs, _background_tab(self._engine, browser.id) as tab:
                yield Visit(self._engine, browser.id, tab, limit, attempts, self._policy.max_bytes)


class Visit:
    """Visit to one page, in a tab of its own.

    Args:
        engine: The way to the browser.
        browser: Its id.
        tab: The background tab's id.
        limit: The time for all.
        attempts: Asks again where that may help.
        max_bytes: Of the page.
    """

    def __init__(self, engine: Engine, browser: str, tab: int, limit: TimeLimit, attempts: Attempts, max_bytes: int) -> None:
        self._engine = engine
        self._browser = browser
        self._tab = tab
        self.limit = limit
        self._attempts = attempts
        self._max_bytes = max_bytes
        self._final_url = ""
        self._is_personal = True
        self._is_file = False
        self.is_veiled = False
        """Whether the page hid all of itself when it was read."""
        self._mark = ""

    async def fetch(self, url: str) -> Document:
        """Ask as the browser would, with its cookies, and show nothing.

        Raises:
            FetchFailed: network or HTTP error.
            UnsupportedMime: there is no text in it.
        """
        answer = await self._attempts.settle(url, partial(self._ask, url))
        if answer.status not in READ_STATUSES:
            raise refused(url, answer, NEXT_STEPS)
        document = replace(document_of(self._final_url, answer), is_private=self._is_personal)
        if not is_readable(document.mime_type):
            raise unsupported(document.mime_type)
        if len(document.body) > self._max_bytes:
            raise too_large(self._max_bytes)
        return document

    def is_misread(self, document: Document) -> bool:
        """Whether a plain text was read in a wrong charset, and the browser can show it, which guesses the right one."""
        return document.mime_type == PLAIN and not self._is_file and "\ufffd" in document.text()

    async def _ask(self, url: str) -> Answer:
        command = Request(url=url, tabId=self._tab, timeout=self._time_ms())
        try:
            result = await send(self._engine, self._browser, command)
        except (NavigationFailed, UnknownError) as error:
            raise Broken(error.message.rstrip(".")) from None
        if result.get("truncated"):
            raise too_large(self._max_bytes)
        headers = {name.lower(): str(value) for name, value in result.get("headers", {}).items()}
        self._final_url = checked(result.get("url") or url)
        self._is_personal = result.get("cookies_sent", True)
        self._is_file = headers.get("content-disposition", "").strip().lower().startswith("attachment")
        body = _bytes(result)
        if not result.get("base64"):
            # The browser has made text of it already.
            headers["content-type"] = f"{headers.get('content-type', '').partition(';')[0]}; charset=utf-8"
        return Answer(int(result["status"]), str(result.get("status_text", "")), headers, body, Zone.OWN)

    async def rendered(self, document: Document) -> Document | None:
        """The page as its scripts have made it; None when it would not be shown.

        Raises:
            FetchFailed: it is too large.
        """
        time_ms = self._time_ms() / 2
        try:
            # What the page fetches of others may never come; its text is there before.
            move = Navigate(url=document.url, tabId=self._tab, wait_until="domcontentloaded", timeout=time_ms, background=True)
            await self._send(move)
            return await self._shown(document)
        except FetchFailed:
            raise
        except TabwireError as error:
            logger.debug("the page was not shown: %s", error)
            return None

    async def rewritten(self, document: Document, limit_ms: int) -> Document | None:
        """The page that is shown, once it has another text than that which was read last; None when it keeps that.

        Args:
            document: The page as it was read last.
            limit_ms: Longest wait, in milliseconds.

        Raises:
            FetchFailed: it is too large.
        """
        expression = rewritten(self._mark, round(min(limit_ms, self._time_ms() / 2)))
        try:
            changed = await self._send(Evaluate(expression=expression, sanitize=False, tabId=self._tab))
            if not changed["value"]:
                return None
            return await self._shown(document)
        except FetchFailed:
            raise
        except TabwireError as error:
            logger.debug("the page was not seen to go on: %s", error)
            return None

    async def _shown(self, document: Document) -> Document:
        await self._settled()
        limit = 4 * self._max_bytes
        got = await self._send(Evaluate(expression=SHOWN_HTML, max_output_size=limit, sanitize=False, tabId=self._tab))
        url = (await self._send(Evaluate(expression="location.href", sanitize=False, tabId=self._tab)))["value"]
        marked = got.get("value")
        if not isinstance(marked, str) or got.get("truncated"):
            raise too_large(self._max_bytes)
        self._mark, is_personal, is_veiled, html = marked.split("\n", 3)
        self.is_veiled = self.is_veiled or is_veiled == "true"
        body = html.encode("utf-8", "replace")
        if len(body) > self._max_bytes:
            raise too_large(self._max_bytes)
        shown = replace(document, url=str(url), mime_type=HTML, body=body, charset="utf-8", etag=None, last_modified=None)
        return replace(shown, is_private=document.is_private or is_personal == "true")

    async def _settled(self) -> None:
        time_ms = min(QUIET_LIMIT_MS, self._time_ms() / 3)
        for state in ("load", "networkidle"):
            wait = Until.model_validate({"for": "load_state", "load_state": state, "timeout": time_ms, "tabId": self._tab})
            try:
                await self._send(wait)
            except Timeout:
                logger.debug("the page goes on fetching; it is read as it is")
                return

    async def _send(self, command: Returns[R]) -> R:
        return await send(self._engine, self._browser, command)

    def _time_ms(self) -> float:
        return max(1.0, self.limit.remaining_s() * 1000)


@asynccontextmanager
async def _background_tab(engine: Engine, browser: str) -> AsyncIterator[int]:
    """An empty tab that nobody is shown; closed whatever happens, by the extension if this process should die."""
    tab = await _open(engine, browser)
    try:
        yield tab
    finally:
        with anyio.move_on_after(CLOSE_LIMIT_S, shield=True):
            try:
                await send(engine, browser, Close(tabId=tab, force=True))
            except TabwireError as error:
                logger.info("a background tab was not closed: %s", error)


async def _open(engine: Engine, browser: str) -> int:
    # Not to be cancelled halfway: then nobody would know which tab to close.
    with anyio.CancelScope(shield=True):
        opened = await send(engine, browser, CreateUnseen(), OPEN_LIMIT_MS)
    return opened["tabId"]


async def send(engine: Engine, browser: str, command: Returns[R], timeout_ms: int | None = None) -> R:
    """Run a command in a browser, within its own time if no other is given."""
    assert isinstance(command, Command)
    limit = command.deadline_ms() if timeout_ms is None else timeout_ms
    answer = await engine.send(command.method, command.params(), effect=command.effect, timeout_ms=limit, browser=browser)
    known = next((one.extension_version for one in engine.browsers if one.id == browser), "")
    return read_answer(command, answer, is_of_ours=extension_files.is_own(known))


def _size(found: Extract) -> int:
    return sum(map(len, found.page.lines))


def _bytes(result: RequestResult) -> bytes:
    body = result.get("body", "")
    if not result.get("base64"):
        return str(body).encode("utf-8", "replace")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise FetchFailed(f"The browser's answer is broken: {error}.") from None
