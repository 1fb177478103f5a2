"""Tabwire, its floor and its peers beside each other: the same work in each of them, in turns, within one run."""
