"""Settings that a surface and the configuration both need."""

TOOLSETS = ("agent", "browseagent", "facade", "instrument", "reader")
"""Names of the surfaces; each has a module `toolset` with a `TOOLSET` in its folder."""
