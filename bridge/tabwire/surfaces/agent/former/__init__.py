"""The tool names of an earlier version of document 002, for `--aliases`."""
