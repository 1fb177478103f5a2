"""Storage (agent spec)."""

from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import AfterValidator, Field

from tabwire.commands.actions import ActionCommand, Takes
from tabwire.commands.declaration import Command, Returns, TabReading
from tabwire.commands.origins import origin_of
from tabwire.commands.privacy import Fact, KeyName
from tabwire.commands.results import Closed, ObservedResult, Open, Result, TabAddress, TabResult
from tabwire.commands.types import Natural, Number, TabId

_FILTERS = frozenset({"url", "name", "domain", "path", "domain_filter", "partition_key"})
_SETTINGS = (_FILTERS - {"domain_filter"}) | {"value", "secure", "http_only", "same_site", "expires"}
_CLEARED_BY = ("url", "domain_filter", "domain", "name", "partition_key")

_STATE = frozenset({"origins", "include_local_storage", "include_session_storage"})

SameSite = Literal["Strict", "Lax", "None"]


class CookieName(Closed):
    """Which cookie it is."""

    name: str
    domain: str
    path: str
    partition_key: NotRequired[str]


class Cookie(CookieName):
    """A cookie; without `expires` it ends with the session."""

    value: str
    host_only: bool
    secure: bool
    http_only: bool
    same_site: str
    session: NotRequired[bool]
    expires: NotRequired[int]


class CookieAnswer(Closed, total=False):
    """The result of an action. `barred`: the number of cookies left out because their sites are not allowed."""

    url: str
    cookie: Cookie | None
    others: list[Cookie]
    cookies: list[Cookie]
    count: int
    left_out: int
    replaced: bool
    deleted: bool | int | list[CookieName]
    """`set`: whether one was; `clear`: how many were; `delete`: which."""
    domains: dict[str, int]
    left: list[CookieName]
    left_note: str
    barred: int
    note: str


class CookiesResult(Result):
    """The answer."""

    value: CookieAnswer


class Cookies(
    ActionCommand,
    Returns[CookiesResult],
    method="storage.cookies",
    sensitive="cookies",
    tool="cookies",
    title="Cookies",
    past="Worked with cookies",
    scope="browser",
    page="none",
    shows=("action", "name", "url"),
):
    """Read, set or delete cookies, httpOnly and partitioned ones too."""

    on_wire: ClassVar = {"path": str}

    actions: ClassVar = {
        "get": Takes(("name",), _FILTERS, "read"),
        "get_all": Takes((), _FILTERS, "read"),
        "set": Takes(("name", "value"), _SETTINGS),
        "delete": Takes(("name",), _FILTERS),
        "clear": Takes((), _FILTERS),
    }
    action: Literal["get", "get_all", "set", "delete", "clear"]
    url: Annotated[Fact | None, Field(description="Default: the current tab's; clear has none")] = None
    name: Fact | None = None
    value: str | None = None
    domain: Fact | None = None
    path: Fact = "/"
    secure: bool | None = None
    http_only: bool | None = None
    same_site: SameSite | None = None
    expires: Annotated[Number | None, Field(description="Seconds since epoch; default: session")] = None
    domain_filter: Annotated[Fact | None, Field(description="This domain and its subdomains")] = None
    partition_key: Annotated[str | None, Field(description="Top-level site of a partitioned cookie")] = None

    def asks_for_secrets(self) -> bool:
        return self.action in ("get", "set")

    def check(self) -> None:
        super().check()
        if self.action == "clear" and not any(getattr(self, name) for name in _CLEARED_BY):
            raise ValueError(
                'action "clear" would delete every cookie of the browser; say which ones by url, domain_filter, domain or name'
            )
        if not self.path.startswith("/"):
            raise ValueError("path must begin with /")
        if self.action == "set":
            self._check_kept()

    def _check_kept(self) -> None:
        """Browsers drop such cookies without a word."""
        name = (self.name or "").lower()
        wants_secure = {
            'same_site "None"': self.same_site == "None",
            "partition_key": self.partition_key is not None,
            "a name that begins with __Secure- or __Host-": name.startswith(("__secure-", "__host-")),
        }
        for what, wanted in wants_secure.items():
            if wanted and not self.secure:
                raise ValueError(f"{what} needs secure: true")
        if name.startswith("__host-") and (self.domain is not None or self.path != "/"):
            raise ValueError("a name that begins with __Host- takes no domain, and path /")

    def params(self) -> dict[str, Any]:
        """The default path is that of a new cookie; for the other actions a path is a filter only where it was given."""
        params = super().params()
        if self.action != "set" and "path" not in self.model_fields_set:
            del params["path"]
        return params


class StoredItem(Closed):
    """An entry; `length` is there where its value is cut."""

    key: str
    value: str
    length: NotRequired[int]


