"""Answers of the five tools: the output schemas of the reader spec."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Uri = Annotated[str, Field(json_schema_extra={"format": "uri"})]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Result(_Answer):
    """Result of a search."""

    id: int = Field(ge=1)
    title: str
    url: Uri
    snippet: str | None = None


class Lines(_Answer):
    """Range of the lines that are shown: 0-based, both inclusive."""

    start: int
    end: int


class Cited(_Answer):
    """Range of the lines that were read."""

    cursor: str
    L_start: int
    L_end: int


class Hit(_Answer):
    """A line that matches."""

    loc: int
    preview: str


class SearchOutput(_Answer):
    """Output of `search`."""

    model_config = ConfigDict(title="searchOutput")

    cursor: str
    results: list[Result]
    render: str


class ScrollOutput(_Answer):
    """Output of `scroll`."""

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
    """Output of `open_result`."""

    model_config = ConfigDict(title="openResultOutput")


class OpenUrlOutput(_OpenOutput):
    """Output of `open_url`."""

    model_config = ConfigDict(title="openUrlOutput")


class FindOutput(_Answer):
    """Output of `find`."""

    model_config = ConfigDict(title="findOutput")

    cursor: str
    matches: list[Hit]
    render: str
