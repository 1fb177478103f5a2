"""The MCP server: a low-level `Server`, because surfaces need exact schemas and their own errors. The only importer of `mcp`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import mcp_types as types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from tabwire.tool import Context, Tool, ToolCall, ToolResult, Toolset

Chain = Callable[[ToolCall], Awaitable[ToolResult]]
ClientSeen = Callable[[str, str], None]


def build(toolset: Toolset, run: Chain, context: Context, version: str, on_client: ClientSeen) -> Server[Any]:
    """A server that lists the toolset and sends every call through the chain.

    Args:
        on_client: told the client's name and version whenever it says them.
    """
    listed = types.ListToolsResult(tools=[_listed(tool) for tool in toolset.tools])

    async def list_tools(ctx: ServerRequestContext[Any, Any], params: Any) -> types.ListToolsResult:
        return listed

    async def call_tool(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> types.CallToolResult:
        _report_client(ctx, on_client)
        tool = toolset.by_name.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}. Tools: {', '.join(toolset.by_name)}")
        call = ToolCall(tool=tool, arguments=params.arguments or {}, toolset=toolset, context=context)
        return _result(await run(call))

    return Server("tabwire", version=version, instructions=toolset.instructions, on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio(server: Server[Any], stdin: AsyncIterator[str]) -> None:
    """Serve until stdin ends. Both protocol eras; nothing of ours can reach stdout."""
    async with stdio_server(stdin=stdin) as (read, write):  # type: ignore[arg-type]  # any async iterator of lines does
        await server.run(read, write, server.create_initialization_options())


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.effect == "read",
            destructive_hint=tool.effect == "act",
            idempotent_hint=tool.idempotent,
            open_world_hint=True,
        ),
    )


def _result(result: ToolResult) -> types.CallToolResult:
    content: list[types.ContentBlock] = [
        types.ImageContent(data=image.data, mime_type=image.mime_type) for image in result.images
    ]
    content.append(types.TextContent(text=result.text))
    return types.CallToolResult(content=content, structured_content=result.structured, is_error=result.is_error)


def _report_client(ctx: ServerRequestContext[Any, Any], on_client: ClientSeen) -> None:
    params = getattr(ctx.session, "client_params", None)
    info = getattr(params, "client_info", None)
    if info is not None:
        on_client(info.name, info.version)
