"""Command lines for the tools of the agent surface: words to arguments, help and completion, all from the declarations."""
