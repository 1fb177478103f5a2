"""The surfaces. One per process; each is imported only when chosen."""

TOOLSETS = {
    "agent": "tabwire.surfaces.agent.toolset",
    "browseagent": "tabwire.surfaces.browseagent.toolset",
    "facade": "tabwire.surfaces.facade.toolset",
    "instrument": "tabwire.surfaces.instrument.toolset",
    "reader": "tabwire.surfaces.reader.toolset",
}
"""Surface → module with a `TOOLSET`."""
