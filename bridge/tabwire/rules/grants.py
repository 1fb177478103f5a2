"""Permissions that a browser's owner gives ahead in pairing.json, for work that nobody watches."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, field_validator

from tabwire.errors import InvalidArgument
from tabwire.rules.kinds import KINDS, Kind
from tabwire.rules.site_patterns import checked_pattern

Level = Literal["never", "ask", "read", "act"]
"""Permission on a site, the least first."""
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
