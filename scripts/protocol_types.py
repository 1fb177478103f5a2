"""The parameters and results of the wire as TypeScript, for the checks of the extension."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_type_hints

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode
from typing_extensions import get_original_bases, is_typeddict

from tabwire.commands import WIRE
from tabwire.commands.declaration import Command
from tabwire.commands.json_schema import input_schema
from tabwire.rules.grants import Answer, Grants, Level, TabSight

Schema = dict[str, Any]

HEAD = """
/** Facts of a method that its declaration states. */
export interface MethodFacts {
  title: string;
  effect: "read" | "act";
  target: "tab" | "browser";
  page: "none" | "document" | "answering" | "scripts";
  intent?: "arrange";
  sensitive?: string[];
  always?: true;
  /** The act as people read it; `{name}` stands for a value, `|` separates alternatives. */
  caption?: string;
  past?: string;
  input?: "press" | "keys" | "any" | "move" | "wheel";
  /** "always", or the parameter that makes the act go on after it began when it is more than 1. */
  lasts?: string;
  silence?: "load" | "wait";
  gesture?: true;
  resumes?: true;
  bound?: number;
}

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M]["params"];
/** A method that works in a tab. */
export type TabMethod = { [M in Method]: Methods[M]["target"] extends "tab" ? M : never }[Method];
/** What travels back. */
export type Result<M extends Method> = Methods[M]["result"];
/** The handler's part of it: of acts in a tab the router adds `tabId` and `effects`. */
export type Handled<M extends Method> = Result<M> extends { tabId: number; effects: Effects }
  ? Omit<Result<M>, "tabId" | "effects"> & { tabId?: number }
  : Result<M>;

/** All fields of a union, each as any of its members has it. */
type Merged<U> = { [K in U extends unknown ? keyof U : never]?: U extends unknown ? (K extends keyof U ? U[K] : never) : never };
/** Parameters, for what does not look at the method. */
export type AnyParams = Merged<Params<Method>>;
/** A result, for what does not look at the method. */
export type AnyResult = Merged<Result<Method>>;
""".lstrip()

_SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def type_of(schema: Schema) -> str:
    """A JSON Schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    for alternatives in ("oneOf", "anyOf"):
        if alternatives in schema:
            return " | ".join(dict.fromkeys(type_of(option) for option in schema[alternatives]))
    kind = schema.get("type")
    if kind == "array":
        return f"Array<{type_of(schema.get('items', {}))}>"
    if kind == "object":
        return _object(schema)
    return _SCALARS.get(kind or "", "any")


def _object(schema: Schema) -> str:
    if "properties" in schema:
        return "{ " + "; ".join(_fields(schema)) + " }"
    keys = type_of(schema["propertyNames"]) if "propertyNames" in schema else "string"
    values = schema.get("additionalProperties")
    return f"Record<{keys}, {type_of(values) if isinstance(values, dict) else 'any'}>"


def _fields(schema: Schema) -> list[str]:
    """A field with a default is always present."""
    required = schema.get("required", ())
    return [
        f"{name}{'' if name in required or 'default' in field else '?'}: {type_of(field)}"
        for name, field in schema.get("properties", {}).items()
    ]


MAX_LINE = 130
_OTHER_NAMES = {"Result": "CommandResult"}
"""Shape whose name a type of `HEAD` has → its name here."""


@dataclass(frozen=True)
class _Interface:
    """An interface. What is in a base as it is here is taken from there."""

    name: str
    fields: list[str]
    bases: list[_Interface] = field(default_factory=list)

    def extended(self) -> list[_Interface]:
        """The bases that it extends: the nearest ones of which it has all fields."""
        found = (one for base in self.bases for one in ([base] if set(base.fields) <= set(self.fields) else base.extended()))
        return list({base.name: base for base in found if base.fields}.values())

    def text(self) -> str:
        """Declaration, in one line where it fits."""
        bases = self.extended()
        inherited = {one for base in bases for one in base.fields}
        own = [one for one in self.fields if one not in inherited]
        head = f"export interface {self.name}" + (f" extends {', '.join(base.name for base in bases)}" if bases else "")
        line = f"{head} {{ {'; '.join(own)} }}" if own else f"{head} {{}}"
        return line if len(line) <= MAX_LINE else "\n".join([f"{head} {{", *(f"  {one};" for one in own), "}"])


def _interface(name: str, schema: Schema) -> str:
    return _Interface(name, _fields(schema)).text()


def _shapes() -> dict[str, Any]:
    """The shapes of results by name."""
    modules = [module for name, module in sys.modules.items() if name.startswith("tabwire.commands")]
    return {one.__name__: one for module in modules for one in vars(module).values() if is_typeddict(one)}


