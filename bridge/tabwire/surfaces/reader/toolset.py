"""Surface of the reader spec: five tools for reading. Each takes and gives exactly what its schemas say."""

from __future__ import annotations

import difflib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from tabwire.commands.json_schema import input_schema
from tabwire.errors import TabwireError
from tabwire.surfaces.context import Context
from tabwire.surfaces.reader.answers import FindOutput, OpenResultOutput, OpenUrlOutput, ScrollOutput, SearchOutput
from tabwire.surfaces.reader.reading import Reader, is_web_address
from tabwire.surfaces.reader.telemetry import telemetry
from tabwire.surfaces.shared.strict_arguments import not_blank
from tabwire.surfaces.tool import Replies, Rules, Run, Tool, ToolCall, ToolResult, Toolset

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from tabwire.config import Config

INSTRUCTIONS = (
    "Reads the web as numbered lines. search returns a cursor and numbered results; open_result opens one, open_url any address. "
    "Pass the cursor a call returned to scroll and find. Lines are 0-based; cite what you say by the citation of the answer."
)


def _not_null(value: object) -> object:
    """Left out is one thing, null another."""
    if value is None:
        raise PydanticCustomError("int_type", "must be an integer")
    return value


def _readable(url: str) -> str:
    if not is_web_address(url):
        raise ValueError("must be an absolute http or https address")
    return url


Count = Annotated[int, Field(ge=20, le=200)]
Loc = Annotated[int, Field(ge=0)]


