"""MCP elicitation: the client's user hears of the extension's questions, too. A no counts at once; a yes only where the owner of
the browser has said so, in a file that no client writes. The two eras of the protocol ask in two ways."""

import hashlib
import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from tabwire.engine.questions import Answer, Question, told_to
from tabwire.surfaces import recent

log = logging.getLogger(__name__)

Answerer = Callable[[Question, Answer], Coroutine[Any, Any, None]]
Run = Callable[[], Awaitable[types.CallToolResult]]

_MAX_PUT = 64
_put: OrderedDict[str, Question] = OrderedDict()
"""Questions by key that ended a call and were put to a client's user, the last ones."""
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
    """The newer one: the call ends with the question, before anything is done, and the client makes it again with the answer.

    A yes counts for the question it was given to: when the call is made again it may come to another one.
    """
    accepted = _accepted(params)
    if accepted is None:
        await _tell_of_no(params)
        return types.CallToolResult(content=[types.TextContent(text=_REFUSED)], is_error=True)
    open_questions: list[Question] = []

    def asked(tasks: anyio.abc.TaskGroup, question: Question) -> None:
        if not question.from_client:
            return
        if _key(question) in accepted:
            tasks.start_soon(answer, question, "once")
        else:
            open_questions.append(question)
            tasks.cancel_scope.cancel()

    result = await _asking(run, asked)
    if not open_questions:
        return result
    (question, *_) = open_questions
    recent.keep(_put, _key(question), question, _MAX_PUT)
    wanted = types.ElicitRequestFormParams(message=_words(question), requested_schema=_SCHEMA)
    return types.InputRequiredResult(
        input_requests={_key(question): types.ElicitRequest(params=wanted)}, request_state=json.dumps(sorted(accepted))
    )


async def _tell_of_no(params: types.CallToolRequestParams) -> None:
    """Tell a no to the receiver of a question's answer: the call that asked it has ended."""
    for key, given in (params.input_responses or {}).items():
        question = _put.pop(key, None)
        if question is not None and question.answered is not None and getattr(given, "action", None) != "accept":
            await question.answered("later")


def _accepted(params: types.CallToolRequestParams) -> set[str] | None:
    """The questions that the client's user has said yes to so far, by key; None: no to one of them."""
    answers = params.input_responses or {}
    if any(getattr(given, "action", None) != "accept" for given in answers.values()):
        return None
    with suppress(ValueError):
        earlier = json.loads(params.request_state or "[]")
        return {*answers, *(key for key in earlier if isinstance(key, str))} if isinstance(earlier, list) else {*answers}
    return {*answers}


def _key(question: Question) -> str:
    """The same for the same question of another try, whose id is new."""
    asked = json.dumps([question.browser_id, question.what, question.where])
    return f"permission {hashlib.sha256(asked.encode()).hexdigest()[:16]}"


async def _asking(run: Run, asked: Callable[[anyio.abc.TaskGroup, Question], None]) -> types.CallToolResult:
    result = types.CallToolResult(content=[], is_error=True)
    async with anyio.create_task_group() as tasks:
        with told_to(lambda question: asked(tasks, question)):
            result = await run()
        tasks.cancel_scope.cancel()
    return result


def _words(question: Question) -> str:
    if question.words:
        return question.words
    wanted = f"May this client {question.what} ({question.where})?"
    if question.from_client:
        return f"{wanted} The answer is for this once."
    return f"{wanted} To allow it, answer in the window of Tabwire in the browser: here it can only be refused."
