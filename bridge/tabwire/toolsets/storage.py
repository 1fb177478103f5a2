"""Saved logins as tools give them: kept in files of the bridge, put together from what the browser tells."""

from __future__ import annotations

from tabwire.protocol.command import Command
from tabwire.tool import Run

RUNS: dict[type[Command], Run] = {}
