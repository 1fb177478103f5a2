"""Strict reading of pages for models: search, pages as numbered lines, citations (reader spec)."""
