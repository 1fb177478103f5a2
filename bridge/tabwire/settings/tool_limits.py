"""Limits of the size of the facade's answers: for all tools, and for each of the operations that limits are named after.

In a TOML or YAML file as the facade spec shows it, `[mcp.tool_limits]`, or in config.toml as `[facade.tool_limits]`.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tabwire.disk import plain_files
from tabwire.errors import InvalidArgument

Bytes = Annotated[int, Field(ge=1)]


class Limited(BaseModel):
    """Limits of one operation; what is not said is that of all."""

    model_config = ConfigDict(extra="forbid")

    response_bytes: Bytes | None = None
    chunk_bytes: Bytes | None = None
    ellipsize_text_after: Bytes | None = None
    """Characters."""


class Defaults(BaseModel):
    """Limits of the operations that are not named."""

    model_config = ConfigDict(extra="forbid")

    response_bytes: Bytes = 64_000


class Chunks(BaseModel):
    """Limits of chunks."""

    model_config = ConfigDict(extra="forbid")

    default_chunk_size_bytes: Bytes = 16_000
    max_chunk_bytes: Bytes = 128_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one operation."""

    response_bytes: int
    chunk_bytes: int
    max_chunk_bytes: int
    ellipsize_text_after: int | None


class ToolLimits(BaseModel):
    """All of them."""

    model_config = ConfigDict(extra="forbid")

    global_max_bytes: Bytes = 256_000
    """No response has more text than this."""
    defaults: Defaults = Defaults()
    chunks: Chunks = Chunks()
    browser_get_text: Limited = Limited(response_bytes=64_000, chunk_bytes=16_000)
    browser_get_html: Limited = Limited(response_bytes=128_000, chunk_bytes=32_000, ellipsize_text_after=128)
    browser_execute: Limited = Limited(response_bytes=32_000, chunk_bytes=12_000)
    browser_evaluate: Limited = Limited(response_bytes=32_000, chunk_bytes=12_000)
    web_search: Limited = Limited()

    def of(self, operation: str) -> Limits:
        """Return the limits of an operation, for example `browser_get_text`."""
        own: Limited = getattr(self, operation)
        known: Limited = type(self).model_fields[operation].default
        most = self.global_max_bytes
        largest_chunk = min(self.chunks.max_chunk_bytes, most)
        response = own.response_bytes or known.response_bytes or self.defaults.response_bytes
        chunk = own.chunk_bytes or known.chunk_bytes or self.chunks.default_chunk_size_bytes
        return Limits(
            min(response, most),
            min(chunk, largest_chunk),
            largest_chunk,
            own.ellipsize_text_after or known.ellipsize_text_after,
        )


def load_limits(path: Path) -> ToolLimits:
    """The limits of a file.

    Raises:
        InvalidArgument: it cannot be read, or something in it is no limit.
    """
    found: Any = (_from_yaml if path.suffix.lower() in (".yaml", ".yml") else plain_files.read_toml)(path)
    for name in ("mcp", "tool_limits"):
        found = found.get(name, {}) if isinstance(found, dict) else None
    try:
        return ToolLimits.model_validate(found)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors(include_url=False))
        raise InvalidArgument(f"{path}: mcp.tool_limits: {problems}. Limits: {', '.join(ToolLimits.model_fields)}") from None


def _from_yaml(path: Path) -> Any:
    try:
        yaml: Any = import_module("yaml")
    except ImportError:
        raise InvalidArgument(
            f"{path}: reading YAML needs PyYAML", next_step='Run `pip install "tabwire[yaml]"`, or write the limits as TOML.'
        ) from None
    try:
        return yaml.safe_load(plain_files.read_text(path)) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidArgument(f"{path}: {getattr(error, 'strerror', None) or error}") from None
