"""The MCP server: a low-level `Server`, because surfaces need exact schemas and their own errors. The only importer of `mcp`."""

from __future__ import annotations

import base64
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import anyio
import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerMiddleware, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from tabwire.state.artifacts import Artifact, Artifacts
from tabwire.tool import Context, Tool, ToolCall, ToolResult, Toolset

Chain = Callable[[ToolCall], Awaitable[ToolResult]]
ClientSeen = Callable[[str, str], None]
RequestContext = ServerRequestContext[Any, Any]

PROGRESS_INTERVAL_S = 1.0
ROOTS_LIMIT_S = 5.0
MAX_RESOURCE_BYTES = 32 * 1024 * 1024

log = logging.getLogger(__name__)


def build(
    toolset: Toolset, run: Chain, context: Context, version: str, on_client: ClientSeen, *, asks_roots: bool = True
) -> Server[Any]:
    """A server that lists the toolset, sends every call through the chain, and offers what was saved as resources.

    Args:
        on_client: told the client's name and version whenever it says them.
        asks_roots: whether the folders of its one client may be written to; several clients could not be told apart.
    """
    listed = types.ListToolsResult(tools=[_listed(tool) for tool in toolset.tools])

    async def list_tools(ctx: RequestContext, params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(ctx: RequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
        _report_client(ctx, on_client)
        tool = toolset.by_name.get(params.name)
        if tool is None:
            now = toolset.old_names.get(params.name)
            what = f"{params.name} is now {now} (--aliases serves the old names too)" if now else f"Unknown tool: {params.name}"
            raise MCPError(types.INVALID_PARAMS, f"{what}. Tools: {', '.join(toolset.by_name)}")
        call = ToolCall(tool=tool, arguments=params.arguments or {}, toolset=toolset, context=context)
        return _result(await _with_progress(ctx, tool, lambda: run(call)))

    async def list_resources(ctx: RequestContext, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[_resource(artifact) for artifact in context.files.artifacts.listed()])

    async def list_resource_templates(ctx: RequestContext, params: Any) -> types.ListResourceTemplatesResult:
        # None: but clients ask whoever has resources.
        return types.ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(ctx: RequestContext, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=[_contents(context.files.artifacts, str(params.uri))])

    server: Server[Any] = Server(
        "tabwire",
        version=version,
        instructions=toolset.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_resource_templates,
        on_read_resource=read_resource,
    )
    if asks_roots:
        server.middleware.append(_roots_watch(context))
    return server


async def serve_stdio(server: Server[Any], stdin: AsyncIterator[str]) -> None:
    """Serve until stdin ends. Both protocol eras; nothing of ours can reach stdout."""
    async with stdio_server(stdin=stdin) as (read, write):  # type: ignore[arg-type]  # any async iterator of lines does
        await server.run(read, write, server.create_initialization_options())


def http_app(server: Server[Any], path: str, *, max_body: int, max_sessions: int, session_idle_s: float) -> Any:
    """The ASGI application that serves streamable HTTP at a path. Who may ask is not its business.

    Args:
        max_body: The longest message, in bytes.
        max_sessions: How many clients of the older protocol may be there at once; the newer has no sessions.
        session_idle_s: After how long without a request such a session ends.
    """
    return server.streamable_http_app(
        streamable_http_path=path, max_request_body_size=max_body, max_sessions=max_sessions, session_idle_timeout=session_idle_s
    )


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


# ---- calls --------------------------------------------------------------------------------------------------------------


async def _with_progress(ctx: RequestContext, tool: Tool, run: Callable[[], Awaitable[ToolResult]]) -> ToolResult:
    """A client that asked for progress hears every second that the call is alive: some give up on silent ones."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report_progress, ctx, tool.title)
        result = await run()
        tasks.cancel_scope.cancel()
    return result


async def _report_progress(ctx: RequestContext, what: str) -> None:
    started = anyio.current_time()
    while True:
        await anyio.sleep(PROGRESS_INTERVAL_S)
        seconds = round(anyio.current_time() - started)
        await ctx.session.report_progress(seconds, None, f"{what}: {seconds} s")


def _result(result: ToolResult) -> types.CallToolResult:
    content: list[types.ContentBlock] = [
        types.ImageContent(data=image.data, mime_type=image.mime_type) for image in result.images
    ]
    content.append(types.TextContent(text=result.text))
    content += [types.ResourceLink(**_facts(artifact)) for artifact in result.saved]
    return types.CallToolResult(content=content, structured_content=result.structured, is_error=result.is_error)


def _report_client(ctx: RequestContext, on_client: ClientSeen) -> None:
    params = getattr(ctx.session, "client_params", None)
    info = getattr(params, "client_info", None)
    if info is not None:
        on_client(info.name, info.version)


# ---- resources ----------------------------------------------------------------------------------------------------------


def _facts(artifact: Artifact) -> dict[str, Any]:
    return {"uri": artifact.uri, "name": artifact.path.name, "mime_type": artifact.mime_type, "size": artifact.size}


def _resource(artifact: Artifact) -> types.Resource:
    return types.Resource(**_facts(artifact))


def _contents(artifacts: Artifacts, uri: str) -> types.BlobResourceContents:
    artifact = artifacts.find(uri)
    if artifact is None:
        raise MCPError(types.INVALID_PARAMS, f"no such resource {uri}: list the resources to see what is there", {"uri": uri})
    if artifact.size > MAX_RESOURCE_BYTES:
        raise MCPError(
            types.INVALID_PARAMS,
            f"{artifact.path} has {artifact.size:,} bytes; resources are read up to {MAX_RESOURCE_BYTES:,}: open the file",
            {"uri": uri},
        )
    blob = base64.b64encode(artifact.path.read_bytes()).decode()
    return types.BlobResourceContents(uri=uri, mime_type=artifact.mime_type, blob=blob)


# ---- the client's folders -----------------------------------------------------------------------------------------------

_TELLS_ROOTS = ("notifications/initialized", "notifications/roots/list_changed")


def _roots_watch(context: Context) -> ServerMiddleware[Any]:
    """Asks a client that has roots for them when it may have new ones. The newer protocol has no such question."""

    async def watch(ctx: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:
        answer = await call_next(ctx)
        if ctx.method in _TELLS_ROOTS and getattr(ctx.session.client_capabilities, "roots", None) is not None:
            context.files.roots = await _roots(ctx)
        return answer

    return watch


async def _roots(ctx: Any) -> list[Path]:
    try:
        with anyio.fail_after(ROOTS_LIMIT_S):
            listed = await ctx.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
    except (MCPError, TimeoutError) as error:
        log.warning("the client did not tell its roots: %s", error)
        return []
    parts = [urlsplit(str(root.uri)) for root in listed.roots]
    return [Path(url2pathname(part.path)) for part in parts if part.scheme == "file" and part.netloc in ("", "localhost")]
