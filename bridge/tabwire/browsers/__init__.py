"""Browsers that tabwire starts itself, with the extension loaded and paired."""
