"""The tool names of an earlier version of the agent spec, for `--aliases`."""
