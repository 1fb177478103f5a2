"""Parts that two or more surfaces use."""
