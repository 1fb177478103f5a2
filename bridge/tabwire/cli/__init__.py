"""The command line: one file per sub-command; `grammar` has the words of commands for a browser, `session` runs them."""
