"""Setting Tabwire up on a computer: the extension's copy, and the configuration of MCP clients."""
