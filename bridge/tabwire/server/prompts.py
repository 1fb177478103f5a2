"""Prompts of a surface and the completion of their arguments, as MCP has them."""

from collections.abc import Awaitable, Callable
from typing import Any

import mcp_types as types

from tabwire.errors import InvalidArgument
from tabwire.surfaces.context import Context
from tabwire.surfaces.prompts import Argument, Prompt
from tabwire.surfaces.tool import Toolset

Handler = Callable[[Any, Any], Awaitable[Any]]

MAX_COMPLETIONS = 100
"""The protocol allows no more."""


def prompt_handlers(toolset: Toolset, context: Context) -> list[tuple[str, type[Any], Handler]]:
    """Method, type of its parameters and handler; none for a surface without prompts. They raise InvalidArgument."""
    if not toolset.prompts:
        return []
    prompts = {prompt.name: prompt for prompt in toolset.prompts}

    async def list_prompts(ctx: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[_listed(prompt) for prompt in prompts.values()])

    async def get_prompt(ctx: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return _written(_known(prompts, params.name), params.arguments or {})

    async def complete(ctx: Any, params: types.CompleteRequestParams) -> types.CompleteResult:
        values: list[str] = []
        if isinstance(params.ref, types.PromptReference):
            argument = _argument(_known(prompts, params.ref.name), params.argument.name)
            if argument.completed is not None:
                values = await argument.completed(context.for_call().naming(None), params.argument.value)
        shown = values[:MAX_COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )

    return [
        ("prompts/list", types.PaginatedRequestParams, list_prompts),
        ("prompts/get", types.GetPromptRequestParams, get_prompt),
        ("completion/complete", types.CompleteRequestParams, complete),
    ]


def _listed(prompt: Prompt) -> types.Prompt:
    arguments = [
        types.PromptArgument(name=argument.name, description=argument.description, required=argument.required)
        for argument in prompt.arguments
    ]
    return types.Prompt(name=prompt.name, title=prompt.title, description=prompt.description, arguments=arguments)


def _known(prompts: dict[str, Prompt], name: str) -> Prompt:
    if name not in prompts:
        raise InvalidArgument(f"Unknown prompt: {name}. Prompts: {', '.join(prompts)}")
    return prompts[name]


def _argument(prompt: Prompt, name: str) -> Argument:
    for argument in prompt.arguments:
        if argument.name == name:
            return argument
    known = ", ".join(argument.name for argument in prompt.arguments)
    raise InvalidArgument(f"{prompt.name} has no argument {name}; arguments: {known}")


def _written(prompt: Prompt, given: dict[str, str]) -> types.GetPromptResult:
    for name in given:
        _argument(prompt, name)
    missing = [argument.name for argument in prompt.arguments if argument.required and not given.get(argument.name, "").strip()]
    if missing:
        raise InvalidArgument(f"{prompt.name} needs {', '.join(missing)}")
    message = types.PromptMessage(role="user", content=types.TextContent(text=prompt.text(given)))
    return types.GetPromptResult(description=prompt.description, messages=[message])
