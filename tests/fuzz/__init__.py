"""Property-based fuzz of all tools, and of raw lines of JSON-RPC."""
