"""``tabwire demo``: a small web app on loopback and an MCP client that does the main job on it, as a readable transcript."""

from tabwire.demo.command import main

__all__ = ["main"]
