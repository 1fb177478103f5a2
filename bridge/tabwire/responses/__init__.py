"""One renderer per surface: a result or an error → what the client gets."""
