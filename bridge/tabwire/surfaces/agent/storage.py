"""Saved logins as tools give them: kept in files of the bridge, put together from what the browser tells, origin by origin."""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import anyio
import anyio.lowlevel

from tabwire.commands.results import TabAddress
from tabwire.commands.storage import AuthState, Collect, CollectResult, Restore, SavedFailure
from tabwire.errors import InvalidArgument, TabwireError, Timeout, UnsupportedOperation
from tabwire.surfaces.agent.auth_states import AuthStates, SavedOrigin, SavedState
from tabwire.surfaces.tool import Answer, Runs, ToolCall

BUDGET_S = 50.0
"""Seconds for all origins together: most clients give a call a minute."""
SESSION_LEFT = "the state has session storage, too; load it with include_session_storage: true"

Failures = list[SavedFailure]


async def run_auth_state(call: ToolCall) -> Answer:
    """Save, load, list or delete."""
    command: AuthState = call.parameters
    states = AuthStates(call.context.files.artifacts.folder.with_name("auth"))
    return await _ACTIONS[command.action](call, command, states)


async def _save(call: ToolCall, command: AuthState, states: AuthStates) -> Answer:
    name = str(command.name)
    states.path(name)
    saved: list[SavedOrigin] = []
    tab: dict[str, int] = {}

    async def collect(origin: str | None) -> Failures:
        wanted = Collect(
            origin=origin,
            local=command.include_local_storage,
            session=command.include_session_storage,
            tabId=tab.get("id", command.tabId),
        )
        found = await call.context.send(wanted)
        # The user may show another tab meanwhile.
        tab["id"] = found["tabId"]
        if found["failed"] and not (found["cookies"] or "local" in found or "session" in found):
            raise UnsupportedOperation(f"nothing could be saved: {found['failed'][0]['cause']}")
        saved.append(_saved_origin(found))
        return [{"origin": found["origin"], **failure} for failure in found["failed"]]

    origins: list[str | None] = [*dict.fromkeys(command.origins)] if command.origins else [None]
    failed = await _for_each(origins, collect)
    replaced = states.exists(name)
    state = await anyio.to_thread.run_sync(states.save, name, saved)
    return {
        "name": name,
        **_described(state),
        "path": str(states.path(name)),
        **({"replaced": True} if replaced else {}),
        **({"failed": failed} if failed else {}),
    }


def _saved_origin(found: CollectResult) -> SavedOrigin:
    local, session = found.get("local"), found.get("session")
    return SavedOrigin(
        origin=found["origin"],
        cookies=[dict(cookie) for cookie in found["cookies"]],
        local_storage=None if local is None else json.loads(local),
        session_storage=None if session is None else json.loads(session),
    )


async def _load(call: ToolCall, command: AuthState, states: AuthStates) -> Answer:
    state = await anyio.to_thread.run_sync(states.load, str(command.name))
    chosen = _chosen(state, command)
    restored: list[Answer] = []
    expired = 0
    reload: dict[int, TabAddress] = {}
    tab: dict[str, int] = {}
    new_cookies = _Once()

    async def restore(origin: str | None) -> Failures:
        nonlocal expired
        saved = chosen[str(origin)]
        wanted = Restore(
            origin=saved.origin,
            cookies=new_cookies.of(saved.cookies),
            local=_text(saved.local_storage) if command.include_local_storage else None,
            session=_text(saved.session_storage) if command.include_session_storage else None,
            tabId=tab.get("id", command.tabId),
        )
        answer = await call.context.send(wanted)
        tab["id"] = answer["tabId"]
        expired += answer["expired"]
        restored.append({"origin": saved.origin, **answer["restored"]})
        reload.update({shown["tabId"]: shown for shown in answer["reload"]})
        return [{"origin": saved.origin, **failure} for failure in answer["failed"]]

    failed = await _for_each(list(chosen), restore)
    has_session = any(saved.session_storage for saved in chosen.values())
    return {
        "name": command.name,
        "saved": state.saved,
        "restored": restored,
        **({"expired_cookies": expired} if expired else {}),
        **({"failed": failed} if failed else {}),
        "reload": list(reload.values()),
        "note": _advice(reload, has_session and not command.include_session_storage),
    }


def _advice(reload: Mapping[int, TabAddress], session_left: bool) -> str:
    use = "reload the tabs under reload: their pages know nothing of this yet" if reload else "open the site: it finds this state"
    return f"{use}; {SESSION_LEFT}" if session_left else use


class _Once:
    """Cookies of a domain belong to each of its origins; they are restored with the first."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def of(self, cookies: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        keys = ("name", "domain", "path", "partitionKey")
        named = [(json.dumps([cookie.get(key) for key in keys]), cookie) for cookie in cookies]
        new = [cookie for name, cookie in named if name not in self._seen]
        self._seen.update(name for name, _ in named)
        return new


def _chosen(state: SavedState, command: AuthState) -> dict[str, SavedOrigin]:
    saved = {origin.origin: origin for origin in state.origins}
    if command.origins is None:
        return saved
    unknown = [origin for origin in command.origins if origin not in saved]
    if unknown:
        raise InvalidArgument(f"{', '.join(unknown)} is not in the state {command.name!r}; it has {', '.join(saved)}")
    return {origin: saved[origin] for origin in command.origins}


def _text(items: list[tuple[str, str]] | None) -> str | None:
    return None if items is None else json.dumps(items)


async def _list(call: ToolCall, command: AuthState, states: AuthStates) -> Answer:
    found = await anyio.to_thread.run_sync(states.all)
    return {
        "states": [
            {"name": entry.name, "bytes": entry.bytes, **(_described(entry.state) if entry.state else {"problem": entry.problem})}
            for entry in found
            if command.name in (None, entry.name)
        ]
    }


async def _delete(call: ToolCall, command: AuthState, states: AuthStates) -> Answer:
    await anyio.to_thread.run_sync(states.delete, str(command.name))
    return {"deleted": command.name, "note": "the browser keeps what it has: cookies clear signs out there"}


def _described(state: SavedState) -> Answer:
    """Counts and times: the values stay in the file."""
    return {"saved": state.saved, "origins": [origin.counts() for origin in state.origins]}


async def _for_each(origins: list[Any], do: Callable[[str | None], Awaitable[Failures]]) -> Failures:
    """Call `do` for each origin; a failure at one does not stop the others.

    Raises:
        TabwireError: nothing came of any of them.
    """
    failed: Failures = []
    errors: list[TabwireError] = []
    end = anyio.current_time() + BUDGET_S
    for origin in origins:
        try:
            with anyio.fail_after(max(0.0, end - anyio.current_time())):
                await anyio.lowlevel.checkpoint()
                failed += await do(origin)
        except TimeoutError:
            errors.append(Timeout(f"there was no time left for it within {BUDGET_S:.0f} s; name fewer origins"))
        except TabwireError as error:
            errors.append(error)
        else:
            continue
        failed.append({"origin": origin, "what": "all", "cause": str(errors[-1])})
    if len(errors) == len(origins):
        raise errors[0]
    return failed


_ACTIONS: dict[str, Callable[[ToolCall, AuthState, AuthStates], Awaitable[Answer]]] = {
    "save": _save,
    "load": _load,
    "list": _list,
    "delete": _delete,
}

RUNS: Runs = {AuthState: run_auth_state}
