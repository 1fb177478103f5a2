"""The MCP server: a low-level `Server`, because surfaces need exact schemas and their own errors; `stdio` takes it to pipes."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import mcp_types as types
from mcp.server import NotificationOptions, Server
from mcp.server.context import ServerMiddleware, ServerRequestContext
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged, ToolsListChanged
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from tabwire.engine.call_wait import WaitReason, told_in
from tabwire.engine.engine import Engine
from tabwire.engine.questions import Answer, Question
from tabwire.errors import InvalidArgument, TabwireError, UnknownCommand
from tabwire.middleware.audit import Refused
from tabwire.middleware.browser import with_browser
from tabwire.server.client_log import ClientLog
from tabwire.server.client_sessions import ClientSessions
from tabwire.server.elicitation import with_questions
from tabwire.server.http_limits import Sessions
from tabwire.server.prompts import Handler, prompt_handlers
from tabwire.server.resources import resource_contents, resource_facts
from tabwire.surfaces.context import Context
from tabwire.surfaces.offered_tools import OfferedTools
from tabwire.surfaces.tool import Tool, ToolCall, ToolResult, Toolset
from tabwire.surfaces.tool_groups import group_of

Chain = Callable[[ToolCall], Awaitable[ToolResult]]
ClientSeen = Callable[[str, str], None]
RequestContext = ServerRequestContext[Any, Any]
CallNext = Callable[[Any], Awaitable[Any]]
"""The rest of the way of a request, as a middleware calls it."""

FACTS = "tabwire/response"
"""The name under which `_meta` has the facts of a reply that is a text."""
PROGRESS_INTERVAL_S = 1.0
ROOTS_LIMIT_S = 5.0

log = logging.getLogger(__name__)


def build(
    toolset: Toolset,
    run: Chain,
    context: Context,
    version: str,
    on_client: ClientSeen,
    *,
    asks_roots: bool = True,
    on_refused: Refused | None = None,
) -> Server[Any]:
    """A server that lists the toolset, sends every call through the chain, and offers what was saved as resources.

    Args:
        on_client: told the client's name and version whenever it says them.
        on_refused: called for each call that reaches no tool.
        asks_roots: whether the folders of its one client may be written to; several clients could not be told apart.
    """
    # Clients of the newer protocol are told of changes where they ask for it.
    listeners = InMemorySubscriptionBus()
    sessions = ClientSessions()
    tools, client_log = ToolList(toolset, context.engine, listeners, sessions), ClientLog(sessions)

    async def list_tools(ctx: RequestContext, params: Any) -> types.ListToolsResult:
        return tools.listed()

    async def list_resources(ctx: RequestContext, params: Any) -> types.ListResourcesResult:
        listed = context.files.artifacts.listed()
        return types.ListResourcesResult(resources=[types.Resource(**resource_facts(artifact)) for artifact in listed])

    async def list_resource_templates(ctx: RequestContext, params: Any) -> types.ListResourceTemplatesResult:
        # None: but clients ask whoever has resources.
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(ctx: RequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return _read_resource(toolset, context, str(params.uri))

    server = _Server(
        toolset.identity.name,
        version=toolset.identity.version or version,
        description=toolset.identity.description,
        instructions=toolset.instructions,
        on_list_tools=list_tools,
        on_call_tool=_calling(toolset, run, context, on_client, listeners),
        on_list_resources=list_resources if toolset.saves else None,
        on_list_resource_templates=list_resource_templates if toolset.saves else None,
        on_read_resource=read_resource if toolset.saves else None,
        on_subscriptions_listen=ListenHandler(listeners),
        lifespan=_served_with(tools.kept, *([client_log.kept] if toolset.logs else [])),
    )
    for method, parameters, handler in prompt_handlers(toolset, context):
        server.add_request_handler(method, parameters, partial(_refusing, handler))
    watches = _watches(toolset, context if asks_roots else None, on_refused)
    if toolset.logs:
        server.add_request_handler("logging/setLevel", types.SetLevelRequestParams, client_log.set_level)
    server.middleware += [sessions.note, partial(_watch_client, on_client), *watches]
    return server


def _watches(toolset: Toolset, asks_roots: Context | None, on_refused: Refused | None) -> Iterator[ServerMiddleware[Any]]:
    if on_refused is not None:
        yield partial(_watch_refusals, toolset, on_refused)
    if toolset.identity.protocol is not None:
        yield partial(_settle_handshake, toolset.identity.protocol)
    if asks_roots is not None and toolset.saves:
        yield partial(_watch_roots, asks_roots)


def _unknown(name: str, toolset: Toolset) -> MCPError:
    now = toolset.old_names.get(name)
    if name in toolset.by_name:
        return MCPError(types.INVALID_PARAMS, f"{name} is not enabled; call {group_of(toolset.by_name[name])} first")
    what = f"{name} is now {now} (--aliases serves the old names too)" if now else f"Unknown tool: {name}"
    return MCPError(types.INVALID_PARAMS, f"{what}. Tools: {', '.join(tool for tool in toolset.by_name if toolset.tool(tool))}")


def _served_with(
    *parts: Callable[[], AbstractAsyncContextManager[None]],
) -> Callable[[Server[Any]], AbstractAsyncContextManager[dict[str, Any]]]:
    """The parts of a server that run while it is served."""

    @asynccontextmanager
    async def lifespan(server: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with AsyncExitStack() as stack:
            for part in parts:
                await stack.enter_async_context(part())
            yield {}

    return lifespan


class _Server(Server[Any]):
    """Says on every transport that the list of tools may change."""

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *rest: Any, **more: Any
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *rest, **more)


async def _watch_client(on_client: ClientSeen, ctx: Any, call_next: CallNext) -> Any:
    """Tell who the client is with whatever it asks first: people see its name before its first call."""
    result = await call_next(ctx)
    _report_client(ctx, on_client)
    return result


async def _settle_handshake(version: str, ctx: Any, call_next: CallNext) -> Any:
    """End the handshake in this version whatever the client asks for. Clients of the newer protocol shake no hands."""
    if ctx.method == "initialize" and isinstance(ctx.params, dict):
        # In place: the SDK reads the client's wish twice, for its answer and for the session.
        ctx.params["protocolVersion"] = version
    return await call_next(ctx)


class ToolList:
    """Answer to `tools/list`: the tools that are offered now, each with `browser` while there are several.

    Clients are told when that changes.

    Args:
        toolset: the tools.
        engine: knows how many browsers there are.
        listeners: clients of the newer protocol.
        sessions: clients of the older protocol.
    """

    def __init__(self, toolset: Toolset, engine: Engine, listeners: InMemorySubscriptionBus, sessions: ClientSessions) -> None:
        self._engine = engine
        self._listeners = listeners
        self._takes_browser = toolset.takes_browser
        self._offered = toolset.offered
        self._plain = [_listed(tool) if toolset.offered is None else _listed_shortly(tool) for tool in toolset.tools]
        self._with_browser = [tool.model_copy(update={"input_schema": with_browser(tool.input_schema)}) for tool in self._plain]
        self._sessions = sessions

    def listed(self) -> types.ListToolsResult:
        """The list at this moment."""
        tools = self._with_browser if self._takes_browser and self._engine.has_several else self._plain
        return types.ListToolsResult(tools=[tool for tool in tools if self._offered is None or tool.name in self._offered])

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Notify clients of changes while this is entered."""
        async with anyio.create_task_group() as tasks:
            if self._takes_browser:
                tasks.start_soon(self._tell_when_several)
            if self._offered is not None:
                tasks.start_soon(self._tell_when_grown, self._offered)
            yield
            tasks.cancel_scope.cancel()

    async def _tell_when_several(self) -> None:
        told = self._engine.has_several
        while True:
            told = await self._engine.several_changed(told)
            await self._tell()

    async def _tell_when_grown(self, offered: OfferedTools) -> None:
        told = len(offered)
        while True:
            told = await offered.grown(told)
            await self._tell()

    async def _tell(self) -> None:
        await self._listeners.publish(ToolsListChanged())
        await self._sessions.tell(ServerSession.send_tool_list_changed)


