"""The command line's side of a session: it carries words there and text back. It imports next to nothing."""
