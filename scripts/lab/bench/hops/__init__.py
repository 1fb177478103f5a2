"""Calls of Chrome's behind one call of a client."""
