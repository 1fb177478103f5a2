"""Text of a reply: which of its words come from a page, and characters that only look like ours. No I/O."""