class Arguments(BaseModel):
    """Strict: nothing is coerced, nothing is unknown."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Search(Arguments):
    """Find pages on the web. Returns numbered results (1-based) under a new cursor; read one with open_result."""

    model_config = ConfigDict(title="searchArguments")

    query: Annotated[str, not_blank("must not be empty")]
    topn: Annotated[int, Field(ge=1, le=10)] = 5


class OpenResult(Arguments):
    """Open a result of a search by its cursor and result_id (1-based) and show num_lines lines from line loc (0-based) on.

    The answer's cursor is that of the page: use it for scroll and find.
    """

    model_config = ConfigDict(title="openResultArguments")

    cursor: str
    result_id: Annotated[int, Field(ge=1)]
    loc: Loc = 0
    num_lines: Count = 80


class OpenUrl(Arguments):
    """Open an absolute http or https address, without a search, and show num_lines lines from line loc (0-based) on.

    The answer has a new cursor: use it for scroll and find.
    """

    model_config = ConfigDict(title="openUrlArguments")

    url: Annotated[str, AfterValidator(_readable), Field(json_schema_extra={"format": "uri"})]
    loc: Loc = 0
    num_lines: Count = 80


class Scroll(Arguments):
    """Show other lines of an opened page: from line loc on, or moved by delta lines from where it is. Clamped to the page."""

    model_config = ConfigDict(title="scrollArguments")

    cursor: str
    loc: Annotated[Loc | None, BeforeValidator(_not_null)] = None
    delta: Annotated[int, Field(ge=-5000, le=5000)] = 0
    num_lines: Count = 80


class Find(Arguments):
    """List the lines of an opened page that match: loc is the line, for scroll and citations.

    A literal pattern ignores case; with is_regex it is a Python regular expression for each line, and case counts.
    """

    model_config = ConfigDict(title="findArguments")

    cursor: str
    pattern: Annotated[str, not_blank("must not be empty")]
    is_regex: bool = False


def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return {**input_schema(model, closed=True, bounds=True), "title": model.model_config["title"]}


def _run(method: Callable[..., Any]) -> Run:
    async def run(call: ToolCall) -> BaseModel:
        answer: BaseModel = await method(call.context.surface, **dict(call.parameters))
        call.context.visited.extend(str(url) for url in [getattr(answer, "url", None)] if url)
        return answer

    return run


def _tool(title: str, model: type[Arguments], output: type[BaseModel], method: Callable[..., Any], *, web: bool = True) -> Tool:
    return Tool(
        name=method.__name__,
        title=title,
        description=" ".join((model.__doc__ or "").split()),
        model=model,
        input_schema=_schema(model),
        output_schema=_schema(output),
        run=_run(method),
        effect="read",
        idempotent=True,
        destructive=False,
        open_world=web,
    )


_USAGE = {
    "search": "Call search with {query}; topn is 1 to 10.",
    "open_result": "Call open_result with {cursor, result_id} (1-based).",
    "open_url": "Call open_url with {url}, such as https://example.com/page.",
    "scroll": "Call scroll with {cursor, loc} or {cursor, delta}.",
    "find": "Call find with {cursor, pattern}; is_regex is true or false.",
}
"""Examples of right calls."""

_NEXT = {
    "fetch_failed": "Check the address, or read another page.",
    "timeout": "Try again, or read another page.",
    "unsupported_mime": "Read another page: this one has no text that can be extracted.",
    "not_connected": 'Start the browser that has the extension, or serve with [reader] loader = "http", which needs none.',
    "result_too_large": "Ask for fewer lines (num_lines).",
}
"""Next steps, for errors that do not say so themselves."""


def _respond(call: ToolCall, answer: Any) -> ToolResult:
    return ToolResult(text=answer.render, structured=answer.model_dump(exclude_none=True))


def _noted(result: ToolResult, note: str) -> ToolResult:
    """The text is a field of the structured result, whose schema takes no other."""
    text = f"{result.text}\nNote: {note}"
    return replace(result, text=text, structured={**(result.structured or {}), "render": text})


def _fail(call: ToolCall, error: TabwireError) -> ToolResult:
    """The error object, as text: structured content would have to be of the output schema, and clients check that."""
    hint = error.next_step or _NEXT.get(error.code) or _USAGE[call.tool.name]
    told = {"error": error.code, "message": error.message, "hint": hint}
    return ToolResult(text=json.dumps(told, ensure_ascii=False), is_error=True)


_WORDS: dict[str, Callable[[ErrorDetails], str]] = {
    "missing": lambda detail: "is required",
    "string_type": lambda detail: "must be a string",
    "bool_type": lambda detail: "must be a boolean",
    "int_type": lambda detail: "must be an integer",
    "greater_than_equal": lambda detail: f"must be at least {detail['ctx']['ge']}",
    "less_than_equal": lambda detail: f"must be at most {detail['ctx']['le']}",
    "value_error": lambda detail: detail["msg"].removeprefix("Value error, "),
}


def _describe(tool: Tool, error: ValidationError, beside: Sequence[str]) -> str:
    """All that is wrong, by argument."""
    details = error.errors(include_url=False)
    return "; ".join(dict.fromkeys(_sentence(tool, detail) for detail in details))


def _sentence(tool: Tool, detail: ErrorDetails) -> str:
    name = str(detail["loc"][0]) if detail["loc"] else tool.name
    if detail["type"] == "extra_forbidden":
        names = list(tool.input_schema["properties"])
        close = difflib.get_close_matches(name, names, 1)
        return f"{name:.60} is not an argument of {tool.name}; " + (
            f"did you mean {close[0]}?" if close else f"it has {', '.join(names)}"
        )
    words = _WORDS.get(detail["type"])
    return f"{name} {words(detail) if words else detail['msg']}"


@asynccontextmanager
async def _opened(config: Config, context: Context) -> AsyncIterator[Context]:
    from tabwire.rules.site_rules import SiteRules
    from tabwire.surfaces.reader.composition import reader_of

    rules = SiteRules(config.permissions, (*config.window(), *config.ports()))
    async with reader_of(config.reader, context.engine, rules) as reader:
        yield replace(context, surface=reader)


TOOLSET = Toolset(
    name="reader",
    instructions=INSTRUCTIONS,
    tools=(
        _tool("Search the web", Search, SearchOutput, Reader.search),
        _tool("Open a result", OpenResult, OpenResultOutput, Reader.open_result),
        _tool("Open an address", OpenUrl, OpenUrlOutput, Reader.open_url),
        _tool("Scroll the page", Scroll, ScrollOutput, Reader.scroll, web=False),
        _tool("Find in the page", Find, FindOutput, Reader.find, web=False),
    ),
    replies=Replies(_respond, _fail, _describe, _noted),
    takes_browser=False,
    rules=Rules(before_arguments=(telemetry,)),
    opened=_opened,
)
