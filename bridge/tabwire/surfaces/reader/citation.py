"""Reference to the lines of a page that something was read from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Citation:
    """Lines of a page that was opened under a cursor, which keeps its page: so a citation stays true."""

    cursor: str
    first: int
    """0-based, as `loc`."""
    last: int
    """Inclusive."""

    def __str__(self) -> str:
        """Return the citation as it stands in a text: 【c_9b2f0a†L3-L5】."""
        lines = f"L{self.first}" if self.first == self.last else f"L{self.first}-L{self.last}"
        return f"【{self.cursor}†{lines}】"
