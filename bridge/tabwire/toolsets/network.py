"""Requests and captures as tools give them: what is too large for a reply is saved to a file."""

from __future__ import annotations

from tabwire.protocol.command import Command
from tabwire.tool import Run

RUNS: dict[type[Command], Run] = {}