class ItemsAnswer(Closed):
    """The result of an action. `length`: that of the value, or the number of entries."""

    origin: str
    type: Literal["local", "session"]
    key: NotRequired[str]
    value: NotRequired[str | None]
    length: NotRequired[int]
    replaced: NotRequired[bool]
    removed: NotRequired[bool | int]
    keys: NotRequired[list[str]]
    entries: NotRequired[list[StoredItem]]
    left_out: NotRequired[int]
    note: NotRequired[str]


class ItemsResult(ObservedResult, total=False):
    """The answer."""

    value: ItemsAnswer


class Items(
    ActionCommand,
    Returns[ItemsResult],
    method="storage.items",
    tool="storage",
    title="Web storage",
    past="Worked with web storage",
    page="none",
    shows=("action", "type", "key"),
):
    """Read or change the page's localStorage or sessionStorage."""

    actions: ClassVar = {
        "get": Takes(("key",), intent="read"),
        "set": Takes(("key", "value")),
        "remove": Takes(("key",)),
        "clear": Takes(),
        **dict.fromkeys(("keys", "entries", "length"), Takes(intent="read")),
    }
    action: Literal["get", "set", "remove", "clear", "keys", "entries", "length"]
    type: Literal["local", "session"] = "local"
    key: KeyName | None = None
    value: str | None = None
    tabId: TabId = None
    frameId: Natural = 0

    def asks_for_secrets(self) -> bool:
        return self.action in ("get", "set")


Origin = Annotated[Fact, AfterValidator(origin_of)]


class RestoredCounts(Closed):
    """The numbers of restored entries."""

    cookies: int
    local_storage: NotRequired[int]
    session_storage: NotRequired[int]


class SavedFailure(Closed, total=False):
    """Entries that could not be saved or restored, and the reason; `missing`: their number."""

    origin: str
    what: str
    cause: str
    missing: int
    name: str
    domain: str
    path: str
    partition_key: str


class AuthState(
    ActionCommand, method="storage.auth_state", tool="auth_state", title="Saved logins", page="none", shows=("action", "name")
):
    """Save cookies and storage of sites to a private file, or restore them later."""

    in_browser: ClassVar = False

    actions: ClassVar = {
        **dict.fromkeys(("save", "load"), Takes(("name",), _STATE)),
        "delete": Takes(("name",)),
        "list": Takes((), frozenset({"name"}), "read"),
    }
    action: Literal["save", "load", "list", "delete"]
    name: Fact | None = None
    origins: Annotated[
        Annotated[list[Origin], Field(min_length=1)] | None,
        Field(description="Default: the tab's; load: all saved"),
    ] = None
    include_local_storage: bool = True
    include_session_storage: bool = False
    tabId: TabId = None


class PartitionKey(Open, total=False):
    """The top-level site of a partitioned cookie."""

    topLevelSite: str
    hasCrossSiteAncestor: bool


class ChromeCookie(Open):
    """A cookie as Chrome gives it."""

    name: str
    value: str
    domain: str
    hostOnly: bool
    path: str
    secure: bool
    httpOnly: bool
    sameSite: Literal["no_restriction", "lax", "strict", "unspecified"]
    session: bool
    expirationDate: NotRequired[float]
    storeId: str
    partitionKey: NotRequired[PartitionKey]


class CollectResult(TabResult):
    """The stored state of an origin; storages are JSON texts of [key, value] pairs."""

    origin: str
    cookies: list[ChromeCookie]
    failed: list[SavedFailure]
    local: NotRequired[str]
    session: NotRequired[str]


class Collect(
    TabReading,
    Returns[CollectResult],
    method="storage.collect",
    title="Collect",
    page="none",
    sensitive="auth_state",
):
    """Cookies and storage of one origin."""

    masked: ClassVar = False
    struck: ClassVar = False

    origin: str | None = None
    local: bool = True
    session: bool = False


class RestoreResult(ObservedResult, total=False):
    """The restored state, and the tabs whose pages do not know of it yet."""

    expired: int
    restored: RestoredCounts
    failed: list[SavedFailure]
    reload: list[TabAddress]


class Restore(
    Command,
    Returns[RestoreResult],
    method="storage.restore",
    title="Restore",
    effect="act",
    page="none",
    reply="data",
    sensitive="auth_state",
):
    """Put cookies and storage of one origin back; the storages are JSON texts of [key, value] pairs."""

    on_wire: ClassVar = {"cookies": list[ChromeCookie]}

    masked: ClassVar = False

    origin: Fact
    cookies: list[dict[str, Any]]
    local: str | None = None
    session: str | None = None
    tabId: TabId = None


PURPOSE = "cookies, local storage, saved logins"

COMMANDS = (Cookies, Items, AuthState)

WIRE_ONLY = (Collect, Restore)
"""The steps of `auth_state`: the bridge keeps the file, the browser never sees it."""
