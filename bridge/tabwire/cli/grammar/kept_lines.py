"""The lines that a history on disk may hold: what people type may be a password."""

from tabwire.cli.grammar.parsing import Line
from tabwire.eventlog.redaction import kept_arguments


def may_be_kept(line: Line) -> bool:
    """Whether the event log keeps every argument of the line as it is."""
    return kept_arguments(line.tool.kept, line.tool.effect, line.arguments) == line.arguments
