"""Whether the way from an MCP client to a page works: every hop is tried, timed, and told as it was seen."""
