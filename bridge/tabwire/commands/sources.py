"""Sources of a page: the scripts that run and what they were built from. Ours; of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.results import Closed, ListResult
from tabwire.commands.types import Count, Natural

MAX_TEXT = 1_000
"""Characters of an address or a text to search for."""


class ListedSource(Closed):
    """A script that runs, or a source that one was `built` into; `problem`: the reason why its map or its text is missing."""

    source: str
    kind: Literal["script", "inline", "original"]
    lines: NotRequired[int]
    chars: NotRequired[int]
    built: NotRequired[str]
    library: NotRequired[bool]
    problem: NotRequired[str]


class SourceHit(Closed):
    """A place where the text was found, with its line, cut around the column. Both are counted from 1."""

    source: str
    line: int
    column: int
    text: str


class SourceLine(Closed):
    """A line of a source."""

    number: int
    text: str


class SourcesResult(ListResult):
    """A page of the sources, of the hits, or of the lines of one `source`; `total` of all of them, `more`: those after it."""

    total: int
    sources: NotRequired[list[ListedSource]]
    hits: NotRequired[list[SourceHit]]
    searched: NotRequired[int]
    source: NotRequired[str]
    lines: NotRequired[list[SourceLine]]
    barred: NotRequired[int]


class Sources(
    PageReading,
    Returns[SourcesResult],
    method="sources.sources",
    group="debug",
    tool="sources",
    title="Sources",
    past="Read the sources of the page",
    page="document",
    shows=("source", "text", "pattern"),
):
    """Scripts of a tab and their original sources by source maps: list them, search a text in them, show lines of one."""

    url: Annotated[str | None, Field(max_length=MAX_TEXT, description="Only sources with this text in the address")] = None
    text: Annotated[str | None, Field(min_length=1, max_length=MAX_TEXT, description="Search for this text")] = None
    pattern: Annotated[
        str | None, Field(min_length=1, max_length=MAX_TEXT, description="Search for this regular expression, line by line")
    ] = None
    source: Annotated[str | None, Field(min_length=1, max_length=MAX_TEXT, description="Show lines of it: from the list")] = None
    line: Annotated[Natural, Field(ge=1, description="With source: the first line")] = 1
    column: Annotated[Natural | None, Field(ge=1, description="With source: cuts long lines around it")] = None
    max_lines: Annotated[Count, Field(description="Of the reply: sources, hits or lines")] = 60
    offset: Annotated[Natural, Field(description="The next page of sources or hits begins here")] = 0

    def check(self) -> None:
        if sum(value is not None for value in (self.text, self.pattern, self.source)) > 1:
            raise ValueError("give one of text, pattern and source; url limits a search to some sources")


COMMANDS: tuple[type[Command], ...] = (Sources,)
