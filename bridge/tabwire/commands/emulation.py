"""Emulation (document 002)."""

from __future__ import annotations

from tabwire.protocol.command import Command

COMMANDS: tuple[type[Command], ...] = ()
