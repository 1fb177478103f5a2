"""Elements in words: why one looks as it does, who hears its events, and the components that it is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from tabwire.commands.breakpoints import ScopeVariable
from tabwire.commands.elements import (
    Component,
    Components,
    ComponentsResult,
    ElementBox,
    EventListeners,
    EventListenersResult,
    StyleDeclaration,
    StyledProperty,
    Styles,
    StylesResult,
    StyleVariable,
    ToldListener,
)
from tabwire.surfaces.agent.debugging.phrases import built_of, count_of, foot_of, page_text, tells
from tabwire.surfaces.tool import Runs
from tabwire.text.provenance import PageText, Words, joined

_ORIGINS = {"browser": "browser's style sheet", "injected": "injected by an extension or user"}
"""Origins that are said beside the selector."""
MAX_TYPES = 8
"""Types of one function that are told: the root of a framework hears all there are."""


def _styles_text(command: Styles, result: StylesResult) -> Words:
    said = [
        result["element"],
        *_box_lines(result["box"]),
        *_sight_lines(result),
        *_placement_lines(result),
        *(line for one in result["properties"] for line in _property_lines(one)),
        *_invalid_lines(result.get("invalid", ())),
    ]
    none = [] if result["properties"] else ["No rule of the page sets any of these properties."]
    more = [f"{count_of(result['more'], 'more property')}: name them in properties"] if "more" in result else []
    return joined("\n", [PageText("\n".join(said)), *none, *more, *foot_of(result)])


def _box_lines(box: ElementBox) -> list[str]:
    edges = ", ".join(f"{name} {box[name]}" for name in ("margin", "border", "padding") if box[name] != "0px")
    sizing = "" if box["sizing"] == "content-box" else f", {box['sizing']}"
    return [
        f"Box: {box['width']:g} × {box['height']:g} px at {box['x']:g},{box['y']:g}; display {box['display']}, "
        f"position {box['position']}{sizing}{f'; {edges}' if edges else ''}"
    ]


def _sight_lines(result: StylesResult) -> list[str]:
    hidden = [f"Hidden: {reason}" for reason in result["hidden"]]
    covered = [f"Covered by {result['covered_by']}"] if "covered_by" in result else []
    clicks = ["Takes no clicks: pointer-events: none"] if "takes_no_clicks" in result else []
    moved = [f"Animated now: {', '.join(result['animated'])} (animations are stronger than rules)"] if result["animated"] else []
    return [*hidden, *covered, *clicks, *moved]


def _placement_lines(result: StylesResult) -> list[str]:
    block, stack = result["containing_block"], result["stacking_context"]
    outer = result.get("offset_parent")
    offset = [f"Offset parent: {outer}"] if outer is not None and outer != block["element"] else []
    z_index = "" if result["z_index"] == "auto" else f"; z-index {result['z_index']}"
    return [
        f"Containing block: {block['element']} ({block['why']})",
        *offset,
        f"Stacking context: {stack['element']} ({stack['why']}){z_index}",
    ]


def _property_lines(one: StyledProperty) -> list[str]:
    if "winner" not in one:
        return [f"{one['name']}: {one['computed']} — declared nowhere"]
    more = [f"    … {count_of(one['more'], 'more declaration')}"] if "more" in one else []
    return [
        f"{one['name']}: {one['computed']}",
        f"  = {_declaration(one['winner'])}",
        *([f"    from {_declaration(one['source'])}"] if "source" in one else []),
        *(f"    {_variable(variable)}" for variable in one.get("variables", ())),
        *(f"  × {_declaration(lost)} ({lost.get('why', '')})" for lost in one.get("overridden", ())),
        *more,
    ]


def _declaration(one: StyleDeclaration) -> str:
    inherited = f", inherited from {one['inherited_from']}" if "inherited_from" in one else ""
    conditions = f" {' '.join(one['conditions'])}" if "conditions" in one else ""
    return f"{one['declaration']} — {one['selector']}{conditions}{_place(one)}{inherited}"


def _place(one: StyleDeclaration | StyleVariable) -> str:
    origin = _ORIGINS.get(str(one.get("origin", "")))
    place = f"{one['place']}{built_of(one)}" if "place" in one else origin
    return f" ({place})" if place else ""


def _variable(one: StyleVariable) -> str:
    if "value" not in one:
        return f"{one['name']} is declared nowhere"
    selector = f" — {one['selector']}{_place(one)}" if "selector" in one else ""
    inherited = f", inherited from {one['inherited_from']}" if "inherited_from" in one else ""
    return f"{one['name']}: {one['value']}{selector}{inherited}"


def _invalid_lines(invalid: Sequence[StyleDeclaration]) -> list[str]:
    return ["Not understood by Chrome:", *(f"  {_declaration(one)}" for one in invalid)] if invalid else []


def _listeners_text(command: EventListeners, result: EventListenersResult) -> Words:
    listeners = result["listeners"]
    wanted = f" of {', '.join(command.types)}" if command.types else ""
    head = PageText(f"{result['element']}: {count_of(result['total'], 'listener')}{wanted} on it and around it")
    lines = [line for target, same in groupby(listeners, key=lambda one: one["target"]) for line in _target_lines(target, same)]
    more = [f"{result['more']} more: offset: {command.offset + len(listeners)}"] if "more" in result else []
    return joined("\n", [head, *page_text(lines), *more, *foot_of(result)])


def _target_lines(target: str, listeners: Iterable[ToldListener]) -> list[str]:
    return [f"On {target}:", *(f"  {_listener(one)}" for one in listeners)]


def _listener(one: ToldListener) -> str:
    types = one["types"]
    named = ", ".join(types[:MAX_TYPES]) + (f" and {len(types) - MAX_TYPES} more types" if len(types) > MAX_TYPES else "")
    framework = f"{one['framework']} " if "framework" in one else ""
    options = f" ({', '.join(one['options'])})" if one["options"] else ""
    library = ", of a library" if one.get("library") else ""
    text = f" | {one['text']}" if "text" in one else ""
    return f"{framework}{named}{options} — {one['place']}{built_of(one)}{library}{text}"


def _components_text(command: Components, result: ComponentsResult) -> Words:
    components = result["components"]
    head = PageText(f"{result['element']}: {count_of(sum(one['relation'] != 'element' for one in components), 'component')}")
    groups = groupby(components, key=lambda one: f"{one['framework']}, {one['build']} build, on {one['on']}")
    lines = [line for title, same in groups for line in _framework_lines(title, same)]
    more = [f"{result['more']} more around them: max_components"] if "more" in result else []
    return joined("\n", [head, *page_text(lines), *more, *foot_of(result)])


def _framework_lines(title: str, components: Iterable[Component]) -> list[str]:
    return [f"{title}:", *(line for one in components for line in _component_lines(one))]


def _component_lines(one: Component) -> list[str]:
    if one["relation"] == "element":
        return [f"  written at {one['made']}"] if "made" in one else []
    key = f" key={one['key']}" if "key" in one else ""
    place = f" — {one['place']}{built_of(one)}{', of a library' if one.get('library') else ''}" if "place" in one else ""
    server = f", runs on a server ({one['server']})" if "server" in one else ""
    made = f", written at {one['made']}" if "made" in one else ""
    values = [*_value_lines("props", one.get("props")), *_value_lines("state", one.get("state"))]
    return [f"  {one['relation']} {one['name']}{key}{place}{server}{made}", *values]


def _value_lines(kind: str, values: Sequence[ScopeVariable] | None) -> list[str]:
    told = ", ".join(f"{value['name']}: {value['value']}" for value in values or ())
    return [f"    {kind}: {told}"] if told else []


RUNS: Runs = {Styles: tells(_styles_text), EventListeners: tells(_listeners_text), Components: tells(_components_text)}
