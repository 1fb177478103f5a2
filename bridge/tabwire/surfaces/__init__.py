"""The surfaces. One per process; each is imported only when chosen."""