def http_app(server: Server[Any], path: str, *, max_body: int, max_sessions: int, session_idle_s: float) -> Any:
    """The ASGI application that serves streamable HTTP at a path. Who may ask is not its business.

    Args:
        max_body: The longest message, in bytes.
        max_sessions: How many clients of the older protocol may be there at once; the newer has no sessions. One more ends the
            session that has been idle for longest.
        session_idle_s: After how long without a request such a session ends.
    """
    app = server.streamable_http_app(
        streamable_http_path=path, max_request_body_size=max_body, max_sessions=max_sessions, session_idle_timeout=session_idle_s
    )
    return Sessions(app, max_sessions, MODERN_PROTOCOL_VERSIONS)


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.effect == "read",
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=tool.open_world,
        ),
    )


def _listed_shortly(tool: Tool) -> types.Tool:
    """An entry without what a model does not need: the title, rare parameters, the schema of results, MCP's default hints."""
    is_act = tool.effect == "act"
    annotations = types.ToolAnnotations(
        read_only_hint=not is_act,
        destructive_hint=tool.destructive if is_act else None,
        idempotent_hint=True if is_act and tool.idempotent else None,
        open_world_hint=None if tool.open_world else False,
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.short_schema or tool.input_schema,
        annotations=annotations,
    )


