"""Saved files as MCP resources."""

import base64
from typing import Any

import mcp_types as types

from tabwire.errors import InvalidArgument
from tabwire.surfaces.shared.artifacts import Artifact, Artifacts
from tabwire.surfaces.tool import ToolResult
from tabwire.text.provenance import PageText

MAX_RESOURCE_BYTES = 32 * 1024 * 1024


def resource_facts(artifact: Artifact) -> dict[str, Any]:
    """The fields by which a file is listed, and linked in a reply."""
    return {"uri": artifact.uri, "name": artifact.path.name, "mime_type": artifact.mime_type, "size": artifact.size}


def resource_contents(
    artifacts: Artifacts, uri: str, *, is_fenced: bool
) -> types.BlobResourceContents | types.TextResourceContents:
    """The content of a file.

    Args:
        is_fenced: This surface marks page text in its replies. A saved text is page text, and clients show it to their model: it
            comes as text between the same marks. The file itself has none.

    Raises:
        TabwireError: there is no such file, it is too large, or it cannot be read.
    """
    artifact = artifacts.find(uri)
    if artifact is None:
        raise InvalidArgument(f"no such resource {uri}: list the resources to see what is there")
    if artifact.size > MAX_RESOURCE_BYTES:
        raise InvalidArgument(
            f"{artifact.path} has {artifact.size:,} bytes; resources are read up to {MAX_RESOURCE_BYTES:,}: open the file"
        )
    content = artifacts.read(artifact, MAX_RESOURCE_BYTES)
    text = _text_of(content) if is_fenced else None
    if text is None:
        return types.BlobResourceContents(uri=uri, mime_type=artifact.mime_type, blob=base64.b64encode(content).decode())
    from tabwire.middleware.fence import fenced

    return types.TextResourceContents(uri=uri, mime_type="text/plain", text=fenced(ToolResult(PageText(text))).text)


def _text_of(content: bytes) -> str | None:
    """The content as text; None for pictures, PDFs and other files that a model cannot read as words."""
    if b"\0" in content or content.startswith(b"%PDF-"):
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
