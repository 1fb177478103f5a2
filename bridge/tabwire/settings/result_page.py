"""Description of an engine's page of results, for the provider that reads such pages."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

QUERY = "{query}"
"""Place of the search words in the address."""


class ResultPage(BaseModel):
    """Search page of an engine: its address, and the selectors of its results in HTML."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str
    """Address with `{query}` in it."""
    item: Annotated[str, Field(min_length=1)]
    """CSS selector of one result."""
    link: Annotated[str, Field(min_length=1)] = "a[href]"
    """CSS selector of the link to the page, within the result."""
    title: str | None = None
    """CSS selector of the title, within the result; by default the link's text is the title."""
    snippet: str | None = None
    """CSS selector of what the page says, within the result."""
    unwrap: str | None = None
    """Parameter of the link that holds the page's address, where the engine counts clicks."""
    nothing: str | None = None
    """Selector of an element that the page has when there is no result."""

    @field_validator("url")
    @classmethod
    def _has_a_place_for_the_query(cls, url: str) -> str:
        if QUERY not in url:
            raise ValueError(f"needs {QUERY} where the words of the search go")
        return url
