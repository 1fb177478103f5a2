"""Settings of the facade surface: the table `[facade]` of the configuration file, or TABWIRE_FACADE_*."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, model_validator

from tabwire.settings.tool_limits import ToolLimits, load_limits


class FacadeSettings(BaseModel):
    """See the module."""

    model_config = ConfigDict(extra="forbid")

    limits: Path | None = None
    """TOML or YAML file with `mcp.tool_limits`."""
    tool_limits: ToolLimits | None = None
    """The same limits, written here."""
    screenshots: Path | None = None
    """Folder for pictures. Default: `screenshots` in the artifacts folder."""
    downloads: Path | None = None
    """Folder for downloads of launched browsers. Default: `downloads` in the artifacts folder."""
    search_url: str = "https://html.duckduckgo.com/html/?q={query}"
    """Address of a search engine's results."""

    @model_validator(mode="after")
    def _has_limits_once(self) -> FacadeSettings:
        if self.limits is not None and self.tool_limits is not None:
            raise ValueError("limits names a file and tool_limits gives them here; drop one of the two")
        return self

    def tool_limits_in_force(self) -> ToolLimits:
        """Raises: InvalidArgument: the file cannot be used."""
        if self.limits is not None:
            return load_limits(self.limits.expanduser())
        return self.tool_limits or ToolLimits()
