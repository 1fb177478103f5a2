"""The tool names of an earlier version of the agent spec, for `--aliases`."""

ENDS_IN = "1.0.0"
"""Version of Tabwire that has neither these names nor `--aliases`."""