def _bases_of(shape: Any) -> list[Any]:
    return [base for base in get_original_bases(shape) if is_typeddict(base)]


def _result_interfaces(definitions: dict[str, Schema]) -> list[_Interface]:
    """The interfaces of the shapes of results, each with those of its bases."""
    shapes, made = _shapes(), dict[str, _Interface]()

    def make(name: str) -> _Interface:
        if name not in made:
            bases = [make(base.__name__) for base in _bases_of(shapes[name]) if base.__name__ in definitions]
            made[name] = _Interface(_OTHER_NAMES.get(name, name), _fields(definitions[name]), bases)
        return made[name]

    return [make(name) for name in definitions]


def _params_interfaces(commands: Sequence[type[Command]], schemas: Mapping[type[Command], Schema]) -> list[_Interface]:
    """The interfaces of the parameters of commands, and of those that only bases of commands have."""
    made: dict[type[Command], _Interface] = {}

    def make(command: type[Command]) -> _Interface:
        if command not in made:
            bases = [make(base) for base in command.__bases__ if issubclass(base, Command)]
            is_whole = command in schemas
            name = _params_name(command) if is_whole else f"{command.__name__}Params"
            made[command] = _Interface(name, _fields(schemas[command] if is_whole else _params(command, {})), bases)
        return made[command]

    whole = [make(command) for command in commands]
    used = {base.name for one in made.values() for base in one.extended()}
    return [*whole, *(one for command, one in made.items() if command not in schemas and one.name in used)]


def _grants() -> str:
    """`Grants` as it is written: what says nothing is left out."""
    said = {name: _without_null(field) for name, field in Grants.model_json_schema()["properties"].items()}
    return _interface("Grants", {"properties": said})


def _without_null(field: Schema) -> Schema:
    return {"anyOf": [option for option in field["anyOf"] if option.get("type") != "null"]}


def _params_name(command: type[Command]) -> str:
    """`tabs.create_window` → `TabsCreateWindowParams`."""
    return "".join(part.capitalize() for part in command.method.replace(".", "_").split("_")) + "Params"


def _params(command: type[Command], replaced: dict[str, Schema]) -> Schema:
    """The parameters as they travel."""
    schema = input_schema(command)
    ours = {field.alias or name for name, field in command.model_fields.items() if field.exclude}
    properties = {name: field for name, field in schema.get("properties", {}).items() if name not in ours}
    return {"properties": {**properties, **replaced}, "required": schema.get("required", ())}


def _above(shape: Any) -> Iterator[Any]:
    """All bases of a shape that have fields."""
    for base in _bases_of(shape) if is_typeddict(shape) else ():
        if get_type_hints(base):
            yield base
            yield from _above(base)


def render() -> str:
    """The declarations of all methods that the extension answers."""
    commands = [command for command in WIRE if command.in_browser]
    mode: JsonSchemaMode = "validation"
    inputs: list[tuple[Any, JsonSchemaMode, TypeAdapter[Any]]] = [
        *((command.method, mode, TypeAdapter(command.result)) for command in commands),
        *(((command.method, name), mode, TypeAdapter(type_)) for command in commands for name, type_ in command.on_wire.items()),
    ]
    bases = {base for command in commands for base in _above(command.result)}
    inputs += [(("base", base.__name__), mode, TypeAdapter(base)) for base in sorted(bases, key=lambda base: str(base.__name__))]
    found, definitions = TypeAdapter.json_schemas(inputs)
    schemas = {key: cast(Schema, schema) for (key, _), schema in found.items()}
    methods = [
        f'  "{command.method}": {{ params: {_params_name(command)};'
        f' result: {type_of(schemas[command.method])}; target: "{command.scope}" }};'
        for command in commands
    ]
    params = {
        command: _params(command, {name: schemas[command.method, name] for name in command.on_wire}) for command in commands
    }
    return "\n".join(
        [
            HEAD,
            f"export type Level = {type_of(TypeAdapter(Level).json_schema())};",
            f"export type Answer = {type_of(TypeAdapter(Answer).json_schema())};",
            f"export type TabSight = {type_of(TypeAdapter(TabSight).json_schema())};",
            "/** What pairing.json allows ahead: for browsers that nobody sits in front of. */",
            _grants(),
            "export interface Methods {",
            *methods,
            "}",
            *(one.text() for one in _params_interfaces(commands, params)),
            *(one.text() for one in _result_interfaces(definitions["$defs"])),
            "",
        ]
    )
