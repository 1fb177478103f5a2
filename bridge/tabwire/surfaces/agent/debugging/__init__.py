"""Debugging of a live tab: what the browser knows, a line for each thing."""
