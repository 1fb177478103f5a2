"""Calls of a page's own tools: the arguments are held against the page's schema before the page's code runs."""

from tabwire.commands import page_tools
from tabwire.surfaces.tool import Answer, Runs, ToolCall


async def run_call_page_tool(call: ToolCall) -> Answer:
    """Call it, if the arguments fit what the page says of them.

    Raises:
        InvalidArgument: they do not; the message names the argument.
    """
    from tabwire.surfaces.agent.page_arguments import check

    asked: page_tools.Call = call.parameters
    listed = await call.context.send(page_tools.List(name=asked.name, tabId=asked.tabId, frameId=asked.frameId))
    for tool in listed["tools"][:1]:
        check(tool, asked.arguments)
    return dict(await call.context.send(asked))


RUNS: Runs = {page_tools.Call: run_call_page_tool}
