"""The facade's browsers: those it launches, and the user's own where it is connected."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwire.browsers import profiles
from tabwire.errors import InvalidArgument, PermissionDenied, TabwireError, UnsupportedOperation
from tabwire.surfaces.facade.models import Session
from tabwire.surfaces.facade.replies import Response
from tabwire.surfaces.facade.state import of
from tabwire.surfaces.tool import Run, ToolCall

if TYPE_CHECKING:
    from tabwire.browsers.instance import Instance
    from tabwire.browsers.launcher import Launcher


def _launcher(call: ToolCall) -> Launcher:
    if call.context.launcher is None:
        raise UnsupportedOperation("This server cannot launch browsers.")
    return call.context.launcher


async def _launch(call: ToolCall) -> Response:
    asked: Session = call.parameters
    options = replace(
        of(call).launch,
        headless=asked.headless,
        profile=None if asked.profile is None else _profile(call, asked.profile),
        anti_detect=asked.anti_detect,
        use_pool=asked.use_pool,
    )
    instance = await _launcher(call).launch(options)
    of(call).chosen.append(instance.id)
    return {"instance_id": instance.id, "data": {"status": "launched", **_launched(instance)}}


def _profile(call: ToolCall, profile: str) -> str:
    """A kept profile that a tool may use: one of a plain name, or a folder below those of tools.

    Raises:
        PermissionDenied: it is a folder elsewhere, or one that another browser keeps its user's logins in.
    """
    if profiles.is_name(profile):
        return profile
    folder = call.context.files.allowed(str(Path(profile).expanduser().absolute()))
    if profiles.is_of_others(folder):
        raise PermissionDenied(
            f"{folder} is the profile of a browser that tabwire has not launched.",
            next_step="Name a kept profile by a plain name.",
        )
    return str(folder)


async def _terminate(call: ToolCall) -> Response:
    """End a browser that was launched here. The user's own browser is never ended."""
    wanted = str(call.parameters.instance_id)
    launcher, engine = _launcher(call), call.context.engine
    own = next((browser for browser in engine.present if browser.id == wanted and not call.context.is_launched(browser.id)), None)
    if own is not None:
        raise InvalidArgument(f"{own.name!r} is the user's own browser, which is not terminated from here; launched ones are")
    await launcher.terminate(wanted)
    state = of(call)
    state.chosen[:] = [browser for browser in state.chosen if browser != wanted]
    call.context.opened.pop(wanted, None)
    if not state.chosen and len(engine.present) == 1:
        state.chosen.append(engine.present[0].id)
    return {"instance_id": wanted, "data": {"status": "terminated"}}


async def _list(call: ToolCall) -> Response:
    launcher = call.context.launcher
    await _joined(call)
    active = _active(call)
    launched = [(instance.id, _launched(instance)) for instance in launcher.instances] if launcher else []
    own = [
        (browser.id, {"name": browser.name, "kind": "connected", "where": "the user's own browser"})
        for browser in call.context.engine.present
        if not call.context.is_launched(browser.id)
    ]
    instances = [{"instance_id": each, **facts, "active": each == active} for each, facts in (*launched, *own)]
    return {"instance_id": active, "data": {"instances": instances, "count": len(instances)}}


async def _get_active(call: ToolCall) -> Response:
    await _joined(call)
    active = _active(call)
    if active is None:
        several = len(call.context.engine.present) > 1
        note = "several browsers are connected and none was chosen: pass browser" if several else "no browser is there"
        return {"data": {"status": "none", "note": note}}
    return {"instance_id": active, "data": {"status": "active"}}


async def _joined(call: ToolCall) -> None:
    """A browser that is just starting is waited for."""
    if call.context.engine.is_expecting:
        with suppress(TabwireError):
            await call.context.engine.find()


def _active(call: ToolCall) -> str | None:
    """The one that calls go to."""
    if chosen := of(call).active:
        return chosen
    present = call.context.engine.present
    return present[0].id if len(present) == 1 else None


def _launched(instance: Instance) -> dict[str, Any]:
    options = instance.options
    return {
        "name": instance.name,
        "kind": "launched",
        "where": instance.where,
        "headless": options.headless,
        "profile": None if options.profile is None else str(options.profile),
        "anti_detect": options.anti_detect,
        "started": instance.started.isoformat(timespec="seconds"),
    }


SESSION: dict[str, Run] = {"launch": _launch, "terminate": _terminate, "list": _list, "get_active": _get_active}