def _calling(
    toolset: Toolset, run: Chain, context: Context, on_client: ClientSeen, listeners: InMemorySubscriptionBus
) -> Callable[[RequestContext, types.CallToolRequestParams], Awaitable[types.CallToolResult | types.InputRequiredResult]]:
    """Return the handler of `tools/call`."""

    async def call_tool(
        ctx: RequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        client = _report_client(ctx, on_client)
        tool = toolset.tool(params.name)
        if tool is None:
            raise _unknown(params.name, toolset)
        call = ToolCall(tool=tool, arguments=params.arguments or {}, toolset=toolset, context=context.for_call(), client=client)

        async def run_tool() -> types.CallToolResult:
            result = await _with_progress(ctx, tool, lambda: run(call))
            if result.saved:
                await listeners.publish(ResourcesListChanged())
            return _result(result)

        return await with_questions(ctx, params, run_tool, answer)

    async def answer(question: Question, said: Answer) -> None:
        if question.answered is not None:
            await question.answered(said)
        else:
            await context.engine.answer_question(question, said)

    return call_tool


async def _with_progress(ctx: RequestContext, tool: Tool, run: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
    """A client that asked for progress hears every second that the call is alive: some give up on silent ones."""
    reason = WaitReason()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report_progress, ctx, tool.title, reason)
        with told_in(reason):
            result = await run()
        tasks.cancel_scope.cancel()
    return result


async def _report_progress(ctx: RequestContext, what: str, reason: WaitReason) -> None:
    started = anyio.current_time()
    while True:
        await anyio.sleep(PROGRESS_INTERVAL_S)
        seconds = round(anyio.current_time() - started)
        doing = f"{what}, {reason.text}" if reason.text else what
        await ctx.session.report_progress(seconds, None, f"{doing}: {seconds} s")


def _result(result: ToolResult) -> types.CallToolResult:
    if result.rpc_code is not None:
        raise MCPError(result.rpc_code, result.text, result.structured)
    content: list[types.ContentBlock] = [
        types.ImageContent(data=image.data, mime_type=image.mime_type) for image in result.images
    ]
    content.append(types.TextContent(text=result.text))
    content += [types.ResourceLink(**resource_facts(artifact)) for artifact in result.saved]
    meta = None if result.facts is None else {FACTS: result.facts}
    return types.CallToolResult(content=content, structured_content=result.structured, is_error=result.is_error, _meta=meta)


def _report_client(ctx: RequestContext, on_client: ClientSeen) -> str:
    """The name that the client says, if it does."""
    params = getattr(ctx.session, "client_params", None)
    info = getattr(params, "client_info", None)
    if info is None:
        return ""
    on_client(info.name, info.version)
    return str(info.name)


async def _watch_refusals(toolset: Toolset, told: Refused, ctx: Any, call_next: CallNext) -> Any:
    """Tell of calls that reach no tool; the others go through the chain."""
    try:
        return await call_next(ctx)
    except (MCPError, ValidationError) as error:
        asked = ctx.params if isinstance(ctx.params, dict) else {}
        name = asked.get("name")
        is_unknown = toolset.tool(name) is None if isinstance(name, str) else True
        if ctx.method == "tools/call" and (is_unknown or isinstance(error, ValidationError)):
            code = UnknownCommand.code if is_unknown else InvalidArgument.code
            told(_report_client(ctx, lambda *_: None), str(name), asked.get("arguments"), code)
        raise


async def _refusing(handler: Handler, ctx: RequestContext, params: Any) -> Any:
    """The handler with refusals as MCP has them."""
    try:
        return await handler(ctx, params)
    except InvalidArgument as error:
        raise MCPError(types.INVALID_PARAMS, str(error)) from None


def _read_resource(toolset: Toolset, context: Context, uri: str) -> types.ReadResourceResult:
    try:
        read = resource_contents(context.files.artifacts, uri, is_fenced=toolset.rules.is_fenced)
    except TabwireError as error:
        raise MCPError(types.INVALID_PARAMS, str(error), {"uri": uri}) from None
    return types.ReadResourceResult(contents=[read])


_TELLS_ROOTS = ("notifications/initialized", "notifications/roots/list_changed")


async def _watch_roots(context: Context, ctx: Any, call_next: CallNext) -> Any:
    """Ask a client that has roots for them when it may have new ones. The newer protocol has no such question."""
    answer = await call_next(ctx)
    if ctx.method in _TELLS_ROOTS and getattr(ctx.session.client_capabilities, "roots", None) is not None:
        context.files.roots = await _roots(ctx)
    return answer


async def _roots(ctx: Any) -> list[Path]:
    try:
        with anyio.fail_after(ROOTS_LIMIT_S):
            listed = await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
    except (MCPError, TimeoutError) as error:
        log.warning("the client did not tell its roots: %s", error)
        return []
    parts = [urlsplit(str(root.uri)) for root in listed.roots]
    return [Path(url2pathname(part.path)) for part in parts if part.scheme == "file" and part.netloc in ("", "localhost")]
