"""The MCP side: the server over stdio and HTTP, and the process it runs in."""
