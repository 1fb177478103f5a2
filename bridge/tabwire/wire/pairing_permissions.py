"""What a browser's owner allows ahead, as it stands in pairing.json: for work that nobody watches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, field_validator

Level = Literal["never", "read", "act", "ask"]
Answer = Literal["allow", "ask", "never"]

KINDS = ("auth_state", "cookies", "downloads", "evaluate", "history", "one_time_code", "password", "payment", "uploads")
"""What the extension asks its owner about, once per site, unless it was said ahead."""


class Grants(BaseModel):
    """The table `[permissions]` of the configuration, and the member `permissions` of pairing.json."""

    model_config = ConfigDict(extra="forbid")

    default: Level | None = None
    """What is allowed on sites without a rule."""
    sensitive: Answer | dict[str, Answer] | None = None
    """What becomes of sensitive acts: of all, or by kind."""
    sites: dict[str, Level] | None = None
    """Pattern of sites → what is allowed there."""
    allow: list[str] | None = None
    """Sensitive acts that are allowed: `KIND` or `KIND@SITE`; `all` is every kind."""
    answers_from_client: bool | None = None
    """Whether the extension's questions may also be answered in the MCP client."""

    @field_validator("allow")
    @classmethod
    def _names_kinds(cls, allow: list[str] | None) -> list[str] | None:
        for grant in allow or ():
            kind, at, site = grant.partition("@")
            if kind not in (*KINDS, "all") or (at and not site):
                raise ValueError(f"{grant!r} is no KIND or KIND@SITE; kinds: all, {', '.join(KINDS)}")
        return allow

    @field_validator("sensitive")
    @classmethod
    def _answers_kinds(cls, sensitive: Answer | dict[str, Answer] | None) -> Answer | dict[str, Answer] | None:
        if isinstance(sensitive, dict) and (unknown := set(sensitive) - set(KINDS)):
            raise ValueError(f"there is no kind {', '.join(sorted(unknown))}; kinds: {', '.join(KINDS)}")
        return sensitive

    def over(self, other: Self) -> Self:
        """These, and those of the other where these say nothing."""
        return self.model_copy(update={name: value for name, value in other if getattr(self, name) is None})

    def written(self) -> dict[str, Any]:
        """As JSON, without what is not said."""
        return self.model_dump(exclude_none=True)

    @classmethod
    def allowing(cls, allow: Sequence[str]) -> Self:
        """What `--allow` says; `none` takes back what was allowed.

        Raises:
            ValueError: One of them is no KIND[@SITE].
        """
        return cls(allow=[grant for grant in allow if grant != "none"])

    @classmethod
    def read(cls, pairing: Mapping[str, Any]) -> Self | None:
        """What a pairing says; None where it says nothing that makes sense."""
        try:
            return cls.model_validate(pairing["permissions"])
        except (KeyError, ValueError):
            return None


LAUNCHED = Grants(sensitive="allow")
"""Of a browser we start: its profile is the client's own, and nobody sits in front of it."""
