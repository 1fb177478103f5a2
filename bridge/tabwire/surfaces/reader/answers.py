"""What the five tools answer: the output schemas of document 001."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Uri = Annotated[str, Field(json_schema_extra={"format": "uri"})]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Result(_Answer):
    """One result of a search."""

    id: int = Field(ge=1)
    title: str
    url: Uri
    snippet: str | None = None


class Lines(_Answer):
    """Which lines are shown: 0-based, both inclusive."""

    start: int
    end: int


class Cited(_Answer):
    """Which lines were read."""

    cursor: str
    L_start: int
    L_end: int


class Hit(_Answer):
    """A line that matches."""

    loc: int
    preview: str


class SearchOutput(_Answer):
    """Of `search`."""

    model_config = ConfigDict(title="searchOutput")

    cursor: str
    results: list[Result]
    render: str


class ScrollOutput(_Answer):
    """Of `scroll`."""

    model_config = ConfigDict(title="scrollOutput")

    cursor: str
    viewport: Lines
    text: str
    citation: Cited
    render: str


class _OpenOutput(_Answer):
    cursor: str
    url: Uri
    title: str | None = None
    viewport: Lines
    text: str
    citation: Cited
    render: str


class OpenResultOutput(_OpenOutput):
    """Of `open_result`."""

    model_config = ConfigDict(title="openResultOutput")


class OpenUrlOutput(_OpenOutput):
    """Of `open_url`."""

    model_config = ConfigDict(title="openUrlOutput")


class FindOutput(_Answer):
    """Of `find`."""

    model_config = ConfigDict(title="findOutput")

    cursor: str
    matches: list[Hit]
    render: str
