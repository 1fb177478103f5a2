"""Sources in words: the list of scripts with what they were built from, hits of a search, lines of one source."""

from tabwire.commands.sources import ListedSource, Sources, SourcesResult
from tabwire.surfaces.agent.debugging.phrases import built_of, count_of, foot_of, page_text, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined


def _text(command: Sources, result: SourcesResult) -> Words:
    """The list of sources, a search in them, or lines of one."""
    if "lines" in result:
        head, lines, start = _lines_of(result)
        following = f"line: {start}"
    else:
        head, lines = _hits_of(result) if "hits" in result else _list_of(result)
        following = f"offset: {command.offset + len(lines)}"
    more = [f"{result['more']} more: {following}"] if "more" in result else []
    return joined("\n", [head, *page_text(lines), *more, *foot_of(result)])


def _list_of(result: SourcesResult) -> tuple[Words | str, list[str]]:
    return count_of(result["total"], "source"), [_listed(one) for one in result.get("sources", ())]


def _listed(one: ListedSource) -> str:
    size = [count_of(one["lines"], "line")] if "lines" in one else []
    chars = [f"{one['chars']} characters"] if "chars" in one else []
    library = ["of a library"] if one.get("library") else []
    facts = [{"script": "script", "inline": "inline script", "original": "original"}[one["kind"]], *size, *chars, *library]
    problem = f" — {one['problem']}" if "problem" in one else ""
    return f"{one['source']}{built_of(one)} ({', '.join(facts)}){problem}"


def _hits_of(result: SourcesResult) -> tuple[Words | str, list[str]]:
    head = f"{count_of(result['total'], 'hit')} in {count_of(result.get('searched', 0), 'source')}"
    return head, [f"{hit['source']}:{hit['line']}:{hit['column']} | {hit['text']}" for hit in result.get("hits", ())]


def _lines_of(result: SourcesResult) -> tuple[Words | str, list[str], int]:
    """The head, the numbered lines, and the number of the line after them."""
    lines = result.get("lines", [])
    width = max((len(str(line["number"])) for line in lines), default=0)
    told = [f"{line['number']:>{width}} | {line['text']}".rstrip() for line in lines]
    head = PageText(f"{result.get('source', '')}, {count_of(result['total'], 'line')}:")
    return head, told, (lines[-1]["number"] + 1 if lines else 1)


RUNS: Runs = {Sources: tells(_text)}
