"""MCP elicitation: the client's user hears of the extension's questions, too. A no counts at once; a yes only where the owner of
the browser has said so, in a file that no client writes. The two eras of the protocol ask in two ways."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal

import anyio
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tabwire.asking import Question, told_to

__all__ = ["Answerer", "with_questions"]

log = logging.getLogger(__name__)

Answer = Literal["once", "later"]
Answerer = Callable[[Question, Answer], Coroutine[Any, Any, None]]
Run = Callable[[], Awaitable[types.CallToolResult]]

_KEY = "permission"
_SCHEMA: dict[str, Any] = {"type": "object", "properties": {}}
_REFUSED = "permission_denied: you may not do that: the user was asked in this client and did not allow it. Nothing was done"


async def with_questions(
    ctx: Any, params: types.CallToolRequestParams, run: Run, answer: Answerer
) -> types.CallToolResult | types.InputRequiredResult:
    """Run a call; what the extension asks meanwhile is put to the client's user, where the client can do that.

    Args:
        ctx: the request context of the SDK.
        run: the call; never raises anything but protocol errors.
        answer: tells the extension.
    """
    if getattr(ctx.session.client_capabilities, "elicitation", None) is None:
        return await run()
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return await _by_retry(params, run, answer)
    return await _by_request(ctx, run, answer)


async def _by_request(ctx: Any, run: Run, answer: Answerer) -> types.CallToolResult:
    """The older protocol: a request of ours, while the call waits."""

    async def ask(question: Question) -> None:
        try:
            said = await ctx.session.elicit_form(_words(question), _SCHEMA, related_request_id=ctx.request_id)
        except Exception as error:  # the client cannot, or is gone: the window in the browser is there all the same
            log.debug("the client's user was not asked: %s", error)
            return
        if said.action == "decline":
            await answer(question, "later")
        elif said.action == "accept" and question.from_client:
            await answer(question, "once")

    def asked(tasks: anyio.abc.TaskGroup, question: Question) -> None:
        tasks.start_soon(ask, question)

    return await _asking(run, asked)


async def _by_retry(
    params: types.CallToolRequestParams, run: Run, answer: Answerer
) -> types.CallToolResult | types.InputRequiredResult:
    """The newer one: the call ends with the question, before anything is done, and the client makes it again with the answer."""
    given = (params.input_responses or {}).get(_KEY)
    if given is not None and getattr(given, "action", None) != "accept":
        return types.CallToolResult(content=[types.TextContent(text=_REFUSED)], is_error=True)
    open_questions: list[Question] = []

    def asked(tasks: anyio.abc.TaskGroup, question: Question) -> None:
        if not question.from_client:
            return
        if given is not None:
            tasks.start_soon(answer, question, "once")
        else:
            open_questions.append(question)
            tasks.cancel_scope.cancel()

    result = await _asking(run, asked)
    if not open_questions:
        return result
    wanted = types.ElicitRequestFormParams(message=_words(open_questions[0]), requested_schema=_SCHEMA)
    return types.InputRequiredResult(input_requests={_KEY: types.ElicitRequest(params=wanted)})


async def _asking(run: Run, asked: Callable[[anyio.abc.TaskGroup, Question], None]) -> types.CallToolResult:
    result = types.CallToolResult(content=[], is_error=True)
    async with anyio.create_task_group() as tasks:
        with told_to(lambda question: asked(tasks, question)):
            result = await run()
        tasks.cancel_scope.cancel()
    return result


def _words(question: Question) -> str:
    wanted = f"May this client {question.what} ({question.where})?"
    if question.from_client:
        return f"{wanted} The answer is for this once."
    return f"{wanted} To allow it, answer in the window of Tabwire in the browser: here it can only be refused."
