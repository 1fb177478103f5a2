"""The process of a session: it opens a bridge, says that it is ready, and serves commands until it is closed or nobody comes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import anyio

from tabwire.cli.session import places
from tabwire.cli.session.frames import FAILED
from tabwire.cli.session.start import READY
from tabwire.errors import TabwireError, only_told

if TYPE_CHECKING:
    from tabwire import app
    from tabwire.cli.session.host.session import Session
    from tabwire.config import Config


def main(words: Sequence[str]) -> int:
    """Run the session of a name until it ends; the exit code. The folder it is started in is that of its socket."""
    from tabwire import app

    name, *options = words
    os.umask(0o077)
    try:
        config = _settings(options)
        app.prepare(config)
        anyio.run(app.serve, config, partial(_talk, name, config))
    except (TabwireError, BaseExceptionGroup) as error:
        # In a group where it was raised while other things were starting.
        told = only_told(error)
        if told is None:
            raise
        _say(f"{told}".encode())
        return FAILED
    return 0


def _settings(options: Sequence[str]) -> Config:
    """The user's settings, for a bridge that has its clients at a shell of this computer."""
    from tabwire import config
    from tabwire.surfaces.tool import load_toolset

    tools = ["all", *load_toolset("agent").on_request]
    launches = "--launch" in options or "--headless" in options
    given = {
        "toolset": "agent",
        "tools": tools,
        "launch": launches or None,
        "headless": "--headless" in options or None,
    }
    return config.load(given).model_copy(update={"http": None, "listen": None})


def _say(text: bytes) -> None:
    """Tell the command that has started this process, which waits for nothing else."""
    # It may be gone: Ctrl-C while the session starts.
    with suppress(BrokenPipeError):
        os.write(1, text)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


async def _talk(name: str, config: Config, bridge: app.Bridge) -> None:
    from tabwire.cli.session.host.listener import Listener
    from tabwire.cli.session.host.session import Session

    session = Session(name, bridge, is_launched=config.launch)
    async with Listener(session, places.socket_name(name)) as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_hangup, session)
        tasks.start_soon(session.end_when_idle, config.shell_idle)
        tasks.start_soon(listener.serve)
        _say(READY)
        await session.ended.wait()
        tasks.cancel_scope.cancel()


async def _end_on_hangup(session: Session) -> None:
    """A logout ends the session, as SIGTERM does."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGHUP) as signals:
        async for _ in signals:
            session.ended.set()
