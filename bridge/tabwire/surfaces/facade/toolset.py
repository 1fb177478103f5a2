"""Surface of the facade spec: nine tools, most with an `action`, and one response for all of them."""

from collections.abc import Mapping

from pydantic import BaseModel

from tabwire.commands.declaration import Effect, Intent
from tabwire.surfaces.facade import models, page, replies, search, state
from tabwire.surfaces.facade.browser_sessions import SESSION
from tabwire.surfaces.facade.replies import Response
from tabwire.surfaces.facade.saved_files import STORAGE
from tabwire.surfaces.shared.dismissed_dialogs import POLICY
from tabwire.surfaces.shared.strict_arguments import schema_of
from tabwire.surfaces.tool import Replies, Run, Tool, ToolCall, Toolset

INSTRUCTIONS = (
    "Works in browsers launched with browser_session, or in the user's own Chrome where it is connected. Calls go to the "
    "active one. Every response has the same fields; success says whether it worked, error what to do about it. "
    f"{POLICY}"
)


def _in_active(run: Run) -> Run:
    """Calls that name no browser go to the active one."""

    async def in_active(call: ToolCall) -> Response:
        active = state.of(call).active
        if active is not None and call.context.target.named is None:
            call.context = call.context.naming(active)
        response: Response = await run(call)
        return response

    return in_active


def _by_action(actions: Mapping[str, Run]) -> Run:
    return lambda call: actions[call.parameters.action](call)


def _tool(
    name: str,
    model: type[BaseModel],
    run: Run,
    effect: Effect = "act",
    *,
    destructive: bool = True,
    intent: Intent | None = None,
) -> Tool:
    return Tool(
        name=name,
        title=name.removeprefix("browser_").replace("_", " ").capitalize(),
        description=" ".join((model.__doc__ or "").split()),
        model=model,
        input_schema=schema_of(model),
        run=_in_active(run),
        effect=effect,
        intent=intent,
        idempotent=effect == "read",
        destructive=destructive and effect == "act",
        open_world=name not in ("browser_session", "browser_storage"),
        output_schema=replies.OUTPUT_SCHEMA,
    )


TOOLSET = Toolset(
    name="facade",
    instructions=INSTRUCTIONS,
    tools=(
        _tool("browser_session", models.Session, _by_action(SESSION)),
        _tool("browser_navigate", models.Navigate, _by_action(page.NAVIGATE)),
        _tool("browser_interact", models.Interact, _by_action(page.INTERACT)),
        _tool("browser_inspect", models.Inspect, _by_action(page.INSPECT), "read"),
        _tool("browser_extract", models.Extract, _by_action(page.EXTRACT), "read"),
        _tool("browser_capture", models.Capture, _by_action(page.CAPTURE), destructive=False),
        _tool("browser_execute", models.Execute, _by_action(page.EXECUTE)),
        _tool("browser_storage", models.Storage, _by_action(STORAGE)),
        _tool("web_search", models.Search, search.run, destructive=False, intent="arrange"),
    ),
    replies=Replies(replies.respond, replies.fail, note=replies.noted),
    decodes_arguments=True,
    launches=True,
    opened=state.opened,
)
