"""Planted bugs in small builds, looked for by scripted sessions of Tabwire and of chrome-devtools-mcp."""
