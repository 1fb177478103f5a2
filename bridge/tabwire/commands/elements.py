"""Elements of a page for debugging: styles, listeners, components, and an audit of all of them. Ours; of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.breakpoints import ScopeVariable
from tabwire.commands.declaration import PageReading, Returns
from tabwire.commands.input import ACT_TIMEOUT_MS
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Box, Closed, ListResult, Placed
from tabwire.commands.types import CallTimeout, Count, FrameId, Milliseconds, Natural

Selector = Annotated[Fact, Field(min_length=1, description="@eN, semantic, CSS or XPath")]

AUDIT_TIMEOUT_MS = 60_000
"""Time for the largest pages: axe-core takes seconds for ten thousand elements."""


class ElementReading(PageReading, method=""):
    """Base of the commands that explain an element."""

    frameId: FrameId = None
    timeout: Milliseconds = ACT_TIMEOUT_MS


class ElementBox(Box):
    """The box of an element: the border box in CSS pixels of its frame's viewport, the widths of its edges as CSS has them."""

    display: str
    position: str
    sizing: str
    margin: str
    border: str
    padding: str


class RelatedBox(Closed):
    """An element that matters for another one, and why it does."""

    element: str
    why: str


class StyleDeclaration(Placed):
    """A declaration with its rule."""

    declaration: str
    selector: str
    origin: Literal["browser", "attribute", "author", "injected", "inline"]
    conditions: NotRequired[list[str]]
    inherited_from: NotRequired[str]
    why: NotRequired[str]
    """The reason why it does not win."""


class StyleVariable(Placed):
    """A custom property that a value uses; without `value` it is declared nowhere."""

    name: str
    value: NotRequired[str]
    selector: NotRequired[str]
    inherited_from: NotRequired[str]


class StyledProperty(Closed):
    """A property, or the longhands of one shorthand, with the declaration that wins and those that it overrides."""

    name: str
    computed: str
    longhands: NotRequired[list[str]]
    winner: NotRequired[StyleDeclaration]
    source: NotRequired[StyleDeclaration]
    """The declaration that the value is from, where the winner says `inherit`."""
    overridden: NotRequired[list[StyleDeclaration]]
    more: NotRequired[int]
    variables: NotRequired[list[StyleVariable]]


class StylesResult(ListResult):
    """The styles of an element; `hidden` has the reasons why nobody sees it now."""

    ref: str
    element: str
    box: ElementBox
    containing_block: RelatedBox
    offset_parent: NotRequired[str]
    stacking_context: RelatedBox
    z_index: str
    hidden: list[str]
    covered_by: NotRequired[str]
    takes_no_clicks: NotRequired[bool]
    animated: list[str]
    properties: list[StyledProperty]
    invalid: NotRequired[list[StyleDeclaration]]


class Styles(
    ElementReading,
    Returns[StylesResult],
    method="elements.styles",
    group="debug",
    tool="styles",
    title="Styles of an element",
    past="Read the styles of {selector}",
    shows=("selector", "properties"),
):
    """Explain how an element looks: rules that win and lose with their places, box, why it is hidden or covered."""

    selector: Selector
    properties: Annotated[
        list[str] | None, Field(min_length=1, max_length=100, description="Default: those that the page's rules set")
    ] = None
    max_properties: Count = 40


class ToldListener(Closed):
    """A listener, or a handler that a framework has noted; `place` is that of its function."""

    target: str
    types: list[str]
    options: list[str]
    framework: NotRequired[str]
    place: str
    built: NotRequired[str]
    library: NotRequired[bool]
    text: NotRequired[str]
    """The line of the source at that place."""


class EventListenersResult(ListResult):
    """A page of the listeners, those on the element first; `more`: those after it."""

    ref: str
    element: str
    total: int
    listeners: list[ToldListener]


class EventListeners(
    ElementReading,
    Returns[EventListenersResult],
    method="elements.event_listeners",
    group="debug",
    tool="event_listeners",
    title="Event listeners of an element",
    past="Listed the listeners of {selector}",
    shows=("selector", "types"),
):
    """Listeners for an element's events, on it and around it: types, capture/passive/once, places of their functions."""

    selector: Selector
    types: Annotated[list[str] | None, Field(min_length=1, max_length=50, description="Such as click. Default: all")] = None
    max_listeners: Count = 40
    offset: Annotated[Natural, Field(description="The next page begins here")] = 0


class Component(Placed):
    """A component, or the element itself: `place` of its definition, `made` where another component writes it."""

    framework: str
    relation: Literal["element", "owner", "around"]
    name: str
    on: str
    """The element that the framework has noted it on."""
    build: Literal["development", "production"]
    library: NotRequired[bool]
    made: NotRequired[str]
    key: NotRequired[str]
    server: NotRequired[str]
    """The environment of a component that runs on a server."""
    props: NotRequired[list[ScopeVariable]]
    state: NotRequired[list[ScopeVariable]]


class ComponentsResult(ListResult):
    """The components of an element, the innermost first; `more`: those around them."""

    ref: str
    element: str
    components: list[Component]


class Components(
    ElementReading,
    Returns[ComponentsResult],
    method="elements.components",
    group="debug",
    tool="components",
    title="Components of an element",
    past="Read the components of {selector}",
    shows=("selector",),
):
    """React, Vue and Svelte components of an element: names, owners, places in the sources, props and state."""

    selector: Selector
    depth: Annotated[Annotated[Natural, Field(le=4)], Field(description="Levels of members of values")] = 0
    max_components: Count = 10


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
    method="elements.audit",
    group="debug",
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
