"""The facade's saved files: pictures and downloads, in the folders that are configured for them."""

from __future__ import annotations

import uuid
from contextlib import suppress
from pathlib import Path

import anyio.to_thread

from tabwire.commands.wait import Until, WaitResult
from tabwire.errors import InvalidArgument, TabwireError, Timeout, UnsupportedOperation
from tabwire.surfaces.facade.models import Storage
from tabwire.surfaces.facade.replies import Response
from tabwire.surfaces.facade.state import of, send
from tabwire.surfaces.shared.written_files import WrittenFiles
from tabwire.surfaces.tool import Run, ToolCall

LOOK_BACK_MS = 200
"""Milliseconds to look back for a download that is complete already."""
MAX_CAUGHT_UP = 20


def _files(call: ToolCall, what: str) -> WrittenFiles:
    files: WrittenFiles = getattr(of(call), what)
    return files


def _lists(what: str) -> Run:
    async def run(call: ToolCall) -> Response:
        await _catch_up(call, what)
        files = _files(call, what)
        listed = await anyio.to_thread.run_sync(files.listed)
        return {"data": {what: listed, "count": len(listed), "folder": str(files.folder)}}

    return run


def _clears(what: str) -> Run:
    async def run(call: ToolCall) -> Response:
        await _catch_up(call, what)
        files = _files(call, what)
        cleared = await anyio.to_thread.run_sync(files.clear)
        left = len(await anyio.to_thread.run_sync(files.listed))
        note = {"left": left, "note": "what is left was not saved through this server"} if left else {}
        return {"data": {"cleared": cleared, **note}}

    return run


async def _catch_up(call: ToolCall, what: str) -> None:
    """Downloads that acts here have begun and nobody has waited for are noted as ours, too; a wait tells of them later."""
    if what != "downloads":
        return
    browser = (await call.context.browser()).id
    for _ in range(MAX_CAUGHT_UP):
        try:
            result = await send(call, _wait_for(None, LOOK_BACK_MS))
        except TabwireError:
            # There is none, it is still on its way, or it came to nothing.
            return
        of(call).complete_downloads.setdefault(browser, {})[await _note(call, result)] = of(call).acts


def _wait_for(name: str | None, timeout: float) -> Until:
    return Until(for_="url", download=True, url=name, timeout=timeout)


async def _note(call: ToolCall, result: WaitResult) -> Path:
    """Move a complete download where that is wanted, note it, and return its path."""
    path = Path(result["path"])
    state = of(call)
    folder = state.move_downloads
    if folder is not None and (state.name_downloads or path.parent.resolve() != folder):
        stem, suffix = (str(uuid.uuid4()), "") if state.name_downloads else (path.stem, path.suffix)
        try:
            path = await anyio.to_thread.run_sync(call.context.files.move, path, folder, stem, suffix)
        except TabwireError as error:
            raise type(error)(error.message, next_step=f"The download itself is complete: {path}.") from None
    if state.downloads.holds(path) and path.is_file():
        # Without a note the download is complete all the same; only clear_downloads leaves it.
        with suppress(OSError):
            state.downloads.note(path)
    return path


async def _wait(call: ToolCall) -> Response:
    """A download counts once; one that comes too late is no error."""
    asked: Storage = call.parameters
    if (known := await _known(call, asked.filename)) is not None:
        return _found(known)
    try:
        result = await send(call, _wait_for(asked.filename, asked.timeout * 1000))
    except Timeout as error:
        return {"data": {"filepath": None, "filename": asked.filename, "found": False, "note": str(error)}}
    return _found(await _note(call, result))


async def _known(call: ToolCall, name: str | None) -> Path | None:
    """A file that was seen complete when the files were listed; told once, as all are. After an act a newer one is meant."""
    complete = of(call).complete_downloads.get((await call.context.browser()).id, {})
    meant = {path for path, acts in complete.items() if (acts == of(call).acts if name is None else name == path.name)}
    path = next((path for path in complete if path in meant and path.is_file()), None)
    if path is not None:
        del complete[path]
    return path


def _found(path: Path) -> Response:
    size = path.stat().st_size if path.is_file() else None
    return {"data": {"filepath": str(path), "filename": path.name, "found": True, "size": size}}


SAVED = (
    "Chrome lets no extension choose the folder or the name of a download: the browser saves it where its profile says, and it "
    "is moved when it is complete, by wait_for_download, list_downloads or clear_downloads"
)


async def _set_behavior(call: ToolCall) -> Response:
    asked: Storage = call.parameters
    if asked.behavior == "deny":
        raise UnsupportedOperation(
            "Chrome lets no extension refuse downloads before they begin (Browser.setDownloadBehavior is closed to extensions).",
            next_step="Choose allow, allowAndName or default; clear_downloads deletes what was downloaded.",
        )
    if asked.behavior == "default" and asked.download_path is not None:
        raise InvalidArgument('behavior "default" takes no download_path: it is the browser that chooses then')
    state = of(call)
    if call.context.engine.present:
        # Those of before stay where they were wanted then.
        await _catch_up(call, "downloads")
    wanted = None if asked.download_path is None else await anyio.to_thread.run_sync(_folder, call, asked.download_path)
    state.downloads = WrittenFiles(wanted or Path(str(state.launch.downloads)), state.notes)
    state.name_downloads = asked.behavior == "allowAndName"
    # Resolved now: a link that is put there later is not followed.
    state.move_downloads = state.downloads.folder.resolve() if wanted is not None or state.name_downloads else None
    note = {"note": SAVED} if state.move_downloads is not None else {}
    return {"data": {"behavior": asked.behavior, "path": str(state.downloads.folder), **note}}


def _folder(call: ToolCall, path: str) -> Path:
    """Raises: InvalidArgument, PermissionDenied: nothing may be written there."""
    folder = call.context.files.allowed(path)
    if folder.exists() and not folder.is_dir():
        raise InvalidArgument(f"{folder} is no folder")
    call.context.files.check_folder(folder)
    return folder


STORAGE: dict[str, Run] = {
    "list_downloads": _lists("downloads"),
    "clear_downloads": _clears("downloads"),
    "wait_for_download": _wait,
    "list_screenshots": _lists("screenshots"),
    "clear_screenshots": _clears("screenshots"),
    "set_download_behavior": _set_behavior,
}
