"""The wire protocol without I/O: what messages look like, how a browser proves itself, which calls are pending."""

from tabwire.wire.messages import PROTOCOL_VERSION

PORT_WINDOW = tuple(range(17890, 17906))
"""Loopback ports a bridge may listen on; the extension looks at all of them."""

__all__ = ["PORT_WINDOW", "PROTOCOL_VERSION"]
