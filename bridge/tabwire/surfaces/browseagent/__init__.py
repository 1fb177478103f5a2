"""The browseagent surface: twelve tools over an HTML outline of the page (browseagent spec)."""
