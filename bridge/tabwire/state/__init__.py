"""What the bridge remembers between calls."""
