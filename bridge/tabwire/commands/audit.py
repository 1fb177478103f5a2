"""An audit of a page: accessibility by axe-core, basics of search engines and good practice. Ours; of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.declaration import Command, PageReading, Returns
from tabwire.commands.results import Closed, ListResult
from tabwire.commands.types import CallTimeout, Count, Natural

AUDIT_TIMEOUT_MS = 60_000
"""Time for the largest pages: axe-core takes seconds for ten thousand elements."""


class AuditRule(Closed):
    """A rule that elements break; `url` explains it."""

    rule: str
    impact: Literal["critical", "serious", "moderate", "minor"]
    help: str
    url: str
    count: int


class AuditFinding(Closed):
    """An element that breaks a rule."""

    rule: str
    element: str
    problem: str
    frameId: NotRequired[int]


class BasicCheck(Closed):
    """A check of the page itself."""

    name: str
    level: Literal["ok", "warning", "error"]
    detail: str


class AuditResult(ListResult):
    """A page of the findings, the gravest first; `more`: those after it. `incomplete`: rules that need a person's eyes."""

    documents: int
    total: int
    passes: int
    incomplete: list[str]
    rules: list[AuditRule]
    findings: list[AuditFinding]
    basics: list[BasicCheck]
    left_out: NotRequired[int]


class Audit(
    PageReading,
    Returns[AuditResult],
    method="debug.audit",
    tool="audit",
    title="Audit",
    past="Audited the page",
    silence="wait",
    shows=("rules",),
):
    """Accessibility by axe-core with the @eN of each finding, basics of SEO and good practice, on demand a Markdown report."""

    rules: Annotated[
        list[str] | None,
        Field(min_length=1, max_length=100, description="Ids or tags of axe-core, such as wcag2aa. Default: all"),
    ] = None
    max_findings: Count = 30
    offset: Annotated[Natural, Field(description="The next page begins here")] = 0
    report: Annotated[bool, Field(exclude=True, description="Also save all findings as a Markdown file")] = False
    timeout: CallTimeout = AUDIT_TIMEOUT_MS

    def deadline_ms(self) -> int:
        """The time of the call: the page's own scripts may keep the library waiting."""
        return int(self.timeout)


COMMANDS: tuple[type[Command], ...] = (Audit,)
