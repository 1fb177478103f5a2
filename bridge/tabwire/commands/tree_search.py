"""Searching the accessibility tree of a page. Ours: the specification has no such tool."""

from typing import Annotated, ClassVar

from pydantic import Field

from tabwire.commands.declaration import DEFAULT_DEADLINE_MS, PageReading
from tabwire.commands.privacy import Fact
from tabwire.commands.types import CallTimeout, Count

DEFAULT_HITS = 20


class Find(
    PageReading,
    method="snapshot.find",
    tool="find",
    title="Find in the page",
    past="Looked for text",
    shows=("text", "regex"),
    core=("text", "regex", "tabId"),
):
    """Find text or a regular expression in the page's tree, frames included: each hit with its @eN and what it is in."""

    in_browser: ClassVar = False

    text: Annotated[Fact | None, Field(min_length=1, description="Part of a role, name or text, in any case")] = None
    regex: Annotated[Fact | None, Field(min_length=1, description="Python syntax, per line: (?i)^button.*delete")] = None
    limit: Annotated[Count, Field(description="Most hits that are listed")] = DEFAULT_HITS
    timeout: CallTimeout = DEFAULT_DEADLINE_MS

    def check(self) -> None:
        self.need_one("text", "regex")
        if self.text is not None and not self.text.strip():
            raise ValueError("text is blank; say what to find")


COMMANDS = (Find,)
