"""Components of frameworks that an element is of. Ours; of the group `debug`."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field

from tabwire.commands.breakpoints import ScopeVariable
from tabwire.commands.declaration import Command, Returns
from tabwire.commands.elements import ElementReading, Selector
from tabwire.commands.results import ListResult, Placed
from tabwire.commands.types import Count, Natural


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
    method="debug.components",
    tool="components",
    title="Components of an element",
    past="Read the components of {selector}",
    shows=("selector",),
):
    """React, Vue and Svelte components of an element: names, owners, places in the sources, props and state."""

    selector: Selector
    depth: Annotated[Annotated[Natural, Field(le=4)], Field(description="Levels of members of values")] = 0
    max_components: Count = 10


COMMANDS: tuple[type[Command], ...] = (Components,)
