"""The agent surface: the commands as tools, one to one (agent spec)."""
