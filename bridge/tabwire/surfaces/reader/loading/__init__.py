"""Loading: an address becomes a page as text, by plain HTTP or through the user's browser."""
