"""Warnings as log messages to the client."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPDeprecationWarning

from bridge.fake_engine import Surface

pytestmark = pytest.mark.anyio

LOGGER = logging.getLogger("tabwire.eventlog.writer")


async def test_a_client_hears_warnings_until_it_asks_for_less() -> None:
    heard: list[tuple[str, str, str]] = []
    more = anyio.Event()

    async def hear(params: Any) -> None:
        heard.append((params.level, params.logger, params.data))
        more.set()

    async with Surface("agent").client(logging_callback=hear) as client:
        # Whoever gets an answer has been initialized.
        await client.list_tools()
        LOGGER.warning("the event log cannot be written: %s", "no space")
        LOGGER.info("nobody asked for this")
        logging.getLogger("tabwire.server.json_rpc").warning("a message of the client was refused")
        with anyio.fail_after(5):
            await more.wait()
        with pytest.warns(MCPDeprecationWarning):
            await client.session.set_logging_level("error")
        more = anyio.Event()
        LOGGER.warning("too little")
        LOGGER.error("enough")
        with anyio.fail_after(5):
            await more.wait()
    assert heard == [
        ("warning", LOGGER.name, "the event log cannot be written: no space"),
        ("error", LOGGER.name, "enough"),
    ]
    assert not logging.getLogger("tabwire").handlers, "it ends with its server"


async def test_a_client_of_the_newer_protocol_hears_nothing_that_it_has_not_asked_for() -> None:
    heard: list[str] = []
    told = anyio.Event()

    def hearing(who: str) -> Any:
        async def hear(params: Any) -> None:
            heard.append(f"{who}: {params.data}")
            if who == "older":
                told.set()

        return hear

    server = Surface("agent").server()
    with anyio.fail_after(10):
        async with (
            Client(server, mode="2026-07-28", logging_callback=hearing("newer")) as newer,
            Client(server, mode="legacy", logging_callback=hearing("older")) as older,
        ):
            await older.list_tools()
            LOGGER.warning("no space")
            await told.wait()
            await newer.list_tools()
    assert heard == ["older: no space"]
