"""Any surface for clients that observe until they escalate (`--observe-only`): the same tools, and one that escalates."""

from dataclasses import replace
from typing import Annotated

from pydantic import AfterValidator, Field

from tabwire.commands.declaration import MAX_REASON, Intent
from tabwire.commands.json_schema import input_schema
from tabwire.commands.origins import origin_of
from tabwire.commands.privacy import Fact, Privacy
from tabwire.commands.types import Parameters
from tabwire.errors import PermissionDenied
from tabwire.surfaces.shared.client_authority import ESCALATE, Observing, Who
from tabwire.surfaces.shared.strict_arguments import not_blank
from tabwire.surfaces.tool import Tool, ToolCall, ToolResult, Toolset


class Escalate(Parameters):
    """Allow acts from now on, with the reason why observing is not enough. The reason is kept in the user's event log."""

    reason: Annotated[
        str,
        Field(max_length=MAX_REASON),
        not_blank("is blank; say why acts are needed"),
        AfterValidator(str.strip),
        Privacy.CALL_FACT,
    ]
    origin: Annotated[
        Annotated[Fact, AfterValidator(origin_of)] | None,
        Field(description="Act only here, such as https://example.com; call again for more. Default: everywhere"),
    ] = None

    def intends(self) -> Intent:
        """Return the intent of a read: the tool is open to clients that only observe."""
        return "read"


def observing(toolset: Toolset, who: Who) -> Toolset:
    """The toolset for clients that may not act yet. One whose sessions have an authority of their own stays as it is.

    Args:
        toolset: any.
        who: who may escalate; a client that may gets a tool for it.
    """
    if toolset.rules.authority_of or all(tool.effect == "read" for tool in toolset.tools):
        return toolset
    authority = Observing(who)
    escalate = (_tool(authority),) if who == "client" else ()
    added = {tool.name for tool in escalate}
    hint = f"Acts are refused until you call {ESCALATE} with a reason." if escalate else "Acts are refused: only observe."
    return replace(
        toolset,
        tools=(*toolset.tools, *escalate),
        instructions=f"{toolset.instructions} {hint}",
        rules=replace(toolset.rules, authority_of=lambda call: authority),
        replies=toolset.replies.passing_results(),
        core=toolset.core | added,
        everyday=toolset.everyday | added,
    )


def _tool(authority: Observing) -> Tool:
    async def escalate(call: ToolCall) -> ToolResult:
        asked: Escalate = call.parameters
        if problem := call.context.unlogged:
            raise PermissionDenied(f"An escalation has to be on record, and {problem}; nothing was changed.")
        authority.escalate(asked.origin, asked.reason)
        where = authority.origins
        text = "Acts are allowed now." if where is None else f"Acts are allowed now at {', '.join(where)}."
        return ToolResult(text, facts={"success": True, "data": {"origins": where}})

    return Tool(
        name=ESCALATE,
        title="Escalate",
        description=" ".join((Escalate.__doc__ or "").split()),
        model=Escalate,
        input_schema=input_schema(Escalate),
        run=escalate,
        idempotent=True,
        destructive=False,
        open_world=False,
    )
