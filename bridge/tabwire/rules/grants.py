"""Permissions that a browser's owner gives ahead in pairing.json, for work that nobody watches."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from tabwire.errors import InvalidArgument
from tabwire.rules.kinds import KINDS, Kind
from tabwire.rules.site_patterns import checked_pattern, site_pattern

Level = Literal["never", "ask", "read", "act"]
"""Permission on a site, the least first."""
LEVELS: tuple[Level, ...] = get_args(Level)
Answer = Literal["allow", "ask", "never"]
TabSight = Literal["all", "window", "given"]
SitePattern = Annotated[str, AfterValidator(checked_pattern)]


class Grants(BaseModel):
    """The table `[permissions]` of the configuration, and the member `permissions` of pairing.json."""

    model_config = ConfigDict(extra="forbid")

    default: Level | None = None
    """Permission on sites without a rule."""
    sensitive: Answer | dict[Kind, Answer] | None = None
    """Answer to sensitive acts: to all, or by kind."""
    sites: dict[SitePattern, Level] | None = None
    """Pattern of sites → permission there."""
    files: list[str] | None = None
    """Folders whose files may be opened as pages; all others are `never` then, unless a rule for `file://` says otherwise."""
    closed_files: list[str] | None = None
    """Folders among those that stay closed. The innermost folder decides."""
    allow: list[str] | None = None
    """Sensitive acts that are allowed: `KIND` or `KIND@SITE`; `all` is every kind."""
    answers_from_client: bool | None = None
    """Whether the extension's questions may also be answered in the MCP client."""
    tabs: TabSight | None = None
    """Tabs of the user that clients see: all, those of the windows they work in, or only those given to or opened by them."""

    @field_validator("sites", mode="before")
    @classmethod
    def _rules_each_site_once(cls, sites: object, info: ValidationInfo) -> object:
        """Refuse two rules of which one would win in silence."""
        if not isinstance(sites, Mapping):
            return sites
        default = info.data.get("default")
        known = {} if default is None else {"*": ("default", default)}
        for text, level in sites.items():
            try:
                key = site_pattern(text).key
            except ValueError:
                # Its own check says why.
                continue
            first, said = known.setdefault(key, (text, level))
            if said != level:
                raise PydanticCustomError(
                    "alike",
                    "{text} and {first} are rules for the same sites, with the levels {level} and {said}; keep one of them",
                    {"first": repr(first), "text": repr(text), "said": said, "level": level, "key": text},
                )
        return sites

    @field_validator("allow")
    @classmethod
    def _names_kinds(cls, allow: list[str] | None) -> list[str] | None:
        for grant in allow or ():
            kind, at, site = grant.partition("@")
            if kind not in (*KINDS, "all"):
                raise ValueError(f"{grant!r} is no KIND or KIND@SITE; kinds: all, {', '.join(KINDS)}")
            if at:
                checked_pattern(site)
        return allow

    def over(self, other: Self) -> Self:
        """Merge these with the other ones, which count where these say nothing."""
        return self.model_copy(update={name: value for name, value in other if getattr(self, name) is None})

    def written(self) -> dict[str, Any]:
        """Return the permissions as JSON, without those that are not set."""
        return self.model_dump(exclude_none=True)

    @classmethod
    def allowing(cls, allow: Sequence[str]) -> Self:
        """Grants of `--allow`; `none` takes back what was allowed.

        Raises:
            ValueError: One of them is no KIND[@SITE].
        """
        return cls(allow=[grant for grant in allow if grant != "none"])

    @classmethod
    def kept(cls, permissions: Mapping[str, Any]) -> Self:
        """Grants that a pairing has already.

        Raises:
            InvalidArgument: it cannot be read, so that a rule would be lost.
        """
        try:
            return cls.model_validate(permissions)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            where = ".".join(map(str, problem["loc"]))
            raise InvalidArgument(
                f"pairing.json of the extension holds a permission that cannot be read, {where}: {problem['msg']}; "
                "correct it there, or take it out"
            ) from None


LAUNCHED = Grants(sensitive="allow", files=[])
"""Permissions of a launched browser: its profile is the client's own, and nobody sits in front of it."""
