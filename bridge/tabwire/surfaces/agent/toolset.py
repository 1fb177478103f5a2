"""Surface of the agent spec: the commands, published one to one."""

from __future__ import annotations

from tabwire.commands import COMMANDS, GROUPS, ON_REQUEST
from tabwire.commands.declaration import Act, Command
from tabwire.commands.json_schema import input_schema, short_schema
from tabwire.surfaces.agent import (
    batch,
    forms,
    handover,
    history,
    media,
    network,
    page_tools,
    replies,
    scripts,
    session,
    snapshots,
    steps,
    storage,
    tree_search,
)
from tabwire.surfaces.agent.debugging import (
    audit,
    breakpoints,
    code_profile,
    console,
    elements,
    memory,
    performance,
    report,
    requests,
    sources,
)
from tabwire.surfaces.agent.former.names import OLD_NAMES
from tabwire.surfaces.agent.prompts import PROMPTS
from tabwire.surfaces.tool import Answer, Replies, Rules, Run, Runs, Tool, ToolCall, Toolset
from tabwire.text.look_alikes import EXPLANATION

INSTRUCTIONS = (
    "Works in the user's own Chrome. Take a snapshot, then act on elements by their @eN reference; references stay valid while "
    "their element lives. Acts report what was observed; with diff: true they also tell what changed in the snapshot: take no "
    "other one. Tools without tabId use the current tab (tab_list shows it). Tabs in which another client or the user works "
    "refuse acts: open your own. Some acts ask the user for consent, once per site: the call waits, and what is refused is not "
    "tried another way. Where a login, a CAPTCHA, a payment or a decision is the user's, call ask_user. "
    "Tools that change something also take reason (a sentence), which the user sees when asked. "
    f"{EXPLANATION}"
)


async def run_command(call: ToolCall) -> Answer:
    """Send the validated command as it is."""
    return await call.context.send(call.parameters)


_RUNS: Runs = {
    **snapshots.RUNS,
    **tree_search.RUNS,
    **forms.RUNS,
    **media.RUNS,
    **network.RUNS,
    **storage.RUNS,
    **history.RUNS,
    **handover.RUNS,
    **page_tools.RUNS,
    **scripts.RUNS,
    **session.RUNS,
    **console.RUNS,
    **requests.RUNS,
    **performance.RUNS,
    **memory.RUNS,
    **code_profile.RUNS,
    **elements.RUNS,
    **sources.RUNS,
    **breakpoints.RUNS,
    **audit.RUNS,
    **report.RUNS,
    **steps.RUNS,
    **batch.RUNS,
}
"""The commands that are more than one message to the browser."""


def _run_of(command: type[Command]) -> Run:
    return _RUNS.get(command) or (snapshots.run_act if issubclass(command, Act) else run_command)


def tool(command: type[Command]) -> Tool:
    """A command as a tool."""
    return Tool(
        name=command.tool,
        title=str(command.model_config.get("title") or command.tool),
        description=command.description(),
        model=command,
        input_schema=input_schema(command),
        run=_run_of(command),
        effect=command.effect,
        idempotent=command.idempotent,
        destructive=command.destructive,
        open_world=command.open_world,
        group=command.group,
        output_schema=replies.OUTPUT_SCHEMA if command.reply == "data" else None,
        short_schema=None if command.core is None else short_schema(command, command.core),
    )


_CORE = frozenset(command.tool for command in COMMANDS if command.core is not None)
_EVERYDAY_GROUPS = frozenset({"snapshot", "navigation", "input", "script"})
"""Groups of which most tasks need a tool that is not in the core."""

TOOLSET = Toolset(
    name="agent",
    instructions=INSTRUCTIONS,
    tools=tuple(tool(command) for command in COMMANDS),
    replies=Replies(replies.respond, replies.fail),
    rules=Rules(is_fenced=True, outermost=(batch.batch,)),
    decodes_arguments=True,
    logs=True,
    core=_CORE,
    everyday=_CORE | {command.tool for command in COMMANDS if command.group in _EVERYDAY_GROUPS},
    on_request=ON_REQUEST,
    prompts=PROMPTS,
    purposes=GROUPS,
    old_names={name: ", ".join(meant.now) for name, meant in OLD_NAMES.items()},
)
