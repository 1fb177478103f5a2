"""The facade surface: nine tools, most with an `action` (facade spec)."""
