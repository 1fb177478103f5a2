"""Search engines: by their interfaces for machines, or by their pages of results."""
